/* SPDX-License-Identifier: MIT */
/*
 * Running processes: ptrace-run -p traces one until it or ptrace-run ends; a
 * preloaded library asks for a controller of its own process.
 */
#include "tools/monitor/front.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "preload/settings/logname.h"
#include "tools/inject/hook.h"
#include "tools/inject/inject.h"
#include "tools/lib/say.h"
#include "tools/monitor/control.h"
#include "tools/monitor/viewer.h"
#include "tools/monitor/process/whynot.h"

/* Reads a file of /proc/PID whole, at most size - 1 bytes of it. */
static ssize_t read_proc(pid_t pid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	got = read(fd, buf, size - 1);
	close(fd);
	buf[got > 0 ? got : 0] = '\0';
	return got;
}

/* The name of its program, for the name of its log. */
static void get_name(pid_t pid, char *name, size_t size)
{
	char link[64], comm[64], exe[PATH_MAX];
	ssize_t got;

	got = read_proc(pid, "comm", comm, sizeof(comm));
	/* The last newline is the kernel's; there may be others before it. */
	comm[got > 1 ? got - 1 : 0] = '\0';
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	got = readlink(link, exe, sizeof(exe) - 1);
	exe[got > 0 ? got : 0] = '\0';
	ptl_logname_program(name, size, comm, exe);
}

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signo)
{
	(void)signo;
	is_interrupted = 1;
}

/*
 * Blocks the signals outside of ppoll(), which uses the mask that this returns:
 * so no signal that comes in between is missed.
 */
static void catch_signals(sigset_t *unblocked)
{
	struct sigaction action;
	sigset_t caught;

	memset(&action, 0, sizeof(action));
	action.sa_handler = interrupt;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGHUP);
	sigprocmask(SIG_BLOCK, &caught, unblocked);
	sigdelset(unblocked, SIGINT);
	sigdelset(unblocked, SIGTERM);
	sigdelset(unblocked, SIGHUP);
}

/* Waits until the process ends, a signal comes, or the controller dies. */
static void wait_for_end(pid_t pid, int link_fd, const sigset_t *unblocked)
{
	const struct timespec look = {0, 100000000};
	struct pollfd fds[] = {
		{(int)syscall(SYS_pidfd_open, pid, 0), POLLIN, 0},
		{link_fd, POLLIN, 0},
	};

	while (!is_interrupted && (kill(pid, 0) == 0 || errno == EPERM)) {
		bool can_wait = fds[0].fd >= 0;
		int found = ppoll(fds, 2, can_wait ? NULL : &look, unblocked);

		if (found > 0)
			break;
		/* There is no waiting by it, for a filter or a limit. */
		if (found < 0 && errno != EINTR)
			nanosleep(&look, NULL);
	}
	if (fds[0].fd >= 0)
		close(fds[0].fd);
}

/* was_there: another trace had it loaded, or its program had it. */
static bool inject(pid_t pid, bool *was_there)
{
	char *library = ptl_command_library();
	const char *why;

	if (library == NULL)
		return false;
	why = ptl_whynot_kernels(pid);
	*was_there = why == NULL && ptl_whynot_has_library(pid);
	if (why == NULL)
		why = ptl_inject(pid, library);
	free(library);
	if (why != NULL)
		ptl_say("cannot load libptrace.so into process %d: %s",
			(int)pid, why);
	return why == NULL;
}

static bool wants_hooks(const struct ptl_settings *settings)
{
	return settings->calls != NULL || settings->returns != NULL ||
	       settings->functions != NULL;
}

/* What a program that begins finds in its environment, as strings that end with
 * an empty one.  Returns its size; 0: no memory. */
static size_t collect_settings(char **settings)
{
	size_t size = 0;
	FILE *file = open_memstream(settings, &size);

	if (file == NULL)
		return 0;
	for (char *const *at = environ; *at != NULL; at++)
		if (strncmp(*at, "PTRACE_", 7) == 0 &&
		    strncmp(*at, "PTRACE_STREAMS=", 15) != 0 &&
		    strncmp(*at, "PTRACE_DISABLE=", 15) != 0)
			fwrite(*at, 1, strlen(*at) + 1, file);
	fputc('\0', file);
	return fclose(file) == 0 ? size : 0;
}

static void say_hooked(const struct ptl_run_options *options, pid_t pid,
		       const char *why)
{
	if (why != NULL && wants_hooks(&options->settings))
		ptl_say("process %d is traced without -f, -l and -r: %s",
			(int)pid, why);
	else if (why != NULL)
		ptl_say("process %d goes on to record functions if another "
			"trace has asked for some: %s",
			(int)pid, why);
	else if (options->is_verbose && wants_hooks(&options->settings))
		ptl_say("process %d has its functions hooked", (int)pid);
	else if (options->is_verbose)
		ptl_say("process %d: what a trace before had hooked is off",
			(int)pid);
}

/* Without them it is traced all the same.  If another trace has hooked some,
 * which this one does not ask for, they are switched off. */
static void hook(const struct ptl_run_options *options, pid_t pid,
		 bool was_there)
{
	char *settings = NULL, *library;
	const char *why;
	size_t size;

	if (!wants_hooks(&options->settings) && !was_there)
		return;
	library = ptl_command_library();
	size = collect_settings(&settings);
	why = library != NULL && size > 0 ?
		      ptl_inject_hook(pid, library, settings, size) :
		      "out of memory";
	free(library);
	free(settings);
	say_hooked(options, pid, why);
}

int ptl_front_attach(const struct ptl_run_options *options, pid_t pid,
		     char *const *env)
{
	struct ptl_output output;
	const char *why;
	sigset_t unblocked;
	char name[64];
	bool was_there = false;
	int link_fd;

	if (kill(pid, 0) != 0 && errno == ESRCH) {
		ptl_say("cannot trace process %d: no such process", (int)pid);
		return PTL_EXIT_OWN_FAILURE;
	}
	why = ptl_whynot_none(pid);
	if (why != NULL) {
		ptl_say("cannot trace process %d: %s", (int)pid, why);
		return PTL_EXIT_OWN_FAILURE;
	}
	if (options->is_injecting && !inject(pid, &was_there))
		return PTL_EXIT_OWN_FAILURE;
	signal(SIGCHLD, SIG_DFL);
	get_name(pid, name, sizeof(name));
	/* A FIFO waits for its reader, and a signal is to end that. */
	if (ptl_output_open(&output, &options->settings, name, pid, env,
			    false) != 0)
		return PTL_EXIT_OWN_FAILURE;
	catch_signals(&unblocked);
	link_fd = ptl_front_connect(options, pid, false, &output);
	ptl_output_close(&output);
	if (link_fd < 0) {
		ptl_output_discard(&output);
		return PTL_EXIT_OWN_FAILURE;
	}
	if (options->viewer != NULL)
		ptl_viewer_start(options->viewer, &output, env);
	hook(options, pid, was_there);
	ptl_front_let_go(link_fd, -1);
	wait_for_end(pid, link_fd, &unblocked);
	if (!ptl_front_finish(options, link_fd,
			      is_interrupted ? PTL_LINK_STOP : PTL_LINK_FINISH,
			      &output))
		return PTL_EXIT_OWN_FAILURE;
	return 0;
}

int ptl_front_serve(const struct ptl_settings *settings, pid_t pid,
		    int ready_fd, char *const *env)
{
	char name[64];
	struct ptl_output output;
	int error;

	get_name(pid, name, sizeof(name));
	if (ptl_output_open(&output, settings, name, pid, env, true) != 0)
		return PTL_EXIT_OWN_FAILURE;
	error = ptl_control_start(settings, NULL, pid, false, &output, -1,
				  ready_fd);
	/* By the end of the pipe the library learns that there is no
	 * controller, and opens the log itself: the lock is released by then.
	 */
	ptl_output_close(&output);
	return error == 0 ? 0 : PTL_EXIT_OWN_FAILURE;
}
