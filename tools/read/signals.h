/* SPDX-License-Identifier: MIT */
/* Signals and their handlers by name. */
#ifndef PTL_TOOLS_READ_SIGNALS_H
#define PTL_TOOLS_READ_SIGNALS_H

#include <stdint.h>

/* "SIGTERM"; NULL if there is no such signal.  Valid until the next call. */
const char *ptl_signals_name(int64_t signo);

#endif
