/* SPDX-License-Identifier: MIT */
/* The page that --html makes; see html.h. */
#include "tools/page/html.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/page/causes.h"
#include "tools/page/counters.h"
#include "tools/page/pyramid.h"
#include "tools/page/template.h"
#include "tools/report/draw/flame.h"
#include "tools/report/show/json.h"
#include "tools/report/view/notes.h"
#include "tools/report/view/values.h"
#include "tools/lib/number.h"

#define SECTION_HEADER 1

/* Where sections of another log begin. */
#define OTHER 32

/* Rows of a table; of a flame graph, boxes of less than that share of it are
 * one. */
#define MAX_ROWS 1000
#define MIN_SHARE 100000

/* Bytes of a timeline for each event, and for all of a short log. */
#define PER_EVENT 2
#define SHORT (2 << 20)

static const char *const kinds[] = {
	[PTL_COLUMN_COUNT] = "count",	    [PTL_COLUMN_ERRORS] = "errors",
	[PTL_COLUMN_DURATION] = "duration", [PTL_COLUMN_TIME] = "time",
	[PTL_COLUMN_BYTES] = "bytes",	    [PTL_COLUMN_RATE] = "rate",
	[PTL_COLUMN_PERMILLE] = "permille", [PTL_COLUMN_RATIO] = "ratio",
	[PTL_COLUMN_REAL] = "real",	    [PTL_COLUMN_TEXT] = "text",
	[PTL_COLUMN_PATH] = "text",
};

static void put_string(struct ptl_out *out, const char *string)
{
	if (string != NULL)
		ptl_quote_json(out, string, strnlen(string, 1000));
	else
		ptl_out_str(out, "null");
}

static void put_process(struct ptl_out *out, const struct ptl_process *process)
{
	char exit[16];

	ptl_out_char(out, '[');
	ptl_out_uint(out, process->number);
	ptl_out_char(out, ',');
	ptl_out_int(out, process->pid);
	ptl_out_char(out, ',');
	if (process->parent != NULL)
		ptl_out_uint(out, process->parent->number);
	else
		ptl_out_str(out, "null");
	ptl_out_char(out, ',');
	ptl_out_int(out, process->begin);
	ptl_out_char(out, ',');
	ptl_out_int(out, process->end);
	ptl_out_char(out, ',');
	put_string(out, ptl_process_program(process));
	ptl_out_char(out, ',');
	put_string(out, ptl_process_exit(process, exit));
	ptl_out_char(out, ',');
	ptl_out_int(out, ptl_process_cpu(process));
	ptl_out_char(out, ',');
	ptl_out_int(out, process->rank);
	ptl_out_char(out, ',');
	put_string(out, ptl_tags_shown(&process->tags));
	ptl_out_char(out, ']');
}

/* Processes that have tracks, and whom they came from. */
static void put_processes(struct ptl_out *out, const struct ptl_html *html)
{
	const struct ptl_process *process =
		ptl_processes_first(html->model->processes);
	size_t nr = 0;

	ptl_json_key(out, "processes", false);
	ptl_out_char(out, '[');
	for (; process != NULL && nr < PTL_TIMELINE_TRACKS;
	     process = process->next) {
		if (nr++ > 0)
			ptl_out_char(out, ',');
		put_process(out, process);
	}
	ptl_out_char(out, ']');
}

static void put_tracks(struct ptl_out *out, const struct ptl_timeline *timeline)
{
	ptl_json_key(out, "tracks", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < timeline->tracks.nr; i++) {
		const struct ptl_page_track *track = timeline->track[i];

		ptl_out_str(out, i > 0 ? ",[" : "[");
		if (track->process != NULL)
			ptl_out_uint(out, track->process->number);
		else
			ptl_out_str(out, "null");
		ptl_out_char(out, ',');
		ptl_out_int(out, track->tid);
		ptl_out_char(out, ',');
		put_string(out, track->name);
		ptl_out_char(out, ',');
		put_string(out, track->host);
		ptl_out_char(out, ']');
	}
	ptl_out_char(out, ']');
}

static void put_losses(struct ptl_out *out, const struct ptl_timeline *timeline)
{
	ptl_json_key(out, "losses", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < timeline->nr_losses; i++) {
		ptl_out_str(out, i > 0 ? ",[" : "[");
		ptl_out_int(out, timeline->loss[i].begin);
		ptl_out_char(out, ',');
		ptl_out_int(out, timeline->loss[i].end);
		ptl_out_char(out, ']');
	}
	ptl_out_char(out, ']');
}

/* Which names are those of events of programs' own. */
static void put_marks(struct ptl_out *out, const struct ptl_hash *marks)
{
	const bool *mark = NULL;
	bool is_first = true;
	uint32_t name;

	ptl_json_key(out, "marks", false);
	ptl_out_char(out, '[');
	while ((mark = ptl_hash_next(marks, mark)) != NULL) {
		if (!is_first)
			ptl_out_char(out, ',');
		is_first = false;
		/* Keys stand behind values of any size. */
		memcpy(&name, ptl_hash_key(marks, mark), sizeof(name));
		ptl_out_uint(out, name);
	}
	ptl_out_char(out, ']');
}

static void put_columns(struct ptl_out *out, const struct ptl_report_view *view)
{
	const struct ptl_column *column = view->column;

	ptl_json_key(out, "columns", false);
	ptl_out_char(out, '[');
	for (bool is_first = true; column->heading != NULL; column++) {
		if (column->key == NULL)
			continue;
		ptl_out_str(out, is_first ? "[" : ",[");
		is_first = false;
		put_string(out, column->key);
		ptl_out_char(out, ',');
		put_string(out, column->heading);
		ptl_out_char(out, ',');
		put_string(out, kinds[column->kind]);
		ptl_out_char(out, ']');
	}
	if (view == &ptl_report_waits)
		ptl_out_str(out, ",[\"meanwhile\",\"MEANWHILE\",\"text\"]");
	ptl_out_char(out, ']');
}

/* As ptrace-report --json has it, with what its columns are. */
static void put_view(struct ptl_out *out, const struct ptl_report_view *view,
		     void *of, struct ptl_model *model)
{
	struct ptl_table table;

	ptl_table_begin(&table, view->column);
	view->rows(of, model, &table);
	ptl_table_sort(&table, view->sort, MAX_ROWS);
	ptl_out_char(out, '{');
	ptl_notes_json(model, view, out);
	ptl_json_text(out, "about", view->about);
	ptl_json_text(out, "sort", view->sort);
	ptl_json_number(out, "nr", (int64_t)table.nr);
	put_columns(out, view);
	if (view->members != NULL && !view->has_long_members)
		view->members(of, model, out);
	ptl_json_key(out, "rows", false);
	/* Where a lock is, by which its events are found; and what others did.
	 */
	ptl_json_table(out, &table,
		       view == &ptl_report_locks ? view->more :
		       view == &ptl_report_waits ? ptl_report_put_meanwhile :
						   NULL);
	ptl_out_char(out, '}');
	ptl_table_free(&table);
}

static void put_views(struct ptl_out *out, const struct ptl_html *html)
{
	ptl_json_key(out, "views", false);
	for (int i = 0; ptl_report_views[i] != NULL; i++) {
		ptl_out_char(out, i == 0 ? '[' : ',');
		put_view(out, ptl_report_views[i], html->view[i], html->model);
	}
	ptl_out_char(out, ']');
}

/* Depth, name and what it is worth in itself. */
static void put_box(void *to, const struct ptl_path_box *box)
{
	struct ptl_out *out = to;

	if (box->number > 0)
		ptl_out_char(out, ',');
	ptl_out_uint(out, box->depth);
	ptl_out_char(out, ',');
	put_string(out, box->name);
	ptl_out_char(out, ',');
	ptl_out_int(out, box->self);
}

static void put_paths(struct ptl_out *out, const struct ptl_paths *paths,
		      const char *title, enum ptl_column_kind kind)
{
	ptl_out_char(out, '{');
	ptl_json_key(out, "kind", true);
	put_string(out, kinds[kind]);
	ptl_json_text(out, "title", title);
	ptl_json_key(out, "boxes", false);
	ptl_out_char(out, '[');
	ptl_paths_boxes(paths, paths->root.total / MIN_SHARE + 1, put_box, out);
	ptl_out_str(out, "]}");
}

/* By each measure, the default one first. */
static void put_flames(struct ptl_out *out, void *flame)
{
	enum ptl_column_kind kind;
	const struct ptl_paths *paths;
	const char *title;
	unsigned int i = 0;

	ptl_json_key(out, "flames", false);
	ptl_out_char(out, '[');
	while ((paths = ptl_flame_paths(flame, i, &title, &kind)) != NULL) {
		if (i++ > 0)
			ptl_out_char(out, ',');
		put_paths(out, paths, title, kind);
	}
	ptl_out_char(out, ']');
}

/* What a view keeps, whose rows are made already. */
static const void *kept_by(const struct ptl_html *html,
			   const struct ptl_report_view *view)
{
	int i = 0;

	while (ptl_report_views[i] != view)
		i++;
	return html->view[i];
}

static void put_curves(struct ptl_out *out, const struct ptl_html *html)
{
	ptl_json_key(out, "memory", false);
	ptl_counters_json(ptl_report_heaps(kept_by(html, &ptl_report_memory)),
			  out);
	ptl_json_key(out, "values", false);
	ptl_counters_values_json(
		ptl_report_value_sums(kept_by(html, &ptl_report_values)), out);
}

static void put_causes(struct ptl_out *out, const struct ptl_html *html)
{
	const void *of = kept_by(html, &ptl_report_critical_path);
	size_t nr;
	const struct ptl_link *link = ptl_report_links(of, &nr);

	ptl_causes_json(ptl_report_strands(of), link, nr, out);
}

static void put_header(struct ptl_out *out, const struct ptl_html *html)
{
	const struct ptl_timeline *timeline = html->timeline;

	ptl_out_char(out, '{');
	ptl_json_key(out, "version", true);
	put_string(out, PTL_VERSION);
	ptl_json_key(out, "log", false);
	put_string(out, html->name);
	ptl_json_number(out, "wall", html->model->last);
	ptl_json_number(out, "events", (int64_t)timeline->events);
	ptl_json_number(out, "slices", (int64_t)timeline->slices.nr);
	ptl_json_number(out, "quantum", timeline->slices.quantum);
	ptl_json_number(out, "without_text",
			(int64_t)timeline->texts.nr_refused);
	put_processes(out, html);
	put_tracks(out, timeline);
	put_losses(out, timeline);
	put_marks(out, &timeline->marks);
	put_views(out, html);
	put_curves(out, html);
	put_causes(out, html);
	ptl_spanlinks_json(&timeline->spanlinks, out);
	put_flames(out, html->flame);
	ptl_json_key(out, "names", false);
	ptl_texts_json(&timeline->names, out);
	ptl_json_key(out, "texts", false);
	ptl_texts_json(&timeline->texts, out);
	ptl_json_key(out, "contexts", false);
	ptl_texts_json(&timeline->contexts, out);
	ptl_json_key(out, "files", false);
	ptl_page_paths_json(&timeline->paths, out);
	ptl_out_char(out, '}');
}

static void put_log(struct ptl_pack *pack, const struct ptl_html *html)
{
	ptl_pack_section(pack, SECTION_HEADER);
	put_header(ptl_pack_text(pack), html);
	ptl_pyramid_write(pack, html->timeline);
}

static void put_data(struct ptl_out *out, const struct ptl_html *html)
{
	struct ptl_pack *pack = ptl_pack_open(out);

	put_log(pack, html);
	if (html->other != NULL) {
		ptl_pack_count_from(pack, OTHER);
		put_log(pack, html->other);
	}
	ptl_pack_close(pack);
}

/* How many characters of it the timeline will be. */
static uint64_t measure(const struct ptl_html *html)
{
	struct ptl_pack *pack = ptl_pack_open(NULL);

	ptl_texts_json(&html->timeline->texts, ptl_pack_text(pack));
	ptl_pyramid_write(pack, html->timeline);
	return ptl_pack_close(pack);
}

/* How large the timeline may be: the rest of a page is for all else; two logs
 * share one. */
static uint64_t timeline_max(const struct ptl_html *html, unsigned int nr)
{
	uint64_t most = PER_EVENT * html->timeline->events;
	uint64_t all = html->page_size > 0 ? html->page_size : PTL_HTML_MAX;

	all = all / 4 * 3 / nr;
	if (html->page_size > 0)
		return all;
	if (most < SHORT)
		most = SHORT;
	return most < all ? most : all;
}

/* To measure takes long: fewer slices take less, if not by their share. */
static void make_room(const struct ptl_html *html, unsigned int nr_logs)
{
	struct ptl_slices *slices = &html->timeline->slices;
	uint64_t most = timeline_max(html, nr_logs), guess = UINT64_MAX;

	/* So few never take too much. */
	while (slices->nr > (most < SHORT ? most : SHORT) / 16 &&
	       guess > most) {
		uint64_t size = measure(html), each = size / slices->nr + 1;
		size_t nr = slices->nr;

		if (size <= most)
			break;
		ptl_slices_merge(slices, nr / 4 * 3);
		/* The slices are of too many threads. */
		if (slices->nr == nr)
			break;
		guess = slices->nr * (each + each / 4 + 1);
	}
}

void ptl_html_write(const struct ptl_html *html, struct ptl_out *out)
{
	unsigned int nr_logs = html->other != NULL ? 2 : 1;

	for (const struct ptl_html *each = html; each != NULL;
	     each = each->other) {
		ptl_timeline_end(each->timeline, each->model);
		make_room(each, nr_logs);
	}
	ptl_out_str(out, ptl_template_head);
	put_data(out, html);
	ptl_out_str(out, ptl_template_tail);
}
