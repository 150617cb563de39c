/* SPDX-License-Identifier: MIT */
/* What a launcher of parallel programs said of a process in its environment. */
#ifndef PTL_PRELOAD_SETTINGS_RANK_H
#define PTL_PRELOAD_SETTINGS_RANK_H

#include "core/base.h"

/* Says where a rank was looked for, and not found. */
extern const char ptl_rank_none[];

struct ptl_rank {
	const char *launcher;
	/* Parts of the environment, as they are there; NULL: it says nothing.
	 */
	const char *rank, *size, *job;
};

/* Returns false if there is none. */
bool ptl_rank_find(struct ptl_rank *rank, char *const *envp);

#endif
