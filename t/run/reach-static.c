/* SPDX-License-Identifier: MIT */
/* A static program with a file of each kind of task, for reach-static.t. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define LOOKS 500

static volatile sig_atomic_t handled;

static void look(const char *path)
{
	struct stat st;

	stat(path, &st);
}

static void handle(int signo)
{
	(void)signo;
	look("/in-handler");
	handled = 1;
}

static void *run(void *path)
{
	for (int i = 0; i < LOOKS; i++)
		look(path);
	return NULL;
}

static void run_threads(void)
{
	struct itimerval often = {{0, 1000}, {0, 1000}},
			 never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = handle,
				   .sa_flags = SA_RESTART};
	pthread_t thread[THREADS];
	char path[THREADS][32];

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < THREADS; i++) {
		snprintf(path[i], sizeof(path[i]), "/in-thread-%d", i);
		if (pthread_create(&thread[i], NULL, run, path[i]) != 0)
			abort();
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	while (!handled)
		look("/waiting");
	setitimer(ITIMER_REAL, &never, NULL);
}

static int status_of(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void run_children(void)
{
	pid_t child = fork();

	if (child == 0) {
		look("/in-fork");
		_exit(3);
	}
	printf("fork %d\n", status_of(child));
	child = vfork();
	if (child == 0) {
		execl("/bin/none", "none", (char *)NULL);
		execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
		_exit(127);
	}
	printf("vfork %d\n", status_of(child));
	child = fork();
	if (child == 0) {
		raise(SIGKILL);
		_exit(0);
	}
	printf("killed %d\n", status_of(child));
}

/* With an argument: becomes that program. */
int main(int argc, char **argv)
{
	if (argc > 1) {
		execv(argv[1], argv + 1);
		perror(argv[1]);
		return 126;
	}
	close(open("made", O_CREAT | O_WRONLY, 0600));
	unlink("made");
	run_threads();
	look("/after");
	run_children();
	return 5;
}
