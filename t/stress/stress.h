/* SPDX-License-Identifier: MIT */
/*
 * The stress program: processes with threads and signal handlers record
 * numbered events into streams that are controlled at random and read live.
 * What can be told exactly is checked: every event's bytes, each thread's
 * order and time, and that whatever is missing is missing for a reason that
 * the stream itself shows.
 *
 *   worker.c   the traced processes
 *   check.c    judges events, of a stream or of a log
 *   control.c  the streams: their controller and their readers
 *   stress.c   processes and phases
 *
 * An event's size and contents follow from its writer and number, and what
 * each writer has recorded stands in shared memory, so that a reader knows
 * what must come.
 */
#ifndef PTL_T_STRESS_H
#define PTL_T_STRESS_H

#include <trace.h>

#include <stdatomic.h>
#include <stdint.h>

/*
 * In a child of a process that has threads ThreadSanitizer knows nothing of its
 * threads, and AddressSanitizer waits for locks that others had: then the only
 * process is the controller's own.
 */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define NR_PROCESSES 1
#define WITH_FORK 0
#else
#define NR_PROCESSES 4
#define WITH_FORK 1
#endif
#define NR_THREADS 8
#define NR_STREAMS 3
#define NR_LEVELS 3 /* a thread, its handler, the handler of that */
#define NR_WORKERS 256
#define MAX_SIZE 300
#define NO_STREAM 0xffffffffu

enum { LOOP, UNTIL_FULL, LOGGED };

/* What the workers do. */
enum phase {
	FLOOD, /* all they can, and anything may happen to the streams */
	MIXED, /* so that readers keep up, and anything may happen */
	CALM,  /* never more than the streams hold; all that is recorded arrives
		*/
	PAUSE, /* nothing */
	QUIT,
};

/* A thread that lives as long as its process, and its handlers. */
struct writer {
	_Atomic int tid; /* 0: not yet */
	_Atomic unsigned long thread;
	_Atomic unsigned int paused; /* the pause it has seen */
	/* Events begun and events certainly recorded. */
	_Atomic uint64_t begun[NR_LEVELS];
	_Atomic uint64_t done[NR_LEVELS];
};

/* A process: an entry is used again when no stream knows it any more. */
struct worker {
	_Atomic int pid; /* 0: the entry is free */
	_Atomic int dead;
	/* Bit of each stream that surely traces it. */
	_Atomic unsigned int members;
	_Atomic int64_t born; /* CLOCK_REALTIME, ns: before its first event */
	struct writer writer[NR_THREADS];
	/* Makes threads that record something and end, one by one. */
	_Atomic unsigned int maker_paused;
};

struct shared {
	_Atomic int phase;
	_Atomic unsigned int pause; /* counts the pauses */
	_Atomic int failed;
	/* In CALM: user events recorded, and read, since it began. */
	_Atomic uint64_t recorded[NR_STREAMS];
	_Atomic uint64_t read[NR_STREAMS];
	_Atomic uint64_t limit[NR_STREAMS];
	struct worker worker[NR_WORKERS];
};

extern struct shared *st;
extern uint64_t st_seed;
extern int st_verbose;
extern trace_event_id_t st_id[NR_LEVELS];
/* Of the threads that end: their order and number are not looked at. */
extern trace_event_id_t st_brief_id;
#define BRIEF_SLOT 15
#define BRIEF_LEVEL 15

/* Tells what is wrong and lets everything come to its end. */
void st_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void st_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

uint64_t st_random(uint64_t *state);
unsigned int st_below(uint64_t *state, unsigned int limit);
int64_t st_now(clockid_t clock);

/* worker.c: the size of an event, and its first `size' bytes. */
size_t st_event_size(int pid, int slot, int level, uint64_t seq);
void st_event_fill(unsigned char *data, size_t size, int pid, int slot,
		   int level, uint64_t seq);
/* Until told to QUIT. */
void st_worker(struct worker *self);
/* Is it an address from which the events are recorded? */
int st_is_caller(const void *addr);

/* check.c */
struct checker;
struct checker *st_checker_new(unsigned int stream, int loops, size_t max_data);
void st_checker_free(struct checker *c);
void st_check(struct checker *c, const struct posix_trace_event_info *info,
	      const unsigned char *data, size_t size);
/* All was read and nobody records: has everything arrived? */
void st_check_tails(struct checker *c);
/* The stream was cleared. */
void st_checker_cleared(struct checker *c);
/* The same, and that this is its state should have been told.  If `calm',
 * nothing may be lost from now on. */
void st_checker_sync(struct checker *c, int running,
		     const trace_event_set_t *filter, int calm);
/* User events judged, and events found missing for a reason. */
uint64_t st_checker_events(const struct checker *c);
uint64_t st_checker_missing(const struct checker *c);

/* control.c */
void st_control_begin(uint64_t seed);
void st_control_step(void);
void st_control_calm_step(void);
void st_control_fork(struct worker *w); /* runs st_worker(w) */
/* Everybody pauses: reads all there is, and judges. */
void st_control_settle(void);
void st_control_calm(int calm);
void st_control_end(void);
void st_control_summary(void);

/* stress.c: the whole; returns 0 if nothing was wrong. */
int st_run(unsigned int seconds, uint64_t seed);

#endif
