/* SPDX-License-Identifier: MIT */
/*
 * From wherever a signal interrupts a program, the stack is what libgcc's
 * unwinder says it is, by ours and by libunwind.
 */
#include "core/unwind/unwind.h"
#include "t/lib/tap.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define MAX 64
#define SIGNALS 1000

static volatile sig_atomic_t nr_signals, nr_wrong, nr_short, nr_deep;
static void *want[MAX], *got_wrong[MAX];
static uint64_t got[MAX];
static int nr_want;
static size_t nr_got;
static volatile double sum;
static struct ptl_walked walked;
static struct ptl_unwinding unwinding;

/* Both from here on; the first frame is that of our caller. */
static __attribute__((noinline, noclone)) void compare(void)
{
	void *here = __builtin_return_address(0);
	int first = 0;

	nr_want = backtrace(want, MAX);
	nr_got = ptl_unwind(&unwinding, MAX, (uintptr_t)here, &walked);
	memcpy(got, unwinding.found.frame, sizeof(got));
	while (first < nr_want && want[first] != here)
		first++;
	nr_want -= first;
	memmove(want, want + first, (size_t)nr_want * sizeof(*want));
	/* Theirs ran out of room earlier. */
	if (nr_got > (size_t)nr_want && nr_want + first == MAX)
		nr_got = (size_t)nr_want;
	nr_deep += nr_want > 5;
	if (nr_got < (size_t)nr_want)
		nr_short++;
	else if (nr_got > (size_t)nr_want ||
		 memcmp(want, got, nr_got * sizeof(*got)) != 0)
		nr_wrong++;
	else
		return;
	if (nr_wrong + nr_short == 1)
		memcpy(got_wrong, got, sizeof(got));
}

static void handler(int sig)
{
	(void)sig;
	nr_signals++;
	compare();
}

static int order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Some of everything: callbacks, recursion, the printf family, vectors. */
static __attribute__((noinline)) void work(int depth)
{
	char text[200], copy[4000] = "";
	int numbers[64];

	for (int i = 0; i < 64; i++)
		numbers[i] = (i * 7919 + depth) % 97;
	qsort(numbers, 64, sizeof(*numbers), order);
	snprintf(text, sizeof(text), "%d %s %g", numbers[3], "text",
		 (double)depth / 3);
	memset(copy, depth, sizeof(copy) - 1);
	sum += strtod(text, NULL) + sin(depth) + (double)strlen(copy);
	free(strdup(text));
	if (depth > 0)
		work(depth - 1);
	sum += numbers[5];
}

static void check(const char *by)
{
	struct itimerval every = {{0, 200}, {0, 200}};

	nr_signals = nr_wrong = nr_short = nr_deep = 0;
	compare();
	is_int(nr_wrong + nr_short, 0, "%s: here", by);
	setitimer(ITIMER_REAL, &every, NULL);
	while (nr_signals < SIGNALS)
		work(20);
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	ok(nr_deep > SIGNALS / 2, "%s: %d of %d were deep", by, (int)nr_deep,
	   (int)nr_signals);
	is_int(nr_wrong, 0, "%s: none was another", by);
	is_int(nr_short, 0, "%s: none ended early", by);
	if (nr_wrong + nr_short)
		for (size_t i = 0; i < 20; i++)
			diag("%zu: %p", i, got_wrong[i]);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART};
	const char *why;

	if (under_valgrind())
		skip_all("valgrind");
	plan(8);
	ptl_unwind_init();
	/* Loads its library now. */
	backtrace(want, 1);
	sigaction(SIGALRM, &action, NULL);
	check("ours");
#ifdef PTL_SANITIZED
	why = "its loading is not for a sanitizer";
#else
	why = ptl_unwind_load(dlopen);
#endif
	if (why)
		skip(4, "libunwind: %s", why);
	else
		check("libunwind");
	return done();
}
