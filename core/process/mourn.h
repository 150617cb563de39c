/* SPDX-License-Identifier: MIT */
/*
 * What a dead process could not record any more: its birth, if it was killed so
 * early, and its end.
 */
#ifndef PTL_CORE_PROCESS_MOURN_H
#define PTL_CORE_PROCESS_MOURN_H

#include "core/shm/registry.h"
#include "core/sys/usage.h"

/* What the key of an entry says that the caller has FOUND: its thread, of which
 * the kernel has no larger ids, and something of its pid namespace. */
#define PTL_MOURNER_BITS 22
uint32_t ptl_mourner(void);

/*
 * Records the end of a dead process in all its streams, and gives its entry
 * back.  One finder at a time; if that is killed another follows, for what was
 * recorded is marked.
 */
void ptl_mourn(const struct ptl_registry *reg, int dir,
	       struct ptl_shm_entry *entry, uint64_t key,
	       const struct ptl_end *end);

/* Mourns one that had the caller's pid, in the caller's registry. */
void ptl_mourn_namesake(struct ptl_shm_entry *entry, uint64_t key);

/* Records in the stream of reference i what the process, `who', could not.
 * False: that cannot be mapped now. */
bool ptl_mourn_in(int dir, uint32_t uid, struct ptl_shm_entry *entry,
		  const struct ptl_shm_ident *who, unsigned int i,
		  const struct ptl_end *end);

/* Mourns a child of ours without an entry, which never joined, in our
 * streams; program: what it executed, or "": of such a one nothing is told yet,
 * also where it would not be traced.  Called: as in struct ptl_shm_entry. */
void ptl_mourn_unseen(const struct ptl_shm_parent *parent, uint64_t called,
		      const struct ptl_shm_ident *who, const char *program,
		      const struct ptl_end *end);

#endif
