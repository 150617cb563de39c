/* SPDX-License-Identifier: MIT */
/* The whole: processes come and are killed, phases follow on each other. */
#include "t/stress/stress.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_NS INT64_C(20000000000)
/* Of one process: its block, names, streams, and what is about to go. */
#define MAX_MAPPINGS 24

struct shared *st;
uint64_t st_seed;
int st_verbose;
trace_event_id_t st_id[NR_LEVELS], st_brief_id;

static uint64_t main_random;
static struct worker *live[NR_PROCESSES];
static unsigned int fds_at_first[NR_WORKERS];
static unsigned int most_mappings;
static _Atomic unsigned int control_paused;
static unsigned long nr_kills, nr_forks, nr_phases[QUIT];

static void say(const char *head, const char *fmt, va_list ap)
{
	char text[400];
	int n = snprintf(text, sizeof(text), "# stress: %s", head);

	n += vsnprintf(text + n, sizeof(text) - (size_t)n - 1, fmt, ap);
	n = n < (int)sizeof(text) - 1 ? n : (int)sizeof(text) - 2;
	text[n++] = '\n';
	if (write(STDERR_FILENO, text, (size_t)n) < 0)
		return;
}

void st_fail(const char *fmt, ...)
{
	va_list ap;

	/* The first tells most. */
	if (st->failed++ > 0)
		return;
	va_start(ap, fmt);
	say("WRONG: ", fmt, ap);
	va_end(ap);
}

void st_say(const char *fmt, ...)
{
	va_list ap;

	if (st->failed > 1 && fmt[0] == ' ')
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

uint64_t st_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

unsigned int st_below(uint64_t *state, unsigned int limit)
{
	return (unsigned int)(st_random(state) % limit);
}

int64_t st_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void nap(long ns)
{
	struct timespec time = {0, ns};

	nanosleep(&time, NULL);
}

/* ---- processes ---------------------------------------------------- */

static struct worker *free_entry(void)
{
	/* The first is that of the process that is never killed. */
	for (int i = 0; i < NR_WORKERS; i++)
		if (!st->worker[i].pid ||
		    (i && st->worker[i].dead && !st->worker[i].members))
			return &st->worker[i];
	return NULL;
}

static void fork_worker(int n)
{
	struct worker *w = free_entry();

	if (!w)
		return;
	memset(w, 0, sizeof(*w));
	fds_at_first[w - st->worker] = 0;
	st_control_fork(w);
	nr_forks++;
	live[n] = w;
}

/* Dead processes are replaced; nobody may die by himself. */
static void reap(int again)
{
	for (int n = 0; n < NR_PROCESSES; n++) {
		int status;

		if (WITH_FORK && live[n] &&
		    waitpid(live[n]->pid, &status, WNOHANG) > 0) {
			if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
				st_fail("pid %d died, status %x", live[n]->pid,
					(unsigned int)status);
			live[n]->dead = 1;
			live[n] = NULL;
		}
		if (!live[n] && again)
			fork_worker(n);
	}
}

static void maybe_kill(void)
{
	/* The first is for streams that trace one process only. */
	unsigned int n = st_below(&main_random, NR_PROCESSES);

	if (n == 0 || !live[n] || !free_entry())
		return;
	kill(live[n]->pid, SIGKILL);
	nr_kills++;
}

/* ---- what a process has ------------------------------------------- */

static unsigned int count_fds(int pid)
{
	char path[64];
	unsigned int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static unsigned int count_mappings(int pid)
{
	char line[512];
	unsigned int n = 0;
	FILE *maps;

	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	maps = fopen(line, "r");
	while (maps && fgets(line, sizeof(line), maps))
		n += strstr(line, "/ptrace-") != NULL;
	if (maps)
		fclose(maps);
	return n;
}

/* A handler's event may be opening a new stream just now: that passes. */
static unsigned int settled_fds(const struct worker *w)
{
	unsigned int limit = fds_at_first[w - st->worker];
	unsigned int fds = count_fds(w->pid);

	for (int tries = 0; limit && fds > limit && tries < 1000; tries++) {
		nap(1000000);
		fds = count_fds(w->pid);
	}
	return fds;
}

static void check_growth(void)
{
	for (int n = 0; n < NR_PROCESSES; n++) {
		struct worker *w = live[n];
		unsigned int fds, mappings;

		/* In our own process others may be just opening some. */
		if (!w || !WITH_FORK)
			continue;
		fds = settled_fds(w);
		mappings = count_mappings(w->pid);
		if (!fds_at_first[w - st->worker])
			fds_at_first[w - st->worker] = fds;
		if (fds > fds_at_first[w - st->worker])
			st_fail("pid %d has %u descriptors, had %u", w->pid,
				fds, fds_at_first[w - st->worker]);
		if (mappings > MAX_MAPPINGS)
			st_fail("pid %d has %u mappings of ours", w->pid,
				mappings);
		if (mappings > most_mappings)
			most_mappings = mappings;
	}
}

/* ---- phases ------------------------------------------------------- */

static int is_paused(void)
{
	if (control_paused != st->pause)
		return 0;
	for (int n = 0; n < NR_PROCESSES; n++) {
		if (live[n] && live[n]->maker_paused != st->pause)
			return 0;
		for (int i = 0; live[n] && i < NR_THREADS; i++)
			if (live[n]->writer[i].paused != st->pause)
				return 0;
	}
	return 1;
}

static void pause_all(void)
{
	int64_t begin = st_now(CLOCK_MONOTONIC);

	/* Who sees the new pause sees that it is one, and so do the handlers
	 * over him. */
	st->phase = PAUSE;
	st->pause++;
	while (!is_paused()) {
		reap(0);
		nap(1000000);
		if (st_now(CLOCK_MONOTONIC) - begin > PATIENCE_NS) {
			st_fail("somebody does not pause");
			return;
		}
	}
	reap(0);
}

static void run_phase(enum phase phase, int64_t end)
{
	st->phase = phase;
	nr_phases[phase]++;
	while (!st->failed && st_now(CLOCK_MONOTONIC) < end) {
		if (st_below(&main_random, 20) == 0)
			maybe_kill();
		reap(1);
		nap(1000000 + (long)st_below(&main_random, 5000000));
	}
}

static void *control_main(void *arg)
{
	while (st->phase != QUIT) {
		switch (st->phase) {
		case FLOOD:
		case MIXED:
			st_control_step();
			break;
		case CALM:
			st_control_calm_step();
			break;
		default:
			control_paused = st->pause;
			nap(1000000);
		}
	}
	return arg;
}

static void one_round(int64_t end)
{
	enum phase phase = (enum phase)st_below(&main_random, 3);
	int64_t until = st_now(CLOCK_MONOTONIC) +
			INT64_C(1000000) * (50 + st_below(&main_random, 300));

	if (phase == CALM)
		st_control_calm(1);
	run_phase(phase, until < end ? until : end);
	pause_all();
	if (phase == CALM && !st->failed)
		st_control_calm(0);
	if (!st->failed)
		st_control_settle();
	if (!st->failed)
		check_growth();
	reap(!st->failed);
}

static void end_workers(void)
{
	st->phase = QUIT;
	for (int n = 0; n < NR_PROCESSES; n++) {
		int status = 0;

		if (!WITH_FORK || !live[n])
			continue;
		if (st->failed)
			kill(live[n]->pid, SIGKILL);
		if (waitpid(live[n]->pid, &status, 0) < 0 ||
		    (status && !st->failed && WTERMSIG(status) != SIGKILL))
			st_fail("pid %d ended with %x", live[n]->pid,
				(unsigned int)status);
	}
}

int st_run(unsigned int seconds, uint64_t seed)
{
	static const char *const names[] = {"stress level 0", "stress level 1",
					    "stress level 2"};
	int64_t end = st_now(CLOCK_MONOTONIC) + seconds * INT64_C(1000000000);
	pthread_t control;

	st = mmap(NULL, sizeof(*st), PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (st == MAP_FAILED)
		return 1;
	st_seed = main_random = seed;
	st_say("seed %llu", (unsigned long long)seed);
	for (int level = 0; level < NR_LEVELS; level++)
		posix_trace_eventid_open(names[level], &st_id[level]);
	posix_trace_eventid_open("stress brief", &st_brief_id);
	st->phase = PAUSE;
	st_control_begin(st_random(&main_random));
	pthread_create(&control, NULL, control_main, NULL);
	reap(1);
	do
		one_round(end);
	while (!st->failed && st_now(CLOCK_MONOTONIC) < end);
	st_control_end();
	pthread_join(control, NULL);
	end_workers();
	st_control_summary();
	st_say("%lu forks, %lu kills, %lu/%lu/%lu phases flood/mixed/calm, at "
	       "most %u mappings in a process",
	       nr_forks, nr_kills, nr_phases[FLOOD], nr_phases[MIXED],
	       nr_phases[CALM], most_mappings);
	if (st->failed)
		st_say("FAILED; again with SEED=%llu",
		       (unsigned long long)seed);
	return st->failed != 0;
}
