/* SPDX-License-Identifier: MIT */
/* The rows of an answer; see sql_print.h. */
#include "tools/report/sql_print.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/out.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"

/* So many rows of a table are kept, by which its columns get their width. */
#define ROWS 500
/* So many bytes of them at most. */
#define BYTES (4u << 20)

struct cell {
	size_t at, size; /* in the text */
	size_t columns;	 /* on a screen */
	bool is_number;
};

static struct {
	enum ptl_sql_format format;
	struct ptl_out out;
	bool is_terminal;
	bool is_any; /* a table was there before */
	int nr_columns;
	size_t *width;
	bool has_head; /* it is shown */
	struct cell *cell;
	size_t nr_cells, cells_room;
	char *text;
	size_t nr_bytes, bytes_room;
} print;

static void fail(const char *name, const char *why)
{
	ptl_say("cannot write %s: %s", name, why);
	exit(1);
}

void ptl_sql_print_open(enum ptl_sql_format format)
{
	print.format = format;
	print.is_terminal = isatty(STDOUT_FILENO);
	ptl_out_init(&print.out, STDOUT_FILENO, "standard output", fail);
}

static void take(const char *bytes, size_t size)
{
	while (print.bytes_room - print.nr_bytes < size)
		print.text = ptl_grow(print.text, print.bytes_room,
				      &print.bytes_room, 1);
	memcpy(print.text + print.nr_bytes, bytes, size);
	print.nr_bytes += size;
}

static size_t count_columns(const char *text, size_t size)
{
	size_t columns = 0;

	for (size_t i = 0; i < size; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* ---- values ---------------------------------------------------------- */

static void put_real(struct ptl_out *out, double real, bool is_json)
{
	char buf[40];

	if (is_json && !isfinite(real)) {
		ptl_out_str(out, "null");
		return;
	}
	snprintf(buf, sizeof(buf), is_json ? "%.17g" : "%.15g", real);
	ptl_out_str(out, buf);
}

static void put_blob(struct ptl_out *out, sqlite3_stmt *statement, int i)
{
	int size = sqlite3_column_bytes(statement, i);

	ptl_out_hexdump(out, sqlite3_column_blob(statement, i), (size_t)size);
}

/* The text of a column, which may have null characters in it. */
static const char *text_of(sqlite3_stmt *statement, int i, size_t *size)
{
	const char *text = (const char *)sqlite3_column_text(statement, i);

	*size = text != NULL ? (size_t)sqlite3_column_bytes(statement, i) : 0;
	return text != NULL ? text : "";
}

/* As RFC 4180 has it; on a terminal without what would act on it. */
static void put_csv_text(struct ptl_out *out, const char *text, size_t size)
{
	bool is_quoted = size == 0;

	for (size_t i = 0; i < size && !is_quoted; i++)
		is_quoted = strchr(",\"\r\n", text[i]) != NULL;
	if (!is_quoted) {
		if (print.is_terminal)
			ptl_quote_shown(out, text, size);
		else
			ptl_out_bytes(out, text, size);
		return;
	}
	ptl_out_char(out, '"');
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"')
			ptl_out_char(out, '"');
		if (print.is_terminal && (c < ' ' || c >= 127))
			ptl_quote_shown(out, &text[i], 1);
		else
			ptl_out_char(out, text[i]);
	}
	ptl_out_char(out, '"');
}

/* A form of values, in which nothing acts on a terminal. */
struct form {
	bool is_json;
	void (*put_text)(struct ptl_out *out, const char *text, size_t size);
	const char *quote, *null; /* around bytes; for NULL */
};

static const struct form json = {true, ptl_quote_json, "\"", "null"};
static const struct form plain = {false, ptl_quote_shown, "", ""};
static const struct form csv = {false, put_csv_text, "", ""};

static void put_value(struct ptl_out *out, sqlite3_stmt *statement, int i,
		      const struct form *form)
{
	const char *text;
	size_t size;

	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_INTEGER:
		ptl_out_int(out, sqlite3_column_int64(statement, i));
		break;
	case SQLITE_FLOAT:
		put_real(out, sqlite3_column_double(statement, i),
			 form->is_json);
		break;
	case SQLITE_TEXT:
		text = text_of(statement, i, &size);
		form->put_text(out, text, size);
		break;
	case SQLITE_BLOB:
		ptl_out_str(out, form->quote);
		put_blob(out, statement, i);
		ptl_out_str(out, form->quote);
		break;
	default:
		ptl_out_str(out, form->null);
	}
}

/* ---- tables ---------------------------------------------------------- */

/* The next cell, whose text was put to `to'. */
static void add_cell(struct ptl_out *to, size_t at, bool is_number)
{
	struct cell *cell;

	ptl_out_flush(to);
	print.cell = ptl_grow(print.cell, print.nr_cells, &print.cells_room,
			      sizeof(*print.cell));
	cell = &print.cell[print.nr_cells++];
	cell->at = at;
	cell->size = print.nr_bytes - at;
	cell->columns = count_columns(print.text + at, cell->size);
	cell->is_number = is_number;
}

static void put_blanks(size_t nr)
{
	for (; nr > 0; nr--)
		ptl_out_char(&print.out, ' ');
}

static void put_cell(const struct cell *cell, int column)
{
	size_t blanks = print.width[column] - cell->columns;
	bool is_last = column + 1 == print.nr_columns;

	if (cell->is_number)
		put_blanks(blanks);
	ptl_out_bytes(&print.out, print.text + cell->at, cell->size);
	if (!is_last && !cell->is_number)
		put_blanks(blanks);
	ptl_out_str(&print.out, is_last ? "\n" : "  ");
}

/* A heading is over its numbers. */
static void align_head(void)
{
	size_t nr = (size_t)print.nr_columns;

	for (size_t i = 0; !print.has_head && i < nr && nr + i < print.nr_cells;
	     i++)
		print.cell[i].is_number = print.cell[nr + i].is_number;
	print.has_head = true;
}

static void flush_table(void)
{
	if (print.nr_columns == 0)
		return;
	align_head();
	for (size_t i = 0; i < print.nr_cells; i++) {
		size_t *width = &print.width[i % (size_t)print.nr_columns];

		if (*width < print.cell[i].columns)
			*width = print.cell[i].columns;
	}
	for (size_t i = 0; i < print.nr_cells; i++)
		put_cell(&print.cell[i], (int)(i % (size_t)print.nr_columns));
	print.nr_cells = print.nr_bytes = 0;
}

static void begin_table(sqlite3_stmt *statement)
{
	static struct ptl_out to = {.take = take};

	if (print.is_any)
		ptl_out_char(&print.out, '\n');
	print.is_any = true;
	print.has_head = false;
	free(print.width);
	print.width =
		ptl_alloc((size_t)print.nr_columns * sizeof(*print.width));
	for (int i = 0; i < print.nr_columns; i++) {
		const char *name = sqlite3_column_name(statement, i);
		size_t at = print.nr_bytes;

		ptl_quote_shown(&to, name, strlen(name));
		add_cell(&to, at, false);
	}
}

static void add_row(sqlite3_stmt *statement)
{
	static struct ptl_out to = {.take = take};

	for (int i = 0; i < print.nr_columns; i++) {
		int type = sqlite3_column_type(statement, i);
		size_t at = print.nr_bytes;

		put_value(&to, statement, i, &plain);
		add_cell(&to, at,
			 type == SQLITE_INTEGER || type == SQLITE_FLOAT);
	}
	if (print.nr_cells >= ROWS * (size_t)print.nr_columns ||
	    print.nr_bytes >= BYTES)
		flush_table();
}

/* ---- a statement ----------------------------------------------------- */

void ptl_sql_print_begin(sqlite3_stmt *statement)
{
	print.nr_columns = sqlite3_column_count(statement);
	print.nr_cells = print.nr_bytes = 0;
	if (print.nr_columns == 0)
		return;
	if (print.format == PTL_SQL_TABLE)
		begin_table(statement);
	if (print.format != PTL_SQL_CSV)
		return;
	for (int i = 0; i < print.nr_columns; i++) {
		const char *name = sqlite3_column_name(statement, i);

		if (i > 0)
			ptl_out_char(&print.out, ',');
		put_csv_text(&print.out, name, strlen(name));
	}
	ptl_out_str(&print.out, "\r\n");
}

static void put_object(sqlite3_stmt *statement)
{
	for (int i = 0; i < print.nr_columns; i++) {
		const char *name = sqlite3_column_name(statement, i);

		ptl_out_char(&print.out, i > 0 ? ',' : '{');
		ptl_quote_json(&print.out, name, strlen(name));
		ptl_out_char(&print.out, ':');
		put_value(&print.out, statement, i, &json);
	}
	ptl_out_str(&print.out, "}\n");
}

void ptl_sql_print_row(sqlite3_stmt *statement)
{
	switch (print.format) {
	case PTL_SQL_TABLE:
		add_row(statement);
		break;
	case PTL_SQL_JSON:
		put_object(statement);
		break;
	case PTL_SQL_CSV:
		for (int i = 0; i < print.nr_columns; i++) {
			if (i > 0)
				ptl_out_char(&print.out, ',');
			put_value(&print.out, statement, i, &csv);
		}
		ptl_out_str(&print.out, "\r\n");
		break;
	}
}

void ptl_sql_print_end(void)
{
	if (print.format == PTL_SQL_TABLE)
		flush_table();
	ptl_out_flush(&print.out);
}
