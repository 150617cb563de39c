/* SPDX-License-Identifier: MIT */
/*
 * Tables of names that are in no file: of families that nothing traces.  They
 * take nothing of /dev/shm, and are gone with the last process that has them
 * mapped, however it ends.
 *
 * They are System V shared memory, marked for removal when they have hardly
 * been made: Linux lets who knows the number attach it all the same, so a
 * controller of the same user needs no help of the process, which may sleep for
 * ever, nor leave to look into its memory.  Where there is none, or in another
 * IPC namespace, they are found by nobody: then the process itself takes its
 * names along, when it sees that it is traced (core/record/attached_names.h).
 */
#ifndef PTL_CORE_SHM_APART_H
#define PTL_CORE_SHM_APART_H

#include "core/format/names.h"
#include "core/format/registry.h"

/*
 * A new one, of the caller's effective user; NULL: no memory.
 * The caller unmaps sizeof(struct ptl_shm_names) bytes.
 */
struct ptl_shm_names *ptl_apart_make(void);

/* The one of that id, which is a user's.  Returns 0, ENOMEM, or ENOENT: it is
 * gone, or out of reach. */
int ptl_apart_attach(uint32_t uid, uint64_t id, struct ptl_shm_names **names);

#endif
