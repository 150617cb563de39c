/* SPDX-License-Identifier: MIT */
/* ptrace-dump: prints logs. */
#include <signal.h>
#include <unistd.h>

#include "tools/read/hosts.h"
#include "tools/read/lacks.h"
#include "tools/read/merge.h"
#include "tools/dump/options.h"
#include "tools/dump/pager.h"
#include "tools/dump/progress.h"
#include "tools/dump/parts/sink.h"
#include "tools/model/model.h"
#include "tools/lib/event_set.h"
#include "tools/lib/fault.h"
#include "tools/lib/say.h"
#include "tools/lib/stack.h"
#include "tools/symbolize/symbols.h"

/* The log of the next event; NULL at the end, which with --follow is that of
 * whoever writes. */
static struct ptl_source *next(struct ptl_sink *sink)
{
	struct ptl_source *source = ptl_merge_next(sink->merge);

	while (source == NULL && sink->look->is_following) {
		if (sink->directory < 0)
			ptl_out_flush(&sink->out);
		if (!ptl_merge_await(sink->merge, &ptl_progress_signo))
			break;
		source = ptl_merge_next(sink->merge);
	}
	return source;
}

/* So that not all of a large log is read: what a format learns of events that
 * are not shown it may learn of any. */
static void set_window(const struct ptl_sink *sink,
		       const struct ptl_filter *filter)
{
	if (sink->format->learn == NULL)
		ptl_merge_window(
			sink->merge,
			filter->since.is_set ? &filter->since.time : NULL,
			filter->until.is_set ? &filter->until.time : NULL);
}

/* Does it not matter what comes from this event on? */
static bool is_over(const struct ptl_sink *sink,
		    const struct ptl_filter *filter,
		    const struct ptl_source *source)
{
	return filter->until.is_set && !sink->look->is_following &&
	       sink->format->learn == NULL && !sink->format->joins_calls &&
	       ptl_filter_is_behind(filter, &source->event);
}

static void show_events(struct ptl_sink *sink, struct ptl_filter *filter)
{
	const struct ptl_format *format = sink->format;
	struct ptl_source *source = next(sink);
	static struct ptl_model model;
	struct ptl_step step;

	ptl_model_begin(&model, sink->merge,
			format->wants_processes || filter->where != NULL);
	sink->model = &model;
	filter->joins_calls = format->joins_calls;
	if (source != NULL) {
		ptl_filter_begin(filter, &source->event.posix_timestamp);
		set_window(sink, filter);
	}
	if (format->begin != NULL)
		format->begin(sink);
	for (; source != NULL && ptl_progress_step() &&
	       !is_over(sink, filter, source);
	     source = next(sink))
		if (ptl_model_event(&model, source, filter, &step))
			format->event(sink, &step);
		else if (format->learn != NULL)
			format->learn(sink, &step);
	ptl_progress_end();
	model.is_partial = filter->until.is_set;
	if (format->end != NULL)
		format->end(sink);
	ptl_model_free(&model);
}

/* Of a pattern that fits no event type: what was meant? */
static void say_what(const char *glob, const char *near)
{
	bool may_be_function = strpbrk(glob, ":*?[") == NULL;

	if (near[0] != '\0')
		ptl_say("--name: no event type is called '%s'; close is %s",
			glob, near);
	else
		ptl_say("--name: no event type is called '%s' (--info --types "
			"lists them%s%s%s)",
			glob,
			may_be_function ? "; calls of a function: -w "
					  "'function == " :
					  "",
			may_be_function ? glob : "",
			may_be_function ? "'" : "");
}

/* A pattern of -n that fits no event type of any log may be mistyped. */
static void say_unknown(const struct ptl_filter *filter,
			const struct ptl_merge *merge)
{
	for (size_t i = 0; i < filter->nr_globs; i++) {
		char near[TRACE_EVENT_NAME_MAX + 1] = "";
		unsigned int far = PTL_TYPES_SLIP + 1;
		bool is_known = false;

		for (size_t j = 0; j < merge->nr_sources && !is_known; j++)
			is_known = ptl_types_fit(merge->source[j].trid,
						 filter->glob[i], &far, near);
		if (!is_known)
			say_what(filter->glob[i], near);
	}
}

/* Nor may a field of -w that no event had. */
static void say_unseen(const struct ptl_filter *filter)
{
	const char *field = ptl_where_unseen(filter->where);

	if (field != NULL)
		ptl_say("--where: no event has a field '%s'", field);
}

/* Is only some time of the logs to be looked at?  See set_window(). */
static bool takes_some(const struct ptl_dump_options *options)
{
	const struct ptl_filter *filter = &options->filter;

	return (filter->since.is_set || filter->until.is_set) &&
	       !options->wants_info && options->format->learn == NULL;
}

static bool wants_pager(const struct ptl_dump_options *options)
{
	return !options->look.has_no_pager && !options->look.is_following &&
	       options->output == NULL && !options->format->wants_directory &&
	       isatty(STDOUT_FILENO);
}

static int dump_logs(int argc, char **argv)
{
	struct ptl_dump_options options;
	static struct ptl_sink sink;
	struct ptl_merge merge;
	int status = PTL_EXIT_OK;
	bool is_paged;

	ptl_say_as("ptrace-dump");
	ptl_fault_die("ptrace-dump", PTL_EXIT_DAMAGED);
	ptl_options_parse(&options, argc, argv);
	/* The reader of our output goes away, see out.h; a file is too large.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (takes_some(&options))
		ptl_open_some();
	ptl_merge_open(&merge, options.paths, options.nr_paths, &status);
	if (merge.nr_sources == 0)
		return status;
	sink.look = &options.look;
	is_paged = wants_pager(&options);
	ptl_look_decide(&options.look, STDOUT_FILENO, options.output == NULL);
	if (is_paged)
		ptl_pager_begin();
	ptl_sink_open(&sink, options.format, &merge, options.output);
	ptl_progress_begin(&merge, options.output == NULL &&
					   (is_paged || isatty(STDOUT_FILENO)));
	if (options.wants_info)
		options.format->info(&sink);
	else
		show_events(&sink, &options.filter);
	if (!options.wants_info)
		ptl_hosts_say(merge.source, merge.nr_sources);
	ptl_sink_close(&sink);
	if (is_paged)
		ptl_pager_end();
	ptl_progress_die();
	ptl_symfile_report(options.look.is_verbose);
	if (!options.wants_info) {
		say_unknown(&options.filter, &merge);
		say_unseen(&options.filter);
	}
	if (ptl_lacks_say(&merge, options.look.is_following) != PTL_EXIT_OK)
		status = PTL_EXIT_DAMAGED;
	ptl_merge_close(&merge);
	return status;
}

int main(int argc, char **argv)
{
	return ptl_stack_ensure(dump_logs, argc, argv);
}
