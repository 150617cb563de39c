/* SPDX-License-Identifier: MIT */
/*
 * Files of programs and libraries whose names the log is to keep (--symbols).
 * A process that has one mapped hands it over (core/format/patches.h), so it is
 * there in the end though nobody else could open it any more: removed,
 * replaced, in a container.
 */
#ifndef PTL_TOOLS_MONITOR_SYMBOLS_KEPT_H
#define PTL_TOOLS_MONITOR_SYMBOLS_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct ptl_keeping_file {
	struct stat status; /* when it came */
	char *path;	    /* that the process had it by */
	int fd;
};

struct ptl_keeping {
	struct ptl_keeping_file *file;
	size_t nr, room, most;
	uint64_t begun; /* CLOCK_REALTIME, s: older names of JITs are others' */
	int error;	/* of writing them */
	bool is_all;	/* not only what is gone in the end */
};

void ptl_kept_begin(struct ptl_keeping *kept, const char *which);

/* Takes the file, unless there are too many. */
void ptl_kept_take(struct ptl_keeping *kept, const char *path, int fd);

/* Encloses in the complete log what is needed: in a process of its own, for the
 * files are foreign bytes.  Returns why not all is, or 0. */
int ptl_kept_enclose(struct ptl_keeping *kept, int log_fd);

#endif
