/* SPDX-License-Identifier: MIT */
/* Static programs; see start.h. */
#include "tools/inject/start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/inject/boot.h"
#include "tools/inject/maps.h"

struct starting {
	pid_t thread;  /* that executes the program */
	bool by_child; /* not it, but its next child, which is not there yet */
	int client;
	int news; /* of children, and of what is traced: a signalfd */
	struct stat file;
};

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

static bool find_thread(struct starting *starting, pid_t thread)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	char path[64];

	if (getsockopt(starting->client, SOL_SOCKET, SO_PEERCRED, &peer,
		       &size) != 0 ||
	    peer.pid <= 0)
		return false;
	starting->thread = thread == 0 ? peer.pid : thread;
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
static const char *refusal(const struct starting *starting, int error)
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
static const char *seize(struct starting *starting, pid_t thread, int file)
{
	uintptr_t options = PTRACE_O_TRACEEXEC;

	if (starting->by_child)
		options |= PTRACE_O_TRACEVFORK;
	if (fstat(file, &starting->file) != 0 ||
	    !S_ISREG(starting->file.st_mode))
		return "no file";
	if (is_privileged(file, &starting->file))
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

/* The process has another program now: is it that one? */
static void fill(const struct starting *starting)
{
	char path[64];
	struct stat now;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)starting->thread);
	if (stat(path, &now) == 0 && now.st_dev == starting->file.st_dev &&
	    now.st_ino == starting->file.st_ino)
		ptl_boot_put(starting->thread);
}

/* The child is seized from its beginning, in which it may be seen before; of
 * its memory nothing is touched, which is its parent's, too, until the exec. */
static void turn_to_child(struct starting *starting, pid_t parent)
{
	unsigned long child = 0;

	ptrace(PTRACE_GETEVENTMSG, parent, NULL, &child);
	ptrace(PTRACE_DETACH, parent, NULL, NULL);
	starting->thread = (pid_t)child;
	starting->by_child = false;
}

/* Goes on from a stop; false: there is no more to wait for. */
static bool go_on(struct starting *starting, pid_t stopped, int status,
		  bool gives_up)
{
	int event = status >> 16, signo = WSTOPSIG(status);

	/* The child may have come to its end before its parent is seen. */
	if (!WIFSTOPPED(status))
		return starting->by_child && stopped != starting->thread;
	if (event == PTRACE_EVENT_VFORK) {
		turn_to_child(starting, stopped);
		return true;
	}
	if (event == PTRACE_EVENT_EXEC) {
		/* The thread has the number of the first thread now. */
		starting->thread = stopped;
		fill(starting);
		ptrace(PTRACE_DETACH, stopped, NULL, NULL);
		return false;
	}
	if (gives_up) {
		ptrace(PTRACE_DETACH, stopped, NULL,
		       (void *)(intptr_t)(event == 0 ? signo : 0));
		return false;
	}
	if (event == PTRACE_EVENT_STOP && signo != SIGTRAP)
		ptrace(PTRACE_LISTEN, stopped, NULL, NULL);
	else
		ptrace(PTRACE_CONT, stopped, NULL,
		       (void *)(intptr_t)(event == 0 ? signo : 0));
	return true;
}

/* True: the program was not executed after all, or nobody is there.  At the
 * exec the connection ends, too, before the thread stops: go_on() sees that
 * stop first, whatever was given up meanwhile. */
static bool wait_for_news(struct starting *starting)
{
	struct pollfd fds[] = {{starting->news, POLLIN, 0},
			       {starting->client, POLLIN, 0}};
	struct signalfd_siginfo info;
	char byte;

	if (poll(fds, 2, -1) < 0)
		return false;
	if (fds[0].revents != 0 &&
	    read(starting->news, &info, sizeof(info)) < 0)
		return false;
	if (fds[1].revents == 0)
		return false;
	if (recv(starting->client, &byte, 1, MSG_DONTWAIT) == 1)
		return true;
	starting->client = -1;
	return true;
}

static void follow(struct starting *starting)
{
	bool gives_up = false;
	int status;

	for (;;) {
		pid_t stopped = waitpid(-1, &status, __WALL | WNOHANG);

		if (stopped > 0) {
			if (!go_on(starting, stopped, status, gives_up))
				return;
			continue;
		}
		if (stopped < 0)
			return;
		if (wait_for_news(starting) && !gives_up) {
			gives_up = true;
			ptrace(PTRACE_INTERRUPT, starting->thread, NULL, NULL);
		}
	}
}

static void __attribute__((noreturn))
be_helper(int client, pid_t thread, bool by_child, int file)
{
	struct starting starting = {.client = client, .by_child = by_child};
	const char *why;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	starting.news = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	why = starting.news < 0 ? "no memory" : seize(&starting, thread, file);
	answer(client, why != NULL ? why : "");
	if (why == NULL)
		follow(&starting);
	_exit(0);
}

/* The one between is waited for, so that nobody else need wait. */
void ptl_start_serve(int client, pid_t thread, bool by_child, int file)
{
	pid_t middle = fork();

	if (middle == 0) {
		if (fork() == 0)
			be_helper(client, thread, by_child, file);
		_exit(0);
	}
	if (middle < 0)
		answer(client, "no process");
	while (middle > 0 && waitpid(middle, NULL, 0) < 0 && errno == EINTR)
		;
}
