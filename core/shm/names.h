/* SPDX-License-Identifier: MIT */
/*
 * The event type names of a family of processes: a segment shared through
 * fork.  Insertion is lock-free and survives a kill at any instruction; a
 * name, once in, never changes.  Nothing here trusts the segment's contents.
 */
#ifndef PTL_CORE_SHM_NAMES_H
#define PTL_CORE_SHM_NAMES_H

#include "core/format/names.h"

/* Makes a fresh table of the zeroed segment at `names'. */
void ptl_names_init(struct ptl_shm_names *names, uint64_t id);

/*
 * The id of a name, inserted if it is not there.  Returns 0, ENAMETOOLONG,
 * ENOSPC if the table is full, ESTALE if it is closed, or ENOMEM if it must
 * grow first: see ptl_family_grow().  Async-signal-safe; takes no lock, makes
 * no system call.
 */
int ptl_names_open(struct ptl_shm_names *names, const char *name, uint32_t *id);

/* ptl_names_open() with fields, not "", which it gets if it was not there
 * before. */
int ptl_names_open_fields(struct ptl_shm_names *names, const char *name,
			  const char *fields, uint32_t *id);

/* Copies those of an id, "" if it has none, into PTL_NAME_SIZE bytes. */
void ptl_names_fields(struct ptl_shm_names *names, uint32_t id, char *buf);

/* ptl_names_open() by a controller, for all processes of the family. */
int ptl_names_give(struct ptl_shm_names *names, const char *name, uint32_t *id);
bool ptl_names_given(struct ptl_shm_names *names, uint32_t id);

/* The id of a name that is there, or 0. */
uint32_t ptl_names_find(struct ptl_shm_names *names, const char *name);

/*
 * Copies the name of a user event id, with its null, into buf of
 * PTL_NAME_SIZE bytes.  Returns 0 or EINVAL (no such id, damaged entry).
 */
int ptl_names_get(struct ptl_shm_names *names, uint32_t id, char *buf);

/* How many ids are taken: they are PTL_ID_FIRST_USER and up. */
uint32_t ptl_names_count(struct ptl_shm_names *names);

/* Is there memory for the first PTL_NAMES_FEW only? */
bool ptl_names_are_few(struct ptl_shm_names *names);

/* No more names: what is there now is all that there will be. */
void ptl_names_close(struct ptl_shm_names *names);

/* Of a copy that nobody else has: it goes nowhere, and may get more. */
void ptl_names_reopen(struct ptl_shm_names *names);

/* Notes that a process has opened so many names that were not given. */
void ptl_names_note_most(struct ptl_shm_names *names, uint32_t nr);

/* Predefined (system) types: name and fields, or NULL if there is none. */
const char *ptl_sysevent_name(uint32_t id);
const char *ptl_sysevent_fields(uint32_t id);

/* The next predefined id after `id' (0: the first), or 0. */
uint32_t ptl_sysevent_next(uint32_t id);

/* Is it of a family of ours, or of the standard's own? */
bool ptl_sysevent_owns(const char *name);

/* The predefined id of that name, or 0. */
uint32_t ptl_sysevent_find(const char *name);

#endif
