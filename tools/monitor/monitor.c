/* SPDX-License-Identifier: MIT */
/*
 * ptrace-monitor: the program behind ptrace-run, and the controller that a
 * preloaded libptrace.so starts for itself.  This file only parses options.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/event_set.h"
#include "tools/lib/say.h"
#include "tools/monitor/check.h"
#include "tools/monitor/front.h"
#include "tools/monitor/prototypes.h"
#include "tools/monitor/viewer.h"

static const char usage[] =
	"usage: ptrace-run [options] [--] COMMAND [ARG...]\n"
	"       ptrace-run [options] -p PID\n"
	"  -o, --output FILE      the log, default NAME.PID.ptlog; - is "
	"standard\n"
	"                         output, '|CMD' a pipe to CMD\n"
	"  -e, --events LIST      families of system events; !x excludes x;\n"
	"                         default " PTL_FAMILIES_DEFAULT "; a list of\n"
	"              " PTL_FAMILIES_WORDS "\n"
	"  -l, --calls GLOB       calls of library functions whose NAME, or\n"
	"                         LIBRARY:NAME, matches; can be repeated\n"
	"  -r, --returns GLOB     the same, and the functions' returns\n"
	"  -a, --arguments        their arguments and typed results, where "
	"the\n"
	"                         prototype is known\n"
	"      --prototypes FILE  more prototypes: C declarations, or a "
	"program or\n"
	"                         library with debug information (-a)\n"
	"      --min-duration TIME  no calls of -r that take less\n"
	"      --depth N          no calls nested in N others or more\n"
	"      --io-data N        the first N bytes of what is read, "
	"written, sent,\n"
	"                         received (-e io,net)\n"
	"  -x, --exclude LIST     do not record these event types; can be\n"
	"                         repeated\n"
	"  -k[DEPTH], --stack[=DEPTH]  the call stack of each event\n"
	"      --unwinder U       what finds it: auto (default), own, "
	"libunwind\n"
	"  -F, --no-follow        do not trace children\n"
	"      --only GLOB        trace only programs whose name matches; can "
	"be\n"
	"                         repeated\n"
	"      --skip GLOB        do not trace programs whose name matches; "
	"can be\n"
	"                         repeated\n"
	"      --live             print events on standard error as they come\n"
	"  -s, --data-size N      maximum size of an event's data, default "
	"4096\n"
	"  -b, --stream-size N    memory for events, default 512K\n"
	"  -m, --log-size N       maximum size of the log, default 1G (log "
	"policy\n"
	"                         loop, until-full)\n"
	"      --stream-policy P  " PTL_STREAM_POLICY_WORDS "; default flush\n"
	"      --log-policy P     " PTL_LOG_POLICY_WORDS "; default append\n"
	"      --suspended        record nothing until `ptrace-ctl start'\n"
	"      --snapshot         write the log only when a process is killed, "
	"and at\n"
	"                         the end: the newest events in memory\n"
	"  -p, --pid PID          trace a running process with the library\n"
	"      --inject           with -p: load the library into it first, if "
	"that is\n"
	"                         safe\n"
	"  -D, --detach           become COMMAND, with the same process id\n"
	"  -E, --env VAR[=VAL]    set or remove VAR for COMMAND only\n"
	"      --strict           fail if a program could not be traced\n"
	"  -q, --quiet            print no summary\n"
	"  -v, --verbose          say what is traced, and into which log\n"
	"  -h, --help             show this\n"
	"  -V, --version          show the version\n"
	"N is " PTL_SIZE_WORDS ".\n"
	"TIME is " PTL_TIME_WORDS ".\n"
	"Exit status: COMMAND's; 125 ptrace-run failed, 126 and 127 COMMAND "
	"cannot be\n"
	"run or found, 2 wrong usage.\n";

struct command_line {
	struct ptl_options options;
	char **env; /* -E */
	size_t nr_env, env_room;
	pid_t pid; /* -p, --attach */
	bool detaches;
	bool is_serving; /* --attach */
	int ready_fd;
};

enum {
	OPT_SETTING = 256,
	OPT_ONLY,
	OPT_PROTOTYPES,
	OPT_SKIP,
	OPT_LIVE,
	OPT_STRICT,
	OPT_INJECT,
	OPT_ATTACH,
	OPT_READY
};

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"events", required_argument, NULL, 'e'},
	{"calls", required_argument, NULL, 'l'},
	{"returns", required_argument, NULL, 'r'},
	{"arguments", no_argument, NULL, 'a'},
	{"prototypes", required_argument, NULL, OPT_PROTOTYPES},
	{"min-duration", required_argument, NULL, OPT_SETTING},
	{"depth", required_argument, NULL, OPT_SETTING},
	{"io-data", required_argument, NULL, OPT_SETTING},
	{"exclude", required_argument, NULL, 'x'},
	{"stack", optional_argument, NULL, 'k'},
	{"unwinder", required_argument, NULL, OPT_SETTING},
	{"no-follow", no_argument, NULL, 'F'},
	{"data-size", required_argument, NULL, 's'},
	{"stream-size", required_argument, NULL, 'b'},
	{"log-size", required_argument, NULL, 'm'},
	{"stream-policy", required_argument, NULL, OPT_SETTING},
	{"log-policy", required_argument, NULL, OPT_SETTING},
	{"suspended", no_argument, NULL, OPT_SETTING},
	{"snapshot", no_argument, NULL, OPT_SETTING},
	{"pid", required_argument, NULL, 'p'},
	{"inject", no_argument, NULL, OPT_INJECT},
	{"detach", no_argument, NULL, 'D'},
	{"env", required_argument, NULL, 'E'},
	{"only", required_argument, NULL, OPT_ONLY},
	{"skip", required_argument, NULL, OPT_SKIP},
	{"live", no_argument, NULL, OPT_LIVE},
	{"strict", no_argument, NULL, OPT_STRICT},
	{"quiet", no_argument, NULL, 'q'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{"attach", required_argument, NULL, OPT_ATTACH},
	{"ready", required_argument, NULL, OPT_READY},
	{NULL, 0, NULL, 0},
};

/* A whole number from zero on; if it is none, a usage error. */
static int parse_number(const char *what, const char *text)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || number < 0 ||
	    number > INT_MAX) {
		ptl_say("--%s: '%s' is not a %s", what, text,
			strcmp(what, "ready") == 0 ? "descriptor" :
						     "process id");
		ptl_say_usage();
	}
	return (int)number;
}

/* The long name of an option is the name of its setting. */
static const char *long_name(int option)
{
	const struct option *row = long_options;

	while (row->name != NULL && row->val != option)
		row++;
	return row->name;
}

static void set(struct command_line *line, const char *name, const char *value)
{
	if (ptl_settings_set(&line->options.settings, name, value))
		return;
	ptl_say("--%s: '%s' is not %s", name, value,
		ptl_settings_allowed(name));
	ptl_say_usage();
}

/* An option that can be repeated: its lists are joined. */
static void add(struct command_line *line, const char **list, const char *name,
		char separator, const char *value)
{
	const char *before = *list;
	char *both;

	set(line, name, value);
	if (before == NULL)
		return;
	if (asprintf(&both, "%s%c%s", before, separator, value) < 0) {
		ptl_say("out of memory");
		exit(1);
	}
	*list = both;
}

/* A program may open types of any name; but a name that resembles one of ours,
 * and is none, is a misspelling. */
static void check_types(const char *list)
{
	char name[TRACE_EVENT_NAME_MAX + 1], near[TRACE_EVENT_NAME_MAX + 1];

	while (ptl_check_next_name(&list, name)) {
		if (!ptl_types_is_slip(name, near))
			continue;
		ptl_say("--exclude: '%s' is not an event type; close is %s",
			name, near);
		ptl_say_usage();
	}
}

static void add_env(struct command_line *line, char *change)
{
	if (*change == '\0' || *change == '=') {
		ptl_say("--env: '%s' is not VAR or VAR=VAL", change);
		ptl_say_usage();
	}
	line->env = ptl_grow(line->env, line->nr_env, &line->env_room,
			     sizeof(*line->env));
	line->env[line->nr_env++] = change;
}

static void __attribute__((noreturn)) show(const char *text)
{
	fputs(text, stdout);
	exit(0);
}

/* What can be repeated; false: it is another option. */
static bool parse_list(struct command_line *line, int option)
{
	struct ptl_settings *settings = &line->options.settings;

	switch (option) {
	case 'l':
		add(line, &settings->calls, "calls", ',', optarg);
		return true;
	case 'r':
		add(line, &settings->returns, "returns", ',', optarg);
		return true;
	case OPT_ONLY:
		add(line, &settings->only, "only", ',', optarg);
		return true;
	case OPT_SKIP:
		add(line, &settings->skip, "skip", ',', optarg);
		return true;
	case OPT_PROTOTYPES:
		add(line, &settings->prototypes, "prototypes", '\n', optarg);
		return true;
	}
	return false;
}

static void parse_option(struct command_line *line, int option,
			 const char *name)
{
	struct ptl_options *options = &line->options;

	switch (option) {
	case OPT_LIVE:
		options->settings.is_live = true;
		break;
	case OPT_STRICT:
		options->is_strict = true;
		break;
	case OPT_INJECT:
		options->is_injecting = true;
		break;
	case 'x':
		add(line, &options->settings.exclude, "exclude", ',', optarg);
		check_types(optarg);
		break;
	case 'k':
		set(line, "stack", optarg ? optarg : PTL_STACK_DEEPEST);
		break;
	case 'F':
		set(line, "follow", "0");
		break;
	case 'q':
		options->is_quiet = true;
		break;
	case 'v':
		options->is_verbose = true;
		break;
	case 'p':
		line->pid = parse_number("pid", optarg);
		break;
	case 'D':
		line->detaches = true;
		break;
	case 'E':
		add_env(line, optarg);
		break;
	case OPT_ATTACH:
		line->pid = parse_number("attach", optarg);
		line->is_serving = true;
		break;
	case OPT_READY:
		line->ready_fd = parse_number("ready", optarg);
		break;
	case 'h':
		show(usage);
	case 'V':
		show("ptrace-run (libptrace) " PTL_VERSION "\n");
	case '?':
		ptl_say_usage();
	default:
		set(line, option == OPT_SETTING ? name : long_name(option),
		    optarg ? optarg : "1");
	}
}

/* Those that contradict --live. */
static void check_live(const struct command_line *line)
{
	const struct ptl_settings *settings = &line->options.settings;

	if (!settings->is_live)
		return;
	if (line->detaches)
		ptl_say("--live and -D exclude each other: ptrace-run does not "
			"wait");
	else if (settings->is_snapshot)
		ptl_say("--live and --snapshot exclude each other: nothing is "
			"written meanwhile");
	else if (settings->output != NULL &&
		 (settings->output[0] == '|' || ptl_output_is_stdout(settings)))
		ptl_say("--live reads the log: it has to be a file (--output)");
	else
		return;
	ptl_say_usage();
}

/* Options that contradict each other. */
static void check_options(const struct command_line *line, bool has_command)
{
	const struct ptl_settings *settings = &line->options.settings;

	if (line->pid > 0 && has_command)
		ptl_say("-p and a COMMAND exclude each other");
	else if (line->pid <= 0 && line->options.is_injecting)
		ptl_say("--inject is for a running process: which? (-p)");
	else if (line->pid > 0 && line->detaches)
		ptl_say("-p and -D exclude each other");
	else if (line->options.is_strict && line->detaches)
		ptl_say("--strict and -D exclude each other: ptrace-run does "
			"not wait");
	else if (line->pid > 0 && line->nr_env > 0)
		ptl_say("-p and -E exclude each other");
	else if (line->pid > 0 && (settings->calls || settings->returns))
		ptl_say("-p and -l or -r exclude each other: a process' calls "
			"are hooked when it starts");
	else if (line->pid > 0 && (settings->only || settings->skip))
		ptl_say("-p and --only or --skip exclude each other: a "
			"program's "
			"name is looked at when it starts");
	else if ((settings->arguments || settings->prototypes != NULL) &&
		 !settings->calls && !settings->returns)
		ptl_say("%s is for calls: of which functions? (-l, -r)",
			settings->arguments ? "-a" : "--prototypes");
	else if (settings->min_duration > 0 && !settings->returns)
		ptl_say("--min-duration is for calls whose return is recorded: "
			"of which functions? (-r)");
	else if (settings->depth > 0 && !settings->calls && !settings->returns)
		ptl_say("--depth is for calls: of which functions? (-l, -r)");
	else if (settings->io_data != PTL_SIZE_DEFAULT &&
		 !ptl_families_want(&settings->families, false, "io:") &&
		 !ptl_families_want(&settings->families, false, "net:"))
		ptl_say("--io-data is for the families io and net: of which? "
			"(-e)");
	else if (line->pid > 0 && settings->unwinder != NULL)
		ptl_say("-p and --unwinder exclude each other: a process loads "
			"libunwind when it starts");
	else if (line->pid <= 0 && !has_command)
		ptl_say("which COMMAND?");
	else if (settings->is_snapshot && settings->stream_policy != 0 &&
		 settings->stream_policy != POSIX_TRACE_LOOP)
		ptl_say("--snapshot and --stream-policy exclude each other: it "
			"is loop");
	else if (settings->output != NULL && settings->output[0] == '|' &&
		 settings->log_policy != POSIX_TRACE_APPEND)
		ptl_say("a pipe can only be appended to (--log-policy)");
	else if (ptl_output_is_stdout(settings) && isatty(STDOUT_FILENO))
		ptl_say("--output: a log is not for a terminal");
	else if (settings->log_size != PTL_SIZE_DEFAULT &&
		 settings->log_policy == POSIX_TRACE_APPEND)
		ptl_say("--log-size is for --log-policy loop or until-full: "
			"append has no limit");
	else
		return;
	ptl_say_usage();
}

/* The environment as we found it, for the reader of a pipe. */
static char **copy_environment(void)
{
	size_t nr = 0;
	char **copy;

	while (environ[nr] != NULL)
		nr++;
	copy = ptl_alloc((nr + 1) * sizeof(*copy));
	memcpy(copy, environ, nr * sizeof(*copy));
	return copy;
}

/* -l, -r and --unwinder are settings of the library in the traced processes. */
static void set_or_unset(const char *variable, const char *value)
{
	if (value != NULL)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

static int run_command(const struct command_line *line, char **argv, char **env)
{
	const struct ptl_settings *settings = &line->options.settings;
	struct ptl_command command;
	char *library = ptl_command_library();
	int error;

	if (library == NULL)
		return PTL_EXIT_OWN_FAILURE;
	if (line->options.is_verbose)
		ptl_say("preloading %s", library);
	ptl_command_environment(library, line->env, line->nr_env);
	set_or_unset("PTRACE_CALLS", settings->calls);
	set_or_unset("PTRACE_RETURNS", settings->returns);
	set_or_unset("PTRACE_UNWINDER", settings->unwinder);
	set_or_unset("PTRACE_ONLY", settings->only);
	set_or_unset("PTRACE_SKIP", settings->skip);
	/* An empty list: children do not start a trace of their own either. */
	if (!settings->follows)
		setenv("PTRACE_STREAMS", "", 1);
	error = ptl_command_find(&command, argv);
	if (error != 0)
		return ptl_command_fail(argv[0], error);
	ptl_check_calls(settings, &command);
	ptl_check_unwinder(settings);
	ptl_monitor_find_prototypes(
		settings,
		&(struct ptl_monitor_objects){.program = command.file,
					      .words = command.argv},
		line->options.is_verbose);
	ptl_monitor_select_prototypes(settings);
	if (line->detaches)
		return ptl_front_become(&line->options, &command, env);
	return ptl_front_run(&line->options, &command, env);
}

int main(int argc, char **argv)
{
	static char name[] = "ptrace-run";
	struct command_line line = {.ready_fd = -1};
	struct ptl_settings *settings = &line.options.settings;
	int option, row = 0;
	char **env;

	ptl_say_as(name);
	argv[0] = name; /* in getopt's messages too */
	ptl_settings_init(settings);
	while ((option = getopt_long(argc, argv,
				     "+o:e:l:r:ax:k::Fs:b:m:p:DE:qvhV",
				     long_options, &row)) != -1)
		if (!parse_list(&line, option))
			parse_option(&line, option, long_options[row].name);
	env = copy_environment();
	if (line.is_serving) {
		/* The library has reported invalid values there. */
		ptl_settings_from_environment(settings, environ, NULL);
		ptl_say_as(getenv("PTRACE_DEBUG") != NULL ? "libptrace" : NULL);
		ptl_monitor_prototypes(settings);
		ptl_monitor_find_prototypes(
			settings,
			&(struct ptl_monitor_objects){.pid = line.pid}, false);
		ptl_monitor_select_prototypes(settings);
		return ptl_front_serve(settings, line.pid, line.ready_fd, env);
	}
	check_options(&line, optind < argc);
	check_live(&line);
	if (!ptl_monitor_prototypes(settings))
		ptl_say_usage();
	if (!line.options.is_quiet)
		ptl_check_excluded(settings->exclude);
	if (settings->is_live &&
	    (line.options.viewer = ptl_viewer_find()) == NULL)
		return PTL_EXIT_OWN_FAILURE;
	if (line.pid > 0)
		return ptl_front_attach(&line.options, line.pid, env);
	return run_command(&line, argv + optind, env);
}
