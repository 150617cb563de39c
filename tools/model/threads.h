/* SPDX-License-Identifier: MIT */
/*
 * The threads of some logs.  One that has ended leaves its place to the next,
 * so that memory grows with how many there are at once.
 */
#ifndef PTL_TOOLS_MODEL_THREADS_H
#define PTL_TOOLS_MODEL_THREADS_H

#include "tools/model/processes.h"

/* Views that keep something for each thread. */
enum ptl_thread_user {
	PTL_THREAD_LOCKS,
	PTL_THREAD_HEAP,
	PTL_THREAD_PAGE,
	PTL_THREAD_USERS
};

struct ptl_call_stack;
struct ptl_userspan;

struct ptl_thread {
	struct ptl_process *process; /* NULL: nobody wanted to know */
	const struct ptl_source *source;
	pid_t tid;
	unsigned int pidns, image;
	const char *name;	      /* NULL: not known */
	struct ptl_call_stack *calls; /* see calls.h; or NULL */
	struct ptl_userspan *span;    /* see userspans.h; or NULL */
	uint64_t life; /* another one for each thread that has this place */
	void *of[PTL_THREAD_USERS];
};

struct ptl_threads;

struct ptl_threads *ptl_threads_new(void);
void ptl_threads_free(struct ptl_threads *threads);

/* The thread of an event of that process, which may be NULL. */
struct ptl_thread *ptl_threads_get(struct ptl_threads *threads,
				   const struct ptl_view *view,
				   struct ptl_process *process);

/* The thread that a thread:name is about; NULL: that is not known. */
struct ptl_thread *ptl_threads_learn_name(struct ptl_threads *threads,
					  const struct ptl_view *view,
					  struct ptl_process *process);

/* All of them, also those that have ended: NULL behind the last. */
struct ptl_thread *ptl_threads_next(struct ptl_threads *threads,
				    struct ptl_thread *thread);

#endif
