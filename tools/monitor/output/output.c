/* SPDX-License-Identifier: MIT */
/* The file or pipe for the log; see output.h. */
#include "tools/monitor/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <trace.h>
#include <unistd.h>

#include "preload/settings/logname.h"
#include "tools/read/packed.h"
#include "tools/lib/say.h"
#include "tools/lib/fds.h"
#include "tools/monitor/output/zstd.h"

/* A quarter of a second: the preloaded library waits for twice as long. */
#define MAX_PAUSES 50

/* The process that should become the reader reports why it cannot. */
static void __attribute__((noreturn)) fail(int why_fd)
{
	int error = errno;

	if (write(why_fd, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/*
 * A ^C at the terminal is meant for the traced program; the reader of its log
 * goes on until the end.
 */
static void __attribute__((noreturn))
run_shell(const char *command, int fd, int why_fd, char *const *env)
{
	const char *const argv[] = {"sh", "-c", command, NULL};

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (dup2(fd, STDIN_FILENO) == STDIN_FILENO)
		execve("/bin/sh", (char *const *)argv, env);
	fail(why_fd);
}

/* Returns once the shell runs: 0, or the error number. */
static int wait_for_shell(int why_fd)
{
	int error = 0;
	ssize_t got;

	do
		got = read(why_fd, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	return got == sizeof(error) ? error : 0;
}

static void reap(pid_t child)
{
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Makes a pipe, out of the way of the standard descriptors. */
static bool make_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	ends[0] = ptl_fds_lift(ends[0]);
	ends[1] = ptl_fds_lift(ends[1]);
	return ends[0] >= 0 && ends[1] >= 0;
}

/* Returns 0 or the error number. */
static int start_command(struct ptl_output *output, const char *command,
			 char *const *env, bool is_detached)
{
	int ends[2], why[2], error;
	pid_t child;

	child = make_pipe(ends) && make_pipe(why) ? fork() : -1;
	if (child < 0)
		return errno;
	if (child == 0) {
		pid_t grandchild = is_detached ? fork() : 0;

		if (grandchild < 0)
			fail(why[1]);
		if (grandchild > 0)
			_exit(0);
		run_shell(command, ends[0], why[1], env);
	}
	close(ends[0]);
	close(why[1]);
	error = wait_for_shell(why[0]);
	close(why[0]);
	if (error != 0)
		close(ends[1]); /* it may run all the same, and wait for us */
	if (is_detached || error != 0)
		reap(child);
	else
		output->command = child;
	output->fd = ends[1];
	return error;
}

/*
 * If the library was preloaded without ptrace-run, the log of a program that
 * has just ended may still be being completed: wait a moment for that.
 */
static int open_file(struct ptl_output *output, const char *path, int flags)
{
	const struct timespec pause = {0, 5000000};
	int error = posix_trace_create_logfile_np(path, flags, &output->fd);

	for (int i = 0; error == EBUSY && i < MAX_PAUSES; i++) {
		nanosleep(&pause, NULL);
		error = posix_trace_create_logfile_np(path, flags, &output->fd);
	}
	if (error != 0)
		return error;
	output->fd = ptl_fds_lift(output->fd);
	return output->fd < 0 ? errno : 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), last = strlen(end);

	return size >= last && strcmp(text + size - last, end) == 0;
}

bool ptl_output_wants_packed(const struct ptl_settings *settings)
{
	return settings->compress ||
	       (settings->output != NULL && settings->output[0] != '|' &&
		ends_with(settings->output, ".zst"));
}

/* A file that is written from its beginning to its end, and read later, can be
 * compressed. */
const char *ptl_output_why_not_packed(const struct ptl_settings *settings)
{
	if (ptl_output_is_stdout(settings) ||
	    (settings->output != NULL && settings->output[0] == '|'))
		return "the log has to be a file (--output; or '|zstd >FILE')";
	if (settings->log_policy == POSIX_TRACE_LOOP)
		return "not with --log-policy loop, which overwrites";
	if (settings->is_snapshot)
		return "not with --snapshot, which writes at the end";
	if (settings->is_live)
		return "not with --live, which reads the log meanwhile";
	return ptl_zstd_load();
}

/* What is overwritten is a compressed log of ours, or empty. */
static int check_packed(int fd)
{
	struct ptl_packed_mark mark;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	return st.st_size == 0 || ptl_packed_mark_at(
					  fd, 0, (uint64_t)st.st_size, &mark) ?
		       0 :
		       EEXIST;
}

/* Unless it is being written. */
static int remove_part(const char *path)
{
	char *part;
	int error, fd;

	if (asprintf(&part, "%s" PTL_PACKED_PART, path) < 0)
		return ENOMEM;
	error = posix_trace_create_logfile_np(part, 0, &fd);
	if (error == 0) {
		unlink(part);
		close(fd);
	}
	free(part);
	return error;
}

/* A compressed log of ours, and the part beside it, are overwritten by a log
 * that is not compressed. */
static int open_plain(struct ptl_output *output, const char *path, int flags)
{
	int error = open_file(output, path, flags), fd;

	if (error != EEXIST || flags & O_EXCL ||
	    posix_trace_create_logfile_np(path, O_TRUNC, &fd) != 0)
		return error;
	error = check_packed(fd);
	if (error == 0)
		error = remove_part(path);
	if (error == 0 && ftruncate(fd, 0) != 0)
		error = errno;
	close(fd);
	return error == 0 ? open_file(output, path, flags) : error;
}

/* The compressed log, and the part beside it, which is locked. */
static int open_packed(struct ptl_output *output, const char *path, int flags)
{
	const int kind = flags & O_EXCL ? O_EXCL : O_TRUNC;
	int error;

	if (asprintf(&output->part, "%s" PTL_PACKED_PART, path) < 0) {
		output->part = NULL;
		return ENOMEM;
	}
	error = open_file(output, output->part, flags);
	if (error != 0)
		return error;
	error = posix_trace_create_logfile_np(path, kind, &output->packed_fd);
	/* A log that is not compressed. */
	if (error == EEXIST && kind == O_TRUNC)
		error = posix_trace_create_logfile_np(path, 0,
						      &output->packed_fd);
	else if (error == 0)
		error = check_packed(output->packed_fd);
	if (error == 0)
		output->packed_fd = ptl_fds_lift(output->packed_fd);
	if (error == 0 &&
	    (output->packed_fd < 0 || ftruncate(output->packed_fd, 0) != 0))
		error = errno;
	if (error != 0)
		unlink(output->part);
	return error;
}

static int open_log(struct ptl_output *output,
		    const struct ptl_settings *settings, const char *path,
		    int flags)
{
	return ptl_output_wants_packed(settings) &&
			       ptl_output_why_not_packed(settings) == NULL ?
		       open_packed(output, path, flags) :
		       open_plain(output, path, flags);
}

/* Opened again only if it can be overwritten, to see its contents. */
static int open_stdout(struct ptl_output *output)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) != 0)
		return errno;
	if (S_ISREG(st.st_mode))
		return open_file(output, "/dev/fd/1", 0);
	output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return output->fd < 0 ? errno : 0;
}

/* An existing log is kept, and so is a file that another user put in its place.
 */
static int open_default(struct ptl_output *output,
			const struct ptl_settings *settings, const char *name,
			pid_t pid)
{
	int error = EEXIST;

	output->path = malloc(PTL_LOGNAME_SIZE);
	if (output->path == NULL)
		return ENOMEM;
	for (unsigned int i = 0; error == EEXIST && i < PTL_LOGNAME_TRIES;
	     i++) {
		ptl_logname_make(output->path, name, pid, i);
		error = open_log(output, settings, output->path, O_EXCL);
	}
	return error;
}

/* The path that the user wrote, with what stands for %h and the like. */
static int open_named(struct ptl_output *output,
		      const struct ptl_settings *settings, pid_t pid,
		      char *const *env, const char **why)
{
	const char *pattern = settings->output;
	char path[PTL_LOGNAME_PATH_SIZE];
	struct utsname host;

	*why = ptl_logname_fill(path, pattern,
				uname(&host) == 0 ? host.nodename : "", pid,
				env);
	if (*why != NULL)
		return EINVAL;
	free(output->path);
	output->path = strdup(path);
	return output->path != NULL ? open_log(output, settings, path, 0) :
				      ENOMEM;
}

int ptl_output_open(struct ptl_output *output,
		    const struct ptl_settings *settings, const char *name,
		    pid_t pid, char *const *env, bool is_detached)
{
	const char *path = settings->output, *why = NULL;
	int error;

	memset(output, 0, sizeof(*output));
	output->packed_fd = -1;
	output->is_default = path == NULL;
	if (path != NULL)
		output->path = strdup(ptl_output_is_stdout(settings) ?
					      "standard output" :
					      path);
	if (path == NULL)
		error = open_default(output, settings, name, pid);
	else if (output->path == NULL)
		error = ENOMEM;
	else if (path[0] == '|')
		error = start_command(output, path + 1, env, is_detached);
	else if (ptl_output_is_stdout(settings))
		error = open_stdout(output);
	else
		error = open_named(output, settings, pid, env, &why);
	if (error != 0)
		ptl_say("cannot write %s: %s",
			output->path != NULL ? output->path : "the log",
			why != NULL ? why :
			path != NULL && path[0] == '|' ?
				      strerror(error) :
				      ptl_say_refused(error));
	return error;
}

bool ptl_output_is_stdout(const struct ptl_settings *settings)
{
	return settings->output != NULL && strcmp(settings->output, "-") == 0;
}

void ptl_output_leave_stdout(const struct ptl_settings *settings)
{
	if (ptl_output_is_stdout(settings) &&
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		close(STDOUT_FILENO);
}

void ptl_output_close(struct ptl_output *output)
{
	close(output->fd);
	if (output->packed_fd >= 0)
		close(output->packed_fd);
	output->fd = output->packed_fd = -1;
}

void ptl_output_discard(const struct ptl_output *output)
{
	if (!output->is_default)
		return;
	unlink(output->path);
	if (output->part != NULL)
		unlink(output->part);
}

void ptl_output_wait(struct ptl_output *output)
{
	if (output->command == 0)
		return;
	reap(output->command);
	output->command = 0;
}
