/* SPDX-License-Identifier: MIT */
/*
 * usage: spawn COUNT [COMMAND [ARG]...]
 * Runs COMMAND that many times, one after the other, its output thrown away,
 * and prints how many milliseconds one took: the median.  Without COMMAND the
 * children end at once.
 */
#include "t/bench/measure.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;
	double *took = count > 0 ? calloc((size_t)count, sizeof(*took)) : NULL;

	if (!took)
		return 2;
	for (int i = 0; i < count; i++) {
		double start = measure_now();
		int status;
		pid_t pid = fork();

		if (pid == 0 && argc == 2)
			_exit(0);
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
		took[i] = measure_now() - start;
	}
	qsort(took, (size_t)count, sizeof(*took), compare);
	printf("%.4f\n", took[count / 2] / 1e6);
	free(took);
	return 0;
}
