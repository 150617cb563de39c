/* SPDX-License-Identifier: MIT */
/*
 * Threads as only musl has them: with hardly any stack, also below its own of
 * aio, and which give back their stack before they end.  Linked statically.
 */
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int seen(const char *path)
{
	return access(path, F_OK) == -1 && errno == ENOENT;
}

static void *opens(void *arg)
{
	*(int *)arg = seen("/in-small");
	return NULL;
}

static void *forks(void *arg)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(seen("/in-child") ? 4 : 5);
	waitpid(child, &status, 0);
	*(int *)arg = WIFEXITED(status) && WEXITSTATUS(status) == 4;
	return NULL;
}

static void on_signal(int signo)
{
	(void)signo;
	seen("/in-handler");
}

static void *raises(void *arg)
{
	*(int *)arg = raise(SIGUSR1) == 0 && seen("/after-handler");
	return NULL;
}

static void in_thread(const char *name, void *(*run)(void *), size_t stack,
		      size_t guard)
{
	pthread_attr_t attr;
	pthread_t thread;
	int done = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, stack);
	pthread_attr_setguardsize(&attr, guard);
	if (pthread_create(&thread, &attr, run, &done) == 0)
		pthread_join(thread, NULL);
	printf("%s %d\n", name, done);
}

static int nr_tasks(void)
{
	DIR *dir = opendir("/proc/self/task");
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

static void *detached(void *arg)
{
	(void)arg;
	seen("/in-detached");
	return NULL;
}

static void detaches(void)
{
	int nr = nr_tasks();
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 10; i++)
		pthread_create(&thread, &attr, detached, NULL);
	while (nr_tasks() > nr)
		usleep(1000);
	puts("detached");
}

static void by_aio(void)
{
	char text[] = "written\n";
	struct aiocb block = {
		.aio_fildes = open("written", O_CREAT | O_RDWR, 0600),
		.aio_buf = text,
		.aio_nbytes = sizeof(text) - 1,
	};
	const struct aiocb *list[] = {&block};

	aio_write(&block);
	while (aio_error(&block) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	printf("aio %zd\n", aio_return(&block));
	close(block.aio_fildes);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGUSR1, &action, NULL);
	in_thread("opens", opens, PTHREAD_STACK_MIN, 0);
	in_thread("opens, with a guard", opens, PTHREAD_STACK_MIN, 4096);
	in_thread("forks", forks, PTHREAD_STACK_MIN, 0);
	in_thread("forks, with a guard", forks, PTHREAD_STACK_MIN, 4096);
	in_thread("raises", raises, 65536, 4096);
	by_aio();
	detaches();
	return seen("/at-the-end") ? 6 : 1;
}
