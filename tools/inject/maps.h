/* SPDX-License-Identifier: MIT */
/* What /proc/PID shows: mappings, and fields of `status'. */
#ifndef PTL_TOOLS_INJECT_MAPS_H
#define PTL_TOOLS_INJECT_MAPS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct ptl_mapping {
	uintptr_t from, to;
	uintptr_t offset;
	bool is_code;
	bool is_writable;
	ino_t inode;
	char path[PATH_MAX];
};

FILE *ptl_maps_open(pid_t pid, const char *file);

/* The next line of `maps'; false: there is none. */
bool ptl_maps_next(FILE *maps, struct ptl_mapping *mapping);

/* The mapping of that address. */
bool ptl_maps_at(pid_t pid, uintptr_t at, struct ptl_mapping *mapping);

/* The first mapping of the file of that name, in any directory. */
bool ptl_maps_file(pid_t pid, const char *name, struct ptl_mapping *mapping);

/* A field of its status, or of a thread's (file: task/TID/status); base: of the
 * number.  -1: unknown. */
long ptl_maps_status(pid_t pid, const char *file, const char *key, int base);

#endif
