/* SPDX-License-Identifier: MIT */
/* The options of ptrace-report, by their table; see choices.h. */
#include "tools/report/choices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/options.h"
#include "tools/lib/say.h"
#include "tools/read/source.h"
#include "tools/symbolize/options.h"

static const char usage[] =
	"usage: ptrace-report [options] [LOG...]\n"
	"What the logs say (- is standard input; none: the newest *.ptlog "
	"here).\nWithout a view: where the time went.\n";
static const char more_usage[] =
	"Exit status: 0; 1 a log is damaged or incomplete; 2 wrong usage; 3 no "
	"log at\nall.\n";

static void take_top(void *into, const struct ptl_option *option,
		     const char *argument)
{
	struct ptl_choices *choices = into;
	unsigned long top;
	char *end;

	errno = 0;
	top = strtoul(argument, &end, 10);
	if (*argument < '0' || *argument > '9' || *end != '\0' || errno != 0 ||
	    top == 0)
		ptl_option_fail(option, argument,
				"a number of rows, 1 or more");
	choices->settings.top = top;
}

static void take_part_end(void *into, const struct ptl_option *option,
			  const char *argument)
{
	struct ptl_where_error error;

	if (ptl_report_part_parse(ptl_option_member(into, option), argument,
				  &error))
		return;
	if (error.column == 1)
		ptl_option_fail(option, argument, error.expected);
	ptl_say("--%s: at column %zu of '%s': expected %s", option->name,
		error.column, argument, error.expected);
	ptl_say_usage();
}

/* "64M": from 1M to 512M. */
static void take_page_size(void *into, const struct ptl_option *option,
			   const char *argument)
{
	struct ptl_choices *choices = into;
	unsigned long long size;
	char *end;

	errno = 0;
	size = strtoull(argument, &end, 10);
	for (const char *unit = "KMG"; *unit != '\0' && size < 1 << 30; unit++)
		if (*end != '\0' && strchr(unit, *end) != NULL)
			size <<= 10;
	end += *end == 'K' || *end == 'M' || *end == 'G';
	if (*argument < '0' || *argument > '9' || *end != '\0' || errno != 0 ||
	    size < 1 << 20 || size > 512 << 20)
		ptl_option_fail(option, argument, "a size from 1M to 512M");
	choices->settings.page_size = size;
}

static void take_color(void *into, const struct ptl_option *option,
		       const char *argument)
{
	static const char *const words[] = {"auto", "always", "never"};
	struct ptl_choices *choices = into;
	size_t i = 0;

	while (i < 3 && strcmp(argument, words[i]) != 0)
		i++;
	if (i == 3)
		ptl_option_fail(option, argument, "one of auto, always, never");
	choices->color = (enum ptl_color_when)i;
}

/* A view's option has its name. */
static void take_view(void *into, const struct ptl_option *option,
		      const char *argument)
{
	struct ptl_choices *choices = into;
	const struct ptl_report_view *const *view = &ptl_report_views[1];

	(void)argument;
	while ((*view)->name != option->name)
		view++;
	if (choices->is_view_given && choices->view != *view) {
		ptl_say("--%s and --%s: one view at a time",
			choices->view->name, (*view)->name);
		ptl_say_usage();
	}
	choices->view = *view;
	choices->is_view_given = true;
}

#define TAKE(function) .take = (function)
#define AT(member) .at = offsetof(struct ptl_choices, member)
static const struct ptl_option fixed[] = {
#include "tools/report/choices.def"
	PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

#define NR_FIXED (sizeof(fixed) / sizeof(*fixed))

/* The views' options, and the others. */
static const struct ptl_option *list_options(void)
{
	static struct ptl_option rows[NR_FIXED + 32];
	size_t nr = 0;

	for (size_t i = 1; ptl_report_views[i] != NULL; i++)
		rows[nr++] = (struct ptl_option){
			.name = ptl_report_views[i]->name,
			.help = ptl_report_views[i]->about,
			.take = take_view,
		};
	memcpy(rows + nr, fixed, sizeof(fixed));
	return rows;
}

/* Says which keys there are. */
static void check_sort(const struct ptl_choices *choices)
{
	const struct ptl_column *column = choices->view->column;
	const struct ptl_option option = {.name = "sort"};
	const char *comma = "one of ";
	char allowed[512] = "";
	size_t used = 0;

	if (choices->settings.sort == NULL ||
	    ptl_table_find(column, choices->settings.sort) >= 0)
		return;
	for (; column->heading != NULL && used < sizeof(allowed); column++) {
		if (column->key == NULL)
			continue;
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used,
					 "%s%s", comma, column->key);
		comma = ", ";
	}
	ptl_option_fail(&option, choices->settings.sort, allowed);
}

void ptl_choices_parse(struct ptl_choices *choices, int argc, char **argv)
{
	const struct ptl_option_table table = {
		.row = list_options(),
		.program = "ptrace-report",
		.before = usage,
		.after = more_usage,
		.column = 23,
	};
	int taken;

	memset(choices, 0, sizeof(*choices));
	choices->view = ptl_report_views[0];
	taken = ptl_options_take(&table, choices, argc, argv);
	check_sort(choices);
	if (choices->html != NULL && choices->is_view_given) {
		ptl_say("--html: it has all views, and is not with --%s",
			choices->view->name);
		ptl_say_usage();
	}
	if (choices->sql != NULL && choices->is_view_given) {
		ptl_say("--sql: not with --%s, which is a view",
			choices->view->name);
		ptl_say_usage();
	}
	if (choices->wants_browser && choices->is_view_given) {
		ptl_say("--browse: it has all views, and is not with --%s",
			choices->view->name);
		ptl_say_usage();
	}
	if (choices->wants_tree)
		choices->view = &ptl_report_call_tree;
	choices->paths = argv + taken;
	choices->nr_paths = (size_t)(argc - taken);
}
