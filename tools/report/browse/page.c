/* SPDX-License-Identifier: MIT */
/* What is looked at; see page.h. */
#include "tools/report/browse/page.h"

#include <stdio.h>
#include <string.h>

#include "tools/report/browse/terminal.h"

static size_t nr_lines(const struct ptl_tab *tab)
{
	return tab->lines.nr - tab->nr_above;
}

static void check_chosen(struct ptl_tab *tab)
{
	size_t nr = nr_lines(tab);

	if (tab->chosen >= nr)
		tab->chosen = nr > 0 ? nr - 1 : 0;
}

static const char *name_of(const struct ptl_browse_page *page, size_t i)
{
	const struct ptl_report_view *view = page->reading->view[i].view;

	if (page->scope.is_all && i == 0)
		return "processes";
	if (view->name == NULL)
		return "overview";
	return view == &ptl_report_call_tree ? "call tree" : view->name;
}

/* Is there something in the view?  Threads are what a process consists of. */
static bool is_there(const struct ptl_browse_page *page, size_t i)
{
	const struct ptl_reading_view *one = &page->reading->view[i];

	if (i == 0)
		return page->scope.tid == 0;
	return one->view->name == NULL || one->table.nr > 0;
}

static void choose_process(struct ptl_browse_page *page, size_t number)
{
	const struct ptl_table *table = &page->processes.table;

	for (size_t i = 0; i < table->nr; i++) {
		const struct ptl_process *process = table->row[i].of;

		if (process->number == number)
			page->tab[0].chosen = i;
	}
}

static void take_processes(struct ptl_browse_page *page, bool is_filtered)
{
	const struct ptl_tab *tab = &page->tab[0];

	ptl_process_rows_take(&page->processes, page->reading, is_filtered);
	ptl_process_rows_make(&page->processes,
			      tab->sort != NULL ? tab->sort : "start");
	choose_process(page, page->kept_process);
}

/* The words of a row, by which it is found again. */
static const char *words_of(const struct ptl_table *table,
			    const struct ptl_row *row)
{
	for (size_t i = table->nr_columns; i-- > 0;)
		if (ptl_column_is_text(&table->column[i]) &&
		    row->cell[i].is_known)
			return row->cell[i].text;
	return "";
}

void ptl_page_keep(struct ptl_browse_page *page)
{
	const struct ptl_process *process = ptl_page_process(page);
	const struct ptl_row *row = ptl_page_row(page);

	page->kept_words[0] = '\0';
	if (process != NULL)
		page->kept_process = process->number;
	else if (row != NULL)
		snprintf(page->kept_words, sizeof(page->kept_words), "%s",
			 words_of(ptl_page_table(page), row));
}

static void find_kept(struct ptl_browse_page *page)
{
	const struct ptl_table *table = ptl_page_table(page);

	if (page->kept_words[0] == '\0' || table == NULL ||
	    ptl_page_is_tree(page))
		return;
	for (size_t i = 0; i < table->shown; i++)
		if (strncmp(words_of(table, &table->row[i]), page->kept_words,
			    sizeof(page->kept_words) - 1) == 0) {
			page->tab[page->at].chosen = i;
			return;
		}
}

void ptl_page_take(struct ptl_browse_page *page, bool is_filtered)
{
	for (size_t i = 0; i < page->reading->nr_views; i++) {
		struct ptl_tab *tab = &page->tab[i];
		struct ptl_table *table = &page->reading->view[i].table;

		tab->name = name_of(page, i);
		tab->is_there = is_there(page, i);
		tab->is_made = false;
		if (tab->sort != NULL && i > 0)
			ptl_table_sort(table, tab->sort, table->top);
	}
	if (page->scope.is_all)
		take_processes(page, is_filtered);
	if (!page->tab[page->at].is_there)
		ptl_page_turn(page, false);
	find_kept(page);
}

void ptl_page_free(struct ptl_browse_page *page)
{
	for (size_t i = 0; i < PTL_READING_VIEWS; i++)
		ptl_lines_free(&page->tab[i].lines);
	ptl_process_rows_free(&page->processes);
	if (page->reading != NULL)
		ptl_reading_free(page->reading);
}

void ptl_page_turn(struct ptl_browse_page *page, bool is_backwards)
{
	size_t nr = page->reading->nr_views;

	for (size_t i = 1; i <= nr; i++) {
		size_t at = (page->at + (is_backwards ? nr - i : i)) % nr;

		if (page->tab[at].is_there) {
			page->at = at;
			return;
		}
	}
}

/* After the table was made anew. */
static void sort_again(struct ptl_browse_page *page)
{
	struct ptl_tab *tab = &page->tab[page->at];
	struct ptl_table *table = &page->reading->view[page->at].table;

	if (ptl_page_is_tree(page))
		ptl_process_rows_make(&page->processes,
				      tab->sort != NULL ? tab->sort : "start");
	else
		ptl_table_sort(table, tab->sort, table->top);
	tab->is_made = false;
}

/* By a column that is shown; or as the view wants it, in whatever order that
 * is.
 */
static bool can_sort(const struct ptl_browse_page *page,
		     const struct ptl_column *column)
{
	const char *wanted = page->reading->view[page->at].view->sort;

	return column->key != NULL &&
	       (*column->heading != '\0' ||
		(!ptl_page_is_tree(page) && strcmp(column->key, wanted) == 0));
}

void ptl_page_sort(struct ptl_browse_page *page, bool is_backwards)
{
	const struct ptl_table *table = ptl_page_table(page);
	const struct ptl_process *process = ptl_page_process(page);
	size_t at, nr;

	if (table == NULL)
		return;
	nr = table->nr_columns;
	at = table->by;
	do {
		at = (at + (is_backwards ? nr - 1 : 1)) % nr;
	} while (at != table->by && !can_sort(page, &table->column[at]));
	page->tab[page->at].sort = table->column[at].key;
	sort_again(page);
	page->tab[page->at].chosen = 0;
	if (process != NULL && ptl_page_is_tree(page))
		choose_process(page, process->number);
}

const struct ptl_process *ptl_page_process(struct ptl_browse_page *page)
{
	const struct ptl_row *row =
		ptl_page_is_tree(page) ? ptl_page_row(page) : NULL;

	return row != NULL ? row->of : NULL;
}

const struct ptl_browse_thread *ptl_page_thread(struct ptl_browse_page *page)
{
	const struct ptl_row *row = !page->scope.is_all && page->at == 0 ?
					    ptl_page_row(page) :
					    NULL;

	return row != NULL ? row->of : NULL;
}

void ptl_page_move(struct ptl_browse_page *page, long lines)
{
	struct ptl_tab *tab = ptl_page_tab(page);

	if (lines < 0 && tab->chosen < (size_t)-lines)
		tab->chosen = 0;
	else
		tab->chosen += (size_t)lines;
	check_chosen(tab);
}

/* The tree as it is now, and this process chosen. */
static void make_tree(struct ptl_browse_page *page,
		      const struct ptl_process *process)
{
	sort_again(page);
	choose_process(page, process->number);
}

bool ptl_page_open(struct ptl_browse_page *page, bool is_open)
{
	const struct ptl_process *process = ptl_page_process(page);

	if (process == NULL)
		return false;
	if (ptl_process_rows_open(&page->processes, process, is_open))
		make_tree(page, process);
	else if (is_open)
		ptl_page_move(page, 1);
	else if (process->parent != NULL)
		choose_process(page, process->parent->number);
	return true;
}

void ptl_page_toggle(struct ptl_browse_page *page)
{
	const struct ptl_process *process = ptl_page_process(page);

	if (process != NULL &&
	    ptl_process_rows_open(
		    &page->processes, process,
		    !ptl_process_rows_is_open(&page->processes, process)))
		make_tree(page, process);
}

void ptl_page_toggle_all(struct ptl_browse_page *page)
{
	const struct ptl_process *process = ptl_page_process(page);
	const struct ptl_process *above = process;

	if (process == NULL)
		return;
	while (above->parent != NULL)
		above = above->parent;
	ptl_process_rows_open_all(
		&page->processes,
		!ptl_process_rows_is_open(&page->processes, above));
	make_tree(page, ptl_process_rows_is_open(&page->processes, above) ?
				process :
				above);
}

static bool row_has(const struct ptl_table *table, const struct ptl_row *row,
		    const char *words)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		if (ptl_column_is_text(&table->column[i]) &&
		    row->cell[i].is_known &&
		    strcasestr(row->cell[i].text, words) != NULL)
			return true;
	return false;
}

static bool line_has(struct ptl_browse_page *page, size_t i, const char *words)
{
	const struct ptl_tab *tab = &page->tab[page->at];
	const struct ptl_table *table = ptl_page_table(page);

	if (i < tab->nr_rows && row_has(table, &table->row[i], words))
		return true;
	return ptl_lines_has(&tab->lines, tab->nr_above + i, words);
}

static bool search_processes(struct ptl_browse_page *page, const char *words,
			     bool is_backwards)
{
	const struct ptl_process *process = ptl_process_rows_search(
		&page->processes, ptl_page_process(page), words, is_backwards);

	if (process == NULL)
		return false;
	ptl_process_rows_open_to(&page->processes, process);
	make_tree(page, process);
	return true;
}

bool ptl_page_search(struct ptl_browse_page *page, const char *words,
		     bool is_backwards)
{
	struct ptl_tab *tab = ptl_page_tab(page);
	size_t nr = nr_lines(tab);

	if (ptl_page_is_tree(page))
		return search_processes(page, words, is_backwards);
	for (size_t i = 1; i <= nr; i++) {
		size_t at = (tab->chosen + (is_backwards ? nr - i : i)) % nr;

		if (line_has(page, at, words)) {
			tab->chosen = at;
			return true;
		}
	}
	return false;
}

void ptl_page_resized(struct ptl_browse_page *page)
{
	for (; page != NULL; page = page->from)
		for (size_t i = 0; i < PTL_READING_VIEWS; i++)
			page->tab[i].is_made = false;
}

/* Scrolls no further than it has to. */
static void scroll(struct ptl_tab *tab, size_t rows)
{
	size_t nr = nr_lines(tab);

	check_chosen(tab);
	if (tab->chosen < tab->first)
		tab->first = tab->chosen;
	if (tab->chosen >= tab->first + rows)
		tab->first = tab->chosen - rows + 1;
	if (tab->first + rows > nr)
		tab->first = nr > rows ? nr - rows : 0;
}

/* The names of the views, those before the one that is shown only if there is
 * room. */
static void draw_tabs(const struct ptl_browse_page *page)
{
	size_t from = 0, width = ptl_terminal_columns();
	char line[512];
	int used;

	do {
		used = 0;
		for (size_t i = from; i <= page->at; i++)
			if (page->tab[i].is_there)
				used += (int)strlen(page->tab[i].name) + 2;
	} while ((size_t)used > width && from++ < page->at);
	used = 0;
	for (size_t i = from; i < page->reading->nr_views; i++)
		if (page->tab[i].is_there)
			used += snprintf(line + used,
					 sizeof(line) - (size_t)used,
					 i == page->at ? "[%s]" : " %s ",
					 page->tab[i].name);
	ptl_terminal_put(1, line, (size_t)used, PTL_STYLE_PLAIN);
}

void ptl_page_draw(struct ptl_browse_page *page)
{
	struct ptl_tab *tab = ptl_page_tab(page);
	size_t rows = ptl_terminal_rows() - 3 - tab->nr_above, size;
	const char *line;

	draw_tabs(page);
	scroll(tab, rows);
	for (size_t i = 0; i < tab->nr_above; i++) {
		line = ptl_lines_get(&tab->lines, i, &size);
		ptl_terminal_put(2 + i, line, size, PTL_STYLE_HEADING);
	}
	for (size_t i = 0; i < rows; i++) {
		size_t at = tab->first + i;

		if (at < nr_lines(tab))
			line = ptl_lines_get(&tab->lines, tab->nr_above + at,
					     &size);
		else
			line = "", size = 0;
		ptl_terminal_put(2 + tab->nr_above + i, line, size,
				 at == tab->chosen ? PTL_STYLE_CHOSEN :
						     PTL_STYLE_PLAIN);
	}
}
