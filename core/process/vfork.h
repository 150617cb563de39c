/* SPDX-License-Identifier: MIT */
/* A child that runs in our memory: vfork, and clone() like it. */
#ifndef PTL_CORE_PROCESS_VFORK_H
#define PTL_CORE_PROCESS_VFORK_H

#include "core/format/registry.h"

/*
 * A entry for a child that runs in our memory and is about to execute that
 * program (ptl_registry_program()), for the caller to unmap, or NULL; it
 * executes another one, or ends without exec.
 */
struct ptl_shm_entry *ptl_vfork_begins(const struct ptl_shm_ident *child,
				       const struct ptl_shm_parent *parent,
				       const char *program);
void ptl_vfork_program(uint32_t child, uint32_t pidns, const char *program);
void ptl_vfork_ends(uint32_t child, uint32_t pidns);

#endif
