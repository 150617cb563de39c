/* SPDX-License-Identifier: MIT */
/* The file or pipe that the log goes to; see output.h. */
#include "tools/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/fds.h"
#include "tools/say.h"

/*
 * Readable too, so that the log can be completed by whoever finds it; not so a
 * pipe or a device, where reading would mean something else.
 */
static int open_file(const char *path)
{
	struct stat st;
	int mode = O_RDWR;
	int fd;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		mode = O_WRONLY;
	fd = open(path, mode | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0 && errno == EACCES && mode == O_RDWR)
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? -1 : ptl_fds_lift(fd);
}

/*
 * A ^C at the terminal is for the traced program; the reader of its log goes
 * on to the end.
 */
static void __attribute__((noreturn))
run_shell(const char *command, int fd, char *const *env)
{
	const char *const argv[] = {"sh", "-c", command, NULL};

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (dup2(fd, STDIN_FILENO) == STDIN_FILENO)
		execve("/bin/sh", (char *const *)argv, env);
	_exit(127);
}

/* Returns 0 or the error number. */
static int start_command(struct ptl_output *output, const char *command,
			 char *const *env, bool is_detached)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	ends[0] = ptl_fds_lift(ends[0]);
	ends[1] = ptl_fds_lift(ends[1]);
	child = ends[0] < 0 || ends[1] < 0 ? -1 : fork();
	if (child < 0)
		return errno;
	if (child == 0) {
		pid_t grandchild = is_detached ? fork() : 0;

		if (grandchild != 0)
			_exit(grandchild < 0);
		run_shell(command, ends[0], env);
	}
	close(ends[0]);
	output->fd = ends[1];
	if (!is_detached)
		output->command = child;
	else
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	return 0;
}

int ptl_output_open(struct ptl_output *output,
		    const struct ptl_settings *settings, const char *name,
		    pid_t pid, char *const *env, bool is_detached)
{
	int error = 0;

	memset(output, 0, sizeof(*output));
	output->is_default = settings->output == NULL;
	if (!output->is_default)
		output->path = strdup(settings->output);
	else if (asprintf(&output->path, "%s.%d.ptlog", name, (int)pid) < 0)
		output->path = NULL;
	if (output->path == NULL) {
		ptl_say("out of memory");
		return ENOMEM;
	}
	if (!output->is_default && output->path[0] == '|') {
		error = start_command(output, output->path + 1, env,
				      is_detached);
	} else {
		output->fd = open_file(output->path);
		if (output->fd < 0)
			error = errno;
	}
	if (error != 0)
		ptl_say("cannot write %s: %s", output->path, strerror(error));
	return error;
}

void ptl_output_close(struct ptl_output *output)
{
	close(output->fd);
	output->fd = -1;
}

void ptl_output_discard(struct ptl_output *output)
{
	if (output->is_default)
		unlink(output->path);
}

void ptl_output_wait(struct ptl_output *output)
{
	if (output->command == 0)
		return;
	while (waitpid(output->command, NULL, 0) < 0 && errno == EINTR)
		;
	output->command = 0;
}
