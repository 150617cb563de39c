/* SPDX-License-Identifier: MIT */
/* A sleeper in another process is woken at once, and no news are missed. */
#include "core/sys/clock.h"
#include "core/sys/wait.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <sys/mman.h>

#define NR_NEWS 20000

struct shared {
	_Atomic uint32_t word;
	_Atomic uint32_t answer_word;
	_Atomic uint32_t news;
	_Atomic uint32_t answer;
	uint32_t nr_slow;	/* the 20 ms saw to it, not the waker */
};

static struct shared *shared;

/* Sleeps until *value is no longer `old'. */
static int await_change(_Atomic uint32_t *word, _Atomic uint32_t *value,
			uint32_t old, uint32_t *nr_slow)
{
	while (*value == old) {
		uint64_t start = ptl_clock_ns(CLOCK_MONOTONIC);

		ptl_wait_announce(word);
		if (*value != old)
			break;
		if (ptl_wait_sleep(word, NULL, 0))
			return 1;
		if (*value != old && *word == 1 &&
		    ptl_clock_ns(CLOCK_MONOTONIC) - start > 15000000)
			++*nr_slow;
	}
	return 0;
}

/* The writer stores its news without a fence, as the record path does. */
static void tell(_Atomic uint32_t *word, _Atomic uint32_t *value)
{
	uint32_t v = atomic_load_explicit(value, memory_order_relaxed);

	atomic_store_explicit(value, v + 1, memory_order_release);
	ptl_wait_wake(word);
}

static int answer(struct proc *self, void *arg)
{
	(void)self, (void)arg;
	for (uint32_t i = 0; i < NR_NEWS; i++) {
		if (await_change(&shared->word, &shared->news, i,
				 &shared->nr_slow))
			return 1;
		tell(&shared->answer_word, &shared->answer);
	}
	return 0;
}

int main(void)
{
	struct proc p;
	uint32_t nr_slow = 0;
	int bad = 0;

	plan(4);
	ptl_clock_init();
	ptl_wait_init();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	proc_start(&p, answer, NULL);
	for (uint32_t i = 0; i < NR_NEWS && !bad; i++) {
		tell(&shared->word, &shared->news);
		bad += await_change(&shared->answer_word, &shared->answer, i,
				    &nr_slow);
	}
	is_int(proc_wait(&p), 0, "the sleeper had all its news");
	is_int(bad, 0, "so had we");
	is_int((long long)shared->answer, NR_NEWS, "%d turns", NR_NEWS);
	/* One may be late on a busy machine. */
	nr_slow += shared->nr_slow;
	ok(nr_slow <= 2, "no wake-up was lost (%u)", nr_slow);
	return done();
}
