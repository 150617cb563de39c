/* SPDX-License-Identifier: MIT */
/*
 * Has a process the library loaded, and is it ours?  By what is in its memory:
 * a file has other names, devices and inodes where it was reached by links and
 * mounts, and none when it was replaced since.
 */
#ifndef PTL_TOOLS_INJECT_LOADED_H
#define PTL_TOOLS_INJECT_LOADED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ptl_injected {
	uintptr_t base; /* 0: it has no libptrace.so, or cannot be read */
	bool is_ours;	/* of the same bytes as the file */
	char name[64];	/* of its file */
};

void ptl_loaded_find(struct ptl_injected *loaded, pid_t pid, const char *file);

/* Where this function of the file is in the process; 0: it has none. */
uintptr_t ptl_loaded_function(const struct ptl_injected *loaded,
			      const char *file, const char *name);

#endif
