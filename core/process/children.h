/* SPDX-License-Identifier: MIT */
/*
 * Did a child come?  A process that joins a stream leaves its number there: a
 * parent that reaps a child can see that it never did.
 */
#ifndef PTL_CORE_PROCESS_CHILDREN_H
#define PTL_CORE_PROCESS_CHILDREN_H

#include "core/format/registry.h"
#include "core/shm/map.h"

/*
 * A child that will join the streams we hand on is about to be made, or was not
 * made after all: until it joins, the stream must not be taken for one without
 * processes.
 */
void ptl_children_expect(bool child);

/* One process more in this stream, of that number.  Expected: one of those that
 * ptl_children_expect() was told of; another must not be taken for one. */
void ptl_children_came(struct ptl_map *map, uint32_t pid, bool expected);

/*
 * A process without an entry that others could find executes that program, or,
 * if it is NULL, has come after all.
 */
void ptl_children_executes(struct ptl_map *map, uint32_t pid, const char *path);

/* Tells of an exec of the caller, in all its streams. */
void ptl_children_execs(const char *path);

/* The child has ended: if it never came, that program is counted as not traced.
 */
void ptl_children_settle(struct ptl_map *map, uint32_t pid, bool came);

/* The child was reaped: if it never came, its program is counted as not traced.
 */
void ptl_children_reaped(const struct ptl_shm_ident *who);

/* Has that process come to a stream of ours by a bridge? */
bool ptl_children_crossed(const struct ptl_shm_ident *who);

/* How many processes have joined the caller's stream so far. */
uint32_t ptl_children_joined(void);

/*
 * The caller has made a child that is to join its streams, and that runs the
 * program at `path', with that parent; NULL: it is a copy of the caller. Before
 * it was made `since' processes had joined.  Async-signal-safe.
 */
void ptl_children_made(uint32_t pid, uint32_t since, const char *path,
		       const struct ptl_shm_parent *parent);

/*
 * A child was reaped.  NEVER: it was one of those that run a program, and
 * certainly did not join.  ELSEWHERE: it was in another pid namespace, and came
 * by another number, if it came.
 */
enum ptl_came { PTL_CAME_PERHAPS, PTL_CAME_NEVER, PTL_CAME_ELSEWHERE };

struct ptl_child {
	_Atomic uint32_t pid; /* 0: none */
	uint32_t before;      /* what stood in its place */
	uint64_t stream;
	struct ptl_shm_parent parent;
	uint64_t called; /* as in struct ptl_shm_entry */
	char path[PTL_ENTRY_PROGRAM];
};

/* NEVER: what was known of it is in *child. */
enum ptl_came ptl_children_came_of(uint32_t pid, struct ptl_child *child);

/* Has one of that number joined the caller's streams?  Not if another that has
 * the same place came since. */
bool ptl_children_has_come(uint32_t pid);

/* See ptl_core_is_traceable(); `note': it is. */
bool ptl_children_traceable(uint64_t file, bool note);

#endif
