/* SPDX-License-Identifier: MIT */
/* Messages of the constructor to the user. */
#ifndef PTL_PRELOAD_LAUNCH_SAY_H
#define PTL_PRELOAD_LAUNCH_SAY_H

#include "core/base.h"

/* Writes one line to the program's standard error; control characters become
 * '?'. */
void ptl_launch_say(const char *const *words, size_t nr);

#endif
