/* SPDX-License-Identifier: MIT */
/* A copy of a log, where the log itself cannot be used as it is. */
#ifndef PTL_CORE_LOG_SPOOL_H
#define PTL_CORE_LOG_SPOOL_H

#include "core/base.h"

/*
 * A descriptor of a file without a name that has everything fd has to give:
 * from the beginning of its file, or, `as_it_comes', what can be read from now
 * on, as from a pipe.  A negative errno if it cannot be; -EINVAL as soon as it
 * is clear that it is no log, for some devices have no end.
 */
int ptl_spool(int fd, bool as_it_comes);

#endif
