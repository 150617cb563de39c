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

/* Codes of one signal begin with 1. */
static const struct code {
	unsigned char signo, code;
	char name[14];
	const char *meaning;
} codes[] = {
	{4, 1, "ILL_ILLOPC", NULL},
	{4, 2, "ILL_ILLOPN", NULL},
	{4, 3, "ILL_ILLADR", NULL},
	{4, 4, "ILL_ILLTRP", NULL},
	{4, 5, "ILL_PRVOPC", NULL},
	{4, 6, "ILL_PRVREG", NULL},
	{4, 7, "ILL_COPROC", NULL},
	{4, 8, "ILL_BADSTK", NULL},
	{4, 9, "ILL_BADIADDR", NULL},
	{5, 1, "TRAP_BRKPT", "a breakpoint"},
	{5, 2, "TRAP_TRACE", NULL},
	{5, 3, "TRAP_BRANCH", NULL},
	{5, 4, "TRAP_HWBKPT", NULL},
	{5, 5, "TRAP_UNK", NULL},
	{5, 6, "TRAP_PERF", NULL},
	{7, 1, "BUS_ADRALN", "not aligned"},
	{7, 2, "BUS_ADRERR", "behind the end of a file, or the like"},
	{7, 3, "BUS_OBJERR", NULL},
	{7, 4, "BUS_MCEERR_AR", "broken memory"},
	{7, 5, "BUS_MCEERR_AO", "broken memory"},
	{8, 1, "FPE_INTDIV", "division by zero"},
	{8, 2, "FPE_INTOVF", "overflow"},
	{8, 3, "FPE_FLTDIV", "division by zero"},
	{8, 4, "FPE_FLTOVF", "overflow"},
	{8, 5, "FPE_FLTUND", "underflow"},
	{8, 6, "FPE_FLTRES", "inexact"},
	{8, 7, "FPE_FLTINV", "invalid"},
	{8, 8, "FPE_FLTSUB", NULL},
	{11, 1, "SEGV_MAPERR", "nothing is mapped there"},
	{11, 2, "SEGV_ACCERR", "no access"},
	{11, 3, "SEGV_BNDERR", NULL},
	{11, 4, "SEGV_PKUERR", "no access by its key"},
	{11, 8, "SEGV_MTEAERR", NULL},
	{11, 9, "SEGV_MTESERR", NULL},
	{11, 10, "SEGV_CPERR", "a return to another place"},
	{31, 1, "SYS_SECCOMP", "a call that seccomp forbids"},
};

/* Of all signals; down from SI_USER. */
static const char *const sent[] = {
	"SI_USER",    "SI_QUEUE", "SI_TIMER", "SI_MESGQ",
	"SI_ASYNCIO", "SI_SIGIO", "SI_TKILL",
};
#define SI_KERNEL_CODE 0x80

static const struct code *find_code(int64_t signo, int64_t code)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].signo == signo && codes[i].code == code)
			return &codes[i];
	return NULL;
}

const char *ptl_signals_code(int64_t signo, int64_t code)
{
	const struct code *known = find_code(signo, code);

	if (code == SI_KERNEL_CODE)
		return "SI_KERNEL";
	if (code <= 0 && code > -(int64_t)(sizeof(sent) / sizeof(*sent)))
		return sent[-code];
	return known != NULL ? known->name : NULL;
}

const char *ptl_signals_meaning(int64_t signo, int64_t code)
{
	const struct code *known = find_code(signo, code);

	return known != NULL ? known->meaning : NULL;
}
