/* SPDX-License-Identifier: MIT */
/* victim-memory COUNT: how many pages COUNT failing vfork+exec cost. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const arg[] = {(char *)"x", NULL};
static char *const env[] = {(char *)"A=b", NULL};

static void spawn(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve("/nonexistent", arg, env);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static long pages(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size = 0;

	if (!file || fscanf(file, "%ld", &size) != 1)
		exit(2);
	fclose(file);
	return size;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000;
	long before;

	/* The first may set something up. */
	spawn();
	pages();
	before = pages();
	for (int i = 0; i < count; i++)
		spawn();
	printf("%ld pages\n", pages() - before);
	return 0;
}
