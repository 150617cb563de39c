/* SPDX-License-Identifier: MIT */
/* The controller process; see control.h. */
#include "tools/monitor/control.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/fault.h"
#include "tools/monitor/enter.h"
#include "tools/monitor/fds.h"
#include "tools/monitor/prototypes.h"
#include "tools/monitor/requests.h"
#include "tools/monitor/socket.h"

/* How often to check for the last process, once the first has ended. */
#define LOOK_MS 100

struct control {
	trace_id_t trid;
	pid_t target;
	int link_fd;   /* -1: there is no front any more */
	int target_fd; /* a pidfd, or -1 */
	int signal_fd;
	bool will_exec;
	bool has_target_ended;
	bool must_stop;
	bool is_live;		/* the log is written all the time */
	bool is_snapshot;	/* the log is written when one is killed: */
	unsigned int nr_killed; /* so many were */
	struct ptl_socket socket;
	struct ptl_subject subject;
};

/*
 * A stream is created for a number.  Who has that number when the stream is
 * there was meant if the process that was meant still has it, if only as a
 * zombie.  Where there are no pidfds nothing is known.
 */
static bool is_still(int target_fd)
{
	return target_fd < 0 ||
	       syscall(SYS_pidfd_send_signal, target_fd, 0, NULL, 0) == 0 ||
	       errno != ESRCH;
}

/* Returns 0, or the error number and what failed. */
static int begin(struct control *control, const struct ptl_settings *settings,
		 int log_fd, const char **what)
{
	struct posix_trace_info_np info;
	int error = 0;

	/* The command of ptrace-run, and who asks for us, are where we are. */
	*what = "enter";
	if (!control->will_exec && control->link_fd >= 0)
		error = ptl_enter(control->target);
	if (error != 0)
		return error;
	*what = "create";
	error = ptl_settings_create(settings, control->target, log_fd,
				    &control->trid);
	if (error != 0)
		return error;
	if (!is_still(control->target_fd))
		error = ESRCH;
	/* The standard allows tracing a process that can record nothing; our
	 * user wants an error.  But a process that is our copy may only have
	 * found no memory; the command that it becomes finds the entry that was
	 * made here. */
	if (error == 0 && !control->will_exec) {
		*what = "join";
		error = posix_trace_get_info_np(control->trid, &info);
		if (error == 0 && info.processes == 0)
			error = ENOEXEC;
	}
	if (error == 0) {
		*what = "filter";
		error = ptl_settings_filter(settings, control->trid);
	}
	if (error == 0) {
		*what = "prototypes";
		error = ptl_monitor_give_prototypes(control->trid);
	}
	if (error == 0 && !settings->is_suspended) {
		*what = "start";
		error = posix_trace_start(control->trid);
	}
	if (error != 0)
		posix_trace_shutdown(control->trid);
	return error;
}

static void drop_link(struct control *control)
{
	if (control->link_fd >= 0)
		close(control->link_fd);
	control->link_fd = -1;
}

static void report(struct control *control, enum ptl_report_kind kind,
		   int error, const char *what,
		   const struct posix_trace_info_np *info)
{
	struct ptl_report message;

	if (control->link_fd < 0)
		return;
	memset(&message, 0, sizeof(message));
	message.kind = kind;
	message.error = error;
	snprintf(message.what, sizeof(message.what), "%s", what);
	if (info != NULL)
		message.info = *info;
	/* The front must not wait for a reply that does not come. */
	if (!ptl_link_report(control->link_fd, &message))
		drop_link(control);
}

static unsigned int nr_live(const struct control *control)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(control->trid, &info) != 0)
		return 0;
	return info.live_processes;
}

static void handle_link(struct control *control)
{
	struct posix_trace_info_np info;
	enum ptl_request request;

	if (!ptl_link_asked(control->link_fd, &request)) {
		/* The front is gone, or has become the command itself. */
		drop_link(control);
		return;
	}
	if (request == PTL_LINK_STOP) {
		control->must_stop = true;
		return;
	}
	control->has_target_ended = true;
	control->must_stop = nr_live(control) == 0;
	/* What the command did is in the log when the prompt is back. */
	if (!control->must_stop && control->subject.has_file &&
	    !control->is_snapshot)
		posix_trace_flush(control->trid);
	if (control->must_stop ||
	    posix_trace_get_info_np(control->trid, &info) != 0)
		return;
	/* They may have ended meanwhile, or it was not known. */
	control->must_stop = info.live_processes == 0;
	if (!control->must_stop) {
		report(control, PTL_LINK_LEFT, 0, "", &info);
		drop_link(control);
	}
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno == EPERM;
}

/* Of a process that was killed what came before is not to be overwritten. */
static void look_for_killed(struct control *control)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(control->trid, &info) != 0 ||
	    info.killed == control->nr_killed)
		return;
	control->nr_killed = info.killed;
	posix_trace_flush(control->trid);
}

static void answer(void *arg, const struct ptl_talk *request, int file,
		   struct ptl_talk *reply)
{
	const struct control *control = arg;

	ptl_requests_answer(&control->subject, request, file, reply);
}

/*
 * While there is a front, it reports the end of the command; without a front
 * the command itself is watched.
 */
static void wait_for_news(struct control *control)
{
	bool is_alone = control->link_fd < 0;
	struct pollfd fds[3 + PTL_SOCKET_FDS] = {
		{control->link_fd, POLLIN, 0},
		{control->signal_fd, POLLIN, 0},
		{is_alone && !control->has_target_ended ? control->target_fd :
							  -1,
		 POLLIN, 0},
	};
	bool must_look = is_alone &&
			 (control->has_target_ended || control->target_fd < 0);
	struct signalfd_siginfo signal;

	ptl_socket_poll(&control->socket, fds + 3);
	if (poll(fds, 3 + PTL_SOCKET_FDS,
		 must_look || control->is_snapshot || control->is_live ?
			 LOOK_MS :
			 -1) < 0)
		return;
	if (control->is_live)
		posix_trace_flush(control->trid);
	if (control->is_snapshot)
		look_for_killed(control);
	ptl_socket_serve(&control->socket, fds + 3, answer, control);
	if (fds[0].revents != 0)
		handle_link(control);
	if (fds[1].revents != 0 &&
	    read(control->signal_fd, &signal, sizeof(signal)) > 0)
		control->must_stop |= signal.ssi_signo == SIGTERM;
	if (fds[2].revents != 0 ||
	    (must_look && control->target_fd < 0 && !is_alive(control->target)))
		control->has_target_ended = true;
}

/* SIGTERM ends the trace in order, as at a shutdown; the other signals never
 * do. */
static int catch_signals(void)
{
	sigset_t caught;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&caught);
	sigaddset(&caught, SIGHUP);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGQUIT);
	sigaddset(&caught, SIGTERM);
	sigprocmask(SIG_SETMASK, &caught, NULL);
	return signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What there is to say of the log.  Before we leave the directory to which its
 * name is relative. */
static void describe(struct ptl_subject *subject,
		     const struct ptl_output *output)
{
	char *path;

	if (fstat(output->fd, &subject->status) != 0)
		memset(&subject->status, 0, sizeof(subject->status));
	subject->has_file = S_ISREG(subject->status.st_mode);
	path = subject->has_file ? realpath(output->path, NULL) : NULL;
	subject->log = path != NULL ? path : output->path;
}

/* Without a socket the trace cannot be controlled; that matters to a trace that
 * waits to be started. */
static int begin_reachable(struct control *control,
			   const struct ptl_settings *settings, int log_fd,
			   const char **what)
{
	int error = ptl_socket_open(&control->socket);

	*what = "the socket for ptrace-ctl";
	if (error == 0 || !settings->is_suspended)
		error = begin(control, settings, log_fd, what);
	if (error != 0)
		ptl_socket_close(&control->socket);
	control->subject.trid = control->trid;
	return error;
}

static void leave_directory(void)
{
	if (chdir("/") != 0)
		return; /* then it stays in use */
}

/* Who asked is gone, and its number may have been another's before we looked.
 */
static bool is_unwanted(int ready_fd)
{
	struct pollfd reader = {ready_fd, 0, 0};

	return ready_fd >= 0 && poll(&reader, 1, 0) == 1;
}

static void __attribute__((noreturn))
serve(struct control control, const struct ptl_settings *settings,
      const struct ptl_output *output, int ready_fd)
{
	int log_fd = output->fd;
	int keep[] = {log_fd, control.link_fd, ready_fd, control.target_fd};
	struct posix_trace_info_np info;
	const char *what = "";
	int error;

	ptl_fds_keep(keep, 4);
	describe(&control.subject, output);
	control.signal_fd = catch_signals();
	ptl_fault_survive();
	/* The stream has its own descriptor; ours holds the lock and is kept.
	 */
	error = is_unwanted(ready_fd) ?
			ESRCH :
			begin_reachable(&control, settings, log_fd, &what);
	if (error != 0) {
		close(log_fd);
		ptl_enter_leave();
		report(&control, PTL_LINK_FAILED, error, what, NULL);
		/* Before we leave the directory to which its name is relative.
		 */
		if (control.link_fd < 0)
			ptl_output_discard(output);
		_exit(1);
	}
	leave_directory();
	report(&control, PTL_LINK_READY, 0, "", NULL);
	/* The library did not wait for us: it is gone, or traces itself by now.
	 */
	if (ready_fd >= 0 && write(ready_fd, "", 1) != 1)
		control.must_stop = true;
	if (ready_fd >= 0)
		close(ready_fd);
	while (!control.must_stop &&
	       (!control.has_target_ended || nr_live(&control) > 0))
		wait_for_news(&control);
	ptl_socket_close(&control.socket);
	error = posix_trace_shutdown_np(control.trid, &info);
	ptl_enter_leave();
	/* A process that is told of the end may use the file at once. */
	close(log_fd);
	report(&control, PTL_LINK_DONE, error,
	       ptl_fault_happened() ? PTL_LINK_CUT_SHORT : "shutdown", &info);
	_exit(error != 0);
}

/* A child of ours has ended: the command must not find that SIGCHLD pending. */
static void forget_child(const sigset_t *pending)
{
	const struct timespec now = {0, 0};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	if (sigismember(pending, SIGCHLD) == 0)
		sigtimedwait(&child, NULL, &now);
}

int ptl_control_start(const struct ptl_settings *settings, pid_t target,
		      bool will_exec, const struct ptl_output *output,
		      int link_fd, int ready_fd)
{
	struct control control = {
		.target = target,
		.will_exec = will_exec,
		.link_fd = link_fd,
		.is_live = settings->is_live,
		.is_snapshot = settings->is_snapshot,
		/* Now: it may be us, who can be killed. */
		.target_fd =
			ptl_fds_lift((int)syscall(SYS_pidfd_open, target, 0)),
	};
	int status = 0, error;
	sigset_t pending;
	pid_t middle;

	sigpending(&pending);
	middle = fork();
	error = errno;
	if (middle == 0) {
		setsid();
		switch (fork()) {
		case 0:
			serve(control, settings, output, ready_fd);
		case -1:
			_exit(errno);
		default:
			_exit(0);
		}
	}
	if (control.target_fd >= 0)
		close(control.target_fd);
	if (middle < 0)
		return error;
	while (waitpid(middle, &status, 0) < 0 && errno == EINTR)
		;
	forget_child(&pending);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
