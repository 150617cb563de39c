/* SPDX-License-Identifier: MIT */
/*
 * victim-tree-env: starts programs with environments that have lost
 * everything.  Not linked with libptrace.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[] = "true";
static char *const argv[] = {name, NULL};
static char *const empty[] = {NULL};

/* A null pointer for an environment: Linux takes it for an empty one. */
static char *const *const none = NULL;

static void in_child(int how)
{
	if (fork() == 0) {
		switch (how) {
		case 0:
			execve("/bin/true", argv, (char *const *)none);
			break;
		case 1:
			execve("/bin/true", argv, empty);
			break;
		case 2:
			execle("/bin/true", "true", (char *)NULL, NULL);
			break;
		case 3:
			environ = NULL;
			execv("/bin/true", argv);
			break;
		case 4:
			environ = NULL;
			execlp("true", "true", (char *)NULL);
			break;
		case 5:
			clearenv();
			execvp("true", argv);
			break;
		case 6:
			execvpe("true", argv, empty);
			break;
		}
		_exit(1);
	}
	wait(NULL);
}

static void spawn(char *const *envp)
{
	pid_t pid;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, envp) == 0)
		waitpid(pid, NULL, 0);
}

int main(void)
{
	FILE *file;

	for (int i = 0; i < 7; i++)
		in_child(i);
	spawn(NULL);
	spawn(empty);
	clearenv();
	if (system("/bin/true; exit 3") == -1)
		return 1;
	environ = NULL;
	file = popen("/bin/true; exit 3", "r");
	if (!file)
		return 1;
	pclose(file);
	execve("/bin/true", argv, empty);
	return 1;
}
