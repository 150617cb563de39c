/* SPDX-License-Identifier: MIT */
/*
 * Locks: who waited for which, for how long and where, and who had it then.
 * And other waits for threads: conditions, barriers, ends of threads.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_LOCKS_H
#define PTL_TOOLS_REPORT_MODEL_LOCKS_H

#include "tools/lib/hist.h"
#include "tools/model/model.h"

/* A place where a lock is waited for, or was taken by those who made others
 * wait. */
struct ptl_lock_place {
	struct ptl_lock_place *next; /* of the lock */
	const struct ptl_site *site;
	uint64_t nr;	/* waits; of a holder, each of those that it met */
	uint64_t holds; /* of a holder: how often somebody waited for it */
	int64_t wait;	/* Σ ns */
};

/* An object at an address in an image of a process. */
struct ptl_seen_lock {
	const char *kind; /* "mutex" and so on */
	uint64_t address;
	const struct ptl_process *process;
	const struct ptl_site *first; /* where it was used first */
	/* "&big (prog)" or "+0x4040 (prog)", if it is in a module; or NULL. */
	const char *place;

	uint64_t nr, nr_contended, nr_busy; /* busy: trylock failed */
	struct ptl_hist wait;		    /* of those that were contended */
	int64_t held;			    /* Σ ns; -1: it is not a lock */
	bool is_held_least; /* of some holders no end was seen */
	struct ptl_lock_place *waited, *holders;

	struct ptl_lock_pending *pending; /* NULL: nobody has waited */
	struct ptl_lock_hold *active;	  /* threads that have it */
};

struct ptl_locks;

struct ptl_locks *ptl_locks_new(void);
void ptl_locks_free(struct ptl_locks *locks);
void ptl_locks_learn(struct ptl_locks *locks, const struct ptl_step *step);

/* All of them: NULL behind the last.  First say that there are no events more.
 */
void ptl_locks_end(struct ptl_locks *locks);
const struct ptl_seen_lock *ptl_locks_next(const struct ptl_locks *locks,
					   const struct ptl_seen_lock *lock);

/* The lock that an argument of the event is the address of: "mutex &big
 * (prog)", or by the address; interned. */
const char *ptl_lock_name(const struct ptl_step *step,
			  const struct ptl_arg *arg);

/* Is it waited for, but never held: a condition, a barrier, a thread? */
bool ptl_lock_is_condition(const struct ptl_seen_lock *lock);

#endif
