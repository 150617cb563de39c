/* SPDX-License-Identifier: MIT */
/* The command that a span is around; see around.h. */
#include "tools/event/around.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/say.h"

#define NOT_FOUND 127
#define NOT_EXECUTABLE 126

static volatile pid_t child;

static void hand_on(int signo)
{
	int error = errno;

	if (child > 0)
		kill(child, signo);
	errno = error;
}

/* Signals of the terminal go to the command anyway. */
static const struct {
	int signo;
	void (*handler)(int signo);
} ours[] = {
	{SIGINT, SIG_IGN},
	{SIGQUIT, SIG_IGN},
	{SIGTERM, hand_on},
	{SIGHUP, hand_on},
	/* Where it is ignored the kernel keeps no status for us. */
	{SIGCHLD, SIG_DFL},
};
#define NR_OURS (sizeof(ours) / sizeof(*ours))

static void begin_child(char **command, const struct sigaction *old,
			const sigset_t *mask)
{
	int error;

	for (size_t i = 0; i < NR_OURS; i++)
		sigaction(ours[i].signo, &old[i], NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
	error = errno;
	ptl_say("%s: %s", command[0], strerror(error));
	_exit(error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
}

int ptl_event_run(char **command)
{
	struct sigaction old[NR_OURS];
	sigset_t all, mask;
	int status = 0;

	/* None is lost before it is known whom to hand it to. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	for (size_t i = 0; i < NR_OURS; i++) {
		struct sigaction act = {.sa_handler = ours[i].handler,
					.sa_flags = SA_RESTART};

		sigaction(ours[i].signo, NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN || ours[i].signo == SIGCHLD)
			sigaction(ours[i].signo, &act, NULL);
	}
	child = fork();
	if (child == 0)
		begin_child(command, old, &mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (child < 0) {
		ptl_say("%s: %s", command[0], strerror(errno));
		return NOT_EXECUTABLE << 8;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int ptl_event_exit(int status)
{
	struct rlimit none = {0, 0};

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	/* The command has written its core, and we are no loss. */
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}
