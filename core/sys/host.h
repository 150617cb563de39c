/* SPDX-License-Identifier: MIT */
/* The machine that we run on. */
#ifndef PTL_CORE_SYS_HOST_H
#define PTL_CORE_SYS_HOST_H

#include "core/format/layout.h"
#include "core/format/logfile.h"

/* Fills in all but the check.  The clock's offset, which is there, is taken out
 * if it is that of a time namespace, or may be. */
void ptl_host_ask(struct ptl_log_host *host);

#endif
