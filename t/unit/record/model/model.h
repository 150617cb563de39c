/* SPDX-License-Identifier: MIT */
/*
 * All ways in which a few threads, their handlers and their deaths can come in
 * between each other: see explore.c.  What they do is in model.c.
 */
#ifndef PTL_T_UNIT_RECORD_MODEL_H
#define PTL_T_UNIT_RECORD_MODEL_H

#include "core/buffer/slot.h"

#include <stdbool.h>
#include <stddef.h>

#define TASKS 3

/* What may come at a point. */
#define MAY_SWITCH 1u /* another task goes on */
#define MAY_HANDLE 2u /* a handler */
#define MAY_DIE 4u    /* the task is no more */
#define MAY_LEAVE 8u  /* a handler leaves the call by siglongjmp() */
#define MAY_FORK 16u  /* a handler forks; the child goes on */

struct scenario {
	const char *name;
	unsigned int may; /* MAY_* */
	int budget;	  /* how many of these in one run */
	int nr_tasks;
	void (*task[TASKS])(int self);
	/* What there is of a task when it begins; made once. */
	void (*setup)(int task, struct ptl_own_thread *thread);
	/* A handler of the task that is running. */
	void (*handler)(int self);
	/* In the child of a fork: at once (-1), and when the task has come to
	 * its end. */
	void (*child)(int self);
	/* It is about to be no more. */
	void (*dies)(int self);
	/* All tasks have ended or are dead: is all as it must be? */
	void (*check)(void);
};

/* Memory that a run begins with as setup() left it. */
void explore_keep(void *memory, size_t size);

/* What of it others than its own thread look at. */
void explore_shared(const volatile void *memory, size_t size);

/* Runs all of them, until one is wrong; how many, and whether all were right.
 */
bool explore(const struct scenario *scenario, unsigned long *runs);

/* A call of the task that is running, during which the rest may come. */
void explore_call(void (*call)(int self));

/* What it has of its own, when all have come to their ends. */
struct ptl_own_thread *explore_thread(int task);

/* Is it dead? */
bool explore_is_dead(int task);
bool explore_was_left(int task);

/* Something is not as it must be; not to be returned from. */
_Noreturn void explore_wrong(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
