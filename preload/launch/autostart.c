/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD=libptrace.so COMMAND, without ptrace-run: the first process of
 * the tree starts a detached monitor and waits for it a little.  Between them
 * is a process without an exit signal, which is reaped by __WCLONE: the
 * program can neither see it nor reap it by accident.  (That one must not
 * exec, which would give it back its SIGCHLD.)  Where there can be no monitor
 * (a sandbox, no program file), the process becomes its own controller; that
 * is the one place in preload/ that uses the public API.
 */
#include "preload/hook/hooks.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/env.h"

#include <trace.h>

#include <errno.h>
#include <linux/limits.h>
#include <linux/wait.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PTL_LIBEXECDIR
#define PTL_LIBEXECDIR "/usr/local/libexec/libptrace"
#endif

/* Since glibc 2.32; unlike strerror() it neither allocates nor translates. */
extern const char *strerrordesc_np(int error) __attribute__((weak));

/* A monitor that fails closes the pipe: this is for one that is slow. */
#define READY_TIMEOUT_NS 500000000
/* Then it has the log for a moment, and we try so often to have it. */
#define BUSY_PAUSE_NS 5000000
#define BUSY_PAUSES 100
/* Out of the way of what the monitor itself opens. */
#define HIGH_FD 100
/* How many default names to try when a process of that number had one. */
#define MAX_NAMES 100

/* Seen from the library's directory, in a build tree and in a prefix that was
 * moved.  Nothing farther up: in /tmp/x/lib that would be anybody's. */
#define PREFIX ".."
#define MONITOR "/libexec/libptrace/ptrace-monitor"

static void try_exec(const char *path, char **argv, char **envp)
{
	ptl_sys(SYS_execve, path, argv, envp, 0);
}

/* A library that was copied to /tmp/x has no prefix: everybody can make a
 * libexec in /tmp.  (Who may rename what is in a directory without the sticky
 * bit can replace the library, too.) */
static bool is_prefix(const char *path)
{
	struct stat st;

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

/* A process of its own, with a copy of our memory; returns on failure. */
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

/* Does one byte come in time?  The kernel counts the timeout down. */
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

/* Would an orphan become a child of ours, and be seen by wait()? */
static bool adopts(int self)
{
	int adopt = 0;

	return self == 1 ||
	       (ptl_sys(SYS_prctl, PR_GET_CHILD_SUBREAPER, &adopt, 0, 0) == 0 &&
		adopt);
}

/* As fork(), but nothing of libc notices. */
static long copy_process(long exit_signal)
{
	return ptl_sys6(SYS_clone, exit_signal, 0, 0, 0, 0, 0);
}

static enum readiness start_monitor(char **envp)
{
	int fd[2], self = ptl_sys_getpid();
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
	/* A monitor that comes too late finds the pipe closed. */
	ptl_sys_close(fd[0]);
	return ready;
}

/* Is `family' chosen by a list such as "process,file,!thread"?  If the list
 * does not speak of it, it is by default, or where the list begins with a `!'.
 */
static bool is_chosen(const char *list, const char *family, bool by_default)
{
	bool chosen = by_default || *list == '!';

	while (*list) {
		bool sense = *list != '!';
		size_t size = 0;

		list += !sense;
		while (list[size] && list[size] != ',')
			size++;
		if (size == 3 && ptl_strpre(list, "all"))
			chosen = sense;
		else if (size == 4 && ptl_strpre(list, "none"))
			chosen = !sense;
		else if (ptl_strnlen(family, size) == size &&
			 family[size] == ':') {
			size_t i = 0;

			while (i < size && list[i] == family[i])
				i++;
			if (i == size)
				chosen = sense;
		}
		list += size;
		list += *list == ',';
	}
	return chosen;
}

static const struct {
	trace_event_id_t id;
	char name[32]; /* and no pointer to be relocated */
} types[] = {
#define SYSEVENT(id, ident, name, fields) {id, name},
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

/* The size of the first word of the list that chooses nothing, or 0. */
static size_t find_nonsense(const char **list)
{
	while (**list) {
		char word[32];
		size_t size = 0, i = 0;

		*list += **list == '!';
		while ((*list)[size] && (*list)[size] != ',')
			size++;
		ptl_strcopy(word, PTL_MIN(size + 1, sizeof(word)), *list);
		while (i < PTL_ARRAY_SIZE(types) &&
		       !(is_chosen(word, types[i].name, false) &&
			 !ptl_strpre(types[i].name, "posix_trace_")))
			i++;
		if (i == PTL_ARRAY_SIZE(types) && !ptl_streq(word, "none"))
			return size;
		*list += size;
		*list += **list == ',';
	}
	return 0;
}

/* As the monitor would say it, which did not start. */
static const char *events(char **envp)
{
	static const char default_list[] = "process,thread";
	const char *list = ptl_env_value(envp, "PTRACE_EVENTS="), *word = list;
	size_t size = list ? find_nonsense(&word) : 0;
	char line[128] = "libptrace: PTRACE_EVENTS: '";
	size_t at = ptl_strlen(line);

	if (size == 0)
		return list && *list ? list : default_list;
	at += ptl_strcopy(line + at, PTL_MIN(size + 1, 64), word);
	at += ptl_strcopy(line + at, sizeof(line) - at,
			  "' is no family of events\n");
	ptl_sys_write(2, line, at);
	return default_list;
}

/* What addresses mean is told unless it is declined. */
static bool is_map(const char *name)
{
	return ptl_streq(name, "dl:map") || ptl_streq(name, "dl:unmap");
}

/* The types that nobody asked for. */
static void fill_filter(trace_event_set_t *set, const char *list,
			bool has_calls)
{
	posix_trace_eventset_empty(set);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(types); i++)
		if (!ptl_strpre(types[i].name, "posix_trace_") &&
		    !(has_calls && ptl_strpre(types[i].name, "call:")) &&
		    !is_chosen(list, types[i].name, is_map(types[i].name)))
			posix_trace_eventset_add(types[i].id, set);
}

/* The last name of the path; an empty one is called `trace'. */
static const char *base_name(const char *path)
{
	const char *base = path;

	for (; path && *path; path++)
		if (*path == '/')
			base = path + 1;
	return base && *base ? base : "trace";
}

/* NAME.PID.ptlog; with a number before its end if there is such a file. */
static int create_default(const char *name, int *fd)
{
	char buf[NAME_MAX];
	size_t size = ptl_strcopy(buf, sizeof(buf) - 64, base_name(name));
	int err = EEXIST;

	buf[size++] = '.';
	size += ptl_utoa(buf + size, (unsigned int)ptl_sys_getpid(), 10);
	for (unsigned int i = 0; err == EEXIST && i < MAX_NAMES; i++) {
		size_t end = size;

		if (i > 0) {
			buf[end++] = '.';
			end += ptl_utoa(buf + end, i, 10);
		}
		ptl_strcopy(buf + end, sizeof(buf) - end, ".ptlog");
		err = posix_trace_create_logfile_np(buf, O_EXCL, fd);
	}
	return err;
}

/* Once more, while a monitor that came too late lets go of it. */
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

/* PTRACE_OUTPUT, or the default.  A command needs a monitor; standard output is
 * the program's. */
static int open_log(char **envp, const char *name, bool was_late, int *fd)
{
	const char *path = ptl_env_value(envp, "PTRACE_OUTPUT=");
	int err, high;

	if (path && *path == '|')
		return ENOENT;
	err = path && *path && !ptl_streq(path, "-") ?
		      create_log(path, was_late, fd) :
		      create_default(name, fd);
	if (err)
		return err;
	/* The program's first descriptors stay what they would be. */
	high = (int)ptl_sys(SYS_fcntl, *fd, F_DUPFD_CLOEXEC, HIGH_FD, 0);
	if (high < 0)
		return 0;
	ptl_sys_close(*fd);
	*fd = high;
	return 0;
}

static bool follows(char **envp)
{
	const char *value = ptl_env_value(envp, "PTRACE_FOLLOW=");

	return !value || !ptl_streq(value, "0");
}

/* Returns 0 or why not. */
static int control_ourselves(char **envp, const char *name, bool was_late)
{
	trace_event_set_t filter;
	trace_attr_t attr;
	trace_id_t trid;
	int fd, err = open_log(envp, name, was_late, &fd);

	if (err)
		return err;
	err = posix_trace_attr_init(&attr);
	if (err)
		goto err_close;
	fill_filter(&filter, events(envp),
		    ptl_env_value(envp, "PTRACE_CALLS=") ||
			    ptl_env_value(envp, "PTRACE_RETURNS="));
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_FLUSH);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setcalls_np(&attr, 1);
	if (follows(envp))
		posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	err = posix_trace_create_withlog(0, &attr, fd, &trid);
	if (err == 0) {
		ptl_core_keep(trid);
		posix_trace_set_filter(trid, &filter, POSIX_TRACE_SET_EVENTSET);
		err = posix_trace_start(trid);
	}
	posix_trace_attr_destroy(&attr);
err_close:
	/* The stream has its own, which no child keeps.  With it goes the lock;
	 * while we live the stream tells that the log is written. */
	ptl_sys_close(fd);
	return err;
}

/* As the monitor: nobody asked for words of ours. */
static void say_untraced(char **envp, const char *name, int err)
{
	const char *why = strerrordesc_np ? strerrordesc_np(err) : NULL;
	char line[256] = "libptrace: cannot trace ";
	size_t at = ptl_strlen(line);

	if (!ptl_env_value(envp, "PTRACE_DEBUG="))
		return;
	at += ptl_strcopy(line + at, 128, base_name(name));
	at += ptl_strcopy(line + at, 3, ": ");
	at += ptl_strcopy(line + at, 64, why ? why : "unknown error");
	line[at++] = '\n';
	ptl_sys_write(2, line, at);
}

/*
 * Children that are not to be followed must not start a trace of their own
 * either: an empty PTRACE_STREAMS says that there is one.  It takes the place
 * of the setting, which has done its work.
 */
static void mark_not_followed(char **envp)
{
	static char mark[] = "PTRACE_STREAMS=";

	for (; *envp; envp++)
		if (ptl_strpre(*envp, "PTRACE_FOLLOW="))
			*envp = mark;
}

bool ptl_autostart(char **envp, const char *name)
{
	enum readiness ready;
	int err = 0;

	if (!envp || ptl_env_value(envp, "PTRACE_STREAMS=") ||
	    !ptl_env_names_us(ptl_env_value(envp, "LD_PRELOAD=")))
		return false;
	ready = start_monitor(envp);
	if (ready != READY || !ptl_core_init(NULL))
		err = control_ourselves(envp, name, ready == LATE);
	/* Whatever a monitor left that came too late. */
	if (err) {
		say_untraced(envp, name, err);
		return false;
	}
	if (!follows(envp))
		mark_not_followed(envp);
	return true;
}
