/* SPDX-License-Identifier: MIT */
/*
 * What kept threads off the processor, by sched:off, and by what they waited
 * for as recorded calls tell it (strands.h): so that both say the same of one
 * wait.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_OFF_CPU_H
#define PTL_TOOLS_REPORT_MODEL_OFF_CPU_H

#include "tools/report/model/off_all.h"
#include "tools/report/model/off_sums.h"

struct ptl_off_cpu;

struct ptl_off_cpu *ptl_off_cpu_new(void);
void ptl_off_cpu_free(struct ptl_off_cpu *off);
void ptl_off_cpu_learn(struct ptl_off_cpu *off, const struct ptl_step *step);

/* There are no events more: sums them up. */
void ptl_off_cpu_end(struct ptl_off_cpu *off);

/* NULL before the first, and behind the last. */
struct ptl_off_sum *ptl_off_cpu_next(const struct ptl_off_cpu *off,
				     const struct ptl_off_sum *sum);

/* The threads of which there are sums, those that took longest first. */
const struct ptl_off_thread *const *
ptl_off_cpu_threads(const struct ptl_off_cpu *off, size_t *nr);

/* Of all of them. */
const struct ptl_off_all *ptl_off_cpu_all(const struct ptl_off_cpu *off);

#endif
