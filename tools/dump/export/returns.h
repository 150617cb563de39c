/* SPDX-License-Identifier: MIT */
/*
 * Which functions have returns recorded (ptrace-run -r): a call of one of them
 * lasts until its call:exit, that of another (-l) is a moment.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_RETURNS_H
#define PTL_TOOLS_DUMP_EXPORT_RETURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/read/source.h"

struct ptl_returns;

struct ptl_returns *ptl_returns_new(void);
void ptl_returns_free(struct ptl_returns *returns);

/*
 * Does the function at this address return, as far as the log says?  The first
 * question about a log reads it from begin to end.
 */
bool ptl_returns_has(struct ptl_returns *returns, struct ptl_source *source,
		     uint64_t callee);

#endif
