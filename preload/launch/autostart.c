/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD=libptrace.so COMMAND, without ptrace-run: the first process of the
 * tree starts a detached monitor and waits briefly for it.  Between them is a
 * process without an exit signal, which is reaped by __WCLONE: the program can
 * neither see it nor reap it by accident.  (That process must not exec, which
 * would set its exit signal to SIGCHLD.) If there can be no monitor (a sandbox,
 * no program file), the process becomes its own controller; this is the one
 * place in preload/ that uses the public API.
 */
#include "preload/hook/hooks.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/launch/say.h"
#include "preload/libc/env.h"
#include "preload/libc/lookup.h"
#include "preload/settings/logname.h"
#include "preload/settings/settings.h"

#include <trace.h>

#include <errno.h>
#include <linux/limits.h>
#include <linux/wait.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef PTL_LIBEXECDIR
#define PTL_LIBEXECDIR "/usr/local/libexec/libptrace"
#endif

/* Since glibc 2.32; unlike strerror() it neither allocates nor translates. */
static const char *description(int error)
{
	static const char *(*describe)(int error);

	ptl_lookup_real((void **)&describe, "strerrordesc_np", NULL);
	return describe ? describe(error) : NULL;
}

/* A monitor that fails closes the pipe: the timeout is for a slow one. */
#define READY_TIMEOUT_NS 500000000
/* After the timeout the monitor has the log for a moment, and we try so often
 * to get it. */
#define BUSY_PAUSE_NS 5000000
#define BUSY_PAUSES 100
/* Above the descriptors that the monitor itself opens. */
#define HIGH_FD 100

/* Relative to the library's directory, in a build tree and in a prefix that was
 * moved.  Nothing farther up: for /tmp/x/lib that would be a directory that
 * anybody can write to. */
#define PREFIX ".."
#define MONITOR "/libexec/libptrace/ptrace-monitor"

static void try_exec(const char *path, char **argv, char **envp)
{
	ptl_sys(SYS_execve, path, argv, envp, 0);
}

/* A library that was copied to /tmp/x has no prefix: everybody can create a
 * libexec in /tmp.  (A user who may rename files in a directory without the
 * sticky bit can replace the library, too.) */
static bool is_prefix(const char *path)
{
	struct ptl_kstat st;

	return ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 &&
	       (st.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH);
}

static void exec_monitor(char **argv, char **envp)
{
	const char *path = ptl_env_value(envp, "PTRACE_MONITOR=");
	const char *library = ptl_env_library();
	char buf[PATH_MAX];
	size_t dir = 0, size;

	if (path && *path) {
		try_exec(path, argv, envp);
		return;
	}
	for (size_t i = 0; library[i]; i++)
		if (library[i] == '/')
			dir = i + 1;
	if (dir && dir + sizeof(PREFIX MONITOR) <= sizeof(buf)) {
		ptl_strcopy(buf, dir + 1, library);
		size = dir + ptl_strcopy(buf + dir, sizeof(PREFIX), PREFIX);
		if (is_prefix(buf)) {
			ptl_strcopy(buf + size, sizeof(MONITOR), MONITOR);
			try_exec(buf, argv, envp);
		}
	}
	try_exec(PTL_LIBEXECDIR "/ptrace-monitor", argv, envp);
}

/* Becomes the monitor, in a process with a copy of our memory; returns on
 * failure. */
static void be_monitor(int pid, int ready, char **envp)
{
	static char name[] = "ptrace-monitor", attach[] = "--attach",
		    flag[] = "--ready";
	char pid_text[21], fd_text[21];
	char *argv[] = {name, attach, pid_text, flag, fd_text, NULL};
	int high;

	/* Without close-on-exec; there may be a limit (ulimit -n). */
	high = (int)ptl_sys(SYS_fcntl, ready, F_DUPFD, HIGH_FD, 0);
	if (high < 0)
		high = (int)ptl_sys(SYS_fcntl, ready, F_DUPFD, 0, 0);
	if (high < 0)
		return;
	ptl_utoa(pid_text, (unsigned int)pid, 10);
	ptl_utoa(fd_text, (unsigned int)high, 10);
	ptl_env_disown(envp);
	exec_monitor(argv, envp);
}

enum readiness { READY, LATE, FAILED };

/* Does one byte arrive in time?  The kernel decrements the timeout. */
static enum readiness wait_ready(int fd)
{
	struct timespec timeout = {0, READY_TIMEOUT_NS};
	struct pollfd poll = {.fd = fd, .events = POLLIN};
	char byte;
	long ret;

	do
		ret = ptl_sys6(SYS_ppoll, (long)&poll, 1, (long)&timeout, 0, 0,
			       0);
	while (ret == -EINTR);
	if (ret == 0)
		return LATE;
	return ret == 1 && ptl_sys_read(fd, &byte, 1) == 1 ? READY : FAILED;
}

/* Would an orphan become our child, and be seen by wait()? */
static bool adopts(int self)
{
	int adopt = 0;

	return self == 1 ||
	       (ptl_sys(SYS_prctl, PR_GET_CHILD_SUBREAPER, &adopt, 0, 0) == 0 &&
		adopt);
}

/* Like fork(), but without libc. */
static long copy_process(long exit_signal)
{
	return ptl_sys6(SYS_clone, exit_signal, 0, 0, 0, 0, 0);
}

static enum readiness start_monitor(int self, char **envp)
{
	int fd[2];
	enum readiness ready = FAILED;
	long pid;

	if (adopts(self) || ptl_sys(SYS_pipe2, fd, O_CLOEXEC, 0, 0) < 0)
		return FAILED;
	pid = copy_process(0);
	if (pid == 0) {
		if (copy_process(SIGCHLD) == 0)
			be_monitor(self, fd[1], envp);
		ptl_sys(SYS_exit_group, 0, 0, 0, 0);
	}
	ptl_sys_close(fd[1]);
	if (pid > 0) {
		while (ptl_sys(SYS_wait4, pid, NULL, __WCLONE, NULL) == -EINTR)
			;
		ready = wait_ready(fd[0]);
	}
	/* A monitor that is too late finds the pipe closed. */
	ptl_sys_close(fd[0]);
	return ready;
}

/* For settings that the monitor, where there is one, does not report. */
static void say_wrong(const char *variable, const char *value,
		      const char *allowed)
{
	const char *const words[] = {variable, ": '", value, "' is not ",
				     allowed};

	ptl_launch_say(words, PTL_ARRAY_SIZE(words));
}

/* The name as the monitor reads it from /proc/PID; the executable only if
 * needed. */
static void find_program(char *name, size_t size)
{
	char comm[16] = "", exe[PATH_MAX];
	long ret = 0;

	ptl_sys(SYS_prctl, PR_GET_NAME, comm, 0, 0);
	if (ptl_logname_wants_exe(comm))
		ret = ptl_sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", exe,
			      sizeof(exe) - 1);
	exe[ret > 0 ? ret : 0] = '\0';
	ptl_logname_program(name, size, comm, exe);
}

/* NAME.PID.ptlog; with a number before the suffix if that file exists. */
static int create_default(int self, int *fd)
{
	char program[64], name[PTL_LOGNAME_SIZE];
	int err = EEXIST;

	find_program(program, sizeof(program));
	for (unsigned int i = 0; err == EEXIST && i < PTL_LOGNAME_TRIES; i++) {
		ptl_logname_make(name, program, self, i);
		err = posix_trace_create_logfile_np(name, O_EXCL, fd);
	}
	return err;
}

/* Tries again while a monitor that was too late still has it open. */
static int create_log(const char *path, bool was_late, int *fd)
{
	struct timespec pause = {0, BUSY_PAUSE_NS};
	int err = posix_trace_create_logfile_np(path, 0, fd);

	for (int i = 0; was_late && err == EBUSY && i < BUSY_PAUSES; i++) {
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
		err = posix_trace_create_logfile_np(path, 0, fd);
	}
	return err;
}

/* An output to a command needs a monitor. */
static int open_log(int self, const char *path, char *const *envp,
		    bool was_late, int *fd)
{
	char filled[PTL_LOGNAME_PATH_SIZE];
	struct utsname host;
	int err, high;

	if (ptl_sys(SYS_uname, &host, 0, 0, 0) != 0)
		host.nodename[0] = '\0';
	if (path && (*path == '|' ||
		     ptl_logname_fill(filled, path, host.nodename, self, envp)))
		return ENOENT;
	err = path ? create_log(filled, was_late, fd) :
		     create_default(self, fd);
	if (err)
		return err;
	/* The program's first descriptors keep their numbers. */
	high = (int)ptl_sys(SYS_fcntl, *fd, F_DUPFD_CLOEXEC, HIGH_FD, 0);
	if (high < 0)
		return 0;
	ptl_sys_close(*fd);
	*fd = high;
	return 0;
}

/* Resets the setting that was refused, and returns the message for that; NULL
 * if the error has another reason. */
static const char *relax(struct ptl_settings *settings, int err)
{
	if (err == ENOMEM && (settings->stream_size != PTL_SIZE_DEFAULT ||
			      settings->data_size != PTL_SIZE_DEFAULT)) {
		settings->stream_size = PTL_SIZE_DEFAULT;
		settings->data_size = PTL_SIZE_DEFAULT;
		return "PTRACE_STREAM_SIZE, PTRACE_DATA_SIZE: no memory for "
		       "so much";
	}
	if (err == EINVAL && settings->log_policy != POSIX_TRACE_APPEND) {
		settings->log_policy = POSIX_TRACE_APPEND;
		return "PTRACE_LOG_POLICY: only a regular file can have "
		       "another than append";
	}
	return NULL;
}

/* Returns 0, or the error. */
static int start_stream(struct ptl_settings *settings, int fd)
{
	trace_id_t trid;
	int err = ptl_settings_create(settings, 0, fd, &trid);
	const char *refused = err ? relax(settings, err) : NULL;

	if (refused) {
		err = ptl_settings_create(settings, 0, fd, &trid);
		if (!err)
			ptl_launch_say(&refused, 1);
	}
	if (err)
		return err;
	ptl_core_keep(trid);
	err = ptl_settings_filter(settings, trid);
	if (!err && !settings->is_suspended)
		err = posix_trace_start(trid);
	if (err)
		posix_trace_shutdown(trid);
	return err;
}

/* Does the work of the monitor, which did not start, or could not. */
static int control_ourselves(int self, struct ptl_settings *settings,
			     char *const *envp, bool was_late)
{
	int fd, err = open_log(self, settings->output, envp, was_late, &fd);

	if (err)
		return err;
	err = start_stream(settings, fd);
	/* The stream has its own descriptor, which no child inherits.  Closing
	 * this one releases the lock; while we live, the stream shows that the
	 * log is written. */
	ptl_sys_close(fd);
	return err;
}

/* Like the monitor, only for PTRACE_DEBUG: the user asked for no messages. */
static void say_untraced(int err)
{
	const char *why = description(err);
	char program[64], places[512] = "";
	const char *words[] = {"cannot trace ", program, ": ",
			       why ? why : "unknown error"};

	find_program(program, sizeof(program));
	if (posix_trace_refused_np(0, places, sizeof(places)) == 0 && *places) {
		words[2] = ": no access to ";
		words[3] = places;
	}
	ptl_launch_say(words, PTL_ARRAY_SIZE(words));
}

/*
 * Children that are not to be followed must not start a trace of their own
 * either: an empty PTRACE_STREAMS says that there is one.  It replaces the
 * setting, which is no longer needed.
 */
static void mark_not_followed(char **envp)
{
	static char mark[] = "PTRACE_STREAMS=";

	for (; *envp; envp++)
		if (ptl_strpre(*envp, "PTRACE_FOLLOW="))
			*envp = mark;
}

bool ptl_autostart(char **envp)
{
	struct ptl_settings settings;
	enum readiness ready;
	int self, err = 0;

	/* What it takes goes beyond what a filter may let pass. */
	if (!envp || ptl_sys_door != PTL_DOOR_OPEN ||
	    ptl_env_value(envp, "PTRACE_STREAMS=") ||
	    !ptl_env_names_us(ptl_env_value(envp, "LD_PRELOAD=")))
		return false;
	ptl_settings_init(&settings);
	ptl_settings_from_environment(&settings, envp, say_wrong);
	self = ptl_sys_getpid();
	ready = start_monitor(self, envp);
	if (ready != READY || !ptl_core_init(NULL))
		err = control_ourselves(self, &settings, envp, ready == LATE);
	/* Despite the error a monitor that was too late may have left
	 * something. */
	if (err) {
		if (ptl_env_value(envp, "PTRACE_DEBUG="))
			say_untraced(err);
		return false;
	}
	if (!settings.follows)
		mark_not_followed(envp);
	return true;
}
