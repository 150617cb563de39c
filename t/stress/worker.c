/* SPDX-License-Identifier: MIT */
/* The traced processes: threads that record, and their handlers. */
#include "t/stress/stress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a handler needs to know of its thread. */
struct me {
	struct worker *worker;
	struct writer *writer;
	int slot;
	uint64_t random[NR_LEVELS];
};

static __thread struct me *me;

static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 27;
	x *= UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint64_t event_seed(int pid, int slot, int level, uint64_t seq)
{
	return mix(mix((uint64_t)pid << 8 | (unsigned int)slot << 4 |
		       (unsigned int)level) ^
		   seq);
}

size_t st_event_size(int pid, int slot, int level, uint64_t seq)
{
	return event_seed(pid, slot, level, seq) % (MAX_SIZE + 1);
}

void st_event_fill(unsigned char *data, size_t size, int pid, int slot,
		   int level, uint64_t seq)
{
	uint64_t seed = event_seed(pid, slot, level, seq);
	uint64_t word[2] = {seq, (uint64_t)pid << 32 | (unsigned int)slot << 8 |
					 (unsigned int)level};

	for (size_t at = 0; at < size; at += 8) {
		uint64_t value =
			at < sizeof(word) ? word[at / 8] : mix(seed + at);

		memcpy(data + at, &value, size - at < 8 ? size - at : 8);
	}
}

/* In CALM no more than the streams hold. */
static int may_record(const struct worker *worker)
{
	for (unsigned int s = 0; st->phase == CALM && s < NR_STREAMS; s++)
		if (worker->members >> s & 1 &&
		    st->recorded[s] > st->read[s] + st->limit[s])
			return 0;
	return 1;
}

static void count(const struct worker *worker)
{
	for (unsigned int s = 0; s < NR_STREAMS; s++)
		if (worker->members >> s & 1)
			st->recorded[s]++;
}

static __attribute__((noinline)) void put(int level)
{
	struct writer *writer = me->writer;
	int pid = me->worker->pid;
	unsigned char data[MAX_SIZE + 8];
	uint64_t seq;
	size_t size;

	if (st->phase == CALM)
		count(me->worker);
	seq = writer->begun[level]++;
	size = st_event_size(pid, me->slot, level, seq);
	st_event_fill(data, size, pid, me->slot, level, seq);
	posix_trace_event(st_id[level], data, size);
	writer->done[level]++;
}

int st_is_caller(const void *addr)
{
	return (uintptr_t)addr - (uintptr_t)put < 4096;
}

static void handler(int sig)
{
	int saved = errno, level = sig - SIGRTMIN + 1;
	unsigned int nr;

	if (me) {
		nr = 1 + st_below(&me->random[level], 20);
		while (nr-- && st->phase < PAUSE && may_record(me->worker))
			put(level);
	}
	errno = saved;
}

static void nap(long ns)
{
	struct timespec time = {0, ns};

	nanosleep(&time, NULL);
}

/* False: the user has too many signals pending just now. */
static int make_timer(timer_t *timer, int level, int tid)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGRTMIN + level - 1,
	};
	long ns = 100000 + (long)st_below(&me->random[0], 3000000);
	struct itimerspec often = {{0, ns}, {0, ns}};

	event._sigev_un._tid = tid;
	if (timer_create(CLOCK_MONOTONIC, &event, timer))
		return 0;
	timer_settime(*timer, 0, &often, NULL);
	return 1;
}

static void record_some(void)
{
	unsigned int nr = 1 + st_below(&me->random[0], 50);

	while (nr-- && st->phase < PAUSE && may_record(me->worker))
		put(0);
	switch (st->phase) {
	case MIXED:
		nap(1000000);
		break;
	case CALM:
		nap(200000);
		break;
	case PAUSE:
		/* No handler of ours is under way now, and those that come
		 * see the phase. */
		me->writer->paused = st->pause;
		nap(1000000);
		break;
	}
}

static void *thread_main(void *arg)
{
	struct me *self = arg;
	int tid = (int)syscall(SYS_gettid), has_timer[NR_LEVELS];
	timer_t timer[NR_LEVELS];
	sigset_t all;

	self->writer->thread = (unsigned long)pthread_self();
	self->writer->tid = tid;
	me = self;
	for (int level = 1; level < NR_LEVELS; level++)
		has_timer[level] = make_timer(&timer[level], level, tid);
	while (st->phase != QUIT)
		record_some();
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int level = 1; level < NR_LEVELS; level++)
		if (has_timer[level])
			timer_delete(timer[level]);
	return NULL;
}

/* A thread that ends soon. */
static void *brief_main(void *arg)
{
	struct me *self = arg;
	unsigned char data[MAX_SIZE + 8];
	int pid = self->worker->pid;

	for (unsigned int nr = st_below(&self->random[0], 10);
	     nr && st->phase < PAUSE && may_record(self->worker); nr--) {
		uint64_t seq = st_random(&self->random[0]);
		size_t size = st_event_size(pid, BRIEF_SLOT, BRIEF_LEVEL, seq);

		if (st->phase == CALM)
			count(self->worker);
		st_event_fill(data, size, pid, BRIEF_SLOT, BRIEF_LEVEL, seq);
		posix_trace_event(st_brief_id, data, size);
	}
	return NULL;
}

static void *maker_main(void *arg)
{
	struct me *self = arg;

	while (st->phase != QUIT) {
		pthread_t thread;

		if (st->phase == PAUSE)
			self->worker->maker_paused = st->pause;
		else if (pthread_create(&thread, NULL, brief_main, self) == 0)
			pthread_join(thread, NULL);
		nap(1000000);
	}
	return NULL;
}

static void set_up(struct me *self, struct worker *worker, int slot,
		   uint64_t *random)
{
	self->worker = worker;
	self->slot = slot;
	for (int level = 0; level < NR_LEVELS; level++)
		self->random[level] = st_random(random);
}

void st_worker(struct worker *self)
{
	static struct me mine[NR_THREADS + 1];
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART};
	uint64_t random = st_seed ^ (uint64_t)self->pid;
	pthread_t thread[NR_THREADS + 1];

	for (int level = 1; level < NR_LEVELS; level++)
		sigaction(SIGRTMIN + level - 1, &action, NULL);
	for (int i = 0; i <= NR_THREADS; i++) {
		set_up(&mine[i], self, i, &random);
		if (i < NR_THREADS)
			mine[i].writer = &self->writer[i];
		pthread_create(&thread[i], NULL,
			       i < NR_THREADS ? thread_main : maker_main,
			       &mine[i]);
	}
	for (int i = 0; i <= NR_THREADS; i++)
		pthread_join(thread[i], NULL);
}
