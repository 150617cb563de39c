/* SPDX-License-Identifier: MIT */
/*
 * See fault.h.  The handlers are async-signal-safe, since any code of the
 * library may fault.  A SIGBUS that a process sent has its default effect.
 */
#include "tools/lib/fault.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char line[128];
static size_t line_size;
static int exit_status;
static void (*before)(void);
static size_t page;
static volatile sig_atomic_t has_happened;

static void handle_with(void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	sigaction(SIGBUS, &action, NULL);
}

static void die_as_ever(void)
{
	if (before != NULL)
		before();
	signal(SIGBUS, SIG_DFL);
	raise(SIGBUS);
}

static void die(int signo, siginfo_t *info, void *context)
{
	ssize_t written;

	(void)signo;
	(void)context;
	if (info->si_code <= 0) {
		die_as_ever();
		return;
	}
	if (before != NULL)
		before();
	written = write(STDERR_FILENO, line, line_size);
	(void)written;
	_exit(exit_status);
}

static void survive(int signo, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr & ~(page - 1);

	(void)signo;
	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap((void *)at, page, PROT_READ | PROT_WRITE, /* NOLINT */
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED) {
		die_as_ever();
		return;
	}
	if (!has_happened)
		kill(getpid(), SIGTERM);
	has_happened = 1;
}

void ptl_fault_die(const char *program, int status)
{
	char *end = stpcpy(line, program);

	end = stpcpy(end, ": a file or shared memory was cut short by its "
			  "owner while it was read\n");
	line_size = (size_t)(end - line);
	exit_status = status;
	handle_with(die);
}

void ptl_fault_before(void (*function)(void))
{
	before = function;
}

void ptl_fault_survive(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	handle_with(survive);
}

bool ptl_fault_happened(void)
{
	return has_happened;
}
