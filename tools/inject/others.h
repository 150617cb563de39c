/* SPDX-License-Identifier: MIT */
/*
 * All threads of a process but one that is held already (thread.h), stopped for
 * as long as it takes to change code.  If we are killed meanwhile they go on as
 * if they had not been stopped.
 */
#ifndef PTL_TOOLS_INJECT_OTHERS_H
#define PTL_TOOLS_INJECT_OTHERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#include "tools/inject/thread.h"

#define PTL_OTHERS_MAX 8192

struct ptl_others {
	const struct ptl_inject_thread *held;
	size_t nr;
	struct ptl_other {
		pid_t tid;
		struct user_regs_struct regs;
	} thread[PTL_OTHERS_MAX];
};

/* NULL; or why not, and all go on. */
const char *ptl_others_stop(struct ptl_others *others,
			    const struct ptl_inject_thread *held);
void ptl_others_go(struct ptl_others *others);

#endif
