/* SPDX-License-Identifier: MIT */
/* Static programs; see start.h. */
#include "tools/inject/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/inject/boot.h"
#include "tools/inject/maps.h"

static void answer(int client, const char *why)
{
	send(client, why, strlen(why) + 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Of such a file nobody may seize the process: it would lose what the file
 * gives. */
static bool is_privileged(int file, const struct stat *status)
{
	return (status->st_mode & (S_ISUID | S_ISGID)) != 0 ||
	       fgetxattr(file, "security.capability", NULL, 0) >= 0;
}

static bool find_thread(struct ptl_start *starting, pid_t thread)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	char path[64];

	if (getsockopt(starting->client, SOL_SOCKET, SO_PEERCRED, &peer,
		       &size) != 0 ||
	    peer.pid <= 0)
		return false;
	starting->thread = thread == 0 ? peer.pid : thread;
	if (thread == 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)peer.pid,
		 (int)starting->thread);
	return access(path, F_OK) == 0;
}

/* 0, where the kernel does not have it. */
static int yama(void)
{
	int file = open("/proc/sys/kernel/yama/ptrace_scope",
			O_RDONLY | O_CLOEXEC);
	char digit = '0';

	if (file >= 0) {
		if (read(file, &digit, 1) != 1)
			digit = '0';
		close(file);
	}
	return digit - '0';
}

/* Why ptrace(2) does not let us. */
static const char *refusal(const struct ptl_start *starting, int error)
{
	static char why[PTL_PATCH_WHY];

	if (error == EPERM &&
	    ptl_maps_status(starting->thread, "status", "TracerPid:", 10) > 0)
		return "another tracer has the process";
	if (error == EPERM && yama() > 0)
		snprintf(why, sizeof(why),
			 "not permitted: kernel.yama.ptrace_scope is %d",
			 yama());
	else
		snprintf(why, sizeof(why), "ptrace: %s", strerror(error));
	return why;
}

/* NULL: it is seized. */
static const char *seize(struct ptl_start *starting, pid_t thread, int file)
{
	uintptr_t options = PTRACE_O_TRACEEXEC;
	struct stat status;

	if (starting->by_child)
		options |= PTRACE_O_TRACEVFORK;
	if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
		return "no file";
	if (is_privileged(file, &status))
		return "setuid";
	if (!ptl_boot_is_there())
		return "ptrace-static is not there";
	if (!ptl_boot_has_room(file))
		return "no room behind its code";
	if (!find_thread(starting, thread))
		return "another pid namespace";
	if (ptrace(PTRACE_SEIZE, starting->thread, NULL, (void *)options) == 0)
		return NULL;
	return refusal(starting, errno);
}

/* The child is seized from its beginning, in which it may be seen before; of
 * its memory nothing is touched, which is its parent's, too, until the exec. */
static void turn_to_child(struct ptl_start *starting)
{
	unsigned long child = 0;

	ptrace(PTRACE_GETEVENTMSG, starting->thread, NULL, &child);
	ptrace(PTRACE_DETACH, starting->thread, NULL, NULL);
	starting->thread = (pid_t)child;
	starting->by_child = false;
}

static void let_go(pid_t stopped, int status)
{
	int signo = status >> 16 == 0 ? WSTOPSIG(status) : 0;

	ptrace(PTRACE_DETACH, stopped, NULL, (void *)(intptr_t)signo);
}

bool ptl_start_go_on(struct ptl_start *starting, pid_t stopped, int status)
{
	int event = status >> 16, signo = WSTOPSIG(status);

	if (!WIFSTOPPED(status))
		return false;
	if (event == PTRACE_EVENT_VFORK) {
		turn_to_child(starting);
		return true;
	}
	if (event == PTRACE_EVENT_EXEC) {
		/* The thread has the number of the first thread now. */
		starting->thread = stopped;
		ptl_boot_put(stopped);
		ptrace(PTRACE_DETACH, stopped, NULL, NULL);
		return false;
	}
	if (starting->gives_up) {
		let_go(stopped, status);
		return false;
	}
	if (event == PTRACE_EVENT_STOP && signo != SIGTRAP)
		ptrace(PTRACE_LISTEN, stopped, NULL, NULL);
	else
		ptrace(PTRACE_CONT, stopped, NULL,
		       (void *)(intptr_t)(event == 0 ? signo : 0));
	return true;
}

pid_t ptl_start_was(pid_t stopped, int status)
{
	unsigned long thread = 0;

	if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_EXEC &&
	    ptrace(PTRACE_GETEVENTMSG, stopped, NULL, &thread) == 0 &&
	    thread != 0)
		return (pid_t)thread;
	return stopped;
}

void ptl_start_let_go(pid_t stopped, int status)
{
	if (WIFSTOPPED(status))
		let_go(stopped, status);
}

void ptl_start_hear(struct ptl_start *starting)
{
	char byte;

	/* At the exec the connection ends, too, before the thread stops:
	 * ptl_start_go_on() sees that stop first, whatever was given up
	 * meanwhile. */
	if (recv(starting->client, &byte, 1, MSG_DONTWAIT) != 1) {
		close(starting->client);
		starting->client = -1;
	}
	if (!starting->gives_up)
		ptrace(PTRACE_INTERRUPT, starting->thread, NULL, NULL);
	starting->gives_up = true;
}

bool ptl_start_begin(struct ptl_start *starting, pid_t thread, int file)
{
	const char *why = seize(starting, thread, file);

	answer(starting->client, why != NULL ? why : "");
	if (why != NULL)
		close(starting->client);
	return why == NULL;
}
