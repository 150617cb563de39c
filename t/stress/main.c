/* SPDX-License-Identifier: MIT */
/*
 * stress SECONDS [SEED]: what `make stress' runs.  Exit status 1 if anything
 * was wrong.  With a /dev/shm of its own, if it may, it sees what is left.
 */
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/stress/stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uint64_t seed = (uint64_t)st_now(CLOCK_REALTIME);
	int status = 1, left;
	pid_t pid;

	if (argc < 2 || atoi(argv[1]) <= 0) {
		fprintf(stderr, "usage: stress SECONDS [SEED]\n");
		return 2;
	}
	if (argc > 2 && *argv[2])
		seed = strtoull(argv[2], NULL, 0);
	if (geteuid() == 0)
		private_shm(argv);
	pid = fork();
	if (pid == 0)
		exit(st_run((unsigned int)atoi(argv[1]), seed));
	if (waitpid(pid, &status, 0) < 0 || status)
		return 1;
	left = geteuid() == 0 ? shm_files() : 0;
	/* Our own block and names may be there. */
	if (left > 2)
		fprintf(stderr, "stress: %d files are left\n", left);
	return left > 2;
}
