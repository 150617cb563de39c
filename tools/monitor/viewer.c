/* SPDX-License-Identifier: MIT */
/* The program that shows the events as they come; see viewer.h. */
#include "tools/monitor/viewer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/lib/fds.h"

/* We are in libexec/libptrace/, of an installation or of a build tree. */
static char *find_beside(const char *name)
{
	static const char own[] = "/libexec/libptrace/";
	char path[PATH_MAX + 32];
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX);
	char *end;

	if (size <= 0 || size == PATH_MAX)
		return NULL;
	path[size] = '\0';
	end = strrchr(path, '/');
	if (end == NULL || end + 1 - path < (ssize_t)sizeof(own) ||
	    strncmp(end + 2 - sizeof(own), own, sizeof(own) - 1) != 0)
		return NULL;
	strcpy(end + 2 - sizeof(own), name);
	return access(path, X_OK) == 0 ? strdup(path) : NULL;
}

char *ptl_viewer_find(void)
{
	char *path = find_beside("/bin/ptrace-dump");

	if (path == NULL)
		path = find_beside("/tools/ptrace-dump");
	if (path == NULL && access(PTL_BINDIR "/ptrace-dump", X_OK) == 0)
		path = strdup(PTL_BINDIR "/ptrace-dump");
	if (path == NULL)
		ptl_say("--live: ptrace-dump is not where ptrace-run is");
	return path;
}

/*
 * A ^C at the terminal is meant for the traced program, whose end is what is
 * to be seen then.  It reads nothing, and no process must wait for the end of
 * its input or output but those that see what it prints.
 */
static void __attribute__((noreturn))
be_viewer(const char *viewer, const char *log, char *const *env)
{
	const char *const argv[] = {"ptrace-dump", "--follow", "--", log, NULL};
	const int kept[] = {STDERR_FILENO};
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, i == SIGINT || i == SIGQUIT ? SIG_IGN : SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	ptl_fds_keep(kept, 1);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) == STDOUT_FILENO)
		execve(viewer, (char *const *)argv, env);
	ptl_say("--live: %s: %s", viewer, strerror(errno));
	_exit(127);
}

void ptl_viewer_start(const char *viewer, struct ptl_output *output,
		      char *const *env)
{
	sigset_t all, old;
	pid_t child;

	/* What we do with signals the child must not do, too. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	child = fork();
	if (child == 0)
		be_viewer(viewer, output->path, env);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (child < 0)
		ptl_say("--live: cannot fork: %s", strerror(errno));
	else
		output->command = child;
}
