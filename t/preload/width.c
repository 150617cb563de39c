/* SPDX-License-Identifier: MIT */
/*
 * A program that t/preload/width.t makes with 32 bits, and with 64: it says
 * with how many, and does what its arguments say, each up to the next program.
 *
 *   exec|fork|vfork|spawn|system PROGRAM ARGUMENT...   starts it so
 *   calls NUMBER     opens /dev/null so often, in each of two threads
 *   values           calls whose structures and offsets depend on the width
 *   signals          handlers with and without a siginfo_t
 *   kill SIGNAL      sends it to itself
 *   end STATUS
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int end_of(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 98;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int start(char **argv)
{
	char **next = argv + 1, command[512] = "";
	pid_t pid = -1;
	int status;

	if (strcmp(argv[0], "exec") == 0) {
		execv(next[0], next);
	} else if (strcmp(argv[0], "fork") == 0) {
		pid = fork();
		if (pid == 0)
			execv(next[0], next);
	} else if (strcmp(argv[0], "vfork") == 0) {
		pid = vfork();
		if (pid == 0)
			execv(next[0], next);
	} else if (strcmp(argv[0], "spawn") == 0) {
		posix_spawn(&pid, next[0], NULL, NULL, next, environ);
	} else {
		for (; *next; next++)
			snprintf(command + strlen(command),
				 sizeof(command) - strlen(command), "%s ",
				 *next);
		status = system(command);
		return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
	}
	return end_of(pid);
}

static void *open_often(void *number)
{
	for (int i = 0; i < *(int *)number; i++)
		close(open("/dev/null", O_RDONLY));
	return NULL;
}

static void call(int number)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, open_often, &number) != 0)
		exit(96);
	open_often(&number);
	pthread_join(thread, NULL);
}

static void use_values(void)
{
	const off64_t far = (off64_t)5 << 30;
	const struct timespec times[2] = {{1000, 1}, {2000, 2}};
	struct rlimit limit = {100, RLIM_INFINITY};
	struct stat64 wide;
	struct stat st;
	char byte = 'x';
	int fd = open64("values", O_RDWR | O_CREAT | O_TRUNC, 0640);

	ftruncate64(fd, 3);
	stat("values", &st);
	stat64("values", &wide);
	futimens(fd, times);
	pwrite64(fd, &byte, 1, far);
	pread64(fd, &byte, 1, far);
	lseek64(fd, far, SEEK_SET);
	setrlimit(RLIMIT_NOFILE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	printf("%c %d %d %d\n", byte, (int)st.st_size, (int)wide.st_size,
	       (int)limit.rlim_cur);
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	close(fd);
}

static void plain(int signo)
{
	(void)!write(1, signo == SIGUSR1 ? "plain\n" : "?\n", 6);
}

static void informed(int signo, siginfo_t *info, void *context)
{
	(void)context;
	(void)!write(1,
		     signo == SIGUSR2 && info->si_pid == getpid() ?
			     "informed\n" :
			     "what is that?\n",
		     9);
}

static void get_signals(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO};

	signal(SIGUSR1, plain);
	action.sa_sigaction = informed;
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sigaction(SIGUSR2, NULL, &action);
	puts(action.sa_sigaction == informed ? "mine" : "another");
}

int main(int argc, char **argv)
{
	(void)argc;
	printf("%d bits:", (int)(8 * sizeof(long)));
	for (char **arg = argv; *arg; arg++)
		printf(" %s", *arg);
	puts("");
	fflush(stdout);
	for (argv++; *argv; argv++) {
		if (strcmp(*argv, "calls") == 0)
			call(atoi(*++argv));
		else if (strcmp(*argv, "values") == 0)
			use_values();
		else if (strcmp(*argv, "signals") == 0)
			get_signals();
		else if (strcmp(*argv, "kill") == 0)
			kill(getpid(), atoi(*++argv));
		else if (strcmp(*argv, "end") == 0)
			return atoi(*++argv);
		else
			return start(argv) + 1;
		fflush(stdout);
	}
	return 0;
}
