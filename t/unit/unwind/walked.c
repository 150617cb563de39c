/* SPDX-License-Identifier: MIT */
/*
 * With the last stack kept, a stack is what it is without: in programs that
 * call, return, jump, change stacks and are interrupted at random, and whatever
 * happens to what is kept after any instruction.
 */
#include "core/unwind/unwind.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define MAX 64
#define ROUNDS 150
#define STEPS 12
#define NOINLINE __attribute__((noinline, noclone))
#define KEEP() __asm__ volatile("" : : : "memory")

static struct ptl_walked walked, other;
static int nr_compared, nr_unlike, nr_kept;
static size_t deepest;
static uint64_t seed = 1;

static unsigned int dice(unsigned int sides)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned int)(seed >> 33) % sides;
}

/* Both have to be called from one place. */
static NOINLINE void compare(void)
{
	struct ptl_unwinding got[2];
	size_t nr[2], max = dice(8) ? MAX : 1 + dice(MAX);
	uint64_t here = (uintptr_t)__builtin_return_address(0);

	nr_kept += walked.nr > 0;
	for (int i = 0; i < 2; i++)
		nr[i] = ptl_unwind(&got[i], max, here, i ? NULL : &walked);
	nr_compared++;
	deepest = PTL_MAX(deepest, nr[1]);
	nr_unlike += nr[0] != nr[1] ||
		     memcmp(got[0].found.frame, got[1].found.frame,
			    nr[0] * sizeof(got[0].found.frame[0])) != 0;
}

/* ---- a program ----------------------------------------------------- */

static sigjmp_buf target;
static bool has_target;
static ucontext_t back, there;
static char own_stack[64 << 10] __attribute__((aligned(64)));
static bool is_there;

static void play(int depth);

/* Of one shape: they differ in where they call alone. */
static NOINLINE void one(int depth)
{
	play(depth - 1);
	KEEP();
}

static NOINLINE void another(int depth)
{
	play(depth - 1);
	KEEP();
}

static NOINLINE void large(int depth)
{
	char room[500];

	__asm__ volatile("" : : "r"(room) : "memory");
	play(depth - 1);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static NOINLINE void variable(int depth)
{
	char *room = alloca(16 + dice(300));

	__asm__ volatile("" : : "r"(room) : "memory");
	play(depth - 1);
	__asm__ volatile("" : : "r"(room) : "memory");
}

/* Only where it has put the caller's frame pointer tells one call from another;
 * it shall have none of its own, whatever the flags. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("omit-frame-pointer")))
#endif
static NOINLINE void low(void)
{
#if defined(__x86_64__) && defined(__OPTIMIZE__)
	__asm__ volatile("xorl %%ebp, %%ebp" : : : "rbp");
#endif
	compare();
	KEEP();
}

/* What it calls begins at one place, wherever the frames in between do. */
static NOINLINE void rest(unsigned int part)
{
	char *room = alloca(16 * (9 - part));

	__asm__ volatile("" : : "r"(room) : "memory");
	if (dice(2))
		compare();
	low();
	__asm__ volatile("" : : "r"(room) : "memory");
}

static NOINLINE void part(unsigned int size)
{
	char *room = alloca(16 * size);

	__asm__ volatile("" : : "r"(room) : "memory");
	rest(size);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static NOINLINE void other_part(unsigned int size)
{
	char *room = alloca(16 * size);

	__asm__ volatile("" : : "r"(room) : "memory");
	rest(size);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static NOINLINE void parts(int depth)
{
	(void)depth;
	for (int i = 0; i < 4; i++)
		(dice(2) ? part : other_part)(1 + dice(8));
	KEEP();
}

static NOINLINE void aligned(int depth)
{
	char room[64] __attribute__((aligned(64)));

	__asm__ volatile("" : : "r"(room) : "memory");
	play(depth - 1);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static NOINLINE int order(const void *a, const void *b)
{
	play(*(const int *)a - 1);
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void by_libc(int depth)
{
	int numbers[] = {depth, depth};

	qsort(numbers, 2, sizeof(numbers[0]), order);
	KEEP();
}

static NOINLINE void jump(int depth)
{
	if (has_target && dice(4) == 0)
		siglongjmp(target, 1);
	play(depth - 1);
	KEEP();
}

static NOINLINE void catch (int depth)
{
	sigjmp_buf saved;
	bool had = has_target;

	memcpy(saved, target, sizeof(saved));
	has_target = true;
	if (sigsetjmp(target, 1) == 0)
		play(depth - 1);
	memcpy(target, saved, sizeof(saved));
	has_target = had;
	compare();
	KEEP();
}

static void handler(int signo)
{
	static int nested;
	bool had = has_target, was_there = is_there;

	(void)signo;
	if (nested == 3)
		return;
	nested++;
	has_target = false;
	is_there = true; /* its stack may be this one */
	play(1 + (int)dice(3));
	is_there = was_there;
	has_target = had;
	nested--;
	KEEP();
}

static NOINLINE void interrupted(int depth)
{
	(void)depth;
	raise(dice(2) ? SIGUSR1 : SIGUSR2);
	KEEP();
}

static void coroutine(void)
{
	for (;;) {
		play(2 + (int)dice(4));
		swapcontext(&there, &back);
	}
}

static NOINLINE void swapped(int depth)
{
	bool had = has_target;

	(void)depth;
	if (is_there)
		return;
	is_there = true;
	has_target = false;
	if (dice(4) == 0) {
		there.uc_stack.ss_sp = own_stack;
		there.uc_stack.ss_size = sizeof(own_stack);
		makecontext(&there, coroutine, 0);
	}
	swapcontext(&back, &there);
	has_target = had;
	is_there = false;
	KEEP();
}

static NOINLINE void play(int depth)
{
	static void (*const moves[])(int) = {
		one,	 another, one,	       another, large, variable,
		aligned, by_libc, jump,	       catch,	large, one,
		another, swapped, interrupted, parts,
	};
	unsigned int nr = 1 + dice(3);

	if (dice(3) == 0)
		compare();
	for (unsigned int i = 0; depth > 0 && i < nr; i++)
		moves[dice(PTL_ARRAY_SIZE(moves))](depth);
	if (dice(2) == 0)
		compare();
	KEEP();
}

/* Deeper than what is kept, and looked at on the way back. */
static NOINLINE void deep(int depth)
{
	char room[40];

	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth > 0)
		deep(depth - 1);
	if (dice(4))
		compare();
	if (dice(40) == 0)
		play(4);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static void play_at_random(void)
{
	static char alternate[64 << 10];
	stack_t ss = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_ONSTACK | SA_NODEFER};

	sigaltstack(&ss, NULL);
	sigaction(SIGUSR2, &action, NULL);
	action.sa_flags = SA_NODEFER;
	sigaction(SIGUSR1, &action, NULL);
	getcontext(&there);
	there.uc_stack.ss_sp = own_stack;
	there.uc_stack.ss_size = sizeof(own_stack);
	makecontext(&there, coroutine, 0);
	for (int i = 0; i < ROUNDS; i++)
		play(6);
	for (int i = 0; i < 5; i++)
		deep(60 + (int)dice(200));
}

/* ---- after any instruction ----------------------------------------- */

static bool is_same;
static long now;
static int what;
static sigjmp_buf out;

static NOINLINE void look(void)
{
	uint64_t here = (uintptr_t)__builtin_return_address(0);
	struct ptl_unwinding got[2];
	size_t nr[2];

	is_same = true; /* if it is left */
	for (int i = 0; i < 2; i++)
		nr[i] = ptl_unwind(&got[i], MAX, here, i ? NULL : &walked);
	is_same = nr[0] == nr[1] && nr[0] > 10 &&
		  memcmp(got[0].found.frame, got[1].found.frame,
			 nr[0] * sizeof(got[0].found.frame[0])) == 0;
}

static int disturb(long n)
{
	if (n != now)
		return 1;
	if (what == 0)
		memset(&walked, 0, sizeof(walked));
	else if (what == 1)
		memcpy(&walked, &other, sizeof(walked));
	else
		siglongjmp(out, 1);
	return 0;
}

static NOINLINE long step_into(void)
{
	long nr = 0;

	if (sigsetjmp(out, 1) == 0)
		nr = step_through(look, disturb);
	KEEP();
	return nr;
}

/* The same stack all the time. */
static NOINLINE void at_depth(int depth, void (*fn)(void))
{
	if (depth > 0)
		at_depth(depth - 1, fn);
	else
		fn();
	KEEP();
}

static void take_other(void)
{
	look();
	memcpy(&other, &walked, sizeof(other));
}

static void step_often(void)
{
	long all = 0;

	for (int i = 0; i < STEPS; i++) {
		/* All of it once; then as far as the first of the two goes. */
		now = i ? 1 + (long)dice((unsigned int)all / 2) : 0;
		what = (int)dice(3);
		if (dice(2))
			memcpy(&walked, &other, sizeof(walked));
		all = PTL_MAX(all, step_into());
		nr_unlike += !is_same;
		compare();
	}
	diag("%ld instructions", all);
}

int main(void)
{
	no_sanitizer();
	if (under_valgrind())
		skip_all("valgrind");
	step_needed();
	plan(6);
	ptl_unwind_init();
	play_at_random();
	diag("%d stacks, %d with one kept, up to %zu frames", nr_compared,
	     nr_kept, deepest);
	ok(nr_compared > 1000 && nr_kept > nr_compared / 4 && deepest == MAX,
	   "many stacks are compared");
	is_int(nr_unlike, 0, "all the same");
	at_depth(12, take_other);
	ok(other.nr > 10, "another stack is kept");
	nr_compared = 0;
	at_depth(10, step_often);
	ok(nr_compared == STEPS,
	   "what is kept is disturbed after instructions");
	is_int(nr_unlike, 0, "the stacks are the same");
	look();
	ok(walked.nr > 0, "one is kept");
	return done();
}
