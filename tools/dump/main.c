/* SPDX-License-Identifier: MIT */
/* ptrace-dump: prints logs.  Options, and the way of an event through them. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/dump/calls.h"
#include "tools/dump/filter.h"
#include "tools/dump/merge.h"
#include "tools/dump/modules.h"
#include "tools/dump/signals.h"
#include "tools/dump/source.h"
#include "tools/dump/view.h"
#include "tools/lib/event_set.h"
#include "tools/lib/fault.h"
#include "tools/lib/out.h"
#include "tools/lib/say.h"
#include "tools/symbolize/demangle.h"
#include "tools/symbolize/find.h"
#include "tools/symbolize/symbols.h"

static const char usage[] =
	"usage: ptrace-dump [options] LOG...     (- is standard input)\n"
	"  -f, --format FORMAT  text (default) or json\n"
	"  -o, --output FILE    write to FILE\n"
	"  -n, --name GLOB      only events whose name matches\n"
	"  -p, --pid PID        only events of this process\n"
	"  -t, --tid TID        only events of this thread\n"
	"      --since TIME     only events from this time on: SEC[.NS], or\n"
	"                       +SEC[.NS] counted from the first event\n"
	"      --until TIME     only events up to this time\n"
	"      --symfs DIR      look for programs and libraries below DIR "
	"only\n"
	"      --no-symbols     open no file that the log names\n"
	"      --no-demangle    names of C++ as they are in the symbol tables\n"
	"      --info           attributes, status, event types, loss\n"
	"  -v, --verbose        say whose functions have no names, and why\n"
	"  -h, --help           show this\n"
	"  -V, --version        show the version\n"
	"-n, -p and -t can be given several times.  Exit status: 0; 1 a log\n"
	"is damaged or incomplete; 2 wrong usage; 3 no log at all.\n";

typedef void format_function(struct ptl_out *, const struct ptl_view *);

struct options {
	format_function *format;
	const char *output;
	bool wants_info;
	bool is_verbose;
	struct ptl_filter filter;
};

enum {
	OPT_SINCE = 256,
	OPT_UNTIL,
	OPT_INFO,
	OPT_FOLLOW,
	OPT_SYMFS,
	OPT_PLAIN,
	OPT_NO_SYMBOLS
};

static const struct option long_options[] = {
	{"format", required_argument, NULL, 'f'},
	{"output", required_argument, NULL, 'o'},
	{"name", required_argument, NULL, 'n'},
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"since", required_argument, NULL, OPT_SINCE},
	{"until", required_argument, NULL, OPT_UNTIL},
	{"info", no_argument, NULL, OPT_INFO},
	{"symfs", required_argument, NULL, OPT_SYMFS},
	{"no-symbols", no_argument, NULL, OPT_NO_SYMBOLS},
	{"no-demangle", no_argument, NULL, OPT_PLAIN},
	{"verbose", no_argument, NULL, 'v'},
	{"follow", no_argument, NULL, OPT_FOLLOW},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static void __attribute__((noreturn)) fail_not_yet(const char *what)
{
	ptl_say("%s: not yet in this version", what);
	ptl_say_usage();
}

static void __attribute__((noreturn))
fail_argument(const char *option, const char *argument, const char *allowed)
{
	ptl_say("--%s: '%s' is not %s", option, argument, allowed);
	ptl_say_usage();
}

#define TIMES "a time: SEC, SEC.NS, or from the first event on +SEC, +SEC.NS"

static format_function *parse_format(const char *name)
{
	static const char *const later[] = {"ctf", "perfetto", "chrome",
					    "folded"};

	if (strcmp(name, "text") == 0)
		return ptl_text_event;
	if (strcmp(name, "json") == 0)
		return ptl_json_event;
	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++)
		if (strcmp(name, later[i]) == 0)
			fail_not_yet(name);
	fail_argument("format", name, "one of text, json");
}

static void parse_option(struct options *options, int option)
{
	struct ptl_filter *filter = &options->filter;

	switch (option) {
	case 'f':
		options->format = parse_format(optarg);
		break;
	case 'o':
		options->output = strcmp(optarg, "-") != 0 ? optarg : NULL;
		break;
	case 'n':
		ptl_filter_add_name(filter, optarg);
		break;
	case 'p':
		if (!ptl_filter_add_pid(filter, optarg))
			fail_argument("pid", optarg, "a process id");
		break;
	case 't':
		if (!ptl_filter_add_tid(filter, optarg))
			fail_argument("tid", optarg, "a thread id");
		break;
	case OPT_SINCE:
		if (!ptl_filter_parse_time(&filter->since, optarg))
			fail_argument("since", optarg, TIMES);
		break;
	case OPT_UNTIL:
		if (!ptl_filter_parse_time(&filter->until, optarg))
			fail_argument("until", optarg, TIMES);
		break;
	case OPT_INFO:
		options->wants_info = true;
		break;
	case OPT_SYMFS:
		ptl_find_below(optarg);
		break;
	case OPT_NO_SYMBOLS:
		ptl_find_nothing();
		break;
	case OPT_PLAIN:
		ptl_demangle_off();
		break;
	case 'v':
		options->is_verbose = true;
		break;
	case OPT_FOLLOW:
		fail_not_yet("--follow");
	case 'h':
		fputs(usage, stdout);
		exit(PTL_EXIT_OK);
	case 'V':
		puts("ptrace-dump (libptrace) " PTL_VERSION);
		exit(PTL_EXIT_OK);
	default:
		ptl_say_usage();
	}
}

static void parse_options(struct options *options, int argc, char **argv)
{
	int option;

	options->format = ptl_text_event;
	while ((option = getopt_long(argc, argv, "f:o:n:p:t:vhV", long_options,
				     NULL)) != -1)
		parse_option(options, option);
	if (optind == argc) {
		ptl_say("which log?");
		ptl_say_usage();
	}
}

static void show_event(struct ptl_out *out, const struct options *options,
		       struct ptl_source *source)
{
	const struct posix_trace_event_info *event = &source->event;
	struct ptl_type *type = ptl_source_type(source, event->posix_event_id);
	static struct ptl_view view;
	int64_t duration;

	view.source = source;
	view.event = event;
	view.type = type;
	view.data = source->data;
	view.data_size = source->data_size;
	view.nr_args = ptl_decode(&type->layout, source->data,
				  source->data_size, view.arg);
	/* Also from events that are not shown. */
	if (view.nr_args > 0)
		ptl_modules_learn(source->modules, type->kind, event->posix_pid,
				  event->posix_image_np, view.arg,
				  view.nr_args);
	duration = ptl_calls_learn(source->calls, type->kind, event, view.arg,
				   view.nr_args);
	if (!ptl_filter_wants(&options->filter, type, event))
		return;
	ptl_calls_describe(&view, duration);
	ptl_signals_describe(&view);
	view.sym = ptl_modules_name(source->modules, event->posix_pid,
				    event->posix_image_np,
				    (uintptr_t)event->posix_prog_address);
	options->format(out, &view);
}

static void show_events(struct ptl_out *out, struct options *options,
			struct ptl_merge *merge)
{
	struct ptl_source *source = ptl_order_next(merge);

	if (source != NULL)
		ptl_filter_begin(&options->filter,
				 &source->event.posix_timestamp);
	for (; source != NULL; source = ptl_order_next(merge))
		show_event(out, options, source);
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
	struct options options = {0};
	static struct ptl_out out;
	struct ptl_merge merge;
	int status = PTL_EXIT_OK;

	ptl_say_as("ptrace-dump");
	ptl_fault_die("ptrace-dump", PTL_EXIT_DAMAGED);
	parse_options(&options, argc, argv);
	/* So that a reader that went away is noticed, not a death. */
	signal(SIGPIPE, SIG_IGN);
	ptl_merge_open(&merge, argv + optind, (size_t)(argc - optind), &status);
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
