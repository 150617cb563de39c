/* SPDX-License-Identifier: MIT */
/* Logs looked at in a terminal; see browse.h. */
#include "tools/report/browse/browse.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/clock.h"
#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/browse/chosen.h"
#include "tools/report/browse/events.h"
#include "tools/report/browse/keys.h"
#include "tools/report/browse/page.h"
#include "tools/report/browse/page_lines.h"
#include "tools/report/browse/terminal.h"
#include "tools/report/browse/text.h"
#include "tools/report/browse/threads.h"
#include "tools/report/show/screen.h"

/* With --live: how often the logs are read, ms; and how much of the time that
 * may take at most, one part of so many. */
#define LIVE_MS 1000
#define LIVE_SHARE 8

struct browser {
	const struct ptl_merge *open;
	const struct ptl_browse_settings *settings;
	const struct ptl_report_view *views[PTL_READING_VIEWS + 1];
	const struct ptl_report_view *all_views[PTL_READING_VIEWS + 1];
	struct ptl_browse_page *page;
	struct ptl_chosen chosen;
	unsigned int read_as; /* another number: pages are to be read again */
	char words[PTL_PROMPT_SIZE];
	char message[256]; /* until the next key */
	size_t columns;	   /* that pages are made for */
	struct ptl_browse_lines title;
	bool is_ended; /* the user, or a signal, wants it */

	/* --live: what the logs were like, and how long reading took. */
	uint64_t size, took;
	bool is_written;
};

/* All pages have the same, but that the overview is of all. */
static void list_views(struct browser *browser)
{
	size_t nr = 0, nr_all = 0;

	browser->views[nr++] = &ptl_browse_threads;
	browser->all_views[nr_all++] = &ptl_browse_threads;
	for (size_t i = 0; ptl_report_views[i] != NULL; i++) {
		const struct ptl_report_view *view = ptl_report_views[i];
		bool is_calls;

		/* The tree of processes is in its place. */
		if (view->name != NULL && strcmp(view->name, "processes") == 0)
			continue;
		is_calls =
			view->name != NULL && strcmp(view->name, "calls") == 0;
		browser->all_views[nr_all++] = view;
		if (view->name != NULL)
			browser->views[nr++] = view;
		if (!is_calls)
			continue;
		browser->all_views[nr_all++] = &ptl_report_call_tree;
		browser->views[nr++] = &ptl_report_call_tree;
	}
}

/* May there be more, some time?  Who writes it may be out of sight. */
static bool is_written(const struct ptl_merge *merge)
{
	struct posix_trace_info_np info;

	for (size_t i = 0; i < merge->nr_sources; i++)
		if (ptl_source_verdict(&merge->source[i], &info) !=
		    PTL_SOURCE_WHOLE)
			return true;
	return false;
}

/* The page as it is with what is chosen now. */
static void read_page(struct browser *browser)
{
	struct ptl_browse_page *page = browser->page;
	const struct ptl_browse_reading *before =
		page->reading == NULL && page->from != NULL ?
			page->from->reading :
			page->reading;
	struct ptl_browse_reading *reading;
	uint64_t begin = ptl_monotonic_ns();
	char count[PTL_NUMBER_SIZE];

	page->read_as = browser->read_as;
	reading = ptl_reading_new(
		browser->open,
		page->scope.is_all ? browser->all_views : browser->views,
		&page->scope, &browser->chosen.filter, before);
	if (reading == NULL) {
		snprintf(browser->message, sizeof(browser->message),
			 "the logs cannot be read again");
		browser->is_ended |= page->reading == NULL;
		return;
	}
	if (page->reading != NULL) {
		ptl_page_keep(page);
		ptl_reading_free(page->reading);
	}
	page->reading = reading;
	browser->is_written = is_written(&page->reading->merge);
	ptl_page_take(page, ptl_chosen_is_any(&browser->chosen));
	browser->took = ptl_monotonic_ns() - begin;
	if (reading->is_broken_off)
		snprintf(browser->message, sizeof(browser->message),
			 "stopped after %s events: r reads all",
			 ptl_number_count(
				 count, (int64_t)page->reading->model.events));
}

static void open_page(struct browser *browser, struct ptl_scope scope,
		      const char *title)
{
	struct ptl_browse_page *page = ptl_alloc(sizeof(*page));

	page->from = browser->page;
	page->scope = scope;
	page->kept_process = SIZE_MAX;
	page->at = page->from == NULL || page->from->scope.is_all ? 0 : 1;
	snprintf(page->title, sizeof(page->title), "%s", title);
	browser->page = page;
	read_page(browser);
}

static void close_page(struct browser *browser)
{
	struct ptl_browse_page *page = browser->page;

	browser->page = page->from;
	ptl_page_free(page);
	free(page);
}

static void go_back(struct browser *browser)
{
	if (browser->page->from != NULL)
		close_page(browser);
}

static void draw_title(struct browser *browser)
{
	const struct ptl_browse_page *page = browser->page;
	size_t size;
	const char *line;

	ptl_lines_begin(&browser->title, browser->columns);
	ptl_line_name(page->title);
	if (page->scope.with_children)
		ptl_line(", with all that it started");
	if (browser->chosen.where[0] != '\0')
		ptl_line("   f: ");
	ptl_line_name(browser->chosen.where);
	if (browser->chosen.time[0] != '\0')
		ptl_line("   t: ");
	ptl_line_name(browser->chosen.time);
	if (browser->settings->is_live)
		ptl_line("   %s", browser->is_written ? "live" : "ended");
	ptl_line_end();
	ptl_lines_end(&browser->title);
	line = ptl_lines_get(&browser->title, 0, &size);
	ptl_terminal_put(0, line, size, PTL_STYLE_BAR);
}

static void draw_status(struct browser *browser)
{
	static const char hints[] = "?:help Enter:open Tab:view s:sort "
				    "/:search f:filter e:events q:quit";
	char line[512];
	int size = snprintf(line, sizeof(line), "%s",
			    browser->message[0] != '\0' ? browser->message :
							  hints);

	ptl_terminal_put(ptl_terminal_rows() - 1, line, (size_t)size,
			 PTL_STYLE_BAR);
}

/* All but the cursor; for prompts, too. */
static void draw(void *of)
{
	struct browser *browser = of;
	char line[64];
	int size;

	if (browser->columns != ptl_terminal_columns())
		ptl_page_resized(browser->page);
	browser->columns = ptl_terminal_columns();
	if (browser->columns >= PTL_TERMINAL_COLUMNS &&
	    ptl_terminal_rows() >= PTL_TERMINAL_ROWS) {
		draw_title(browser);
		ptl_page_draw(browser->page);
		draw_status(browser);
		return;
	}
	size = snprintf(line, sizeof(line), "too small: %dx%d at least",
			PTL_TERMINAL_COLUMNS, PTL_TERMINAL_ROWS);
	for (size_t i = 0; i < ptl_terminal_rows(); i++)
		ptl_terminal_put(i, line, i == 0 ? (size_t)size : 0,
				 PTL_STYLE_PLAIN);
}

static void say(struct browser *browser, const char *message)
{
	snprintf(browser->message, sizeof(browser->message), "%s", message);
}

/* Is read with what is chosen now, and so are those below it once they are
 * shown. */
static void read_again(struct browser *browser)
{
	browser->read_as++;
}

static void search(struct browser *browser, bool is_backwards)
{
	char message[sizeof(browser->message)];

	if (browser->words[0] == '\0' ||
	    ptl_page_search(browser->page, browser->words, is_backwards))
		return;
	snprintf(message, sizeof(message), "not found: %.200s", browser->words);
	say(browser, message);
}

static void ask_words(struct browser *browser)
{
	browser->words[0] = '\0';
	if (ptl_prompt("/", "search for (Enter: go, Esc: do not)",
		       browser->words, draw, browser))
		search(browser, false);
}

/* Until it makes sense, or the user does not want to. */
static void ask_chosen(struct browser *browser, const char *asked,
		       const char *help, const char *now,
		       const char *(*choose)(struct ptl_chosen *chosen,
					     const char *text))
{
	char text[PTL_PROMPT_SIZE];

	snprintf(text, sizeof(text), "%s", now);
	while (ptl_prompt(asked, help, text, draw, browser)) {
		help = choose(&browser->chosen, text);
		if (help == NULL) {
			read_again(browser);
			return;
		}
	}
}

/* The time of what is chosen, or all. */
static void zoom(struct browser *browser)
{
	struct ptl_browse_page *page = browser->page;
	const struct ptl_process *process = ptl_page_process(page);
	const struct ptl_browse_thread *thread = ptl_page_thread(page);

	if (process == NULL && !page->scope.is_all &&
	    page->scope.process < page->reading->nr_processes)
		process = page->reading->process[page->scope.process];
	if (browser->chosen.time[0] != '\0')
		ptl_chosen_time(&browser->chosen, "");
	else if (thread != NULL)
		ptl_chosen_range(&browser->chosen, thread->first, thread->last);
	else if (process != NULL)
		ptl_chosen_range(&browser->chosen, process->begin,
				 process->end);
	else
		return say(browser, "no process is chosen: t asks for a time");
	read_again(browser);
}

static void enter(struct browser *browser)
{
	struct ptl_browse_page *page = browser->page;
	const struct ptl_process *process = ptl_page_process(page);
	const struct ptl_browse_thread *thread = ptl_page_thread(page);
	struct ptl_scope scope = page->scope;
	char title[sizeof(page->title)];
	size_t used;

	if (process != NULL) {
		used = ptl_process_path(process, title, sizeof(title));
		if (used < sizeof(title))
			snprintf(title + used, sizeof(title) - used, "[%d]",
				 process->pid);
		scope = (struct ptl_scope){.process = process->number};
		open_page(browser, scope, title);
	} else if (thread != NULL) {
		snprintf(title, sizeof(title), "%.200s, thread %d", page->title,
			 thread->tid);
		scope.process = thread->process->number;
		scope.with_children = false;
		scope.tid = thread->tid;
		open_page(browser, scope, title);
	} else if (ptl_page_row(page) != NULL) {
		ptl_browse_text("a row", ptl_page_say_row, page);
	}
}

static void show_events(struct browser *browser)
{
	struct ptl_browse_page *page = browser->page;
	const struct ptl_browse_thread *thread = ptl_page_thread(page);
	const struct ptl_chosen *chosen = &browser->chosen;
	struct ptl_browse_events events = {
		.paths = browser->settings->paths,
		.nr_paths = browser->settings->nr_paths,
		.process = ptl_page_process(page),
		.with_children = page->scope.with_children,
		.tid = thread != NULL ? thread->tid : page->scope.tid,
		.where = chosen->where[0] != '\0' ? chosen->where : NULL,
		.since = chosen->since[0] != '\0' ? chosen->since : NULL,
		.until = chosen->until[0] != '\0' ? chosen->until : NULL,
	};

	if (!page->scope.is_all &&
	    page->scope.process < page->reading->nr_processes)
		events.process = page->reading->process[page->scope.process];
	if (thread != NULL)
		events.process = thread->process;
	if (events.tid != 0)
		events.with_children = false;
	if (!ptl_browse_events(&events))
		say(browser, "there is no ptrace-dump");
}

static void with_children(struct browser *browser)
{
	struct ptl_scope *scope = &browser->page->scope;

	if (scope->is_all || scope->tid != 0)
		return say(browser, "no process is open");
	scope->with_children = !scope->with_children;
	read_again(browser);
}

static void move(struct browser *browser, enum ptl_browse_act act)
{
	long screen = (long)ptl_terminal_rows() - 5;

	switch (act) {
	case PTL_BROWSE_UP:
		return ptl_page_move(browser->page, -1);
	case PTL_BROWSE_DOWN:
		return ptl_page_move(browser->page, 1);
	case PTL_BROWSE_PAGE_UP:
		return ptl_page_move(browser->page, -screen);
	case PTL_BROWSE_PAGE_DOWN:
		return ptl_page_move(browser->page, screen);
	case PTL_BROWSE_FIRST:
		return ptl_page_move(browser->page, -(LONG_MAX / 2));
	default:
		return ptl_page_move(browser->page, LONG_MAX / 2);
	}
}

/* What changes which events are looked at, or asks for something. */
static void ask(struct browser *browser, enum ptl_browse_act act)
{
	switch (act) {
	case PTL_BROWSE_SEARCH:
		return ask_words(browser);
	case PTL_BROWSE_FILTER:
		return ask_chosen(browser, "f: ",
				  "only events for which this is true, such as "
				  "dur > 1ms && name ~ \"io:*\"; nothing: all",
				  browser->chosen.where, ptl_chosen_where);
	case PTL_BROWSE_TIME:
		return ask_chosen(browser, "t: ",
				  "only events of this time: FROM-TO, in "
				  "seconds; nothing: all",
				  browser->chosen.time, ptl_chosen_time);
	case PTL_BROWSE_ZOOM:
		return zoom(browser);
	case PTL_BROWSE_CHILDREN:
		return with_children(browser);
	case PTL_BROWSE_EVENTS:
		return show_events(browser);
	case PTL_BROWSE_AGAIN:
		return read_again(browser);
	case PTL_BROWSE_HELP:
		return ptl_browse_text("keys of ptrace-report --browse",
				       ptl_browse_say_help, NULL);
	default:
		return move(browser, act);
	}
}

static void obey(struct browser *browser, enum ptl_browse_act act)
{
	struct ptl_browse_page *page = browser->page;

	switch (act) {
	case PTL_BROWSE_NOTHING:
		return;
	case PTL_BROWSE_QUIT:
		browser->is_ended = true;
		return;
	case PTL_BROWSE_RIGHT:
		if (!ptl_page_open(page, true))
			enter(browser);
		return;
	case PTL_BROWSE_LEFT:
		if (!ptl_page_open(page, false))
			go_back(browser);
		return;
	case PTL_BROWSE_ENTER:
		return enter(browser);
	case PTL_BROWSE_BACK:
		return go_back(browser);
	case PTL_BROWSE_TOGGLE:
		return ptl_page_toggle(page);
	case PTL_BROWSE_TOGGLE_ALL:
		return ptl_page_toggle_all(page);
	case PTL_BROWSE_TURN:
	case PTL_BROWSE_TURN_BACK:
		return ptl_page_turn(page, act == PTL_BROWSE_TURN_BACK);
	case PTL_BROWSE_SORT:
	case PTL_BROWSE_SORT_BACK:
		return ptl_page_sort(page, act == PTL_BROWSE_SORT_BACK);
	case PTL_BROWSE_NEXT:
	case PTL_BROWSE_PREVIOUS:
		return search(browser, act == PTL_BROWSE_PREVIOUS);
	default:
		return ask(browser, act);
	}
}

/* All logs together: if that is another number, they are longer. */
static uint64_t find_size(const struct browser *browser)
{
	uint64_t size = 0;
	struct stat stat_of;

	for (size_t i = 0; i < browser->settings->nr_paths; i++)
		if (stat(browser->settings->paths[i], &stat_of) == 0)
			size += (uint64_t)stat_of.st_size +
				ptl_ns(&stat_of.st_mtim);
	return size;
}

/* How long to wait for a key, ms. */
static int patience(const struct browser *browser)
{
	uint64_t ms = browser->took / 1000000 * LIVE_SHARE;

	if (!browser->settings->is_live || !browser->is_written)
		return -1;
	return ms < LIVE_MS ? LIVE_MS : ms > 60000 ? 60000 : (int)ms;
}

static void look_again(struct browser *browser)
{
	uint64_t size = find_size(browser);

	if (size != browser->size)
		read_again(browser);
	browser->size = size;
	browser->is_written = is_written(&browser->page->reading->merge);
}

static void run(struct browser *browser)
{
	while (!browser->is_ended) {
		int key;

		if (browser->page->read_as != browser->read_as)
			read_page(browser);
		draw(browser);
		ptl_terminal_show(SIZE_MAX, 0);
		key = ptl_terminal_key(patience(browser));
		browser->message[0] = '\0';
		if (key == PTL_KEY_END)
			return;
		if (key == PTL_KEY_NONE)
			look_again(browser);
		else
			obey(browser, ptl_browse_act(key));
	}
}

/* "make.ptlog", or how many there are. */
static void first_title(const struct browser *browser, char title[256])
{
	const struct ptl_browse_settings *settings = browser->settings;

	if (settings->nr_paths == 1)
		snprintf(title, 256, "%s", settings->paths[0]);
	else
		snprintf(title, 256, "%zu logs", settings->nr_paths);
}

bool ptl_browse(const struct ptl_merge *open,
		const struct ptl_browse_settings *settings)
{
	struct browser browser = {.open = open, .settings = settings};
	char title[256];

	/* For the locale, before the terminal is set up and names are made. */
	ptl_lines_begin(&browser.title, PTL_TERMINAL_COLUMNS);
	ptl_lines_end(&browser.title);
	if (!ptl_terminal_open(settings->wants_color))
		return false;
	list_views(&browser);
	first_title(&browser, title);
	browser.size = find_size(&browser);
	open_page(&browser, (struct ptl_scope){.is_all = true}, title);
	run(&browser);
	while (browser.page != NULL)
		close_page(&browser);
	ptl_lines_free(&browser.title);
	ptl_terminal_close();
	ptl_terminal_end();
	return true;
}
