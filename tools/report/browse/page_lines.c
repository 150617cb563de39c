/* SPDX-License-Identifier: MIT */
/* What a page says; see page_lines.h. */
#include "tools/report/browse/page_lines.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/number.h"
#include "tools/report/browse/terminal.h"
#include "tools/report/view/crashes.h"
#include "tools/report/view/firings.h"
#include "tools/report/view/notes.h"
#include "tools/report/show/screen.h"

/* Where values begin. */
#define INDENT 10

/* A name of any length, in as many lines as it takes, all from INDENT on. */
static void say_long(const char *name)
{
	size_t room = ptl_screen_width() - INDENT;
	char part[512];

	do {
		size_t size = strnlen(name, sizeof(part) - 1);

		if (size > room)
			size = room;
		do {
			while (size > 1 &&
			       ((unsigned char)name[size] & 0xc0) == 0x80)
				size--;
			memcpy(part, name, size);
			part[size] = '\0';
		} while (ptl_screen_name_columns(part) > room && --size > 0);
		ptl_line_to(INDENT);
		ptl_line_name(part);
		ptl_line_end();
		name += size > 0 ? size : 1;
	} while (*name != '\0');
}

static void say_heading(const char *heading)
{
	ptl_line_color(PTL_COLOR_DIM);
	ptl_line("%s", heading);
	ptl_line_color(PTL_COLOR_NONE);
}

static void say_number(const char *heading, enum ptl_column_kind kind,
		       int64_t number)
{
	char buf[PTL_NUMBER_SIZE];

	say_heading(heading);
	ptl_line_to(INDENT);
	ptl_line("%s", ptl_table_text(kind, number, buf));
	ptl_line_end();
}

static void say_programs(const struct ptl_process *process)
{
	const struct ptl_program *image = process->image;

	for (; image != NULL; image = image->next) {
		say_heading("runs");
		say_long(image->program);
		if (*image->arguments != '\0')
			say_long(image->arguments);
		if (image->cwd == NULL)
			continue;
		say_heading("in");
		say_long(image->cwd);
	}
}

static void say_process(const struct ptl_process *process)
{
	char text[1024], exit[16];

	ptl_process_path(process, text, sizeof(text));
	say_heading("process");
	say_long(text);
	say_programs(process);
	say_number("begins", PTL_COLUMN_TIME, process->begin);
	say_number("wall", PTL_COLUMN_DURATION, process->end - process->begin);
	if (process->user_us >= 0)
		say_number("user", PTL_COLUMN_DURATION,
			   process->user_us * 1000);
	if (process->sys_us >= 0)
		say_number("system", PTL_COLUMN_DURATION,
			   process->sys_us * 1000);
	if (process->maxrss_kib >= 0)
		say_number("memory", PTL_COLUMN_BYTES,
			   process->maxrss_kib * 1024);
	say_heading("exit");
	ptl_line_to(INDENT);
	if (ptl_process_failed(process))
		ptl_line_color(PTL_COLOR_RED);
	ptl_line("%s", ptl_process_exit(process, exit));
	ptl_line_color(PTL_COLOR_NONE);
	ptl_line_end();
}

bool ptl_page_is_tree(const struct ptl_browse_page *page)
{
	return page->scope.is_all && page->at == 0;
}

const struct ptl_table *ptl_page_table(const struct ptl_browse_page *page)
{
	const struct ptl_reading_view *one = &page->reading->view[page->at];

	if (ptl_page_is_tree(page))
		return &page->processes.table;
	return one->view->name != NULL ? &one->table : NULL;
}

static const struct ptl_process *process_of(const struct ptl_browse_page *page)
{
	return !page->scope.is_all && page->scope.process <
					      page->reading->nr_processes ?
		       page->reading->process[page->scope.process] :
		       NULL;
}

/* The default view: a page of text, and no table that is sorted. */
static void say_overview(struct ptl_browse_page *page)
{
	struct ptl_reading_view *one = &page->reading->view[page->at];
	struct ptl_model *model = &page->reading->model;

	ptl_notes_title(model);
	ptl_crashes_print(model);
	ptl_firings_print(model);
	one->view->above(one->of, model);
	ptl_line_end();
	if (one->table.nr > 0)
		ptl_table_print(&one->table, NULL);
	one->view->after(one->of, model);
	ptl_notes_missing(model, one->view);
}

/* The rows, and what there is to say of them. */
static void say_table(struct ptl_browse_page *page)
{
	struct ptl_reading_view *one = &page->reading->view[page->at];
	const struct ptl_table *table = ptl_page_table(page);
	struct ptl_model *model = &page->reading->model;

	if (table->shown > 0)
		ptl_table_print(table, NULL);
	else
		ptl_line("(nothing of this kind was recorded)");
	ptl_line_end();
	if (ptl_page_is_tree(page))
		return;
	if (page->at == 0 && process_of(page) != NULL)
		say_process(process_of(page));
	if (one->view->above != NULL)
		one->view->above(one->of, model);
	if (one->view->after != NULL)
		one->view->after(one->of, model);
	ptl_notes_missing(model, one->view);
}

static void make_lines(struct ptl_browse_page *page)
{
	struct ptl_tab *tab = &page->tab[page->at];
	const struct ptl_table *table = ptl_page_table(page);
	bool has_rows = table != NULL && table->shown > 0;

	ptl_lines_begin(&tab->lines, ptl_terminal_columns());
	if (table != NULL)
		say_table(page);
	else
		say_overview(page);
	ptl_lines_end(&tab->lines);
	tab->nr_above = has_rows ? 1 : 0;
	tab->nr_rows = has_rows ? table->shown : 0;
	tab->is_made = true;
}

struct ptl_tab *ptl_page_tab(struct ptl_browse_page *page)
{
	struct ptl_tab *tab = &page->tab[page->at];

	if (!tab->is_made)
		make_lines(page);
	return tab;
}

const struct ptl_row *ptl_page_row(struct ptl_browse_page *page)
{
	const struct ptl_tab *tab = ptl_page_tab(page);
	const struct ptl_table *table = ptl_page_table(page);

	return table != NULL && tab->chosen < tab->nr_rows ?
		       &table->row[tab->chosen] :
		       NULL;
}

void ptl_page_say_row(void *of_page)
{
	struct ptl_browse_page *page = of_page;
	struct ptl_reading_view *one = &page->reading->view[page->at];
	const struct ptl_table *table = ptl_page_table(page);
	const struct ptl_row *row = ptl_page_row(page);

	for (size_t i = 0; row != NULL && i < table->nr_columns; i++) {
		const struct ptl_column *column = &table->column[i];

		if (!row->cell[i].is_known || *column->heading == '\0')
			continue;
		if (!ptl_column_is_text(column)) {
			say_number(column->heading, column->kind,
				   row->cell[i].number);
			continue;
		}
		say_heading(column->heading);
		say_long(row->cell[i].text);
	}
	if (row == NULL || one->view->below == NULL)
		return;
	ptl_line_end();
	one->view->below(row->of, 0);
}
