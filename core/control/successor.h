/* SPDX-License-Identifier: MIT */
/*
 * Another controller for a stream whose controller was killed, by the log that
 * it writes.  A guardian keeps the stream until there is one.
 */
#ifndef PTL_CORE_CONTROL_SUCCESSOR_H
#define PTL_CORE_CONTROL_SUCCESSOR_H

#include "core/base.h"

#include <trace.h>

/* The stream is not given up while this process lives.  Return as the functions
 * of <trace.h>. */
int ptl_successor_guard(int fd);

/* The stream is this process's from now on. */
int ptl_successor_take(int fd, trace_id_t *trid);

#endif
