/* SPDX-License-Identifier: MIT */
/*
 * What lasts, as viewers draw it: programs, threads, calls.  Spans of a track
 * are nested: one that would end after the one that it is in ends with it.
 *
 * Where a thread is seen to change stacks (fibers, coroutines), a call of which
 * no one knows the end yet is in a lane of its own.  One that began before that
 * was seen ends in the track when another stack goes on; when it does end, all
 * of it is in a lane, too.
 *
 * Spans of the user (tools/model/userspans.h) are in lanes of their own: they
 * are no calls, and need not be nested in them.  Each is drawn when it has
 * ended.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_SPANS_H
#define PTL_TOOLS_DUMP_EXPORT_SPANS_H

#include "tools/dump/export/tracks.h"

/* As deep as viewers show them. */
#define PTL_SPANS_DEPTH 512

/* What an event is, as to spans. */
enum ptl_shape {
	PTL_SHAPE_INSTANT,
	PTL_SHAPE_BEGIN, /* of a span whose end is not known yet */
	PTL_SHAPE_END,	 /* of such a one, */
	PTL_SHAPE_LATER, /* which is told when it begins */
	PTL_SHAPE_TIMED, /* a span that begins now; its end is known */
	PTL_SHAPE_WHOLE, /* one that ends now, or did begin; in a lane */
};

struct ptl_span {
	enum ptl_shape shape;
	struct ptl_lane *lane;
	uint64_t at;	     /* of the event, ns of CLOCK_REALTIME */
	uint64_t begin, end; /* end: LATER, TIMED, WHOLE */
	const char *name;    /* of the span, or the event's */
	size_t name_size;
};

struct ptl_spans {
	struct ptl_calls_user user;
	struct ptl_calls *calls;
	/* A span ends whose end has not been shown. */
	void (*ended)(void *to, struct ptl_lane *lane, uint64_t at);
	void *to;
	bool wants_all;		  /* also of those whose end was known */
	struct ptl_lane *pending; /* its span ends with the event; or NULL */
	uint64_t pending_at;
};

void ptl_spans_begin(struct ptl_spans *spans, struct ptl_calls *calls,
		     void (*ended)(void *to, struct ptl_lane *lane,
				   uint64_t at),
		     void *to);

/* Takes each event of the track that is shown, in order. */
void ptl_spans_take(struct ptl_spans *spans, struct ptl_track *track,
		    const struct ptl_step *step, struct ptl_span *span);

/* What people call it: a program by its name. */
void ptl_spans_title(struct ptl_span *span, const struct ptl_track *track,
		     const struct ptl_step *step);

/* And those that are not. */
void ptl_spans_learn(struct ptl_spans *spans);

/* Nothing more comes: all spans end. */
void ptl_spans_end(struct ptl_spans *spans);

/* But for those of the user, which are open then: one after the other, the
 * first behind NULL.  False: there is none. */
bool ptl_spans_next_open(const struct ptl_model *model,
			 const struct ptl_userspan **user,
			 struct ptl_span *span);

#endif
