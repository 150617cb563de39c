/* SPDX-License-Identifier: MIT */
/*
 * The stacks are those of libunwind: on stacks of all kinds, when a place is
 * met for the first time and when it is known, and when what is known is of
 * something that is not there any more.  And so they are when libunwind finds
 * them for us.
 */
#include "core/unwind/cache.h"
#include "core/unwind/unwind.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#define MAX 64
#define ROUNDS 2000
#define NOINLINE __attribute__((noinline, noclone))

static int (*theirs)(void **frames, int max);
static int nr_compared, nr_unlike;
static uint64_t ns_ours, ns_theirs, nr_frames;
static const char *by = "ours";
static ucontext_t back, there;
static __thread struct ptl_walked walked;
static __thread struct ptl_unwinding unwinding;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static NOINLINE void compare(void)
{
	void *here = __builtin_return_address(0), *want[2 * MAX];
	const uint64_t *got = unwinding.found.frame;
	uint64_t begin = now(), middle;
	size_t nr_got = ptl_unwind(&unwinding, MAX, (uintptr_t)here, &walked);
	int nr_want, first = 0;

	middle = now();
	nr_want = theirs(want, 2 * MAX);
	ns_theirs += now() - middle;
	ns_ours += middle - begin;
	nr_frames += nr_got;
	while (first < nr_want && want[first] != here)
		first++;
	nr_want = PTL_MIN(nr_want - first, MAX);
	nr_compared++;
	nr_unlike += nr_got != (size_t)nr_want ||
		     memcmp(want + first, got, nr_got * sizeof(*got)) != 0;
}

static NOINLINE int order(const void *a, const void *b)
{
	compare();
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void recurse(int depth)
{
	char room[100];
	int numbers[] = {3, 1, 2};

	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth > 0)
		recurse(depth - 1);
	else
		qsort(numbers, 3, sizeof(*numbers), order);
	__asm__ volatile("");
}

static NOINLINE void *deep(void *arg)
{
	recurse(20);
	__asm__ volatile("");
	return arg;
}

static void handler(int signo)
{
	(void)signo;
	deep(NULL);
	__asm__ volatile("");
}

static void coroutine(void)
{
	deep(NULL);
	__asm__ volatile("");
}

static void on_all_stacks(void)
{
	static char alternate[64 << 10], own[64 << 10];
	stack_t ss = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_ONSTACK};
	pthread_t thread;

	deep(NULL);
	pthread_create(&thread, NULL, deep, NULL);
	pthread_join(thread, NULL);
	sigaltstack(&ss, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	getcontext(&there);
	there.uc_stack.ss_sp = own;
	there.uc_stack.ss_size = sizeof(own);
	there.uc_link = &back;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);
}

/* All that is known becomes what was known of others. */
static void mislead(void)
{
	struct ptl_cfi_row row = {.cfa_reg = PTL_CFI_RSP,
				  .cfa = {8, PTL_CFI_OFFSET}};

	row.reg[PTL_CFI_RIP] = (struct ptl_cfi_rule){-8, PTL_CFI_OFFSET};
	for (uint64_t pc = 0; pc < 100000; pc++)
		ptl_rows_add((uintptr_t)mislead + pc, ptl_rows_generation(),
			     ptl_rows_pack(&row));
	ptl_rows_forget();
}

static void check(const char *name, void (*function)(void))
{
	nr_compared = nr_unlike = 0;
	function();
	ok(nr_compared >= 3, "%s: compared", name);
	is_int(nr_unlike, 0, "%s: the same", name);
}

static void many(void)
{
	ns_ours = ns_theirs = nr_frames = 0;
	for (int i = 0; i < ROUNDS; i++)
		deep(NULL);
	diag("ns a frame: %s %llu, unw_backtrace() %llu", by,
	     (unsigned long long)(ns_ours / nr_frames),
	     (unsigned long long)(ns_theirs / nr_frames));
}

int main(void)
{
	void *library = dlopen("libunwind.so.8", RTLD_NOW);

	if (library)
		theirs = (int (*)(void **, int))dlsym(library, "unw_backtrace");
	if (!theirs)
		skip_all("no libunwind");
	if (under_valgrind())
		skip_all("valgrind");
	no_sanitizer(); /* Its frames are in between. */
	if (under_tsan())
		skip_all("ThreadSanitizer's own stacks");
	plan(15);
	ptl_unwind_init();
	check("first", on_all_stacks);
	check("again", on_all_stacks);
	mislead();
	check("misled", on_all_stacks);
	check("many", many);
#ifndef PTL_LIBUNWIND
	skip(7, "libptrace was built without libunwind");
	return done();
#endif
	is_str(ptl_unwind_load(dlopen), NULL, "libunwind is loaded");
	by = "by libunwind";
	check("by libunwind", on_all_stacks);
	check("by libunwind, again", on_all_stacks);
	check("by libunwind, many", many);
	return done();
}
