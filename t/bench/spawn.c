/* SPDX-License-Identifier: MIT */
/*
 * usage: spawn COUNT COMMAND [ARG]...
 * Runs COMMAND that many times, one after the other, its output thrown away,
 * and prints how many milliseconds one took.
 */
#include "t/bench/measure.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0;
	double start = measure_now();

	if (count <= 0)
		return 2;
	for (int i = 0; i < count; i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			int null = open("/dev/null", O_WRONLY);

			dup2(null, 1);
			dup2(null, 2);
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
			fprintf(stderr, "spawn: %s failed\n", argv[2]);
			return 1;
		}
	}
	printf("%.4f\n", (measure_now() - start) / 1e6 / count);
	return 0;
}
