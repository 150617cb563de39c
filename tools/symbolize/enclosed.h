/* SPDX-License-Identifier: MIT */
/*
 * What logs keep of programs and libraries (ptrace-run --symbols), so that
 * there are names where the files are gone; libptrace-format(5), Symbols.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_ENCLOSED_H
#define PTL_TOOLS_SYMBOLIZE_ENCLOSED_H

#include <stdbool.h>
#include <sys/types.h>
#include <trace.h>

/* Of a log that is open, and stays so: its programs are found in it before all
 * others (find.h).  How many programs, and JITs' lists, it has; or -1 with
 * errno: that cannot be read. */
int ptl_enclosed_learn(trace_id_t trid);

/* What a JIT has said of its code in the process, /tmp/perf-PID.map: a file of
 * the caller's, or -1.  Of several that logs have none. */
int ptl_enclosed_map(pid_t pid);

/* Does any log have one? */
bool ptl_enclosed_has_maps(void);

#endif
