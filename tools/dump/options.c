/* SPDX-License-Identifier: MIT */
/* The options of ptrace-dump, and what --help says; see options.h. */
#include "tools/dump/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/read/newest.h"
#include "tools/read/source.h"
#include "tools/lib/say.h"
#include "tools/symbolize/demangle.h"
#include "tools/symbolize/find.h"

/* Where the second column of the usage text begins, and where it ends. */
#define USAGE_COLUMN 23
#define USAGE_WIDTH 79

/* The list of formats goes between the two. */
static const char usage[] =
	"usage: ptrace-dump [options] [LOG...]   (- is standard input; none: "
	"the\n"
	"                                        newest *.ptlog here)\n"
	"  -f, --format FORMAT ";
static const char more_usage[] =
	"  -o, --output FILE    write to FILE; ctf: to a new directory\n"
	"  -n, --name GLOB      only events whose type's name matches\n"
	"  -p, --pid PID        only events of this process; PID@PIDNS if\n"
	"                       several pid namespaces have this number\n"
	"  -t, --tid TID        only events of this thread, or TID@PIDNS\n"
	"  -w, --where EXPR     only events for which this is true, as in\n"
	"                       'path ~ \"*.h\" && ret < 0 && dur > 1ms'\n"
	"      --path GLOB      only events about such a path\n"
	"      --failed         only what failed\n"
	"      --slower TIME    only what took this time or longer\n"
	"      --program GLOB   only events of such programs\n"
	"      --tree PID       only events of this process and its "
	"descendants\n"
	"      --since TIME     only events from this time on: SEC[.NS], or\n"
	"                       +SEC[.NS] counted from the first event\n"
	"      --until TIME     only events up to this time\n"
	"      --symfs DIR      look for programs and libraries below DIR "
	"only\n"
	"      --no-symbols     open no file that the log names\n"
	"      --no-demangle    C++ names as they are in the symbol tables\n"
	"      --follow         go on with what is written meanwhile, until "
	"the\n"
	"                       trace ends\n"
	"      --info           attributes, status and loss, no events\n"
	"      --types          ... and the event types\n"
	"      --time HOW       in text: relative (default) to the first "
	"event,\n"
	"                       absolute, delta to the line before, or clock\n"
	"  -y, --decode-fds     in text: read(3</etc/hosts>, ...), as far as "
	"it\n"
	"                       was recorded what the descriptor stands for\n"
	"      --indent         in text: show which calls are inside of which\n"
	"      --raw            in json: data in hexadecimal always, not only "
	"where\n"
	"                       no fields are known\n"
	"      --no-pager       not through $PAGER, or less, on a terminal\n"
	"      --color[=WHEN]   in text: auto (default), always or never\n"
	"  -v, --verbose        in text: all events, nanoseconds, addresses; "
	"list\n"
	"                       files whose functions have no names, and why\n"
	"  -h, --help           show this\n"
	"  -V, --version        show the version\n"
	"-n, -p and -t can be repeated.  Exit status: 0; 1 a log\n"
	"is damaged or incomplete; 2 wrong usage; 3 no log at all.\n";

enum {
	OPT_SINCE = 256,
	OPT_UNTIL,
	OPT_INFO,
	OPT_TYPES,
	OPT_FOLLOW,
	OPT_SYMFS,
	OPT_PLAIN,
	OPT_NO_SYMBOLS,
	OPT_TIME,
	OPT_COLOR,
	OPT_INDENT,
	OPT_NO_PAGER,
	OPT_RAW,
	OPT_PATH,
	OPT_FAILED,
	OPT_SLOWER,
	OPT_PROGRAM,
	OPT_TREE,
};

/* What is behind a row is for completion (scripts/completion.awk). */
static const struct option long_options[] = {
	{"format", required_argument, NULL, 'f'}, /* FORMAT */
	{"output", required_argument, NULL, 'o'}, /* FILE */
	{"name", required_argument, NULL, 'n'},
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"since", required_argument, NULL, OPT_SINCE},
	{"until", required_argument, NULL, OPT_UNTIL},
	{"where", required_argument, NULL, 'w'},
	{"path", required_argument, NULL, OPT_PATH},
	{"failed", no_argument, NULL, OPT_FAILED},
	{"slower", required_argument, NULL, OPT_SLOWER},
	{"program", required_argument, NULL, OPT_PROGRAM},
	{"tree", required_argument, NULL, OPT_TREE},
	{"info", no_argument, NULL, OPT_INFO},
	{"types", no_argument, NULL, OPT_TYPES},
	{"symfs", required_argument, NULL, OPT_SYMFS}, /* DIRECTORY */
	{"no-symbols", no_argument, NULL, OPT_NO_SYMBOLS},
	{"no-demangle", no_argument, NULL, OPT_PLAIN},
	{"time", required_argument, NULL,
	 OPT_TIME}, /* relative absolute delta clock */
	{"no-pager", no_argument, NULL, OPT_NO_PAGER},
	{"decode-fds", no_argument, NULL, 'y'},
	{"indent", no_argument, NULL, OPT_INDENT},
	{"raw", no_argument, NULL, OPT_RAW},
	{"color", optional_argument, NULL, OPT_COLOR}, /* auto always never */
	{"verbose", no_argument, NULL, 'v'},
	{"follow", no_argument, NULL, OPT_FOLLOW},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static void __attribute__((noreturn))
fail_argument(const char *option, const char *argument, const char *allowed)
{
	ptl_say("--%s: '%s' is not %s", option, argument, allowed);
	ptl_say_usage();
}

#define TIMES "a time: SEC, SEC.NS, or from the first event on +SEC, +SEC.NS"

/* "text (default), json or ctf", in the second column. */
static void print_formats(void)
{
	int column = USAGE_COLUMN - 1;

	for (size_t i = 0; ptl_formats[i] != NULL; i++) {
		const char *after = ptl_formats[i + 1] == NULL ? "\n" :
				    ptl_formats[i + 2] == NULL ? " or" :
								 ",";
		char word[64];
		int size = snprintf(word, sizeof(word), " %s%s%s",
				    ptl_formats[i]->name,
				    i == 0 ? " (default)" : "", after);

		if (column + size > USAGE_WIDTH) {
			printf("\n%*s", USAGE_COLUMN - 1, "");
			column = USAGE_COLUMN - 1;
		}
		column += printf("%s", word);
	}
}

static void __attribute__((noreturn)) print_usage(void)
{
	fputs(usage, stdout);
	print_formats();
	fputs(more_usage, stdout);
	exit(PTL_EXIT_OK);
}

/* Says "one of text, json"; for --info, of the formats that have one. */
static void __attribute__((noreturn))
fail_format(const char *option, const char *name, bool for_info)
{
	const char *before = "one of ";
	char allowed[256] = "";
	size_t used = 0;

	for (size_t i = 0; ptl_formats[i] != NULL; i++) {
		if (for_info && ptl_formats[i]->info == NULL)
			continue;
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used,
					 "%s%s", before, ptl_formats[i]->name);
		if (used >= sizeof(allowed))
			break;
		before = ", ";
	}
	fail_argument(option, name, allowed);
}

static const struct ptl_format *parse_format(const char *name)
{
	for (size_t i = 0; ptl_formats[i] != NULL; i++)
		if (strcmp(name, ptl_formats[i]->name) == 0)
			return ptl_formats[i];
	fail_format("format", name, false);
}

/* Those of text and JSON only; false: it is none. */
static bool parse_look(struct ptl_look *look, int option)
{
	switch (option) {
	case OPT_TIME:
		if (!ptl_look_set_time(look, optarg))
			fail_argument("time", optarg,
				      "relative, absolute, delta or clock");
		break;
	case OPT_COLOR:
		if (!ptl_look_set_color(look,
					optarg != NULL ? optarg : "always"))
			fail_argument("color", optarg, "auto, always or never");
		break;
	case OPT_NO_PAGER:
		look->has_no_pager = true;
		break;
	case OPT_RAW:
		look->is_raw = true;
		break;
	case 'y':
		look->decodes_fds = true;
		break;
	case OPT_INDENT:
		look->is_indented = true;
		break;
	case 'v':
		look->is_verbose = true;
		break;
	default:
		return false;
	}
	return true;
}

static struct ptl_where *parse_expression(const char *text)
{
	struct ptl_where_error error;
	struct ptl_where *where = ptl_where_parse(text, &error);

	if (where != NULL)
		return where;
	ptl_say("--where: at column %zu of '%s': expected %s", error.column,
		text, error.expected);
	ptl_say_usage();
}

/* Those that say what is in the events; false: it is none. */
static bool parse_where(struct ptl_filter *filter, int option)
{
	struct ptl_where *where = NULL;

	switch (option) {
	case 'w':
		where = parse_expression(optarg);
		break;
	case OPT_PATH:
		where = ptl_where_path(optarg);
		break;
	case OPT_FAILED:
		where = ptl_where_failed();
		break;
	case OPT_SLOWER:
		where = ptl_where_slower(optarg);
		if (where == NULL)
			fail_argument("slower", optarg,
				      "a time: a number with ns, us, ms, s, m "
				      "or h");
		break;
	case OPT_PROGRAM:
		where = ptl_where_program(optarg);
		break;
	case OPT_TREE:
		if (!ptl_filter_add_tree(filter, optarg))
			fail_argument("tree", optarg,
				      "a process id: PID, or PID@PIDNS");
		return true;
	default:
		return false;
	}
	filter->where = ptl_where_and(filter->where, where);
	return true;
}

static void parse_option(struct ptl_options *options, int option)
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
		options->look.is_all = true;
		ptl_filter_add_name(filter, optarg);
		break;
	case 'p':
		if (!ptl_filter_add_number(&filter->pids, optarg))
			fail_argument("pid", optarg,
				      "a process id: PID, or PID@PIDNS");
		break;
	case 't':
		if (!ptl_filter_add_number(&filter->tids, optarg))
			fail_argument("tid", optarg,
				      "a thread id: TID, or TID@PIDNS");
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
	case OPT_TYPES:
		options->look.lists_types = true;
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
	case OPT_FOLLOW:
		options->look.is_following = true;
		break;
	case 'h':
		print_usage();
	case 'V':
		puts("ptrace-dump (libptrace) " PTL_VERSION);
		exit(PTL_EXIT_OK);
	default:
		ptl_say_usage();
	}
}

/* Does the format go with the other options? */
static void check_format(const struct ptl_options *options)
{
	const struct ptl_format *format = options->format;

	if (options->wants_info && format->info == NULL)
		fail_format("info", format->name, true);
	if (options->look.lists_types && !options->wants_info) {
		ptl_say("--types is for --info: it adds the event types");
		ptl_say_usage();
	}
	if (format->wants_directory && options->output == NULL) {
		ptl_say("--format: %s makes a directory: which? (-o DIR)",
			format->name);
		ptl_say_usage();
	}
}

void ptl_options_parse(struct ptl_options *options, int argc, char **argv)
{
	static char *newest[1];
	int option;

	memset(options, 0, sizeof(*options));
	options->format = ptl_formats[0];
	while ((option = getopt_long(argc, argv, "f:o:n:p:t:w:yvhV",
				     long_options, NULL)) != -1)
		if (!parse_look(&options->look, option) &&
		    !parse_where(&options->filter, option))
			parse_option(options, option);
	check_format(options);
	if (options->look.decodes_fds && options->format == ptl_formats[0])
		options->format = &ptl_format_text_paths;
	options->paths = argv + optind;
	options->nr_paths = (size_t)(argc - optind);
	if (options->nr_paths == 0) {
		newest[0] = ptl_newest_log();
		options->paths = newest;
		options->nr_paths = 1;
	}
}
