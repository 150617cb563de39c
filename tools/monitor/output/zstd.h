/* SPDX-License-Identifier: MIT */
/*
 * Libzstd, for the controller of a trace with --compress alone: no other run of
 * ptrace-run waits until it is loaded.
 */
#ifndef PTL_TOOLS_MONITOR_OUTPUT_ZSTD_H
#define PTL_TOOLS_MONITOR_OUTPUT_ZSTD_H

#include <stdbool.h>
#include <stddef.h>

/* NULL: it is there, now or later; else why not. */
const char *ptl_zstd_load(void);

/* A frame of `size' bytes, with a checksum, into room for ptl_zstd_bound().
 * Returns its size; 0: there is no memory. */
size_t ptl_zstd_pack(void *to, size_t room, const void *from, size_t size);
size_t ptl_zstd_bound(size_t size);

#endif
