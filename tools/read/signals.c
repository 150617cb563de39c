/* SPDX-License-Identifier: MIT */
/* Signals by name; see signals.h.  The numbers are those of Linux on x86-64 and
 * aarch64; real-time signals are counted from what glibc leaves of them. */
#include "tools/read/signals.h"

#include <stdio.h>
#include <string.h>

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

const char *ptl_signals_name(int64_t signo)
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
