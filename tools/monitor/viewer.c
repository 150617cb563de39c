/* SPDX-License-Identifier: MIT */
/* The programs that show what is recorded; see viewer.h. */
#include "tools/monitor/viewer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/beside.h"
#include "tools/lib/say.h"
#include "tools/lib/fds.h"

/* We are in libexec/libptrace/, of an installation or of a build tree. */
static char *find_beside(const char *name)
{
	static const char own[] = "/libexec/libptrace/";
	char path[PATH_MAX + 32];
	size_t size, from;

	/* The other's name is at the place of our directory's. */
	if (!ptl_beside(path, PATH_MAX, ""))
		return NULL;
	size = strlen(path);
	from = size + 1 < sizeof(own) ? size : size + 1 - sizeof(own);
	if (strcmp(path + from, own) != 0)
		return NULL;
	strcpy(path + from, name);
	return access(path, X_OK) == 0 ? strdup(path) : NULL;
}

/* NULL: there is none, which has been reported. */
static char *find_tool(const char *tool, const char *option)
{
	char name[64], *path;

	snprintf(name, sizeof(name), "/bin/%s", tool);
	path = find_beside(name);
	if (path == NULL) {
		snprintf(name, sizeof(name), "/tools/%s", tool);
		path = find_beside(name);
	}
	if (path == NULL && (asprintf(&path, PTL_BINDIR "/%s", tool) < 0 ||
			     access(path, X_OK) != 0)) {
		ptl_say("%s: %s is not where ptrace-run is", option, tool);
		return NULL;
	}
	return path;
}

char *ptl_viewer_find(void)
{
	return find_tool("ptrace-dump", "--live");
}

/*
 * A ^C at the terminal is meant for the traced program, whose end is what is
 * to be seen then.  It reads nothing, and no process must wait for the end of
 * its input or output but those that see what it prints.
 */
static void __attribute__((noreturn))
be_viewer(const char *viewer, const char *const *argv, char *const *env)
{
	const int kept[] = {STDERR_FILENO};
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, i == SIGINT || i == SIGQUIT ? SIG_IGN : SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	ptl_fds_keep(kept, 1);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) == STDOUT_FILENO)
		execve(viewer, (char *const *)argv, env);
	ptl_say("%s: %s", viewer, strerror(errno));
	_exit(127);
}

/* Returns its pid, or -1. */
static pid_t start(const char *viewer, const char *const *argv,
		   char *const *env)
{
	sigset_t all, old;
	pid_t child;

	/* What we do with signals the child must not do, too. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	child = fork();
	if (child == 0)
		be_viewer(viewer, argv, env);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (child < 0)
		ptl_say("cannot fork: %s", strerror(errno));
	return child;
}

void ptl_viewer_start(const char *viewer, struct ptl_output *output,
		      char *const *env)
{
	const char *const argv[] = {"ptrace-dump", "--follow", "--",
				    output->path, NULL};
	pid_t child = start(viewer, argv, env);

	if (child > 0)
		output->command = child;
}

void ptl_viewer_sum_up(const char *log)
{
	const char *const argv[] = {
		"ptrace-report", "--calls", "--top", "20", "--", log, NULL};
	static const char option[] = "--summary";
	char *viewer = find_tool(argv[0], option);
	pid_t child;

	if (viewer == NULL)
		return;
	/* The viewer is not to be traced. */
	unsetenv("LD_PRELOAD");
	child = start(viewer, argv, environ);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	free(viewer);
}
