/* SPDX-License-Identifier: MIT */
/* A child that runs in our memory: vfork, and clone() like it. */
#ifndef PTL_CORE_PROCESS_VFORK_H
#define PTL_CORE_PROCESS_VFORK_H

#include "core/format/registry.h"

/*
 * Makes an entry for a child that runs in our memory and is about to execute
 * that program (ptl_registry_program()), and returns it; NULL: there is none.
 * It executes another one, or ends without exec; at: 1 + the entry's place, 0:
 * it has none.
 */
struct ptl_shm_entry *ptl_vfork_begins(const struct ptl_shm_ident *child,
				       const struct ptl_shm_parent *parent,
				       const char *program);
void ptl_vfork_program(uint32_t child, uint32_t at, const char *program);
void ptl_vfork_ends(const struct ptl_shm_ident *child, uint32_t at);

#endif
