/* SPDX-License-Identifier: MIT */
/* ptrace-dump: prints logs. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/dump/merge.h"
#include "tools/dump/options.h"
#include "tools/dump/view.h"
#include "tools/lib/event_set.h"
#include "tools/lib/fault.h"
#include "tools/lib/out.h"
#include "tools/lib/say.h"
#include "tools/symbolize/symbols.h"

static void show_events(struct ptl_out *out, struct ptl_options *options,
			struct ptl_merge *merge)
{
	struct ptl_source *source = ptl_merge_next(merge);
	static struct ptl_view view;

	if (source != NULL)
		ptl_filter_begin(&options->filter,
				 &source->event.posix_timestamp);
	for (; source != NULL; source = ptl_merge_next(merge))
		if (ptl_view_event(&view, source, &options->filter))
			options->format(out, &view);
}

static void show_info(struct ptl_out *out, struct ptl_merge *merge)
{
	for (size_t i = 0; i < merge->nr_sources; i++) {
		if (i > 0)
			ptl_out_char(out, '\n');
		ptl_info_print(out, &merge->source[i]);
	}
}

/* A name that no log has an event type of may be a slip. */
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
			ptl_say("--name: no event type is called '%s'%s%s",
				filter->glob[i],
				near[0] != '\0' ? "; close is " : "", near);
	}
}

/* Not into a log: `-o *.ptlog' would take the first of them. */
static int open_output(const char *path)
{
	int fd, error;

	if (path == NULL)
		return STDOUT_FILENO;
	error = posix_trace_create_logfile_np(path, O_TRUNC, &fd);
	if (error == EEXIST) {
		ptl_say("%s is a trace log: -o would overwrite it", path);
		ptl_say_usage();
	}
	/* EINVAL: a device or a pipe has nothing to cut. */
	if (error == 0 && ftruncate(fd, 0) != 0 && errno != EINVAL)
		error = errno;
	if (error != 0) {
		ptl_say("cannot write %s: %s", path, ptl_say_refused(error));
		exit(PTL_EXIT_DAMAGED);
	}
	return fd;
}

int main(int argc, char **argv)
{
	struct ptl_options options;
	static struct ptl_out out;
	struct ptl_merge merge;
	int status = PTL_EXIT_OK;

	ptl_say_as("ptrace-dump");
	ptl_fault_die("ptrace-dump", PTL_EXIT_DAMAGED);
	ptl_options_parse(&options, argc, argv);
	/* So that a reader that went away is noticed, not a death. */
	signal(SIGPIPE, SIG_IGN);
	ptl_merge_open(&merge, options.paths, options.nr_paths, &status);
	if (merge.nr_sources == 0)
		return status;
	ptl_out_init(&out, open_output(options.output),
		     options.output != NULL ? options.output :
					      "standard output");
	if (options.wants_info)
		show_info(&out, &merge);
	else
		show_events(&out, &options, &merge);
	ptl_out_flush(&out);
	ptl_symfile_report(options.is_verbose);
	if (!options.wants_info)
		say_unknown(&options.filter, &merge);
	for (size_t i = 0; i < merge.nr_sources; i++)
		if (ptl_source_verdict(&merge.source[i]) != PTL_EXIT_OK)
			status = PTL_EXIT_DAMAGED;
	ptl_merge_close(&merge);
	return status;
}
