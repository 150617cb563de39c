/* SPDX-License-Identifier: MIT */
/* The file that a log goes to, opened so that nothing else comes to harm. */
#ifndef PTL_CORE_CONTROL_LOGOPEN_H
#define PTL_CORE_CONTROL_LOGOPEN_H

#include "core/base.h"

/*
 * Opens the file for a log, as posix_trace_create_logfile_np() has it.  Returns
 * the descriptor or a negative errno.
 */
int ptl_logopen(const char *path, int flags);

#endif
