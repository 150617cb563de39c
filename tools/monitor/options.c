/* SPDX-License-Identifier: MIT */
/* The options of ptrace-run, by their table; see options.h. */
#include "tools/monitor/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "preload/settings/list.h"
#include "tools/lib/allocator.h"
#include "tools/lib/event_set.h"
#include "tools/lib/options.h"
#include "tools/lib/say.h"
#include "tools/monitor/check.h"

static const char usage[] =
	"usage: ptrace-run [options] [--] COMMAND [ARG...]\n"
	"       ptrace-run [options] -p PID\n";
static const char more_usage[] =
	"N is " PTL_SIZE_WORDS ".\n"
	"TIME is " PTL_TIME_WORDS ".\n"
	"Exit status: COMMAND's; 125 ptrace-run failed, 126 and 127 COMMAND "
	"cannot be\n"
	"run or found, 2 wrong usage.\n";

/* A setting's name is that of the option. */
static void set(struct ptl_command_line *line, const struct ptl_option *option,
		const char *value)
{
	if (!ptl_settings_set(&line->options.settings, option->name, value))
		ptl_option_fail(option, value,
				ptl_settings_allowed(option->name));
}

/* Of a list the patterns that mean probes. */
static void add_probes(struct ptl_command_line *line, const char *list)
{
	const char **probes = &line->options.settings.probes, *word;
	size_t size;
	char *both;

	while (ptl_list_next(&list, &word, &size)) {
		size_t is_added = size > 0 && *word == '+';

		word += is_added;
		size -= is_added;
		if (!ptl_families_is_probe(word, size))
			continue;
		if (asprintf(&both, "%s%s%.*s", *probes != NULL ? *probes : "",
			     *probes != NULL ? "," : "", (int)size, word) < 0) {
			ptl_say("out of memory");
			exit(1);
		}
		*probes = both;
	}
}

/* Of a list the word that is wrong is said. */
static void take_events(void *into, const struct ptl_option *option,
			const char *argument)
{
	char wrong[64];
	size_t size;
	const char *word = ptl_families_wrong(argument, &size);

	if (word != NULL) {
		snprintf(wrong, sizeof(wrong), "%.*s", (int)size, word);
		ptl_option_fail(option, wrong,
				ptl_settings_allowed(option->name));
	}
	set(into, option, argument);
	add_probes(into, argument);
}

static void take_setting(void *into, const struct ptl_option *option,
			 const char *argument)
{
	set(into, option, argument != NULL ? argument : "1");
}

static void take_stack(void *into, const struct ptl_option *option,
		       const char *argument)
{
	set(into, option, argument != NULL ? argument : PTL_STACK_DEEPEST);
}

static void take_sample(void *into, const struct ptl_option *option,
			const char *argument)
{
	set(into, option,
	    argument != NULL ? argument :
			       PTL_TEXT_OF_VALUE(PTL_SAMPLE_DEFAULT));
}

static void take_sched(void *into, const struct ptl_option *option,
		       const char *argument)
{
	set(into, option,
	    argument != NULL ? argument : PTL_TEXT_OF_VALUE(PTL_SCHED_DEFAULT));
}

static void take_when(void *into, const struct ptl_option *option,
		      const char *argument)
{
	struct ptl_command_line *line = into;

	(void)option;
	if (!ptl_triggers_add(&line->options.triggers, argument))
		ptl_say_usage();
}

static void take_do(void *into, const struct ptl_option *option,
		    const char *argument)
{
	struct ptl_command_line *line = into;

	(void)option;
	if (!ptl_triggers_do(&line->options.triggers, argument))
		ptl_say_usage();
}

static void take_no_follow(void *into, const struct ptl_option *option,
			   const char *argument)
{
	struct ptl_command_line *line = into;

	(void)option;
	(void)argument;
	ptl_settings_set(&line->options.settings, "follow", "0");
}

/* An option that can be repeated: its lists are joined. */
static void add(struct ptl_command_line *line, const struct ptl_option *option,
		char separator, const char *value)
{
	const char **list = ptl_option_member(line, option);
	const char *before = *list;
	char *both;

	set(line, option, value);
	if (before == NULL)
		return;
	if (asprintf(&both, "%s%c%s", before, separator, value) < 0) {
		ptl_say("out of memory");
		exit(1);
	}
	*list = both;
	/* There may be too many of them. */
	set(line, option, both);
}

static void take_list(void *into, const struct ptl_option *option,
		      const char *argument)
{
	add(into, option, ',', argument);
}

/* Patterns of -f, each with its role behind it. */
static void take_allocator(void *into, const struct ptl_option *option,
			   const char *argument)
{
	struct ptl_option functions = *option;
	const char *list = argument;
	char *patterns;

	functions.name = "functions";
	do {
		patterns = ptl_allocator_patterns(&list);
		if (patterns == NULL)
			ptl_option_fail(option, list, PTL_ALLOCATOR_WORDS);
		add(into, &functions, ',', patterns);
	} while (*list != '\0');
}

static void take_environment(void *into, const struct ptl_option *option,
			     const char *argument)
{
	add(into, option, ',', argument != NULL ? argument : "*");
}

static void take_symbols(void *into, const struct ptl_option *option,
			 const char *argument)
{
	set(into, option, argument != NULL ? argument : "all");
}

static void take_files(void *into, const struct ptl_option *option,
		       const char *argument)
{
	add(into, option, '\n', argument);
}

/* A program may open types of any name; but a name that resembles one of ours,
 * and is none, is a misspelling. */
static void take_types(void *into, const struct ptl_option *option,
		       const char *argument)
{
	char name[TRACE_EVENT_NAME_MAX + 1], near[TRACE_EVENT_NAME_MAX + 1];
	const char *list = argument;

	add(into, option, ',', argument);
	while (ptl_check_next_name(&list, name)) {
		if (!ptl_types_is_slip(name, near))
			continue;
		ptl_say("--exclude: '%s' is not an event type; close is %s",
			name, near);
		ptl_say_usage();
	}
}

static void take_env(void *into, const struct ptl_option *option,
		     const char *argument)
{
	struct ptl_command_line *line = into;

	if (*argument == '\0' || *argument == '=')
		ptl_option_fail(option, argument, "VAR or VAR=VAL");
	line->env = ptl_grow(line->env, line->nr_env, &line->env_room,
			     sizeof(*line->env));
	line->env[line->nr_env++] = (char *)argument;
}

/* A whole number; if it is none, or less, a usage error. */
static int parse_number(const struct ptl_option *option, const char *text,
			int least, const char *allowed)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || number < least ||
	    number > INT_MAX)
		ptl_option_fail(option, text, allowed);
	return (int)number;
}

static void take_pid(void *into, const struct ptl_option *option,
		     const char *argument)
{
	struct ptl_command_line *line = into;

	line->pid = parse_number(option, argument, 1, "a process id");
}

static void take_attach(void *into, const struct ptl_option *option,
			const char *argument)
{
	struct ptl_command_line *line = into;

	take_pid(line, option, argument);
	line->is_serving = true;
}

static void take_ready(void *into, const struct ptl_option *option,
		       const char *argument)
{
	struct ptl_command_line *line = into;

	line->ready_fd = parse_number(option, argument, 0, "a descriptor");
}

#define TAKE(function) .take = (function)
#define AT(member) .at = offsetof(struct ptl_command_line, member)
static const struct ptl_option rows[] = {
#include "tools/monitor/options.def"
	PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

static const struct ptl_option_table table = {
	.row = rows,
	.program = "ptrace-run",
	.ends_early = true,
	.before = usage,
	.after = more_usage,
	.column = 25,
};

static bool is_pipe(const struct ptl_settings *settings)
{
	return settings->output != NULL && settings->output[0] == '|';
}

static bool wants_io(const struct ptl_families *families)
{
	return ptl_families_have(families, "io") ||
	       ptl_families_have(families, "net") ||
	       ptl_families_have(families, "file");
}

/* Do --path and the like choose from calls that are not asked for? */
static bool selects_nothing(const struct ptl_settings *settings)
{
	static const char *const calls[] = {"file", "io",  "mem", "sync",
					    "time", "net", "dl"};

	if (!ptl_settings_select(settings) || ptl_settings_select_all(settings))
		return false;
	/* That is for functions, too. */
	if (settings->slower != 0 &&
	    (settings->returns != NULL || settings->functions != NULL))
		return false;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (ptl_families_have(&settings->families, calls[i]))
			return false;
	return true;
}

/* False: why is said. */
static bool check_packed(const struct ptl_settings *settings)
{
	const char *wrong = ptl_output_wants_packed(settings) ?
				    ptl_output_why_not_packed(settings) :
				    NULL;

	if (wrong != NULL)
		ptl_say("--compress: %s", wrong);
	return wrong == NULL;
}

/* What does not depend on whether an option is given, but on its value. */
static void check_values(const struct ptl_settings *settings, pid_t pid)
{
	if (settings->io_data != PTL_SIZE_DEFAULT &&
	    !wants_io(&settings->families))
		ptl_say("--io-data is for the families io, net and file: of "
			"which? (-e)");
	else if (selects_nothing(settings))
		ptl_say("--path, --fd, --failed and --slower are for calls of "
			"libc: of which families? (-e file,io ...)");
	else if (settings->traceparent &&
		 !ptl_families_have(&settings->families, "process"))
		ptl_say("--traceparent needs the programs' own events: "
			"-e +process");
	else if (settings->sample_stack != 0 && ptl_settings_hz(settings) == 0)
		ptl_say("--sample-stack is for samples: --sample");
	else if (settings->sample_by != NULL && ptl_settings_hz(settings) == 0)
		ptl_say("--sample-by is for samples: --sample");
	else if (settings->sample_kernel && ptl_settings_hz(settings) == 0)
		ptl_say("--sample-kernel is for samples: --sample");
	else if (settings->sample_stack != 0 && ptl_settings_timed(settings))
		ptl_say("--sample-stack and --sample-by=timer exclude each "
			"other: timers look at whole stacks");
	else if (ptl_settings_timed(settings) && pid > 0)
		ptl_say("--sample-by=timer and -p exclude each other: timers "
			"are set where a program begins");
	else if (settings->probes != NULL && pid > 0)
		ptl_say("-e sdt:... and -p exclude each other: code is changed "
			"before a program runs");
	else if (settings->is_snapshot && settings->stream_policy != 0 &&
		 settings->stream_policy != POSIX_TRACE_LOOP)
		ptl_say("--snapshot and --stream-policy exclude each other: it "
			"is loop");
	else if (is_pipe(settings) &&
		 settings->log_policy != POSIX_TRACE_APPEND)
		ptl_say("a pipe can only be appended to (--log-policy)");
	else if (ptl_output_is_stdout(settings) && isatty(STDOUT_FILENO))
		ptl_say("--output: a log is not for a terminal");
	else if (settings->log_size != PTL_SIZE_DEFAULT &&
		 settings->log_policy == POSIX_TRACE_APPEND)
		ptl_say("--log-size is for --log-policy loop or until-full: "
			"append has no limit");
	else if (!check_packed(settings))
		ptl_say_usage();
	else if (settings->is_live &&
		 (is_pipe(settings) || ptl_output_is_stdout(settings)))
		ptl_say("--live reads the log: it has to be a file (--output)");
	else
		return;
	ptl_say_usage();
}

/* Of a process that runs already. */
static void check_hooks(const struct ptl_run_options *options)
{
	const struct ptl_settings *settings = &options->settings;

	if (settings->calls == NULL && settings->returns == NULL &&
	    settings->functions == NULL)
		return;
	if (!options->is_injecting)
		ptl_say("-f, -l and -r need --inject with -p: the program that "
			"runs is changed");
	else if (settings->is_suspended)
		ptl_say("-f, -l and -r and --suspended exclude each other with "
			"-p: what is hooked is told when it is");
	else
		return;
	ptl_say_usage();
}

static void check_triggers(const struct ptl_run_options *options)
{
	const struct ptl_settings *settings = &options->settings;

	if (options->triggers.nr == 0)
		return;
	if (!settings->is_snapshot &&
	    (is_pipe(settings) || ptl_output_is_stdout(settings)))
		ptl_say("--when reads the log: it has to be a file (--output)");
	else if (!settings->is_snapshot && ptl_output_wants_packed(settings))
		ptl_say("--when reads the log while it is written: it cannot "
			"be compressed meanwhile (zstd does it later)");
	else if (ptl_triggers_check(&options->triggers,
				    settings->is_snapshot)) {
		if (!options->is_quiet)
			ptl_triggers_warn(&options->triggers);
		return;
	}
	ptl_say_usage();
}

/* Of which functions?  Of those that COMMAND has itself. */
static void complete_summary(struct ptl_settings *settings)
{
	if (settings->summary && settings->calls == NULL &&
	    settings->returns == NULL && settings->functions == NULL)
		settings->functions = "*";
}

void ptl_command_line_parse(struct ptl_command_line *line, int argc,
			    char **argv)
{
	int taken;

	*line = (struct ptl_command_line){.ready_fd = -1};
	ptl_settings_init(&line->options.settings);
	taken = ptl_options_take(&table, line, argc, argv);
	complete_summary(&line->options.settings);
	line->command = taken < argc ? argv + taken : NULL;
	if (line->is_serving)
		return;
	if (line->pid > 0)
		check_hooks(&line->options);
	if (line->pid > 0 && line->command != NULL) {
		ptl_say("-p and a COMMAND exclude each other");
		ptl_say_usage();
	}
	if (line->pid <= 0 && line->command == NULL) {
		ptl_say("which COMMAND?");
		ptl_say_usage();
	}
	check_values(&line->options.settings, line->pid);
	check_triggers(&line->options);
}

static void hand_on(const char *variable, const char *value)
{
	if (value != NULL)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

/* A trace of its own, and no span in it that began COMMAND: the library puts
 * COMMAND's there (preload/launch/traceparent.c). */
static void begin_traceparent(void)
{
	const char *given = getenv("TRACEPARENT");
	char value[64];
	uint64_t id[2];

	if ((given != NULL && *given != '\0') ||
	    getrandom(id, sizeof(id), 0) != (ssize_t)sizeof(id))
		return;
	snprintf(value, sizeof(value),
		 "00-%016" PRIx64 "%016" PRIx64 "-0000000000000000-01", id[0],
		 id[1]);
	setenv("TRACEPARENT", value, 1);
}

void ptl_command_line_hand_on(const struct ptl_command_line *line)
{
	for (const struct ptl_option *row = rows; row->name != NULL; row++) {
		char variable[64];
		const char *value;

		if (!row->is_handed_on)
			continue;
		snprintf(variable, sizeof(variable), "PTRACE_%s", row->name);
		for (char *at = variable; *at != '\0'; at++)
			*at = *at == '-' ? '_' : (char)toupper(*at);
		value = *(const char *const *)((const char *)line + row->at);
		hand_on(variable, value);
	}
	if (ptl_settings_timed(&line->options.settings)) {
		char hz[16];

		snprintf(hz, sizeof(hz), "%u",
			 ptl_settings_hz(&line->options.settings));
		hand_on("PTRACE_SAMPLE", hz);
	}
	hand_on("PTRACE_PROBES", line->options.settings.probes);
	hand_on("PTRACE_TRACEPARENT",
		line->options.settings.traceparent ? "1" : NULL);
	if (line->options.settings.traceparent)
		begin_traceparent();
}
