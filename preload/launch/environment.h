/* SPDX-License-Identifier: MIT */
/* The environment of a program, where it is asked for: --environment. */
#ifndef PTL_PRELOAD_LAUNCH_ENVIRONMENT_H
#define PTL_PRELOAD_LAUNCH_ENVIRONMENT_H

#include "core/base.h"

/* For the constructor, after the process:start: records process:environment,
 * with the variables that are wanted.  Envp may be NULL. */
void ptl_environment_record(char *const *envp);

#endif
