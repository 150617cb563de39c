/* SPDX-License-Identifier: MIT */
/*
 * Code that a process makes at run time, and that has samples: what it is
 * called, the process may say in a file, perf-PID.map or a jitdump.  It is read
 * when the process ends, since many write it only then.
 */
#ifndef PTL_TOOLS_SAMPLER_MADE_H
#define PTL_TOOLS_SAMPLER_MADE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/lib/hash.h"

/* Of a process; all zero: none has samples as yet. */
struct ptl_sampled_made {
	bool is_begun;
	uint64_t when; /* of the first sample */
	pid_t inner;   /* the process, by the number that it has for itself */
	uid_t owner;   /* whose it is */
	int tmp, dump; /* its /tmp, and its jitdump; -1: there is none */
	struct ptl_hash seen; /* addresses */
};

/* Nothing is read of a map with another name. */
bool ptl_made_is_dump(const char *path);

/* A jitdump is mapped to say that it is one. */
void ptl_made_dump(struct ptl_sampled_made *made, pid_t pid, const char *path);

/* An address in it is part of a sample. */
void ptl_made_add(struct ptl_sampled_made *made, pid_t pid, uint64_t when,
		  uint64_t address);

/* Tells the names of what has samples, as of that process and image, and
 * forgets all. */
void ptl_made_tell(struct ptl_sampled_made *made, pid_t pid,
		   unsigned int image);

#endif
