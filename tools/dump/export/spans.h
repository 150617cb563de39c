/* SPDX-License-Identifier: MIT */
/*
 * What lasts, of what each thread does: programs, threads, calls.  Spans of a
 * thread are nested: one that would end after the one that it is in ends with
 * it.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_SPANS_H
#define PTL_TOOLS_DUMP_EXPORT_SPANS_H

#include "tools/dump/export/returns.h"
#include "tools/dump/export/threads.h"

/* As deep as viewers show them. */
#define PTL_SPANS_DEPTH 512

/* What an event is, as to spans. */
enum ptl_shape {
	PTL_SHAPE_INSTANT,
	PTL_SHAPE_BEGIN, /* of a span whose end is not known yet */
	PTL_SHAPE_END,	 /* of such a one, */
	PTL_SHAPE_LATER, /* which is told when it begins */
	PTL_SHAPE_TIMED, /* a span that begins now; its end is known */
};

struct ptl_span {
	enum {
		PTL_SPAN_PROGRAM,
		PTL_SPAN_THREAD,
		PTL_SPAN_CALL,
		PTL_SPAN_TIMED,
	} kind;
	const char *name; /* lives as long as the log */
	uint64_t callee;  /* CALL */
	uint64_t end;	  /* TIMED, and if is_told */
	bool is_told;	  /* when it ends was an event */
};

struct ptl_spans {
	struct ptl_returns *returns;
	/* The thread's innermost span ends, of itself.  May be NULL. */
	void (*ended)(void *to, struct ptl_thread *thread,
		      const struct ptl_span *span, uint64_t at);
	void *to;
	uint64_t now; /* of the last event */
};

struct ptl_moment {
	enum ptl_shape shape;
	uint64_t begin, end; /* ns of CLOCK_REALTIME; end: LATER, TIMED */
	const char *name;    /* of the span, or the event's */
	size_t name_size;
};

/*
 * Takes each event of the thread, in order.  Spans that are over end before it.
 * A span that it begins is the thread's innermost one when this returns, one
 * that it ends no longer; one that it says the end of (LATER) still is.
 */
void ptl_spans_take(struct ptl_spans *spans, struct ptl_thread *thread,
		    const struct ptl_view *view, struct ptl_moment *moment);

/* What people call it: a program by its name. */
void ptl_spans_title(const struct ptl_thread *thread,
		     const struct ptl_view *view, struct ptl_moment *moment);

/* What is before the colon of a system event's name; "user". */
size_t ptl_spans_family(const struct ptl_type *type, const char **family);

/* Nothing more comes: all spans of the thread end. */
void ptl_spans_close(struct ptl_spans *spans, struct ptl_thread *thread);

#endif
