/* SPDX-License-Identifier: MIT */
/* What is said of options; see check.h. */
#include "tools/monitor/check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "preload/settings/list.h"
#include "tools/lib/say.h"

bool ptl_check_next_name(const char **list, char name[TRACE_EVENT_NAME_MAX + 1])
{
	const char *word;
	size_t size;

	if (!ptl_list_next(list, &word, &size))
		return false;
	snprintf(name, TRACE_EVENT_NAME_MAX + 1, "%.*s", (int)size, word);
	return true;
}

/* All of the library's own types have a family before their name; any other
 * type can only be a program's own. */
void ptl_check_excluded(const char *list)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	while (ptl_check_next_name(&list, name))
		if (strchr(name, ':') == NULL &&
		    strncmp(name, "posix_trace_", 12) != 0)
			ptl_say("--exclude: '%s' is not an event type of "
				"libptrace; it may be one of a program",
				name);
}

/* A program reports its own calls only if it was compiled to. */
void ptl_check_calls(const struct ptl_settings *settings,
		     const struct ptl_command *command)
{
	if (!settings->families.names_call || settings->calls ||
	    settings->returns || settings->functions ||
	    ptl_command_is_instrumented(command))
		return;
	ptl_say("--events: 'call' records what -l or -r GLOB names, and "
		"programs compiled with -finstrument-functions or -pg, which "
		"%s is not",
		command->argv[0]);
	ptl_say_usage();
}

/* libunwind is loaded by the library in the traced processes, which says
 * nothing there. */
void ptl_check_unwinder(const struct ptl_settings *settings)
{
	const char *why = "libptrace was built without it";
	void *library = NULL;

	if (settings->stack_depth == 0 || settings->unwinder == NULL ||
	    strcmp(settings->unwinder, "libunwind") != 0)
		return;
#ifdef PTL_LIBUNWIND
	library = dlopen(PTL_LIBUNWIND, RTLD_NOW | RTLD_LOCAL);
	why = library != NULL ? "" : dlerror();
#endif
	if (library == NULL)
		ptl_say("--unwinder: libunwind is not used: %s", why);
	else
		dlclose(library);
}
