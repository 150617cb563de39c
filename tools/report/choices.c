/* SPDX-License-Identifier: MIT */
/* The options of ptrace-report, and what --help says; see choices.h. */
#include "tools/report/choices.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/read/source.h"
#include "tools/symbolize/demangle.h"
#include "tools/symbolize/find.h"

/* Behind the list of views. */
static const char usage[] =
	"      --sort KEY       sort by this column: its heading, in small "
	"letters\n"
	"      --top N          so many rows (on a terminal 20, else all)\n"
	"      --callers        with --calls: who calls\n"
	"      --tree           with --calls: what calls what, indented\n"
	"      --path GLOB      with --files: only these files\n"
	"      --json           the same as one JSON object\n"
	"      --diff LOG2      what is more and what less in LOG2, in this "
	"view\n"
	"      --html FILE      make a web page of it all, with a timeline\n"
	"      --flame FILE     make a flame graph (SVG), and a page only of a "
	"view\n"
	"      --dot FILE       make the tree of processes for dot(1), "
	"likewise\n"
	"      --color WHEN     auto (default), always or never\n"
	"      --symfs DIR      look for programs and libraries below DIR "
	"only\n"
	"      --no-symbols     open no file that the log names\n"
	"      --no-demangle    C++ names as they are in the symbol tables\n"
	"  -v, --verbose        list files whose functions have no names, and "
	"why\n"
	"  -h, --help           show this\n"
	"  -V, --version        show the version\n"
	"Exit status: 0; 1 a log is damaged or incomplete; 2 wrong usage; 3 no "
	"log at\nall.\n";

enum {
	OPT_SORT = 256,
	OPT_TOP,
	OPT_CALLERS,
	OPT_TREE,
	OPT_PATH,
	OPT_JSON,
	OPT_COLOR,
	OPT_SYMFS,
	OPT_NO_SYMBOLS,
	OPT_PLAIN,
	OPT_FLAME,
	OPT_DOT,
	OPT_HTML,
	OPT_DIFF,
	OPT_VIEW /* and those behind it */
};

static const struct option fixed_options[] = {
	{"sort", required_argument, NULL, OPT_SORT},
	{"top", required_argument, NULL, OPT_TOP},
	{"callers", no_argument, NULL, OPT_CALLERS},
	{"tree", no_argument, NULL, OPT_TREE},
	{"path", required_argument, NULL, OPT_PATH},
	{"diff", required_argument, NULL, OPT_DIFF}, /* FILE */
	{"json", no_argument, NULL, OPT_JSON},
	{"flame", required_argument, NULL, OPT_FLAME}, /* FILE */
	{"dot", required_argument, NULL, OPT_DOT},     /* FILE */
	{"html", required_argument, NULL, OPT_HTML},   /* FILE */
	{"color", required_argument, NULL, OPT_COLOR}, /* auto always never */
	{"symfs", required_argument, NULL, OPT_SYMFS}, /* DIRECTORY */
	{"no-symbols", no_argument, NULL, OPT_NO_SYMBOLS},
	{"no-demangle", no_argument, NULL, OPT_PLAIN},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
};

#define NR_FIXED (sizeof(fixed_options) / sizeof(*fixed_options))
#define MAX_OPTIONS (NR_FIXED + 32)

static void __attribute__((noreturn))
fail_argument(const char *option, const char *argument, const char *allowed)
{
	ptl_say("--%s: '%s' is not %s", option, argument, allowed);
	ptl_say_usage();
}

static void __attribute__((noreturn)) print_usage(void)
{
	puts("usage: ptrace-report [options] [LOG...]\n"
	     "What the logs say (- is standard input; none: the newest *.ptlog "
	     "here).\nWithout a view: where the time went.");
	for (size_t i = 1; ptl_report_views[i] != NULL; i++)
		printf("      --%-14s %s\n", ptl_report_views[i]->name,
		       ptl_report_views[i]->about);
	fputs(usage, stdout);
	exit(PTL_EXIT_OK);
}

static size_t parse_top(const char *text)
{
	unsigned long top;
	char *end;

	errno = 0;
	top = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
	    top == 0)
		fail_argument("top", text, "a number of rows, 1 or more");
	return top;
}

static enum ptl_color_when parse_color(const char *text)
{
	static const char *const words[] = {"auto", "always", "never"};

	for (int i = 0; i < 3; i++)
		if (strcmp(text, words[i]) == 0)
			return (enum ptl_color_when)i;
	fail_argument("color", text, "one of auto, always, never");
}

static void set_view(struct ptl_choices *choices,
		     const struct ptl_report_view *view)
{
	if (choices->is_view_given && choices->view != view) {
		ptl_say("--%s and --%s: one view at a time",
			choices->view->name, view->name);
		ptl_say_usage();
	}
	choices->view = view;
	choices->is_view_given = true;
}

static void parse_option(struct ptl_choices *choices, int option)
{
	switch (option) {
	case OPT_SORT:
		choices->settings.sort = optarg;
		break;
	case OPT_TOP:
		choices->settings.top = parse_top(optarg);
		break;
	case OPT_CALLERS:
		choices->settings.wants_callers = true;
		break;
	case OPT_TREE:
		choices->wants_tree = true;
		break;
	case OPT_PATH:
		choices->settings.path = optarg;
		break;
	case OPT_FLAME:
		choices->flame = optarg;
		break;
	case OPT_DIFF:
		choices->diff = optarg;
		break;
	case OPT_DOT:
		choices->dot = optarg;
		break;
	case OPT_HTML:
		choices->html = optarg;
		break;
	case OPT_JSON:
		choices->wants_json = true;
		break;
	case OPT_COLOR:
		choices->color = parse_color(optarg);
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
		choices->is_verbose = true;
		break;
	case 'h':
		print_usage();
	case 'V':
		puts("ptrace-report (libptrace) " PTL_VERSION);
		exit(PTL_EXIT_OK);
	default:
		if (option < OPT_VIEW)
			ptl_say_usage();
		set_view(choices, ptl_report_views[option - OPT_VIEW]);
	}
}

/* Says which keys there are. */
static void check_sort(const struct ptl_choices *choices)
{
	const struct ptl_column *column = choices->view->column;
	const char *before = "one of ";
	char allowed[512] = "";
	size_t used = 0;

	if (choices->settings.sort == NULL ||
	    ptl_table_find(column, choices->settings.sort) >= 0)
		return;
	for (; column->heading != NULL && used < sizeof(allowed); column++) {
		if (column->key == NULL)
			continue;
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used,
					 "%s%s", before, column->key);
		before = ", ";
	}
	fail_argument("sort", choices->settings.sort, allowed);
}

/* A tree is sorted by what it says, and has no rows that another has, too. */
static void choose_tree(struct ptl_choices *choices)
{
	const char *name = choices->view->name;

	if (!choices->wants_tree)
		return;
	if (name == NULL || strcmp(name, "calls") != 0) {
		ptl_say("--tree: only with --calls");
		ptl_say_usage();
	}
	if (choices->settings.sort != NULL || choices->settings.wants_callers ||
	    choices->diff != NULL) {
		ptl_say("--tree: not with --sort, --callers or --diff");
		ptl_say_usage();
	}
	choices->view = &ptl_report_call_tree;
}

static void check_view(const struct ptl_choices *choices)
{
	const char *name = choices->view->name;

	check_sort(choices);
	if (choices->diff != NULL &&
	    (choices->flame != NULL || choices->dot != NULL ||
	     choices->html != NULL)) {
		ptl_say("--diff: not with --flame, --dot or --html");
		ptl_say_usage();
	}
	if (choices->html != NULL && choices->is_view_given) {
		ptl_say("--html: it has all views, and is not with --%s", name);
		ptl_say_usage();
	}
	if (choices->settings.wants_callers &&
	    (name == NULL || strcmp(name, "calls") != 0)) {
		ptl_say("--callers: only with --calls");
		ptl_say_usage();
	}
	if (choices->settings.path != NULL &&
	    (name == NULL || strcmp(name, "files") != 0)) {
		ptl_say("--path: only with --files");
		ptl_say_usage();
	}
}

void ptl_choices_parse(struct ptl_choices *choices, int argc, char **argv)
{
	struct option known[MAX_OPTIONS] = {0};
	size_t nr = NR_FIXED;
	int option;

	memcpy(known, fixed_options, sizeof(fixed_options));
	for (int i = 1; ptl_report_views[i] != NULL; i++)
		known[nr++] = (struct option){ptl_report_views[i]->name,
					      no_argument, NULL, OPT_VIEW + i};
	memset(choices, 0, sizeof(*choices));
	choices->view = ptl_report_views[0];
	while ((option = getopt_long(argc, argv, "vhV", known, NULL)) != -1)
		parse_option(choices, option);
	check_view(choices);
	choose_tree(choices);
	choices->paths = argv + optind;
	choices->nr_paths = (size_t)(argc - optind);
}
