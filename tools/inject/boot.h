/* SPDX-License-Identifier: MIT */
/* The recorder of static programs, as a process that has stopped at its exec
 * begins with it. */
#ifndef PTL_TOOLS_INJECT_BOOT_H
#define PTL_TOOLS_INJECT_BOOT_H

#include <stdbool.h>
#include <sys/types.h>

/* Is its file there, beside the running program? */
bool ptl_boot_is_there(void);

/* Is there room in the program of that file for what it begins with? */
bool ptl_boot_has_room(int file);

/* In a process that is stopped there; if it cannot be, nothing is changed.
 * is_clean: core/format/patches.h. */
void ptl_boot_put(pid_t pid, bool is_clean);

#endif
