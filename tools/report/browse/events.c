/* SPDX-License-Identifier: MIT */
/* The events as ptrace-dump shows them; see events.h. */
#include "tools/report/browse/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/report/browse/terminal.h"

#define NO_DUMP 127
#define OPTIONS_MAX 16

/* Text of a few lines is not to be gone at once. */
static const char pager[] =
	"if command -v less >/dev/null; then less -R; else cat; "
	"printf '[Enter: back]'; read -r key </dev/tty; fi";

/* Beside this program, or else in PATH. */
static const char *find_dump(void)
{
	static char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 16);
	char *slash;

	if (size <= 0)
		return "ptrace-dump";
	path[size] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash + 1, "ptrace-dump");
	return access(path, X_OK) == 0 ? path : "ptrace-dump";
}

static void __attribute__((noreturn))
become(const struct ptl_browse_events *events)
{
	char **argv =
		ptl_alloc((OPTIONS_MAX + events->nr_paths) * sizeof(*argv));
	static char pid[64], tid[64];
	const char *option[OPTIONS_MAX] = {"ptrace-dump"};
	size_t nr = 1;

	if (events->process != NULL) {
		snprintf(pid, sizeof(pid), "%d@%u", events->process->pid,
			 events->process->pidns);
		option[nr++] = events->with_children ? "--tree" : "--pid";
		option[nr++] = pid;
	}
	if (events->tid != 0) {
		snprintf(tid, sizeof(tid), "%d@%u", events->tid,
			 events->process != NULL ? events->process->pidns : 0);
		option[nr++] = "--tid";
		option[nr++] = tid;
	}
	if (events->where != NULL)
		option[nr++] = "--where", option[nr++] = events->where;
	if (events->since != NULL)
		option[nr++] = "--since", option[nr++] = events->since;
	if (events->until != NULL)
		option[nr++] = "--until", option[nr++] = events->until;
	option[nr++] = "--";
	memcpy(argv, option, nr * sizeof(*argv));
	memcpy(argv + nr, events->paths, events->nr_paths * sizeof(*argv));
	setenv("PAGER", pager, 0);
	ptl_terminal_child();
	execvp(find_dump(), argv);
	_exit(NO_DUMP);
}

bool ptl_browse_events(const struct ptl_browse_events *events)
{
	const char *given = getenv("PAGER");
	int status = 0;
	pid_t pid;

	ptl_terminal_lend();
	pid = fork();
	if (pid == 0)
		become(events);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (given != NULL && (*given == '\0' || strcmp(given, "cat") == 0)) {
		char key;

		dprintf(STDOUT_FILENO, "[Enter: back]");
		while (read(STDIN_FILENO, &key, 1) == 1 && key != '\n')
			continue;
	}
	ptl_terminal_take_back();
	return pid > 0 &&
	       (!WIFEXITED(status) || WEXITSTATUS(status) != NO_DUMP);
}
