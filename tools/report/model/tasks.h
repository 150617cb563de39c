/* SPDX-License-Identifier: MIT */
/*
 * The threads of some logs.  One that has ended leaves its place to the next,
 * so that memory grows with how many there are at once.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_TASKS_H
#define PTL_TOOLS_REPORT_MODEL_TASKS_H

#include "tools/report/model/processes.h"

/* Views that keep something for each thread. */
enum ptl_task_user {
	PTL_TASK_CALLS,
	PTL_TASK_FLAME,
	PTL_TASK_LOCKS,
	PTL_TASK_HEAP,
	PTL_TASK_PAGE,
	PTL_TASK_USERS
};

struct ptl_task {
	struct ptl_process *process;
	pid_t tid;
	unsigned int image;
	uint64_t life; /* another one for each thread that has this place */
	void *of[PTL_TASK_USERS];
};

struct ptl_tasks;

struct ptl_tasks *ptl_tasks_new(void);
void ptl_tasks_free(struct ptl_tasks *threads);

/* The thread of an event of that process. */
struct ptl_task *ptl_tasks_get(struct ptl_tasks *threads,
			       const struct ptl_view *view,
			       struct ptl_process *process);

/* All of them, also those that have ended: NULL behind the last. */
struct ptl_task *ptl_tasks_next(struct ptl_tasks *threads,
				struct ptl_task *thread);

#endif
