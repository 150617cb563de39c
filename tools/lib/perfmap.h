/* SPDX-License-Identifier: MIT */
/*
 * Names of code that a program makes at run time, as it says itself, to perf:
 * in the text file /tmp/perf-PID.map, or in a jitdump, jit-PID.dump.  They are
 * written by others: what makes no sense is left out.
 */
#ifndef PTL_TOOLS_LIB_PERFMAP_H
#define PTL_TOOLS_LIB_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ptl_perfmap_name {
	uint64_t start, size;
	const char *name;
	size_t order; /* of being written: the later one holds */
	bool is_told; /* the caller's */
};

/* All zero: empty. */
struct ptl_perfmap {
	struct ptl_perfmap_name *name; /* by start, once one was looked for */
	size_t nr, room;
	bool is_sorted;
	struct ptl_perfmap_text *text; /* that the names are in */
};

/*
 * A file that has names of a process: a regular file of that owner's, or of
 * ours, and no link; -1: there is none.  perf-PID.map in a directory, of the
 * number that the process knows of itself; and one with any name.
 */
int ptl_perfmap_open(int dir, pid_t pid, uid_t owner);
int ptl_perfmap_open_path(int dir, const char *path, uid_t owner);

/* Adds what is in the file, as it is now, 64 MiB of it at most: of one that
 * begins as a jitdump does its names, else lines "START SIZE NAME" in
 * hexadecimal. */
void ptl_perfmap_read(struct ptl_perfmap *map, int fd);

/* What contains this byte; NULL: nothing. */
struct ptl_perfmap_name *ptl_perfmap_find(struct ptl_perfmap *map,
					  uint64_t address);

void ptl_perfmap_clear(struct ptl_perfmap *map);

#endif
