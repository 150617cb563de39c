/* SPDX-License-Identifier: MIT */
/* Spans of the user; see userspans.h. */
#include "tools/model/userspans.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/lib/hash.h"
#include "tools/lib/say.h"

#define BUCKETS 16384

struct ptl_userspans {
	struct ptl_threads *threads;
	struct ptl_userspan *bucket[BUCKETS]; /* by number */
	struct ptl_userspan *oldest, *newest;
	size_t nr;
	struct ptl_userspan *over; /* the one that the last event ended */
	struct ptl_hash places;	   /* struct ptl_spanplace, by number */
};

struct ptl_userspans *ptl_userspans_new(struct ptl_threads *threads)
{
	struct ptl_userspans *spans = ptl_alloc(sizeof(*spans));

	spans->threads = threads;
	spans->places.value_size = sizeof(struct ptl_spanplace);
	return spans;
}

void ptl_userspans_free(struct ptl_userspans *spans)
{
	while (spans->oldest != NULL) {
		struct ptl_userspan *span = spans->oldest;

		spans->oldest = span->newer;
		free(span);
	}
	free(spans->over);
	ptl_hash_clear(&spans->places);
	free(spans);
}

/* Numbers count on, from anywhere. */
static struct ptl_userspan **bucket_of(struct ptl_userspans *spans,
				       uint64_t number)
{
	return &spans->bucket[(number ^ number >> 42) % BUCKETS];
}

struct ptl_userspan *ptl_userspans_find(struct ptl_userspans *spans,
					uint64_t number)
{
	struct ptl_userspan *span = *bucket_of(spans, number);

	while (span != NULL && span->number != number)
		span = span->bucket;
	return span;
}

/* What is in it is in what it was in, from now on. */
static void take_from_thread(struct ptl_userspan *span, uint64_t now)
{
	struct ptl_userspan *inner = span->inner, *outer = span->outer;

	if (inner != NULL) {
		inner->outer = outer;
		span->inside += now > inner->since ? now - inner->since : 0;
		inner->since = now;
	} else if (span->thread->span == span) {
		span->thread->span = outer;
	}
	if (outer == NULL)
		return;
	outer->inner = inner;
	outer->inside += now > span->since ? now - span->since : 0;
}

static void take_out(struct ptl_userspans *spans, struct ptl_userspan *span,
		     uint64_t now)
{
	struct ptl_userspan **bucket = bucket_of(spans, span->number);

	while (*bucket != span)
		bucket = &(*bucket)->bucket;
	*bucket = span->bucket;
	if (span->older != NULL)
		span->older->newer = span->newer;
	else
		spans->oldest = span->newer;
	if (span->newer != NULL)
		span->newer->older = span->older;
	else
		spans->newest = span->older;
	spans->nr--;
	take_from_thread(span, now);
}

/* One that had the thread's place before it has nothing to do with it. */
static struct ptl_userspan *innermost(const struct ptl_thread *thread)
{
	struct ptl_userspan *span = thread->span;

	return span != NULL && span->life == thread->life ? span : NULL;
}

static void put_in(struct ptl_userspans *spans, struct ptl_userspan *span)
{
	struct ptl_userspan **bucket = bucket_of(spans, span->number);

	span->bucket = *bucket;
	*bucket = span;
	span->older = spans->newest;
	if (span->older != NULL)
		span->older->newer = span;
	else
		spans->oldest = span;
	spans->newest = span;
	spans->nr++;
	span->outer = innermost(span->thread);
	if (span->outer != NULL)
		span->outer->inner = span;
	span->thread->span = span;
}

static void note_place(struct ptl_userspans *spans,
		       const struct ptl_userspan *span)
{
	struct ptl_spanplace *place;

	if (spans->places.nr >= PTL_SPANPLACES_MAX)
		return;
	place = ptl_hash_get(&spans->places, &span->number,
			     sizeof(span->number));
	place->name = span->name;
	place->thread = span->thread;
	place->begin = span->begin;
}

struct ptl_spanplace *ptl_userspans_place(const struct ptl_userspans *spans,
					  uint64_t number)
{
	return ptl_hash_find(&spans->places, &number, sizeof(number));
}

static void note_end(const struct ptl_userspans *spans, uint64_t number,
		     uint64_t now)
{
	struct ptl_spanplace *place = ptl_userspans_place(spans, number);

	if (place != NULL)
		place->end = now;
}

static void add_name(const struct ptl_userspans *spans, struct ptl_view *view,
		     const char *of, const char *as)
{
	const struct ptl_arg *number = ptl_decode_find(&view->args, of);
	const struct ptl_spanplace *place =
		number != NULL ?
			ptl_userspans_place(spans, (uint64_t)number->value) :
			NULL;

	if (place == NULL || view->args.nr == PTL_ARGS)
		return;
	view->args.arg[view->args.nr++] = (struct ptl_arg){
		.name = as,
		.type = PTL_ARG_WORD,
		.bytes = place->name,
		.size = strlen(place->name),
	};
}

void ptl_userspans_link(const struct ptl_userspans *spans,
			struct ptl_view *view)
{
	add_name(spans, view, "span", "type");
	add_name(spans, view, "to", "to_type");
}

static struct ptl_userspan *begin(struct ptl_userspans *spans,
				  const struct ptl_view *view,
				  struct ptl_thread *thread, uint64_t number)
{
	const struct ptl_arg *type = ptl_decode_find(&view->args, "type");
	struct ptl_userspan *span;

	/* Known already, if two logs have the same process. */
	if (ptl_userspans_find(spans, number) != NULL || type == NULL ||
	    type->bytes == NULL)
		return NULL;
	if (spans->nr == PTL_USERSPANS_MAX) {
		spans->over = spans->oldest;
		take_out(spans, spans->over,
			 ptl_ns(&view->event->posix_timestamp));
	}
	span = ptl_alloc(sizeof(*span) + view->data_size);
	*span = (struct ptl_userspan){
		.number = number,
		.name = ptl_intern(type->bytes, type->size),
		.thread = thread,
		.life = thread->life,
		.event = *view->event,
		.source = view->source,
		.type = view->type,
		.program = view->program,
		.data_size = view->data_size,
		.begin = ptl_ns(&view->event->posix_timestamp),
	};
	memcpy(span->data, view->data, view->data_size);
	span->since = span->begin;
	put_in(spans, span);
	note_place(spans, span);
	return span;
}

static struct ptl_userspan *end(struct ptl_userspans *spans,
				const struct ptl_view *view,
				const struct ptl_thread *thread,
				uint64_t number)
{
	uint64_t now = ptl_ns(&view->event->posix_timestamp);
	struct ptl_userspan *span = ptl_userspans_find(spans, number);

	if (span == NULL)
		return NULL;
	note_end(spans, number, now);
	span->is_crossed = span->inner != NULL;
	take_out(spans, span, now);
	span->total = now > span->begin ? (int64_t)(now - span->begin) : 0;
	span->self = span->total - (int64_t)span->inside;
	if (span->self < 0)
		span->self = 0;
	span->is_aside = thread != span->thread || thread->life != span->life;
	return spans->over = span;
}

struct ptl_userspan *ptl_userspans_learn(struct ptl_userspans *spans,
					 const struct ptl_view *view,
					 struct ptl_thread *thread)
{
	enum ptl_act act = view->type->kind->act;
	const struct ptl_arg *number;

	if (act != PTL_ACT_SPAN_BEGIN && act != PTL_ACT_SPAN_END)
		return NULL;
	free(spans->over);
	spans->over = NULL;
	number = ptl_decode_find(&view->args, "span");
	if (number == NULL)
		return NULL;
	if (thread == NULL)
		thread = ptl_threads_get(spans->threads, view, NULL);
	return act == PTL_ACT_SPAN_BEGIN ?
		       begin(spans, view, thread, (uint64_t)number->value) :
		       end(spans, view, thread, (uint64_t)number->value);
}

void ptl_userspan_begun(const struct ptl_userspan *span, struct ptl_view *view)
{
	*view = (struct ptl_view){
		.source = span->source,
		.event = &span->event,
		.type = span->type,
		.data = span->data,
		.data_size = span->data_size,
		.program = span->program,
		.duration = -1,
	};
	ptl_view_span(view);
}

const struct ptl_userspan *
ptl_userspans_next_open(const struct ptl_userspans *spans,
			const struct ptl_userspan *span)
{
	return span == NULL ? spans->oldest : span->newer;
}
