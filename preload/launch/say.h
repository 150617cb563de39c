/* SPDX-License-Identifier: MIT */
/* What the constructor has to say to the user. */
#ifndef PTL_PRELOAD_LAUNCH_SAY_H
#define PTL_PRELOAD_LAUNCH_SAY_H

#include "core/base.h"

/* One line on the program's standard error, of what can be seen. */
void ptl_launch_say(const char *const *words, size_t nr);

#endif
