/* SPDX-License-Identifier: MIT */
/*
 * See stack.h.  libdw has the lines of a unit on the stack while it reads them,
 * some 160 KiB.  The stack of a thread is memory as any other, which no limit
 * is for.
 */
#include "tools/lib/stack.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

enum { ENOUGH = 1 << 20, OURS = 8 << 20 };

struct tool_call {
	int (*tool)(int, char **);
	int argc;
	char **argv;
	int status;
};

static void *call_tool(void *argument)
{
	struct tool_call *call = argument;

	call->status = call->tool(call->argc, call->argv);
	return NULL;
}

int ptl_stack_ensure(int (*tool)(int, char **), int argc, char **argv)
{
	struct tool_call call = {tool, argc, argv, 0};
	struct rlimit limit;
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ENOUGH)
		return tool(argc, argv);
	if (pthread_attr_init(&attr) != 0)
		return tool(argc, argv);
	error = pthread_attr_setstacksize(&attr, OURS);
	if (error == 0)
		error = pthread_create(&thread, &attr, call_tool, &call);
	pthread_attr_destroy(&attr);
	if (error != 0 || pthread_join(thread, NULL) != 0)
		return tool(argc, argv);
	return call.status;
}
