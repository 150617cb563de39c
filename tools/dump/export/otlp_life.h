/* SPDX-License-Identifier: MIT */
/*
 * Programs as OpenTelemetry's resources and spans: which trace and span each
 * is, and below which other one; and the lines that they are put into.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_OTLP_LIFE_H
#define PTL_TOOLS_DUMP_EXPORT_OTLP_LIFE_H

#include "tools/dump/export/otlp_put.h"

/* A program that a process runs, from its exec, or the fork, on. */
struct ptl_otlp_life {
	const struct ptl_process *process;
	const struct ptl_program *image; /* NULL: the first, or not known */
	struct ptl_source *source;
	struct ptl_otlp_trace trace;
	uint64_t id;
	uint64_t inside; /* a span that its parent was in, in the fork; or 0 */
	bool has_trace;
	struct ptl_otlp_life *before; /* NULL: none, or not asked for yet */
	const char *exe;	      /* or NULL */
	const char *traceparent;      /* by its environment; or NULL */
	const char *own;     /* what it has in place of that; or NULL */
	const char *service; /* by its environment; or NULL */
	struct ptl_bytes spans, events;
	unsigned int nr_spans, nr_events;
	uint64_t dropped;
};

void ptl_otlp_lives_begin(const struct ptl_model *model, struct ptl_out *out,
			  bool has_arguments);

/* What the process runs at that event. */
struct ptl_otlp_life *ptl_otlp_life_of(const struct ptl_step *step);

/* The program has its span, and hands that on, by "00-TRACE-SPAN-FLAGS". */
void ptl_otlp_life_is(struct ptl_otlp_life *life, const char *own);

/* The process was forked in that span. */
void ptl_otlp_life_forked(const struct ptl_process *process,
			  struct ptl_source *source, uint64_t span);

/* The trace that its spans are of. */
const struct ptl_otlp_trace *ptl_otlp_life_trace(struct ptl_otlp_life *life);

/* A span of its own, with attributes that are text. */
void ptl_otlp_life_add(struct ptl_otlp_life *life,
		       const struct ptl_otlp_span *span,
		       const struct ptl_bytes *attributes);

/* After the last event: their own spans, and what is left. */
void ptl_otlp_lives_end(void);

#endif
