/* SPDX-License-Identifier: MIT */
/*
 * ptrace-event: records a user event from a shell script, in every stream that
 * traces the caller.  It is traced because the shell that starts it is; without
 * a trace it does nothing, so scripts can keep their calls.
 */
#include <trace.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"

static const char usage[] = "usage: ptrace-event NAME [DATA]\n";

int main(int argc, char **argv)
{
	const char *data = "";
	trace_event_id_t id;
	int error, at = 1;

	ptl_say_as("ptrace-event");
	if (argc == 2 &&
	    (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 2 &&
	    (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0)) {
		puts("ptrace-event (libptrace) " PTL_VERSION);
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "--") == 0)
		at++;
	else if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '\0')
		at = argc; /* an option; such a NAME needs a -- before it */
	if (argc - at < 1 || argc - at > 2) {
		ptl_say(argc == 1 ? "which NAME?" :
			argv[1][0] == '-' ?
				    "%s: not an option; a NAME that begins "
				    "with a dash needs -- before it" :
				    "too many arguments: quote DATA that "
				    "has blanks",
			argv[1]);
		ptl_say_usage();
	}
	if (argc - at == 2)
		data = argv[at + 1];
	error = posix_trace_eventid_open(argv[at], &id);
	if (error == ENAMETOOLONG) {
		ptl_say("the name is longer than %d bytes",
			TRACE_EVENT_NAME_MAX);
		return 1;
	}
	if (error != 0) {
		ptl_say("%s: %s", argv[at], strerror(error));
		return 1;
	}
	posix_trace_event(id, data, strlen(data));
	return 0;
}
