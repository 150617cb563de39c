/* SPDX-License-Identifier: MIT */
/* The options of ptrace-dump, by their table; see options.h. */
#include "tools/dump/options.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/options.h"
#include "tools/lib/say.h"
#include "tools/read/newest.h"
#include "tools/read/source.h"
#include "tools/symbolize/options.h"

static const char usage[] =
	"usage: ptrace-dump [options] [LOG...]   (- is standard input; none: "
	"the\n"
	"                                        newest *.ptlog here)\n";
static const char more_usage[] =
	"-n, -p and -t can be repeated.  Exit status: 0; 1 a log\n"
	"is damaged or incomplete; 2 wrong usage; 3 no log at all.\n";

/* A call that took so long is worth a span of its own: 1 ms. */
#define SLOW_NS 1000000
#define A_PID "a process id: PID, or PID@PIDNS"
#define A_TID "a thread id: TID, or TID@PIDNS"

/* The help of --format: "text (default), json or ctf". */
static const char *list_formats(void)
{
	static char list[256];
	size_t used = 0;

	for (size_t i = 0; ptl_formats[i] != NULL && used < sizeof(list); i++)
		used += (size_t)snprintf(
			list + used, sizeof(list) - used, "%s%s%s",
			i == 0			   ? "" :
			ptl_formats[i + 1] == NULL ? " or " :
						     ", ",
			ptl_formats[i]->name, i == 0 ? " (default)" : "");
	return list;
}

/* Says "one of text, json"; for --info, of the formats that have one. */
static void __attribute__((noreturn))
fail_format(const char *option, const char *name, bool for_info)
{
	const struct ptl_option it = {.name = option};
	const char *comma = "one of ";
	char allowed[256] = "";
	size_t used = 0;

	for (size_t i = 0; ptl_formats[i] != NULL; i++) {
		if (for_info && ptl_formats[i]->info == NULL)
			continue;
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used,
					 "%s%s", comma, ptl_formats[i]->name);
		if (used >= sizeof(allowed))
			break;
		comma = ", ";
	}
	ptl_option_fail(&it, name, allowed);
}

static void take_format(void *into, const struct ptl_option *option,
			const char *argument)
{
	struct ptl_dump_options *options = into;
	size_t i = 0;

	while (ptl_formats[i] != NULL &&
	       strcmp(argument, ptl_formats[i]->name) != 0)
		i++;
	if (ptl_formats[i] == NULL)
		fail_format(option->name, argument, false);
	options->format = ptl_formats[i];
}

static void take_output(void *into, const struct ptl_option *option,
			const char *argument)
{
	struct ptl_dump_options *options = into;

	(void)option;
	options->output = strcmp(argument, "-") != 0 ? argument : NULL;
}

static void take_name(void *into, const struct ptl_option *option,
		      const char *argument)
{
	struct ptl_dump_options *options = into;

	(void)option;
	options->look.is_all = true;
	ptl_filter_add_name(&options->filter, argument);
}

static void take_pid(void *into, const struct ptl_option *option,
		     const char *argument)
{
	struct ptl_dump_options *options = into;

	if (!ptl_filter_add_number(&options->filter.pids, argument))
		ptl_option_fail(option, argument, A_PID);
}

static void take_tid(void *into, const struct ptl_option *option,
		     const char *argument)
{
	struct ptl_dump_options *options = into;

	if (!ptl_filter_add_number(&options->filter.tids, argument))
		ptl_option_fail(option, argument, A_TID);
}

static void take_tree(void *into, const struct ptl_option *option,
		      const char *argument)
{
	struct ptl_dump_options *options = into;

	if (!ptl_filter_add_tree(&options->filter, argument))
		ptl_option_fail(option, argument, A_PID);
}

static void take_time(void *into, const struct ptl_option *option,
		      const char *argument)
{
	if (!ptl_filter_parse_time(ptl_option_member(into, option), argument))
		ptl_option_fail(option, argument, PTL_FILTER_TIMES);
}

/* ---- what is in the events ------------------------------------------- */

/* All of them have to be true. */
static void add_where(struct ptl_dump_options *options, struct ptl_where *where)
{
	struct ptl_filter *filter = &options->filter;

	filter->where = ptl_where_and(filter->where, where);
}

static void take_where(void *into, const struct ptl_option *option,
		       const char *argument)
{
	struct ptl_where_error error;
	struct ptl_where *where = ptl_where_parse(argument, &error);

	if (where == NULL) {
		ptl_say("--%s: at column %zu of '%s': expected %s",
			option->name, error.column, argument, error.expected);
		ptl_say_usage();
	}
	add_where(into, where);
}

static void take_path(void *into, const struct ptl_option *option,
		      const char *argument)
{
	(void)option;
	add_where(into, ptl_where_path(argument));
}

static void take_failed(void *into, const struct ptl_option *option,
			const char *argument)
{
	(void)option;
	(void)argument;
	add_where(into, ptl_where_failed());
}

static void take_slower(void *into, const struct ptl_option *option,
			const char *argument)
{
	struct ptl_dump_options *options = into;
	int64_t ns;
	struct ptl_where *where = ptl_where_slower(argument, &ns);

	if (where == NULL)
		ptl_option_fail(option, argument,
				"a time with its unit, as 10us, 1.5ms, 2s: one "
				"of ns, us, ms, s, m, h");
	options->slower = ptl_where_and(options->slower, where);
	if (options->look.slower < ns)
		options->look.slower = ns;
}

/* Of some formats that is no filter: what is faster is shown otherwise. */
static void apply_slower(struct ptl_dump_options *options)
{
	if (options->slower == NULL)
		options->look.slower = SLOW_NS;
	else if (!options->format->takes_slower)
		add_where(options, options->slower);
}

static void take_program(void *into, const struct ptl_option *option,
			 const char *argument)
{
	(void)option;
	add_where(into, ptl_where_program(argument));
}

/* ---- how they are shown ---------------------------------------------- */

static void take_time_shown(void *into, const struct ptl_option *option,
			    const char *argument)
{
	struct ptl_dump_options *options = into;

	if (!ptl_look_set_time(&options->look, argument))
		ptl_option_fail(option, argument,
				"relative, absolute, delta or clock");
}

static void take_weight(void *into, const struct ptl_option *option,
			const char *argument)
{
	struct ptl_dump_options *options = into;

	if (!ptl_look_set_weight(&options->look, argument))
		ptl_option_fail(option, argument,
				"count, time, bytes, peak, leaked or cpu");
}

static void take_color(void *into, const struct ptl_option *option,
		       const char *argument)
{
	struct ptl_dump_options *options = into;

	if (!ptl_look_set_color(&options->look,
				argument != NULL ? argument : "always"))
		ptl_option_fail(option, argument, "auto, always or never");
}

#define TAKE(function) .take = (function)
#define AT(member) .at = offsetof(struct ptl_dump_options, member)
#define FORMAT_WORDS NULL
static struct ptl_option rows[] = {
#include "tools/dump/options.def"
	PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

static const struct ptl_option_table table = {
	.row = rows,
	.program = "ptrace-dump",
	.before = usage,
	.after = more_usage,
	.column = 23,
};

/* Does the format go with the other options? */
static void check_format(const struct ptl_dump_options *options)
{
	const struct ptl_format *format = options->format;

	if (options->wants_info && format->info == NULL)
		fail_format("info", format->name, true);
	if (format->lacks != NULL) {
		ptl_say("--format: %s is not there, since this was built "
			"without %s",
			format->name, format->lacks);
		ptl_say_usage();
	}
	if (format->wants_new_file && options->output == NULL) {
		ptl_say("--format: %s makes a file: which? (-o FILE)",
			format->name);
		ptl_say_usage();
	}
	if (format->wants_new_file && options->look.is_following) {
		ptl_say("--format: %s is not with --follow", format->name);
		ptl_say_usage();
	}
	if (format->wants_directory && options->output == NULL) {
		ptl_say("--format: %s makes a directory: which? (-o DIR)",
			format->name);
		ptl_say_usage();
	}
}

void ptl_options_parse(struct ptl_dump_options *options, int argc, char **argv)
{
	static char *newest[1];
	int taken;

	memset(options, 0, sizeof(*options));
	options->format = ptl_formats[0];
	rows[0].help = list_formats();
	taken = ptl_options_take(&table, options, argc, argv);
	check_format(options);
	apply_slower(options);
	if (options->look.decodes_fds && options->format == ptl_formats[0])
		options->format = &ptl_format_text_paths;
	options->paths = argv + taken;
	options->nr_paths = (size_t)(argc - taken);
	if (options->nr_paths == 0) {
		newest[0] = ptl_newest_log();
		options->paths = newest;
		options->nr_paths = 1;
	}
}
