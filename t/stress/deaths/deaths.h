/* SPDX-License-Identifier: MIT */
/*
 * The stress of deaths: traced processes, controllers, recoverers and whole
 * containers are killed at random moments, pids are used again, and traces that
 * live beside them must not notice.  What is checked:
 *
 *   - what a recorder was told is recorded, before anybody killed its
 *     controller, is in the log once and in order;
 *   - a process that lives is not told as ended, and of a trace whose
 *     controller lives every process is;
 *   - after one further use nothing of the dead is left.
 *
 *   deaths.c  the rounds, and the traces that live as long as the program
 *   ledger.c  what everybody knows, in shared memory; and who kills whom
 *   world.c   containers: their first process, and their killer
 *   work.c    what a traced process does
 *   means.c   the ways to make another one
 *   judge.c   what must be in the logs
 *   left.c    what is left in /dev/shm and of System V shared memory
 */
#ifndef PTL_T_STRESS_DEATHS_H
#define PTL_T_STRESS_DEATHS_H

#include <trace.h>

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#define DT_TRACES 65536u
#define DT_WORLDS 16384u
#define DT_WRITERS 4194304u
#define DT_NONE UINT32_MAX
#define DT_GUEST 65534u
#define DT_DEPTH 4u
/* What shells and ptrace-run say of the dead is not for reading. */
#define DT_STDERR 99

/* How a trace was judged; the log of one that is right is removed. */
#define DT_WRONG 1u
#define DT_RIGHT 2u
#define DT_REMOVED 3u

/* A trace, with a log in file t.N. */
struct dt_trace {
	/* Its controller may be dead, or be done, from now on: what is recorded
	 * after it may be in the log. */
	_Atomic uint32_t doomed;
	uint32_t world;
	/* A process that makes or is its controller; 0: none. */
	_Atomic uint64_t controller; /* dt_self() */
	uint32_t uid;
	uint32_t judged; /* DT_WRONG ... or 0 */
	_Atomic uint32_t inner;
	_Atomic int why; /* the line that doomed it */
};

/* A container, or DT_NONE's: that of the driver. */
struct dt_world {
	uint32_t parent;
	_Atomic uint32_t ending; /* 1: it may be killed whole at any moment */
	_Atomic uint64_t first;	 /* its first process: dt_self() */
};

/* A thread that records: numbers, from 0 on. */
struct dt_writer {
	uint32_t pid, uid;
	uint32_t pidns;
	/* 1: by no fork of ours; or behind a change of user without an exec:
	 * what cannot be asked of those see core/README. */
	uint8_t unseen, left;
	char how[12];	   /* it was made */
	uint32_t trace[2]; /* DT_NONE: none */
	_Atomic uint32_t begun;
	_Atomic uint32_t sure[2]; /* so many must be in the log of each */
};

struct dt_count {
	_Atomic uint64_t kills, deaths, worlds, worlds_killed, traces, doomed,
		uses, guests, inner, reused, judged, sure, lossy;
};

struct dt_ledger {
	char dir[64];	/* of the logs */
	char self[512]; /* this program */
	char run[512];	/* ptrace-run */
	_Atomic uint32_t stop;
	_Atomic uint32_t failed;
	uint32_t brief; /* 1: nobody waits for a program that does not come */
	uint32_t users; /* 1: programs may change their user */
	uint64_t seed;
	_Atomic uint64_t used; /* CLOCK_BOOTTIME before the last use of all */
	_Atomic uint32_t nr_traces, nr_worlds, nr_writers;
	struct dt_count count;
	struct dt_world world[DT_WORLDS];
	struct dt_trace trace[DT_TRACES];
	struct dt_writer writer[DT_WRITERS];
};

/* The data of each event. */
#define DT_MAGIC 0x7374616564ull
struct dt_mark {
	uint64_t magic;
	uint32_t writer;
	uint32_t number;
};

/* What a process is for. */
struct dt_task {
	const char *how;
	int left;
	uint64_t random;
	uint32_t depth;
	uint32_t world;
	uint32_t trace[2];
};

extern struct dt_ledger *dt;

/* ledger.c */
int dt_ledger_make(void);
int dt_ledger_open(void);
uint64_t dt_random(uint64_t *state);
uint32_t dt_below(uint64_t *state, uint32_t limit);
void dt_nap(uint64_t *state, uint32_t most_us);
uint64_t dt_now(void);
/* This process, in no other's shoes: its pid, and something of its pid
 * namespace. */
uint64_t dt_self(void);
void dt_wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
uint32_t dt_trace_new(uint32_t world);
void dt_trace_log(uint32_t trace, char *path, size_t size);
void dt_trace_doom(uint32_t trace, int why);
uint32_t dt_world_new(uint32_t parent);
/* Its traces, and those of the worlds in it. */
void dt_world_doom(uint32_t world);
/* Is /proc that of our pid namespace? */
int dt_proc_is_ours(void);
/* Is it the controller of a trace, as far as is known? */
int dt_controls(pid_t pid);
/* SIGKILL, when all is noted that may end by it. */
void dt_kill(pid_t pid, uint32_t world);

/* world.c: in a child; returns its pid. */
pid_t dt_world_start(uint64_t random, uint32_t parent);
/* One that nobody kills, with a trace of its own. */
pid_t dt_world_calm(uint64_t random, uint32_t trace);
/* In a user namespace of its own, for this one process; 0, or it cannot be. */
int dt_world_be_root(void);
/* A process that becomes ptrace-run, with this program to trace. */
pid_t dt_world_run(uint32_t trace, const char *what, uint64_t random);
/* A further use of the registry: a stream is created and shut down. */
int dt_use(void);

/* work.c */
struct dt_writer *dt_writer_new(const struct dt_task *task);
void dt_put(struct dt_writer *writer, unsigned int nr);
void dt_work(struct dt_task task) __attribute__((noreturn));
void dt_elder(struct dt_task task) __attribute__((noreturn));
/* A program of its own that does so; returns if exec fails. */
void dt_exec(const char *what, const struct dt_task *task);

/* means.c: one of the ways to make another process that works. */
void dt_beget(struct dt_task *task, struct dt_writer *writer);

/* judge.c: in a process of its own; returns how many things are wrong. */
int dt_judge(uint32_t trace);
/* Is its log complete? */
int dt_judge_complete(uint32_t trace);

/* left.c: makes what is kept for its age look old. */
void dt_left_age(void);
/* How much is left that nobody alive has; says what it is. */
int dt_left(void);

#endif
