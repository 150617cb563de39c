/* SPDX-License-Identifier: MIT */
/* Seccomp filters that were there before the program. */
#ifndef PTL_PRELOAD_LAUNCH_FILTER_H
#define PTL_PRELOAD_LAUNCH_FILTER_H

#include "core/base.h"

/* For the constructor: before it no system call may be made. */
void ptl_filter_begin(char *const *envp);

/* After ptl_env_init(). */
void ptl_filter_hand_on(void);

/* Has the image that this one executes no more filters than are known to do no
 * harm, as far as can be known? */
bool ptl_filter_vouches(void);

/* Who executed us did so, by another way than the environment: before
 * ptl_filter_begin(). */
extern bool ptl_filter_vouched;

/* One is about to be installed: from now on no system call is made. */
void ptl_filter_comes(void);

/* For the constructor, after all that needs calls: might one come unseen? */
void ptl_filter_look_out(void);

/* Before and after a program is started: if one that is suspected has not come,
 * calls are made meanwhile.  The program's start makes those by which that is
 * asked. */
void ptl_filter_ask(void);
void ptl_filter_go_on(void);

#endif
