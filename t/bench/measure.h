/* SPDX-License-Identifier: MIT */
/* Medians, and how the programs of this directory tell their results. */
#ifndef PTL_T_BENCH_MEASURE_H
#define PTL_T_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MEASURE_ROUNDS_MAX 100

static inline double measure_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline double measure_now(void)
{
	return measure_clock(CLOCK_MONOTONIC);
}

/* Processor time of the thread: what else runs meanwhile does not count. */
static inline double measure_cpu(void)
{
	return measure_clock(CLOCK_THREAD_CPUTIME_ID);
}

static inline int measure_compare(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return a < b ? -1 : a > b;
}

static inline double measure_median(double *values, unsigned int nr)
{
	qsort(values, nr, sizeof(*values), measure_compare);
	return nr % 2 ? values[nr / 2] :
			(values[nr / 2 - 1] + values[nr / 2]) / 2;
}

/* What the rounds gave for libptrace and for the limit, side by side. */
struct measure {
	unsigned int nr;
	double ours[MEASURE_ROUNDS_MAX];
	double limit[MEASURE_ROUNDS_MAX];
	double ratio[MEASURE_ROUNDS_MAX];
};

static inline void measure_add(struct measure *m, double ours, double limit)
{
	if (m->nr == MEASURE_ROUNDS_MAX)
		return;
	m->ours[m->nr] = ours;
	m->limit[m->nr] = limit;
	m->ratio[m->nr++] = ours / limit;
}

/* That a tenth of the rounds is below. */
static inline double measure_tenth(double *values, unsigned int nr)
{
	qsort(values, nr, sizeof(*values), measure_compare);
	return values[nr / 10];
}

/*
 * One line for t/bench/run: name, ours, limit, ratio, with tabs between; and of
 * many rounds the ratio of the tenths.  A processor that shares its core with
 * another runs at half its speed while that is busy, which a virtual machine
 * cannot see: the tenths are from rounds when it was not.
 */
static inline void measure_tell(struct measure *m, const char *name)
{
	printf("%s\t%.2f\t%.2f\t%.3f", name, measure_median(m->ours, m->nr),
	       measure_median(m->limit, m->nr),
	       measure_median(m->ratio, m->nr));
	if (m->nr >= 50)
		printf("\t%.3f", measure_tenth(m->ours, m->nr) /
					measure_tenth(m->limit, m->nr));
	puts("");
	fflush(stdout);
}

#endif
