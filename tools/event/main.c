/* SPDX-License-Identifier: MIT */
/*
 * ptrace-event: records a user event from a shell script, in every stream that
 * traces the caller.  It is traced because the shell that starts it is; without
 * a trace it does nothing, so scripts can keep their calls.
 */
#include <trace.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "preload/settings/families.h"
#include "tools/event/fields.h"
#include "tools/lib/options.h"
#include "tools/lib/say.h"

static const char usage[] = "usage: ptrace-event NAME [DATA]\n"
			    "       ptrace-event NAME KEY=VALUE...\n"
			    "VALUE is a whole number, a number, or text.\n";

static const struct ptl_option options[] = {
	PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

static const struct ptl_option_table table = {
	.row = options,
	.program = "ptrace-event",
	.before = usage,
	.after = "",
};

/* Names that our own events could have. */
static bool is_ours(const char *name)
{
#define FAMILY(family) #family ":",
	static const char *const families[] = {
		PTL_FAMILIES(FAMILY) "posix_trace_"};
#undef FAMILY

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strncmp(name, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

static int fail(const char *name, int error)
{
	if (error == ENAMETOOLONG)
		ptl_say("the name is longer than %d bytes",
			TRACE_EVENT_NAME_MAX);
	else if (error == EEXIST)
		ptl_say("%s: this event type has other fields already", name);
	else
		ptl_say("%s: %s", name, strerror(error));
	return 1;
}

int main(int argc, char **argv)
{
	const struct ptl_option *option = NULL;
	const char *data = "";
	trace_event_id_t id;
	int error, at = 1;

	ptl_say_as("ptrace-event");
	if (argc == 2)
		option = ptl_options_find(options, argv[1]);
	if (option != NULL)
		ptl_options_show(&table, option);
	if (argc > 1 && strcmp(argv[1], "--") == 0)
		at++;
	else if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '\0')
		at = argc; /* an option; such a NAME needs a -- before it */
	if (argc - at < 1) {
		ptl_say(argc == 1 ? "which NAME?" :
				    "%s: not an option; a NAME that begins "
				    "with a dash needs -- before it",
			argv[1]);
		ptl_say_usage();
	}
	if (argv[at][0] == '\0' || is_ours(argv[at])) {
		ptl_say(argv[at][0] == '\0' ?
				"an empty NAME" :
				"%s: such names are those of libptrace's own "
				"events",
			argv[at]);
		ptl_say_usage();
	}
	if (argc - at > 1 && ptl_event_has_fields(argv + at + 1)) {
		error = ptl_event_put_fields(argv[at], argv + at + 1);
		return error != 0 ? fail(argv[at], error) : 0;
	}
	if (argc - at > 2) {
		ptl_say("too many arguments: quote DATA that has blanks, or "
			"give KEY=VALUE pairs alone");
		ptl_say_usage();
	}
	if (argc - at == 2)
		data = argv[at + 1];
	error = posix_trace_eventid_open(argv[at], &id);
	if (error != 0)
		return fail(argv[at], error);
	posix_trace_event(id, data, strlen(data));
	return 0;
}
