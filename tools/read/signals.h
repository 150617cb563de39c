/* SPDX-License-Identifier: MIT */
/* Signals, and why they came, by name. */
#ifndef PTL_TOOLS_READ_SIGNALS_H
#define PTL_TOOLS_READ_SIGNALS_H

#include <stdint.h>

/* "SIGTERM"; NULL if there is no such signal.  Valid until the next call. */
const char *ptl_signals_name(int64_t signo);

/* "SEGV_MAPERR", of an si_code; NULL if it is none that is known. */
const char *ptl_signals_code(int64_t signo, int64_t code);

/* "at an address where nothing is mapped": what it means, or NULL. */
const char *ptl_signals_meaning(int64_t signo, int64_t code);

#endif
