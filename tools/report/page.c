/* SPDX-License-Identifier: MIT */
/* The page that a view makes; see page.h. */
#include "tools/report/page.h"

#include "tools/report/view/crashes.h"
#include "tools/report/view/firings.h"
#include "tools/report/show/json.h"
#include "tools/report/view/notes.h"
#include "tools/report/show/screen.h"

/* Rows on a terminal. */
#define TERMINAL_TOP 20

size_t ptl_page_top(const struct ptl_choices *choices)
{
	if (choices->settings.top > 0)
		return choices->settings.top;
	return ptl_screen_is_terminal() && !choices->wants_json ? TERMINAL_TOP :
								  SIZE_MAX;
}

static void show_text(struct ptl_run *run, const struct ptl_report_view *view,
		      void *of, const struct ptl_table *table)
{
	ptl_notes_title(&run->model);
	ptl_crashes_print(&run->model);
	ptl_firings_print(&run->model);
	if (view->above != NULL)
		view->above(of, &run->model);
	ptl_line_end();
	if (table->nr > 0)
		ptl_table_print(table, view->below);
	else
		ptl_line("(nothing of this kind was recorded)");
	if (table->nr == 0)
		ptl_line_end();
	if (view->after != NULL)
		view->after(of, &run->model);
	ptl_notes_missing(&run->model, view);
}

static void show_json(struct ptl_run *run, const struct ptl_report_view *view,
		      void *of, const struct ptl_table *table)
{
	struct ptl_out *out = ptl_screen_out();

	ptl_out_char(out, '{');
	ptl_notes_json(&run->model, view, out);
	if (view->members != NULL)
		view->members(of, &run->model, out);
	ptl_json_key(out, "rows", false);
	ptl_json_table(out, table, view->more);
	ptl_out_str(out, "}\n");
}

void ptl_page_show(struct ptl_run *run, const struct ptl_choices *choices)
{
	const struct ptl_report_view *view = run->view[0].view;
	void *of = run->view[0].of;
	const char *sort = choices->settings.sort;
	struct ptl_table table;

	ptl_table_begin(&table, view->column);
	table.top = ptl_page_top(choices);
	view->rows(of, &run->model, &table);
	ptl_table_sort(&table, sort != NULL ? sort : view->sort, table.top);
	if (choices->wants_json)
		show_json(run, view, of, &table);
	else
		show_text(run, view, of, &table);
	ptl_table_free(&table);
}
