/* SPDX-License-Identifier: MIT */
/*
 * Spans of the user (posix_trace_span_begin_np): which are open, and which is
 * in which.  They are no calls (callstack.h): their ends are told by number, in
 * whatever thread, and in any order, so there is nothing to guess; and what is
 * in them may be on any stack of their thread.
 */
#ifndef PTL_TOOLS_MODEL_USERSPANS_H
#define PTL_TOOLS_MODEL_USERSPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/model/threads.h"
#include "tools/model/view.h"

/* So many are known at once; of more the oldest counts as open. */
#define PTL_USERSPANS_MAX 65536

struct ptl_userspan {
	uint64_t number;
	const char *name;	   /* interned: what its event type is called */
	struct ptl_thread *thread; /* where it began; */
	uint64_t life;		   /* that thread, and no later one */
	uint64_t begin;		   /* ns of CLOCK_REALTIME */
	int64_t total, self;	   /* when it has ended: without those in it */
	bool is_aside;		   /* ended in another thread */
	bool is_crossed; /* ended before one that began later in its thread */
	bool is_shown;	 /* its begin is */
	void *kept;	 /* with it, by who shows it */
	struct ptl_userspan *outer, *inner; /* of its thread, that are open */

	/* What began it. */
	struct posix_trace_event_info event;
	struct ptl_source *source;
	const struct ptl_type *type;
	const char *program; /* or NULL */

	/* Private. */
	uint64_t inside; /* ns that others in it took */
	uint64_t since;	 /* of its own time that counts for `outer' */
	struct ptl_userspan *older, *newer, *bucket;
	size_t data_size;
	char data[];
};

/* Where a span began, also when it has ended, for links; of so many. */
#define PTL_SPANPLACES_MAX 262144
struct ptl_spanplace {
	const char *name; /* interned */
	struct ptl_thread *thread;
	uint64_t begin; /* ns of CLOCK_REALTIME */
	uint64_t end;	/* 0: it is open, or its end was not seen */
	void *kept;	/* with it, by who shows it */
};

struct ptl_userspans;

struct ptl_userspans *ptl_userspans_new(struct ptl_threads *threads);
void ptl_userspans_free(struct ptl_userspans *spans);

/* Takes each event: of a begin or end the span, valid until the next; or NULL.
 * thread may be NULL: it is found if it is needed. */
struct ptl_userspan *ptl_userspans_learn(struct ptl_userspans *spans,
					 const struct ptl_view *view,
					 struct ptl_thread *thread);

/* By its number; NULL: it is not known. */
struct ptl_spanplace *ptl_userspans_place(const struct ptl_userspans *spans,
					  uint64_t number);

/* The open span of that number; or NULL. */
struct ptl_userspan *ptl_userspans_find(struct ptl_userspans *spans,
					uint64_t number);

/* Of a span:link: adds what the two are called. */
void ptl_userspans_link(const struct ptl_userspans *spans,
			struct ptl_view *view);

/* The event that began it, to be shown as the latest: with its data, and
 * without a place or a duration. */
void ptl_userspan_begun(const struct ptl_userspan *span, struct ptl_view *view);

/* Open spans, in the order in which they began: NULL before the first,
 * and behind the last. */
const struct ptl_userspan *
ptl_userspans_next_open(const struct ptl_userspans *spans,
			const struct ptl_userspan *span);

#endif
