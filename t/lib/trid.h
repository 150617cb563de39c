/* SPDX-License-Identifier: MIT */
/* All functions that take a trid, for tests of invalid ones. */
#ifndef PTL_T_LIB_TRID_H
#define PTL_T_LIB_TRID_H

#include <trace.h>

/* The number of functions that do not return EINVAL. */
int trid_taken(trace_id_t trid);

/* The exit status of a child for proc_start(); arg: the trid. */
struct proc;
int trid_taken_by(struct proc *self, void *arg);

#endif
