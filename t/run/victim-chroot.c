/* SPDX-License-Identifier: MIT */
/* victim-chroot DIRECTORY: makes it the root directory, and then starts shells
 * in each way. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL "/bin/sh"

static char name[] = "sh", option[] = "-c", command[] = "exit 3";
static char *const argv[] = {name, option, command, NULL};

static void show(const char *how, int status)
{
	printf("%s %d\n", how, WEXITSTATUS(status));
	fflush(stdout);
}

static void reap(const char *how, pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	show(how, status);
}

int main(int argc, char **args)
{
	static char *empty[] = {NULL};
	char line[64] = "";
	pid_t pid;
	FILE *file;

	if (argc < 2 || chroot(args[1]) != 0 || chdir("/") != 0)
		return 1;
	pid = fork();
	if (pid == 0) {
		execv(SHELL, argv);
		_exit(1);
	}
	reap("exec", pid);
	pid = vfork();
	if (pid == 0) {
		execve(SHELL, argv, environ);
		_exit(1);
	}
	reap("vfork", pid);
	if (posix_spawn(&pid, SHELL, NULL, NULL, argv, environ) == 0)
		reap("spawn", pid);
	if (posix_spawn(&pid, SHELL, NULL, NULL, argv, empty) == 0)
		reap("spawn with nothing", pid);
	show("system", system("exit 4"));
	file = popen("echo popen", "r");
	if (file == NULL || fgets(line, sizeof(line), file) == NULL)
		return 1;
	fputs(line, stdout);
	return pclose(file);
}
