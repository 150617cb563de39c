/* SPDX-License-Identifier: MIT */
/*
 * Coroutines, for t/run/functions-coroutines.t: each is in a few functions when
 * it goes on to another one, and all of them return.
 *
 * usage: functions-coroutines [NUMBER [thread]]
 */
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

#define KEPT __attribute__((noinline, noclone))
#define SIZE 131072
#define NR 40

static ucontext_t out, in[NR];
static int now;

KEPT void turn(void)
{
	swapcontext(&in[now], &out);
}

KEPT int deep(int n)
{
	int got = n == 0 ? 1 : deep(n - 1) + 1;

	turn();
	return got;
}

KEPT void coroutine(void)
{
	if (deep(3) != 4)
		abort();
}

KEPT void resume(int i)
{
	now = i;
	swapcontext(&out, &in[i]);
}

KEPT void rounds(int nr)
{
	/* Four times out of deep(), and then to the end. */
	for (int k = 0; k < 5; k++)
		for (int i = 0; i < nr; i++)
			resume(i);
}

KEPT void *all(void *arg)
{
	int nr = *(int *)arg;

	for (int i = 0; i < nr; i++) {
		getcontext(&in[i]);
		in[i].uc_stack.ss_sp = malloc(SIZE);
		in[i].uc_stack.ss_size = SIZE;
		in[i].uc_link = &out;
		makecontext(&in[i], coroutine, 0);
	}
	rounds(nr);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 5;
	pthread_t thread;

	if (argc < 3) {
		all(&nr);
		return 3;
	}
	pthread_create(&thread, NULL, all, &nr);
	pthread_join(thread, NULL);
	return 3;
}
