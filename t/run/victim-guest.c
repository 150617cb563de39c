/* SPDX-License-Identifier: MIT */
/*
 * victim-guest HOW UID COMMAND...: becomes that user and runs the command as
 * HOW says: exec, fork, vfork, spawn, system; closefrom: without descriptors;
 * idle: not at all.  Its own exit status is the command's.
 */
#include <grp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void become(uid_t uid)
{
	if (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 ||
	    setresuid(uid, uid, uid) != 0) {
		perror("victim-guest");
		_exit(99);
	}
}

static void run(char **argv)
{
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

static int status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 98;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
}

static int run_vfork(uid_t uid, char **argv)
{
	pid_t pid = vfork();

	if (pid == 0) {
		if (setresuid(uid, uid, uid) == 0)
			execvp(argv[0], argv);
		_exit(99);
	}
	return status_of(pid);
}

static int run_spawn(uid_t uid, char **argv)
{
	pid_t pid;

	become(uid);
	return posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) ?
		       98 :
		       status_of(pid);
}

static int run_fork(uid_t uid, char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		become(uid);
		run(argv);
	}
	return status_of(pid);
}

static int run_system(uid_t uid, const char *command)
{
	int status;

	become(uid);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[1] : "";
	uid_t uid = argc > 3 ? (uid_t)atoi(argv[2]) : 0;

	if (strcmp(how, "fork") == 0)
		return run_fork(uid, argv + 3);
	if (strcmp(how, "vfork") == 0)
		return run_vfork(uid, argv + 3);
	if (strcmp(how, "spawn") == 0)
		return run_spawn(uid, argv + 3);
	if (strcmp(how, "system") == 0)
		return run_system(uid, argv[3]);
	if (strcmp(how, "closefrom") == 0)
		closefrom(3);
	else if (strcmp(how, "exec") != 0)
		return 96;
	become(uid);
	run(argv + 3);
}
