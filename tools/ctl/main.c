/* SPDX-License-Identifier: MIT */
/*
 * ptrace-ctl: controls traces that run, by asking their controllers.  This file
 * has the commands, and what is wrong with how they are used.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <trace.h>
#include <unistd.h>

#include "tools/ctl/command.h"
#include "tools/ctl/file.h"
#include "tools/ctl/list.h"
#include "tools/ctl/target.h"
#include "tools/ctl/trace.h"
#include "tools/ctl/triggers.h"
#include "tools/lib/event_set.h"
#include "tools/lib/options.h"
#include "tools/lib/say.h"

static const char usage[] = "usage: ptrace-ctl COMMAND [TARGET...]\n";
static const char more_usage[] =
	"A TARGET is the log that a trace is written to, or the process id of "
	"its\n"
	"controller, as list shows them; the default is the only trace.  NAME "
	"can be\n"
	"a pattern.  -- goes before a TEXT that begins with a dash, and "
	"between "
	"NAMEs\n"
	"and TARGETs that do not look like one.\n"
	"  -h, --help; -V, --version\n"
	"Exit status: 0; 1 it could not be done, 2 wrong usage, 3 no such "
	"trace.\n";

#define EXIT_UNDONE 1
#define EXIT_NO_TRACE 3

/* What is to be done, by whom. */
struct command_line {
	const struct ptl_ctl_command *command;
	char **arguments;
	size_t nr_arguments;
	char **targets;
	size_t nr_targets;
	bool is_json;
};

static const struct ptl_ctl_command commands[] = {
#include "tools/ctl/commands.def"
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))
#define COLUMN 23

static void print_commands(void)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		for (size_t j = 0; j < PTL_CTL_USAGE_LINES &&
				   commands[i].usage[j].how != NULL;
		     j++) {
			char left[COLUMN];

			snprintf(left, sizeof(left), "  %s",
				 commands[i].usage[j].how);
			ptl_options_print(left, commands[i].usage[j].help,
					  COLUMN);
		}
}

#define TAKE(function) .take = (function)
#define AT(member) .at = offsetof(struct command_line, member)
static const struct ptl_option options[] = {
#include "tools/ctl/options.def"
	PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

static const struct ptl_option_table table = {
	.row = options,
	.program = "ptrace-ctl",
	.before = usage,
	.after = more_usage,
	.print = print_commands,
};

/* "list, start or stop": all of them. */
static const char *list_commands(void)
{
	static char list[256];
	size_t used = 0;

	for (size_t i = 0; i < NR_COMMANDS && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s",
					 i == 0		      ? "" :
					 i == NR_COMMANDS - 1 ? " or " :
								", ",
					 commands[i].name);
	return list;
}

static bool is_command(const struct command_line *line, const char *name)
{
	return strcmp(line->command->name, name) == 0;
}

static const struct ptl_ctl_command *find_command(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	ptl_say("'%s' is not a command: %s", name, list_commands());
	ptl_say_usage();
}

/* ---- the command line --------------------------------------------- */

static void take_option(struct command_line *line, const char *word)
{
	const struct ptl_option *option = ptl_options_find(options, word);
	const char *known = line->command->option;

	if (option != NULL && known != NULL &&
	    strcmp(option->name, known) == 0) {
		option->take(line, option, NULL);
		return;
	}
	ptl_say("%s: not an option of %s; -- goes before what begins with a "
		"dash",
		word, line->command->name);
	ptl_say_usage();
}

/*
 * Takes the options out, and the first --.  Returns how many words are left;
 * *after: those from there on were behind the --.
 */
static size_t take_options(struct command_line *line, char **words, size_t nr,
			   size_t *after)
{
	size_t left = 0;

	*after = SIZE_MAX;
	for (size_t i = 0; i < nr; i++)
		if (*after == SIZE_MAX && strcmp(words[i], "--") == 0)
			*after = left;
		else if (*after == SIZE_MAX && words[i][0] == '-' &&
			 words[i][1] != '\0')
			take_option(line, words[i]);
		else
			words[left++] = words[i];
	return left;
}

/* Of the words of filter, where its NAMEs end. */
static size_t find_end_of_names(char **words, size_t nr, size_t after)
{
	size_t end = 2;

	if (after != SIZE_MAX && after >= 2)
		return after;
	while (end < nr && !ptl_target_is(words[end]))
		end++;
	return end;
}

/* A name that resembles one of ours, and is none, is a misspelling. */
static void check_names(const struct command_line *line)
{
	const char *how = line->arguments[0];
	char near[TRACE_EVENT_NAME_MAX + 1];

	if (strcmp(how, "add") != 0 && strcmp(how, "sub") != 0 &&
	    strcmp(how, "set") != 0) {
		ptl_say("filter: '%s' is not add, sub or set", how);
		ptl_say_usage();
	}
	for (size_t i = 1; i < line->nr_arguments; i++) {
		const char *name = line->arguments[i];

		if (strpbrk(name, "*?[") != NULL ||
		    !ptl_types_is_slip(name, near))
			continue;
		ptl_say("filter: '%s' is not an event type; close is %s", name,
			near);
		ptl_say_usage();
	}
}

static void parse(struct command_line *line, char **words, size_t nr)
{
	const struct ptl_ctl_command *command = line->command;
	size_t after;

	nr = take_options(line, words, nr, &after);
	line->arguments = words;
	line->nr_arguments = command->nr_arguments;
	if (nr < command->nr_arguments) {
		ptl_say("%s needs %s", command->name, command->lacks);
		ptl_say_usage();
	}
	if (is_command(line, "filter"))
		line->nr_arguments = find_end_of_names(words, nr, after);
	line->targets = words + line->nr_arguments;
	line->nr_targets = nr - line->nr_arguments;
	if (is_command(line, "filter"))
		check_names(line);
	if (is_command(line, "snapshot") && line->nr_targets > 1) {
		ptl_say("snapshot: a FILE is for one trace");
		ptl_say_usage();
	}
}

/* ---- what it does ------------------------------------------------- */

static int list_one(const struct command_line *line,
		    const struct ptl_trace *trace)
{
	if (trace->about == NULL) {
		ptl_say("controller %d: %s", ptl_trace_pid(trace),
			trace->why_silent);
		return EXIT_UNDONE;
	}
	if (line->is_json)
		ptl_list_json(trace);
	else
		ptl_list_text(trace);
	return 0;
}

static int none(const struct ptl_ctl_target *target)
{
	return target->is_unknown ? EXIT_UNDONE : EXIT_NO_TRACE;
}

static int worse(int status, int other)
{
	return other > status ? other : status;
}

/* Lists the traces that were named, or all. */
static int list(const struct command_line *line, struct ptl_traces *traces)
{
	struct ptl_ctl_target *targets = NULL;
	size_t nr = traces->nr;
	int status = 0;

	if (line->nr_targets > 0)
		nr = ptl_target_choose(traces, line->targets, line->nr_targets,
				       &targets);
	if (nr > 0 && !line->is_json)
		ptl_list_heading();
	for (size_t i = 0; i < nr; i++) {
		const struct ptl_trace *trace =
			targets != NULL ? targets[i].trace : &traces->trace[i];

		status = worse(status, trace == NULL ? none(&targets[i]) :
						       list_one(line, trace));
	}
	return status;
}

/* Returns the exit status. */
static int ask(const struct command_line *line, const struct ptl_trace *trace,
	       const struct ptl_talk *request, int file)
{
	static struct ptl_talk reply;
	const char *why = "", *name = line->command->name;
	int pid = ptl_trace_pid(trace);

	switch (ptl_trace_ask(trace, request, file, line->command->is_slow,
			      &reply, &why)) {
	case PTL_ANSWER_OK:
		if (is_command(line, "triggers"))
			ptl_triggers_show(&reply, line->is_json);
		return 0;
	case PTL_ANSWER_GONE:
		ptl_say("%s: trace %d has ended", name, pid);
		return EXIT_NO_TRACE;
	case PTL_ANSWER_FAILED:
	case PTL_ANSWER_SILENT:
		break;
	}
	ptl_say("%s: trace %d: %s", name, pid, why);
	return EXIT_UNDONE;
}

static int take_snapshot(const struct command_line *line,
			 const struct ptl_trace *trace,
			 const struct ptl_talk *request)
{
	struct ptl_ctl_file file;
	int status;

	if (!ptl_file_open(&file, line->arguments[0]))
		return EXIT_UNDONE;
	status = ask(line, trace, request, file.fd);
	if (!ptl_file_close(&file, status == 0) && status == 0)
		status = EXIT_UNDONE;
	return status;
}

/* What is sent to each. */
static void make_request(const struct command_line *line,
			 struct ptl_talk *request)
{
	ptl_talk_begin(request);
	ptl_talk_add(request, line->command->name);
	/* The name of a file is ours to open. */
	if (is_command(line, "snapshot"))
		return;
	for (size_t i = 0; i < line->nr_arguments; i++)
		if (!ptl_talk_add(request, line->arguments[i])) {
			ptl_say("%s: more text than a request can have",
				line->command->name);
			ptl_say_usage();
		}
}

static int run_one(const struct command_line *line,
		   const struct ptl_ctl_target *target,
		   const struct ptl_talk *request)
{
	if (target->trace == NULL)
		return none(target);
	if (is_command(line, "snapshot"))
		return take_snapshot(line, target->trace, request);
	return ask(line, target->trace, request, -1);
}

static int run(const struct command_line *line, struct ptl_traces *traces)
{
	static struct ptl_talk request;
	struct ptl_ctl_target *targets;
	int status = 0;
	size_t nr;

	make_request(line, &request);
	nr = ptl_target_choose(traces, line->targets, line->nr_targets,
			       &targets);
	for (size_t i = 0; i < nr; i++)
		status = worse(status, run_one(line, &targets[i], &request));
	return status;
}

int main(int argc, char **argv)
{
	struct ptl_traces traces = {NULL, 0, 0};
	struct command_line line = {.command = NULL};
	const char *first = argc > 1 ? argv[1] : NULL;
	const struct ptl_option *option;

	ptl_say_as("ptrace-ctl");
	if (first == NULL) {
		ptl_say("which COMMAND? %s", list_commands());
		ptl_say_usage();
	}
	option = ptl_options_find(options, first);
	if (option != NULL && option->take == NULL)
		ptl_options_show(&table, option);
	line.command = find_command(first);
	parse(&line, argv + 2, (size_t)argc - 2);
	ptl_traces_find(&traces, geteuid());
	return is_command(&line, "list") ? list(&line, &traces) :
					   run(&line, &traces);
}
