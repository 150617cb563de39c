/* SPDX-License-Identifier: MIT */
/* LTTng's tracepoint for t/bench/lttng.c: 16 bytes, as ours. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ptl_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "t/bench/lttng-tp.h"

#if !defined(PTL_T_BENCH_LTTNG_TP_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PTL_T_BENCH_LTTNG_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	ptl_bench, event,
	LTTNG_UST_TP_ARGS(const unsigned char *, data, size_t, size),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_sequence(
		unsigned char, data, data, size_t, size)))

#endif

#include <lttng/tracepoint-event.h>
