/* SPDX-License-Identifier: MIT */
/* Rows of numbers and names; see table.h. */
#include "tools/report/show/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/number.h"
#include "tools/report/show/screen.h"

/* Between two columns. */
#define GAP 2

/* A name in the middle of a row takes at most that much of it. */
#define TEXT_COLUMNS 32

void ptl_table_begin(struct ptl_table *table, const struct ptl_column *column)
{
	memset(table, 0, sizeof(*table));
	table->column = column;
	while (column[table->nr_columns].heading != NULL)
		table->nr_columns++;
	table->by = table->nr_columns;
	table->all_by = "--top N";
	table->top = SIZE_MAX;
}

void ptl_table_free(struct ptl_table *table)
{
	free(table->row);
}

struct ptl_row *ptl_table_row(struct ptl_table *table, const void *of)
{
	struct ptl_row *row;

	table->row = ptl_grow(table->row, table->nr, &table->room,
			      sizeof(*table->row));
	row = &table->row[table->nr];
	memset(row, 0, sizeof(*row));
	row->of = of;
	row->rank = table->nr++;
	table->shown = table->nr;
	return row;
}

struct ptl_cell ptl_cell_number(int64_t number)
{
	return (struct ptl_cell){
		.is_known = true, .number = number, .real = (double)number};
}

struct ptl_cell ptl_cell_real(double real)
{
	return (struct ptl_cell){.is_known = true,
				 .number = real <= -9e18 ? INT64_MIN :
					   real < 9e18	 ? (int64_t)real :
							   INT64_MAX,
				 .real = real};
}

struct ptl_cell ptl_cell_maybe(int64_t number)
{
	return (struct ptl_cell){.is_known = number >= 0, .number = number};
}

struct ptl_cell ptl_cell_text(const char *text)
{
	return (struct ptl_cell){.is_known = text != NULL, .text = text};
}

int ptl_table_find(const struct ptl_column *column, const char *key)
{
	for (int i = 0; column[i].heading != NULL; i++)
		if (column[i].key != NULL && strcmp(column[i].key, key) == 0)
			return i;
	return -1;
}

bool ptl_column_is_text(const struct ptl_column *column)
{
	return column->kind == PTL_COLUMN_TEXT ||
	       column->kind == PTL_COLUMN_PATH;
}

/* Unknown comes last, whatever the direction. */
static int compare_cells(const struct ptl_column *column,
			 const struct ptl_cell *a, const struct ptl_cell *b)
{
	if (!a->is_known || !b->is_known)
		return b->is_known - a->is_known;
	if (ptl_column_is_text(column))
		return strcmp(a->text, b->text);
	if (column->kind == PTL_COLUMN_REAL)
		return (a->real < b->real) - (a->real > b->real);
	if (a->number == b->number)
		return 0;
	return (a->number < b->number) == (column->kind == PTL_COLUMN_TIME) ?
		       -1 :
		       1;
}

static int compare_rows(const void *left, const void *right, void *of)
{
	const struct ptl_row *a = left, *b = right;
	const struct ptl_table *table = of;
	int order = compare_cells(&table->column[table->by],
				  &a->cell[table->by], &b->cell[table->by]);

	if (order != 0)
		return order;
	return a->rank < b->rank ? -1 : 1;
}

void ptl_table_sort(struct ptl_table *table, const char *key, size_t top)
{
	int by = ptl_table_find(table->column, key);

	table->by = by >= 0 ? (size_t)by : 0;
	if (table->nr > 0)
		qsort_r(table->row, table->nr, sizeof(*table->row),
			compare_rows, table);
	table->shown = table->nr < top ? table->nr : top;
}

const char *ptl_table_text(enum ptl_column_kind kind, int64_t number, char *buf)
{
	switch (kind) {
	case PTL_COLUMN_DURATION:
		return ptl_number_duration(buf, number);
	case PTL_COLUMN_TIME:
		return ptl_number_time(buf, number);
	case PTL_COLUMN_BYTES:
		return ptl_number_bytes(buf, number);
	case PTL_COLUMN_PERMILLE:
		return ptl_number_percent(buf, number);
	case PTL_COLUMN_RATIO:
		snprintf(buf, PTL_NUMBER_SIZE, "%.2f", (double)number / 1000);
		return buf;
	case PTL_COLUMN_RATE:
		snprintf(buf, PTL_NUMBER_SIZE, "%.*f", number < 9995000,
			 (double)number / 1e6);
		return buf;
	default:
		return ptl_number_count(buf, number);
	}
}

/* What a cell of numbers says. */
static const char *number_text(const struct ptl_column *column,
			       const struct ptl_cell *cell,
			       char buf[2 * PTL_NUMBER_SIZE])
{
	char number[PTL_NUMBER_SIZE];

	if (!cell->is_known)
		return "—";
	if (column->kind == PTL_COLUMN_REAL)
		ptl_number_real(number, cell->real);
	else
		ptl_table_text(column->kind, cell->number, number);
	buf[0] = '\0';
	if (cell->is_least && column->kind != PTL_COLUMN_DURATION)
		strcpy(buf, "≥");
	if (cell->is_signed && cell->number > 0)
		strcpy(buf, "+");
	strcat(buf, number);
	if (cell->is_least && column->kind == PTL_COLUMN_DURATION)
		strcat(buf, "+");
	return buf;
}

static size_t cell_columns(const struct ptl_column *column,
			   const struct ptl_cell *cell)
{
	char buf[2 * PTL_NUMBER_SIZE];

	if (!ptl_column_is_text(column) || !cell->is_known)
		return ptl_screen_columns(number_text(column, cell, buf));
	return ptl_screen_name_columns(cell->text);
}

/* Columns of all but the last. */
static size_t width_before_last(const struct ptl_table *table,
				const size_t *width)
{
	size_t all = 0;

	for (size_t i = 0; i + 1 < table->nr_columns; i++)
		all += width[i] > 0 ? width[i] + GAP : 0;
	return all;
}

/* On a narrow terminal, so that the last column has room: its words come before
 * numbers that can be done without. */
static void leave_out(const struct ptl_table *table, size_t *width)
{
	size_t last = width[table->nr_columns - 1];

	for (size_t i = 0; i < table->nr_columns; i++)
		if (table->spare >> i & 1 && i != table->by &&
		    width_before_last(table, width) + last > ptl_screen_width())
			width[i] = 0;
	if (!table->is_narrow)
		return;
	if (last > ptl_screen_width() / 2)
		last = ptl_screen_width() / 2;
	for (size_t i = table->nr_columns - 1; i-- > 0;)
		if (i != table->by &&
		    width_before_last(table, width) + last > ptl_screen_width())
			width[i] = 0;
}

/* How wide each column is; 0: it is not shown. */
static void find_widths(const struct ptl_table *table, size_t *width)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct ptl_column *column = &table->column[i];

		width[i] = 0;
		if (*column->heading == '\0')
			continue;
		width[i] = ptl_screen_columns(column->heading) +
			   (i == table->by ? ptl_screen_columns("▾") : 0);
		for (size_t j = 0; j < table->shown; j++) {
			size_t columns =
				cell_columns(column, &table->row[j].cell[i]);

			if (ptl_column_is_text(column) &&
			    columns > TEXT_COLUMNS)
				columns = TEXT_COLUMNS;
			if (columns > width[i])
				width[i] = columns;
		}
	}
	leave_out(table, width);
}

static void print_heading(const struct ptl_table *table, const size_t *width)
{
	size_t at = 0;

	ptl_line_color(PTL_COLOR_DIM);
	for (size_t i = 0; i < table->nr_columns; i++) {
		const char *mark = i == table->by ? "▾" : "";
		const char *heading = table->column[i].heading;
		size_t size =
			ptl_screen_columns(heading) + ptl_screen_columns(mark);

		if (width[i] == 0)
			continue;
		if (!ptl_column_is_text(&table->column[i]))
			ptl_line_to(at + width[i] - size);
		else
			ptl_line_to(at);
		ptl_line("%s%s", heading, mark);
		at += width[i] + GAP;
	}
	ptl_line_end();
}

static void print_text(const struct ptl_column *column,
		       const struct ptl_cell *cell, size_t columns)
{
	if (!cell->is_known)
		ptl_line("—");
	else if (column->kind == PTL_COLUMN_PATH)
		ptl_line_path(cell->text, columns);
	else if (columns == SIZE_MAX)
		ptl_line_name(cell->text);
	else
		ptl_line_path(cell->text, columns);
}

static void print_row(const struct ptl_table *table, const struct ptl_row *row,
		      const size_t *width)
{
	size_t at = 0;

	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct ptl_column *column = &table->column[i];
		const struct ptl_cell *cell = &row->cell[i];
		bool is_last = i + 1 == table->nr_columns;
		size_t left = ptl_screen_width();

		if (width[i] == 0)
			continue;
		ptl_line_to(ptl_column_is_text(column) ?
				    at :
				    at + width[i] - cell_columns(column, cell));
		left = left == SIZE_MAX ? left : left > at ? left - at : 0;
		if (cell->is_failure || (column->kind == PTL_COLUMN_ERRORS &&
					 cell->is_known && cell->number != 0))
			ptl_line_color(PTL_COLOR_RED);
		if (ptl_column_is_text(column)) {
			bool is_path = column->kind == PTL_COLUMN_PATH;

			print_text(column, cell,
				   !is_last ? width[i] :
				   is_path  ? left :
					      SIZE_MAX);
		} else {
			char buf[2 * PTL_NUMBER_SIZE];

			ptl_line("%s", number_text(column, cell, buf));
		}
		ptl_line_color(PTL_COLOR_NONE);
		at += width[i] + GAP;
	}
	ptl_line_end();
}

void ptl_table_print(const struct ptl_table *table,
		     void (*below)(const void *of, size_t column))
{
	size_t width[PTL_TABLE_COLUMNS] = {0}, last;

	find_widths(table, width);
	last = width_before_last(table, width);
	print_heading(table, width);
	for (size_t i = 0; i < table->shown; i++) {
		print_row(table, &table->row[i], width);
		if (below != NULL)
			below(table->row[i].of, last);
	}
	if (table->shown < table->nr) {
		char buf[PTL_NUMBER_SIZE];

		ptl_line_color(PTL_COLOR_DIM);
		ptl_line("%s more: %s",
			 ptl_number_count(buf,
					  (int64_t)(table->nr - table->shown)),
			 table->all_by);
		ptl_line_end();
	}
}
