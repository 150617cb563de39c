/* SPDX-License-Identifier: MIT */
/* The controller process; see control.h. */
#include "tools/monitor/control.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/lib/fault.h"
#include "tools/monitor/process/enter.h"
#include "tools/lib/fds.h"
#include "tools/monitor/functions.h"
#include "tools/monitor/guardian.h"
#include "tools/monitor/news.h"
#include "tools/monitor/prototypes.h"
#include "tools/monitor/process/running.h"
#include "tools/monitor/process/starting.h"
#include "tools/monitor/trigger/change.h"

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

/*
 * The standard allows tracing a process that can record nothing; our user wants
 * an error.  But a process that is our copy may only have found no memory; the
 * command that it becomes finds the entry that was made here.
 */
static int await_joined(const struct ptl_control *control)
{
	struct ptl_starting starting = {.pid = control->target};
	bool goes_on = true;
	struct posix_trace_info_np info;
	int error;

	if (control->will_exec)
		return 0;
	for (;;) {
		error = posix_trace_get_info_np(control->trid, &info);
		if (error != 0 || info.processes > 0)
			return error;
		if (!goes_on)
			return ENOEXEC;
		goes_on = ptl_starting_goes_on(&starting);
	}
}

/* Returns 0, or the error number and what failed. */
static int begin(struct ptl_control *control,
		 const struct ptl_settings *settings, int log_fd,
		 const char **what)
{
	struct ptl_patch_source source;
	int error;

	*what = "create";
	error = ptl_settings_create(settings, control->target, log_fd,
				    &control->trid);
	if (error != 0)
		return error;
	if (!is_still(control->target_fd))
		error = ESRCH;
	if (error == 0) {
		*what = "join";
		error = await_joined(control);
		/* What the kernel tells of it there is. */
		control->has_samples_only =
			error == ENOEXEC && control->sampling.fd >= 0;
		if (control->has_samples_only)
			error = 0;
	}
	if (error == 0) {
		*what = "filter";
		error = ptl_settings_filter(settings, control->trid);
	}
	if (error == 0) {
		*what = "prototypes";
		error = ptl_monitor_give_prototypes(control->trid);
	}
	if (error == 0) {
		*what = "functions";
		error = ptl_monitor_give_functions(
			control->trid,
			ptl_plans_source(&control->plans, &source) ? &source :
								     NULL);
	}
	if (error == 0 && !settings->is_suspended) {
		*what = "start";
		error = posix_trace_start(control->trid);
	}
	if (error != 0)
		posix_trace_shutdown(control->trid);
	return error;
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

	if (fstat(output->part != NULL ? output->packed_fd : output->fd,
		  &subject->status) != 0)
		memset(&subject->status, 0, sizeof(subject->status));
	subject->has_file = S_ISREG(subject->status.st_mode);
	path = subject->has_file ? realpath(output->path, NULL) : NULL;
	subject->log = path != NULL ? path : output->path;
}

/* Without a socket the trace cannot be controlled; that matters to a trace that
 * waits to be started. */
static int begin_reachable(struct ptl_control *control,
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

/* Ran the process before, without us?  Who asks for us tells of itself. */
static bool is_running(const struct ptl_control *control, int ready_fd)
{
	return !control->will_exec && ready_fd < 0;
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

/* A process that is told of the end may use the file at once: the lock is the
 * guardian's, too. */
static void release(int log_fd)
{
	flock(log_fd, LOCK_UN);
	close(log_fd);
}

/* That tracing has started; with an error: of a process that is sampled, and
 * records nothing. */
static void tell_ready(struct ptl_control *control, int ready_fd)
{
	ptl_news_report(control, PTL_LINK_READY,
			control->has_samples_only ? ENOEXEC : 0, "", NULL);
	/* The library did not wait for us: it is gone, or traces itself by now.
	 */
	if (ready_fd >= 0 && write(ready_fd, "", 1) != 1)
		control->must_stop = true;
	control->ward->is_ready = true;
}

static void __attribute__((noreturn))
fail(struct ptl_control *control, const struct ptl_output *output, int error,
     const char *what)
{
	release(output->fd);
	ptl_plans_close(&control->plans);
	ptl_enter_leave();
	ptl_news_report(control, PTL_LINK_FAILED, error, what, NULL);
	/* Before we leave the directory to which its name is relative. */
	if (control->link_fd < 0)
		ptl_output_discard(output);
	_exit(1);
}

/* What became of the file that the user knows. */
static void settle(struct ptl_control *control, const struct ptl_output *output,
		   struct ptl_report *message)
{
	struct posix_trace_info_np *info = &message->info;
	bool is_packed = output->part != NULL;

	if (is_packed)
		message->pack_error =
			ptl_compress_end(&control->compress, output,
					 message->error != 0, &info->log_size);
	message->kept_error = control->kept_error;
	if (message->error == 0)
		message->fate =
			ptl_fate_of(is_packed ? output->packed_fd : output->fd,
				    control->subject.log,
				    control->had_name && !is_packed, info);
	if (message->fate == PTL_FATE_REMOVED)
		message->error = errno;
}

/* There is no more to write. */
static void __attribute__((noreturn))
end(struct ptl_control *control, const struct ptl_output *output, int error,
    const struct posix_trace_info_np *info)
{
	struct ptl_report message;

	memset(&message, 0, sizeof(message));
	message.kind = PTL_LINK_DONE;
	message.samples_lost = control->sampling.lost;
	message.sampled = control->sampling.processes;
	message.switches_lost = control->sampling.switches_lost;
	message.has_sampler_died = control->sampling.has_died;
	message.is_sampler_silent = control->sampling.is_silent;
	ptl_firing_report(&control->firing, &message.triggers);
	message.error = error;
	message.info = *info;
	snprintf(message.what, sizeof(message.what), "%s",
		 ptl_fault_happened() ? PTL_LINK_CUT_SHORT : "shutdown");
	settle(control, output, &message);
	ptl_enter_leave();
	release(output->fd);
	ptl_news_send(control, &message);
	_exit(message.error != 0);
}

/* The controller before us was killed when the log was complete, or nearly. */
static void __attribute__((noreturn))
end_with_log(struct ptl_control *control, const struct ptl_output *output)
{
	struct posix_trace_info_np info;
	int error = posix_trace_open(output->fd, &control->trid);

	if (error == 0)
		error = posix_trace_get_info_np(control->trid, &info);
	if (error != 0)
		_exit(1);
	end(control, output, 0, &info);
}

/* In place of one that was killed. */
static void take_over(struct ptl_control *control,
		      const struct ptl_output *output)
{
	int error = posix_trace_takeover_np(output->fd, &control->trid);

	if (error == ESRCH)
		end_with_log(control, output);
	/* Then it is as if there were no guardian. */
	if (error != 0)
		_exit(1);
	ptl_socket_open(&control->socket);
	control->subject.trid = control->trid;
}

/* Of what is going to call exec, or runs already.  What asked by a variable
 * runs without samples, where there are none. */
static int begin_samples(struct ptl_control *control,
			 const struct ptl_settings *settings, int ready_fd,
			 const char **what)
{
	bool waits = ready_fd >= 0;
	const struct ptl_sampled_target target = {
		.pid = control->target,
		.hz = ptl_settings_hz(settings),
		.has_kernel = settings->sample_kernel,
		.is_timed = ptl_settings_timed(settings),
		.stack = ptl_settings_copied(settings),
		.off = ptl_settings_off(settings),
		.follows = settings->follows,
		.is_running = !control->will_exec,
	};
	int error = ptl_sampling_start(&control->sampling, &target, what);

	return waits ? 0 : error;
}

/* The next controller goes on without them if it cannot have them. */
static void begin_triggers(struct ptl_control *control,
			   const struct ptl_triggers *triggers,
			   const struct ptl_output *output, bool is_next)
{
	struct ptl_fired *fired = &control->ward->fired;
	struct ptl_triggers now = {0};
	int error;

	if (triggers != NULL)
		now = *triggers;
	if (is_next)
		ptl_change_restore(&now, fired);
	error = ptl_firing_begin(&control->firing, &now, &control->subject,
				 output->fd, control->is_snapshot, fired);

	control->firing.why_not =
		control->is_snapshot	   ? NULL :
		!control->subject.has_file ? "triggers read the log: it has "
					     "to be a file" :
		output->part != NULL	   ? "triggers read the log while it "
					     "is written: it cannot be "
					     "compressed meanwhile" :
					     NULL;
	control->firing.has_died |= error != 0;
	if (error == 0 || is_next)
		return;
	posix_trace_shutdown(control->trid);
	ptl_socket_close(&control->socket);
	fail(control, output, error, "ptrace-trigger");
}

/* The log is complete: what its names need comes behind. */
static void keep_symbols(struct ptl_control *control,
			 const struct ptl_output *output,
			 struct posix_trace_info_np *info)
{
	struct stat status;

	if (!control->keeps || !control->subject.has_file)
		return;
	control->kept_error =
		ptl_kept_enclose(&control->plans.kept, output->fd);
	if (fstat(output->fd, &status) == 0 &&
	    (unsigned long long)status.st_size > info->log_size)
		info->log_size = (unsigned long long)status.st_size;
}

/* All has ended that was traced, or the trace is to end. */
static void __attribute__((noreturn))
finish(struct ptl_control *control, const struct ptl_output *output)
{
	struct posix_trace_info_np info;
	int error;

	ptl_firing_finish(&control->firing);
	ptl_sampling_finish(&control->sampling, control->trid);
	ptl_socket_close(&control->socket);
	ptl_plans_drain(&control->plans);
	ptl_plans_close(&control->plans);
	error = posix_trace_shutdown_np(control->trid, &info);
	control->had_name = ptl_fate_has_name(output->fd);
	if (error == 0)
		keep_symbols(control, output, &info);
	end(control, output, error, &info);
}

static void __attribute__((noreturn))
serve(struct ptl_control control, const struct ptl_settings *settings,
      const struct ptl_triggers *triggers, const struct ptl_output *output,
      int ready_fd)
{
	int log_fd = output->fd;
	int keep[] = {log_fd, control.link_fd, ready_fd, control.target_fd,
		      output->packed_fd};
	const char *what = "enter";
	static struct ptl_ward alone;
	struct timespec begun;
	bool is_next = false;
	int error = 0;

	ptl_fds_keep(keep, PTL_ARRAY_SIZE(keep));
	describe(&control.subject, output);
	/* The command of ptrace-run, and who asks for us, are where we are. */
	if (!control.will_exec && control.link_fd >= 0)
		error = ptl_enter(control.target);
	if (error != 0)
		fail(&control, output, error, what);
	/* The next controller has that socket, too. */
	ptl_plans_open(&control.plans, settings);
	/* Before there is a guardian, whose next controller has it, too. */
	error = begin_samples(&control, settings, ready_fd, &what);
	if (error != 0)
		fail(&control, output, error, what);
	/* What went into a pipe cannot be gone on with. */
	if (control.subject.has_file)
		control.ward = ptl_guardian_become(log_fd, &is_next);
	if (control.ward == NULL)
		control.ward = &alone;
	control.signal_fd = catch_signals();
	ptl_fault_survive();
	ptl_compress_begin(&control.compress, output);
	if (is_next) {
		take_over(&control, output);
	} else {
		clock_gettime(CLOCK_MONOTONIC, &begun);
		/* The stream has its own descriptor; ours holds the lock and is
		 * kept. */
		error = is_unwanted(ready_fd) ?
				ESRCH :
				begin_reachable(&control, settings, log_fd,
						&what);
		if (error != 0)
			fail(&control, output, error, what);
		ptl_guardian_begin();
		if (is_running(&control, ready_fd))
			ptl_running_tell(control.trid, control.target, &begun);
		ptl_sampling_tell_begin(&control.sampling, control.trid);
		if (settings->is_suspended)
			ptl_sampling_pause(&control.sampling, control.trid);
	}
	begin_triggers(&control, triggers, output, is_next);
	leave_directory();
	ptl_compress_start(&control.compress, control.trid);
	if (!control.ward->is_ready)
		tell_ready(&control, ready_fd);
	if (ready_fd >= 0)
		close(ready_fd);
	if (is_next)
		ptl_news_catch_up(&control);
	ptl_news_run(&control);
	finish(&control, output);
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

int ptl_control_start(const struct ptl_settings *settings,
		      const struct ptl_triggers *triggers, pid_t target,
		      bool will_exec, const struct ptl_output *output,
		      int link_fd, int ready_fd)
{
	struct ptl_control control = {
		.target = target,
		.plans.listener.fd = -1,
		.sampling.fd = -1,
		.firing = {.fd = -1, .memory_fd = -1},
		.will_exec = will_exec,
		.link_fd = link_fd,
		.is_live = settings->is_live,
		.is_snapshot = settings->is_snapshot,
		.keeps = ptl_monitor_keeps(settings),
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
			serve(control, settings, triggers, output, ready_fd);
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
