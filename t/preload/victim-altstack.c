/* SPDX-License-Identifier: MIT */
/*
 * victim-altstack WHAT [BYTES]: a handler does WHAT on an alternate stack of so
 * many bytes, some times, and says that it lives and has kept to them.  Without
 * BYTES it says how many it has used.  Its calls are bound before, so that the
 * loader uses none.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define MOST (16 * PAGE)
#define PAINT 0x5a
#define ROUNDS 3
#define MANY 3000

static const char *what;
static sigjmp_buf out;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void work(void)
{
	static const char path[] = "/etc/passwd";

	if (!strcmp(what, "io")) {
		close(-1);
	} else if (!strcmp(what, "file")) {
		close(open(path, O_RDONLY));
	} else if (!strcmp(what, "many")) {
		for (int i = 0; i < MANY; i++)
			close(open(path, O_RDONLY));
	} else if (!strcmp(what, "lock")) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	} else if (!strcmp(what, "heap")) {
		void *volatile block = malloc(10);

		free(block);
	} else if (!strcmp(what, "nested")) {
		raise(SIGUSR2);
	} else if (!strcmp(what, "jump")) {
		close(open(path, O_RDONLY));
		siglongjmp(out, 1);
	} else if (!strcmp(what, "vfork")) {
		pid_t child = vfork();

		if (child == 0) {
			close(open(path, O_RDONLY));
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void handler(int signo)
{
	(void)signo;
	work();
}

/* On the same stack, below the other. */
static void handler_inside(int signo)
{
	(void)signo;
	close(open("/etc/passwd", O_RDONLY));
}

static void do_it(void)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	sigaction(SIGUSR1, &act, NULL);
	act.sa_handler = handler_inside;
	sigaction(SIGUSR2, &act, NULL);
	for (volatile int i = 0; i < ROUNDS; i++)
		if (!sigsetjmp(out, 1))
			raise(SIGUSR1);
}

int main(int argc, char **argv)
{
	size_t size = argc > 2 ? (size_t)atoi(argv[2]) : MOST;
	char *room = mmap(NULL, PAGE + MOST, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *lowest = room + PAGE, *end = lowest + MOST;
	stack_t ss = {.ss_sp = end - size, .ss_size = size};

	if (argc < 2 || room == MAP_FAILED || mprotect(room, PAGE, PROT_NONE))
		return 2;
	what = argv[1];
	memset(lowest, PAINT, MOST);
	if (sigaltstack(&ss, NULL)) {
		perror("sigaltstack");
		return 2;
	}
	do_it();
	while (lowest < end && *lowest == PAINT)
		lowest++;
	if (lowest < (char *)ss.ss_sp) {
		puts("overflow");
		return 1;
	}
	if (argc > 2)
		puts("lives");
	else
		printf("%td\n", end - lowest);
	return 0;
}
