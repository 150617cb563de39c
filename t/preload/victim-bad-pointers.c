/* SPDX-License-Identifier: MIT */
/* Executes a program in each way with pointers of each kind that the kernel
 * refuses, or takes after all, and prints what comes of it. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "/bin/true"
#define ADDRESS(n) ((void *)(uintptr_t)(n))

/* The last bytes before memory that cannot be read. */
static char *edge;

static char program[] = "true", variable[] = "A=1";
static char *good_argv[] = {program, NULL};
static char *good_envp[] = {variable, NULL};

static struct given {
	const char *name;
	const char *path;
	char **argv;
	char **envp;
} given;

static int by_execve(void)
{
	return execve(given.path, given.argv, given.envp);
}

static int by_vfork(void)
{
	pid_t pid = vfork();
	int status;

	if (pid == 0) {
		execve(given.path, given.argv, given.envp);
		_exit(errno);
	}
	waitpid(pid, &status, 0);
	errno = WEXITSTATUS(status);
	return -1;
}

static int by_environ(void)
{
	environ = given.envp;
	return execv(given.path, given.argv);
}

static int by_execle(void)
{
	return execle(given.path, "true", (char *)NULL, given.envp);
}

static int by_execvpe(void)
{
	return execvpe(given.path, given.argv, given.envp);
}

static int by_fexecve(void)
{
	return fexecve(open(PROGRAM, O_RDONLY | O_CLOEXEC), given.argv,
		       given.envp);
}

static int by_execveat(void)
{
	return execveat(AT_FDCWD, given.path, given.argv, given.envp, 0);
}

static int by_number(void)
{
	return (int)syscall(SYS_execve, given.path, given.argv, given.envp);
}

static int by_number_at(void)
{
	return (int)syscall(SYS_execveat, AT_FDCWD, given.path, given.argv,
			    given.envp, 0);
}

static pid_t child;

static int spawned(int error)
{
	int status = 0;

	errno = error;
	if (error != 0)
		return -1;
	waitpid(child, &status, 0);
	errno = 0;
	return WIFEXITED(status) ? -WEXITSTATUS(status) :
				   1000 + WTERMSIG(status);
}

static int by_spawn(void)
{
	return spawned(posix_spawn(&child, given.path, NULL, NULL, given.argv,
				   given.envp));
}

static int by_spawnp(void)
{
	return spawned(posix_spawnp(&child, given.path, NULL, NULL, given.argv,
				    given.envp));
}

static int by_spawn_elsewhere(void)
{
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	return spawned(posix_spawn(&child, given.path, &actions, NULL,
				   given.argv, given.envp));
}

static const struct way {
	const char *name;
	int (*call)(void);
	/* What libc itself reads. */
	int reads_path, reads_argv;
} ways[] = {
	{"execve", by_execve, 0, 0},
	{"vfork, execve", by_vfork, 0, 0},
	{"execv", by_environ, 0, 0},
	{"execle", by_execle, 0, 0},
	{"execvpe", by_execvpe, 1, 0},
	{"fexecve", by_fexecve, 0, 0},
	{"execveat", by_execveat, 0, 0},
	{"syscall execve", by_number, 0, 0},
	{"syscall execveat", by_number_at, 0, 0},
	{"posix_spawn", by_spawn, 0, 1},
	{"posix_spawnp", by_spawnp, 0, 1},
	{"posix_spawn, actions", by_spawn_elsewhere, 0, 1},
};

static void try_way(const struct way *way)
{
	pid_t pid = fork();
	int ret, status;

	if (pid == 0) {
		errno = 0;
		ret = way->call();
		printf("%s: %s: %d, %s\n", given.name, way->name, ret,
		       errno ? strerrorname_np(errno) : "-");
		exit(99);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		printf("%s: %s: signal %d\n", given.name, way->name,
		       WTERMSIG(status));
	else if (WEXITSTATUS(status) != 99)
		printf("%s: %s: ran\n", given.name, way->name);
}

static void try(const char *name, const char *path, char **argv, char **envp)
{
	given = (struct given){name, path, argv, envp};
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (ways[i].reads_path && path != NULL &&
		    strcmp(name, "path") == 0)
			continue;
		if (ways[i].reads_argv && argv != good_argv)
			continue;
		try_way(&ways[i]);
	}
}

/* A list at the end of what can be read; is_open: without the last null. */
static char **at_edge(char *first, int is_open)
{
	char **list = (char **)(void *)edge - (is_open ? 1 : 2);

	list[0] = first;
	if (!is_open)
		list[1] = NULL;
	return list;
}

static char *text_at_edge(const char *text)
{
	return memcpy(edge - strlen(text), text, strlen(text));
}

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *bad[] = {variable, ADDRESS(8), NULL},
	     *open[] = {variable, NULL, NULL};

	setvbuf(stdout, NULL, _IOLBF, 0);
	edge = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	edge += page;
	mprotect(edge, (size_t)page, PROT_NONE);
	try("good", PROGRAM, good_argv, good_envp);
	try("path", ADDRESS(8), good_argv, good_envp);
	try("path of the kernel", ADDRESS(-4096L), good_argv, good_envp);
	try("argv", PROGRAM, ADDRESS(8), good_envp);
	try("argv[1]", PROGRAM, bad, good_envp);
	try("no argv", PROGRAM, NULL, good_envp);
	try("no envp", PROGRAM, good_argv, NULL);
	try("envp", PROGRAM, good_argv, ADDRESS(8));
	try("envp, 1", PROGRAM, good_argv, ADDRESS(1));
	try("envp of the kernel", PROGRAM, good_argv, ADDRESS(-4096L));
	try("envp without rights", PROGRAM, good_argv, (char **)(void *)edge);
	try("envp[1]", PROGRAM, good_argv, bad);
	try("envp at the edge", PROGRAM, good_argv, at_edge(variable, 0));
	try("envp over the edge", PROGRAM, good_argv, at_edge(variable, 1));
	memset(edge - 1, 0, 1);
	open[1] = edge - 1;
	try("a short one at the edge", PROGRAM, good_argv, open);
	open[1] = text_at_edge("A");
	try("a name over the edge", PROGRAM, good_argv, open);
	open[1] = text_at_edge("A=");
	try("a value over the edge", PROGRAM, good_argv, open);
	open[1] = text_at_edge("LD_PRELOAD=/x");
	try("LD_PRELOAD over the edge", PROGRAM, good_argv, open);
	open[1] = text_at_edge("PTRACE_STREAMS=0");
	try("PTRACE_STREAMS over the edge", PROGRAM, good_argv, open);
	open[1] = text_at_edge("ASAN_OPTIONS=");
	try("ASAN_OPTIONS over the edge", PROGRAM, good_argv, open);
	return 0;
}
