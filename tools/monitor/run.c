/* SPDX-License-Identifier: MIT */
/*
 * ptrace-run COMMAND: the command is our child, and we end as it ends.  The
 * child is forked before anything else changes, so that it has the signals,
 * descriptors and limits that we were given; it waits at a pipe until it is
 * traced.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/lib/fds.h"
#include "tools/monitor/front.h"
#include "tools/monitor/viewer.h"
#include "tools/monitor/process/witness.h"
#include "tools/monitor/watch.h"

struct child {
	pid_t pid;
	int go_fd;   /* a byte: run the command; end of file: do not */
	int exec_fd; /* 0: it has started; then an error number,
		      * or end of file: the command runs */
};

static void tell_front(int exec_fd, int error)
{
	ssize_t written;

	do
		written = write(exec_fd, &error, sizeof(error));
	while (written < 0 && errno == EINTR);
	if (written < 0)
		_exit(PTL_EXIT_OWN_FAILURE);
}

static void __attribute__((noreturn))
be_child(const struct ptl_settings *settings, const struct ptl_command *command,
	 int go_fd, int exec_fd)
{
	ssize_t got;
	char byte;

	tell_front(exec_fd, 0);
	do
		got = read(go_fd, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		_exit(PTL_EXIT_OWN_FAILURE);
	if (got < 0) {
		tell_front(exec_fd, errno);
		_exit(PTL_EXIT_OWN_FAILURE);
	}
	ptl_output_leave_stdout(settings);
	tell_front(exec_fd, ptl_command_exec(command));
	_exit(PTL_EXIT_NOT_FOUND);
}

static int lifted_pipe(int *ends)
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	ends[0] = ptl_fds_lift(ends[0]);
	ends[1] = ptl_fds_lift(ends[1]);
	return ends[0] < 0 || ends[1] < 0 ? errno : 0;
}

/* False with errno; ECHILD: it ended, or became the command, without a report.
 */
static bool hear_child(const struct child *child, int *error)
{
	ssize_t got;

	do
		got = read(child->exec_fd, error, sizeof(*error));
	while (got < 0 && errno == EINTR);
	if (got >= 0)
		errno = ECHILD;
	return got == sizeof(*error);
}

/* Returns 0 or the error number. */
static int start_child(struct child *child, const struct ptl_settings *settings,
		       const struct ptl_command *command)
{
	int go[2], exec[2];
	int error = lifted_pipe(go);

	if (error == 0)
		error = lifted_pipe(exec);
	if (error != 0)
		return error;
	child->pid = fork();
	if (child->pid < 0)
		return errno;
	if (child->pid == 0) {
		close(go[1]);
		close(exec[0]);
		be_child(settings, command, go[0], exec[1]);
	}
	close(go[0]);
	close(exec[1]);
	child->go_fd = go[1];
	child->exec_fd = exec[0];
	/* By then the library knows it, and records what it becomes. */
	return hear_child(child, &error) ? error : errno;
}

/* The running command's pid, for the handler; 0: it has ended. */
static volatile sig_atomic_t forward_to;

/* With its value and sender, if the kernel lets us name the sender. */
static void pass_on(int signo, siginfo_t *info)
{
	pid_t command = (pid_t)forward_to;

	if (info->si_code != SI_QUEUE ||
	    syscall(SYS_rt_sigqueueinfo, command, signo, info) != 0)
		kill(command, signo);
}

/*
 * Who sends a signal to us and then to our group, as timeout(1) does, means it
 * once, and a process that gets both so close together takes them for one: so
 * what was sent to us alone waits for a moment.
 */
static bool comes_to_group(int signo, const siginfo_t *info)
{
	const struct timespec moment = {0, 20000000};

	if (ptl_witness_saw(signo, info))
		return true;
	if (info->si_code != SI_USER)
		return false;
	nanosleep(&moment, NULL);
	return ptl_witness_saw(signo, info);
}

/*
 * A signal to the process group, for example by the terminal, also reached the
 * command; a signal to us alone is meant for the command.
 */
static void forward(int signo, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (forward_to > 0 && !comes_to_group(signo, info))
		pass_on(signo, info);
	errno = saved;
}

static void catch_signals(pid_t child)
{
	static const int caught[] = {SIGHUP,  SIGINT,  SIGQUIT,
				     SIGTERM, SIGUSR1, SIGUSR2};
	struct sigaction action, old;

	forward_to = child;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = forward;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++)
		if (sigaction(caught[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* There is nobody to forward them to: they end us, and the controller goes on
 * alone.  What was ignored stays so. */
static void let_signals(void)
{
	struct sigaction old;

	for (int signo = 1; signo < SIGRTMIN; signo++)
		if (sigaction(signo, NULL, &old) == 0 &&
		    (old.sa_flags & SA_SIGINFO) && old.sa_sigaction == forward)
			signal(signo, SIG_DFL);
}

static volatile sig_atomic_t is_continued;

static void note_continued(int signo)
{
	(void)signo;
	is_continued = 1;
}

static bool is_stopped(pid_t child)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOHANG) == 0 &&
	       info.si_pid != 0;
}

/*
 * Stops us if the child is stopped.  SIGCONT may reach either process at any
 * moment.  It discards a blocked SIGTSTP: so the one that we send ourselves
 * before we check the child stops us only if we were not continued since.
 * SIGSTOP cannot be blocked; it is for the case where SIGTSTP does not stop, a
 * process group without job control.
 */
static bool stop_if(pid_t child, const sigset_t *stop, const sigset_t *both)
{
	const struct timespec now = {0, 0};

	sigprocmask(SIG_BLOCK, stop, NULL);
	kill(getpid(), SIGTSTP);
	if (!is_stopped(child)) {
		sigtimedwait(stop, NULL, &now);
		return false;
	}
	sigprocmask(SIG_UNBLOCK, both, NULL);
	if (!is_continued)
		kill(getpid(), SIGSTOP);
	return true;
}

/*
 * The command has stopped: we stop, too, for the shell's job control, and
 * continue the command when we are continued.  After a moment, since the
 * terminal may have stopped both, and may continue them one after the other.
 */
static void stop_with(pid_t child)
{
	const struct timespec moment = {0, 1000000};
	struct sigaction action = {.sa_flags = SA_RESTART}, cont, tstp;
	sigset_t stop, both, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	both = stop;
	sigaddset(&both, SIGCONT);
	sigprocmask(SIG_BLOCK, NULL, &old);
	action.sa_handler = SIG_DFL;
	sigaction(SIGTSTP, &action, &tstp);
	action.sa_handler = note_continued;
	is_continued = 0;
	sigaction(SIGCONT, &action, &cont);
	nanosleep(&moment, NULL);
	if (stop_if(child, &stop, &both))
		kill(child, SIGCONT);
	sigaction(SIGCONT, &cont, NULL);
	sigaction(SIGTSTP, &tstp, NULL);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static int status_of(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED ? W_EXITCODE(info->si_status, 0) :
					     info->si_status;
}

/* Returns the wait status. */
static int wait_for(pid_t child)
{
	siginfo_t info;
	int status = 0;

	for (;;) {
		info.si_pid = 0;
		/* Not reaped yet: so the handler's pid is not reused. */
		if (waitid(P_PID, (id_t)child, &info,
			   WEXITED | WSTOPPED | WNOWAIT) != 0) {
			if (errno == EINTR) {
				ptl_watch_look();
				continue;
			}
			break;
		}
		if (info.si_code != CLD_STOPPED)
			break;
		stop_with(child);
	}
	forward_to = 0;
	ptl_witness_end();
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return info.si_pid != 0 ? status_of(&info) : 0;
	return status;
}

/* Ends as the command ended, without a second core file. */
static int end_as(int status)
{
	const struct rlimit none = {0, 0};
	sigset_t set;
	int signo;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	signo = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	kill(getpid(), signo);
	return 128 + signo; /* for the first process of a container */
}

/* Returns 0 if the command runs, else the error number. */
static int let_run(const struct child *child)
{
	ssize_t written;
	int error = 0;

	do
		written = write(child->go_fd, "", 1);
	while (written < 0 && errno == EINTR);
	if (written != 1 && errno != EPIPE) /* it died; see its status */
		error = errno;
	close(child->go_fd);
	if (error != 0)
		return error;
	/* Without a report its status says what happened. */
	if (!hear_child(child, &error))
		error = 0;
	close(child->exec_fd);
	return error;
}

static int give_up(const struct child *child)
{
	close(child->go_fd);
	wait_for(child->pid);
	return PTL_EXIT_OWN_FAILURE;
}

/* With the others --crash would have said more. */
static void say_killed(const struct ptl_run_options *options, const char *name,
		       int status)
{
	static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,
				      SIGFPE, SIGSEGV, SIGSYS};

	if (options->is_quiet || !WIFSIGNALED(status) ||
	    options->settings.records_crashes ||
	    options->settings.families.has_crash)
		return;
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		if (crashes[i] == WTERMSIG(status))
			ptl_say("%s was killed by SIG%s (--crash records "
				"where)",
				name, sigabbrev_np(crashes[i]));
}

int ptl_front_run(const struct ptl_run_options *options,
		  const struct ptl_command *command, char *const *env)
{
	const struct ptl_settings *settings = &options->settings;
	const char *name = ptl_command_basename(command->argv[0]);
	struct ptl_output output;
	struct child child = {.go_fd = -1, .exec_fd = -1};
	int error, link_fd, status;

	error = start_child(&child, settings, command);
	if (error != 0) {
		ptl_say("cannot fork: %s",
			error == EAGAIN ? "too many processes (ulimit -u)" :
					  strerror(error));
		return PTL_EXIT_OWN_FAILURE;
	}
	/* If it were ignored, the child's status would be lost. */
	signal(SIGCHLD, SIG_DFL);
	/* A FIFO waits for its reader, and a signal is to end that; the child
	 * ends when we have. */
	if (ptl_output_open(&output, settings, name, child.pid, env, false))
		return give_up(&child);
	catch_signals(child.pid);
	link_fd = ptl_front_connect(options, child.pid, true, &output);
	ptl_output_close(&output);
	if (link_fd < 0) {
		ptl_output_discard(&output);
		return give_up(&child);
	}
	ptl_witness_start();
	error = let_run(&child);
	if (error != 0) {
		wait_for(child.pid);
		ptl_link_ask(link_fd, PTL_LINK_STOP);
		ptl_output_discard(&output);
		return ptl_command_fail(command->argv[0], error);
	}
	if (options->viewer != NULL)
		ptl_viewer_start(options->viewer, &output, env);
	ptl_front_let_go(link_fd, ptl_witness_fd());
	ptl_watch_begin(options, &output, link_fd);
	status = wait_for(child.pid);
	ptl_watch_end();
	if (options->waits)
		let_signals();
	if (!ptl_front_finish(options, link_fd,
			      options->waits ? PTL_LINK_WAIT : PTL_LINK_FINISH,
			      &output))
		return PTL_EXIT_OWN_FAILURE;
	say_killed(options, name, status);
	return end_as(status);
}
