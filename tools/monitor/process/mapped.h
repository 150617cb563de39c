/* SPDX-License-Identifier: MIT */
/*
 * A file that a process has mapped, as its loader would describe it.  The file
 * is read, not the process, which others may not look into; it may be another
 * by now, or damaged.
 */
#ifndef PTL_TOOLS_MONITOR_PROCESS_MAPPED_H
#define PTL_TOOLS_MONITOR_PROCESS_MAPPED_H

#include <stdbool.h>

#include "tools/inject/maps.h"

#define PTL_MAPPED_ID 64

struct ptl_mapped_file {
	uint64_t base; /* what addresses of the file are less by */
	uint64_t size;
	uint8_t id_size; /* of its build id; 0: none, or not known */
	unsigned char id[PTL_MAPPED_ID];
};

/* Of the mapping of the file's beginning; false: it is no program and no
 * library, or not that file any more. */
bool ptl_mapped_read(struct ptl_mapped_file *mapped, pid_t pid,
		     const struct ptl_mapping *mapping);

#endif
