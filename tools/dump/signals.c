/* SPDX-License-Identifier: MIT */
/* Signals by name; see signals.h.  The numbers are those of Linux on x86-64 and
 * aarch64; real-time signals are counted from what glibc leaves of them. */
#include "tools/dump/signals.h"

#include <stdio.h>
#include <string.h>

#include "tools/dump/modules.h"

#define FIRST_REAL_TIME 34
#define LAST_REAL_TIME 64

static const char *const names[] = {
	NULL,	   "SIGHUP",  "SIGINT",	   "SIGQUIT", "SIGILL",	   "SIGTRAP",
	"SIGABRT", "SIGBUS",  "SIGFPE",	   "SIGKILL", "SIGUSR1",   "SIGSEGV",
	"SIGUSR2", "SIGPIPE", "SIGALRM",   "SIGTERM", "SIGSTKFLT", "SIGCHLD",
	"SIGCONT", "SIGSTOP", "SIGTSTP",   "SIGTTIN", "SIGTTOU",   "SIGURG",
	"SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH",  "SIGIO",
	"SIGPWR",  "SIGSYS",
};

static const char *name_of(int64_t signo)
{
	static char buf[16];

	if (signo > 0 && signo < (int64_t)(sizeof(names) / sizeof(*names)))
		return names[signo];
	if (signo == FIRST_REAL_TIME)
		return "SIGRTMIN";
	if (signo < FIRST_REAL_TIME || signo > LAST_REAL_TIME)
		return NULL;
	snprintf(buf, sizeof(buf), "SIGRTMIN+%d", (int)signo - FIRST_REAL_TIME);
	return buf;
}

/* Puts an argument behind number `at', if there is a word. */
static void insert(struct ptl_view *view, unsigned int at, const char *name,
		   const char *word)
{
	struct ptl_arg *arg = &view->arg[at + 1];

	if (word == NULL || view->nr_args == PTL_DECODE_ARGS)
		return;
	memmove(arg + 1, arg, (view->nr_args - at - 1) * sizeof(*arg));
	*arg = (struct ptl_arg){
		.name = name,
		.type = PTL_ARG_WORD,
		.bytes = word,
		.size = strlen(word),
	};
	view->nr_args++;
}

void ptl_signals_describe(struct ptl_view *view)
{
	const struct posix_trace_event_info *event = view->event;
	const char *function, *library;

	if (!view->type->is_system ||
	    strncmp(view->type->name, "signal:", 7) != 0)
		return;
	for (unsigned int i = 0; i < view->nr_args; i++) {
		const struct ptl_arg *arg = &view->arg[i];

		if (strcmp(arg->name, "signo") == 0) {
			insert(view, i, "signame", name_of(arg->value));
		} else if (strcmp(arg->name, "handler") == 0) {
			ptl_modules_function(
				view->source->modules, event->posix_pid,
				event->posix_image_np, (uint64_t)arg->value,
				&function, &library);
			insert(view, i, "library", library);
			insert(view, i, "function", function);
		}
	}
}
