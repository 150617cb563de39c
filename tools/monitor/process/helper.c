/* SPDX-License-Identifier: MIT */
/* See helper.h. */
#include "tools/monitor/process/helper.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/beside.h"
#include "tools/lib/fds.h"

#define WORDS_MAX 32

static void __attribute__((noreturn))
be_helper(const char *name, const char *const *words, const int *fds,
	  size_t nr_fds)
{
	const char *argv[WORDS_MAX + 2];
	char path[PATH_MAX + 64];
	size_t nr = 0;

	if (!ptl_beside(path, sizeof(path), name))
		_exit(1);
	ptl_fds_keep(fds, nr_fds);
	/* A directory that is in use cannot be unmounted. */
	if (chdir("/") != 0)
		_exit(1);
	unsetenv("LD_PRELOAD");
	argv[0] = path;
	while (nr < WORDS_MAX && words[nr] != NULL) {
		argv[nr + 1] = words[nr];
		nr++;
	}
	argv[nr + 1] = NULL;
	execv(path, (char *const *)(uintptr_t)argv);
	_exit(1);
}

int ptl_helper_start(const char *name, const char *const *words, const int *fds,
		     size_t nr_fds)
{
	pid_t middle = fork(), child;
	int status = 0;

	if (middle < 0)
		return errno;
	if (middle == 0) {
		child = fork();
		if (child == 0)
			be_helper(name, words, fds, nr_fds);
		_exit(child < 0 ? errno : 0);
	}
	while (waitpid(middle, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int ptl_helper_socket(int *ours, int *helpers)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return errno;
	*ours = ptl_fds_lift(pair[0]);
	*helpers = dup(pair[1]);
	close(pair[1]);
	if (*ours >= 0 && *helpers >= 0)
		return 0;
	return errno;
}
