/* SPDX-License-Identifier: MIT */
/* The processes of a stream: which live, and what the dead could not record.
 * For controllers and analyzers only. */
#ifndef PTL_CORE_CONTROL_PROCESSES_H
#define PTL_CORE_CONTROL_PROCESSES_H

#include "core/shm/map.h"
#include "core/shm/registry.h"
#include "core/sys/usage.h"

/*
 * How many live processes stream `id' traces.  For those that died without
 * recording it, process:exit is recorded in their name.
 */
unsigned int ptl_processes_live(uint32_t uid, uint64_t id);

/* And *unborn: so many of them are children that somebody made a moment ago,
 * and that have not begun. */
unsigned int ptl_processes_expected(uint32_t uid, uint64_t id,
				    unsigned int *unborn);

/* Looks after one in the same way; true if it lives, or if another process is
 * about to record its end. */
bool ptl_processes_check(const struct ptl_registry *reg, int dir,
			 struct ptl_shm_entry *entry, uint64_t key);

/* The registry of that user, to be looked at: the one that we have mapped, if
 * it is that.  Returns as ptl_registry_open(). */
int ptl_processes_open(int dir, uint32_t uid, struct ptl_registry *reg);
void ptl_processes_close(struct ptl_registry *reg);

/* The stream is dead: no process shall refer to it any more. */
void ptl_processes_unname(uint32_t uid, uint64_t id);

/* A child was reaped, its status known or -1: the same for it alone.
 * Elsewhere: it was in another pid namespace, and had another number there. */
void ptl_processes_ended(const struct ptl_shm_ident *ident,
			 const struct ptl_end *end, bool elsewhere);

/* Is that another user's directory?  Root looks at it for a stream of root's
 * in it: what else is there is for that user to look after. */
bool ptl_processes_foreign(uint32_t uid);

#endif
