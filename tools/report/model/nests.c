/* SPDX-License-Identifier: MIT */
/*
 * Calls inside of calls; see nests.h.  A call of libc is one event, which comes
 * where the call began and says how long it took: it ends when the thread's
 * next event is later than that.  So does the end of a function's call; where
 * that does not say when the call began, it comes where it ended.
 */
#include "tools/report/model/nests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/settings/entry_only.h"
#include "tools/lib/say.h"

/* Deeper than that nobody calls: these are calls that have no exit events. */
#define MAX_DEPTH 65536

struct nest {
	uint64_t life;	 /* of the thread */
	uint64_t losses; /* that it has seen */
	struct ptl_frame *frame;
	size_t nr, room;
	size_t inner; /* as ptl_frame.outer, of all */
};

void ptl_nests_begin(struct ptl_nests *nests)
{
	nests->functions.value_size = sizeof(struct ptl_function);
	nests->active.value_size = sizeof(struct ptl_active);
}

/* Counts a call; what is inside of it is known. */
static void count(struct ptl_function *function, int64_t duration,
		  int64_t inside)
{
	ptl_hist_add(&function->hist, (uint64_t)duration);
	if (duration > inside)
		function->self += duration - inside;
}

/* One for each place that calls, of those directly inside of the same call. */
static void add_ended(struct ptl_active *active, void *of, int64_t duration)
{
	struct ptl_ended *ended = active->ended;

	for (size_t i = active->first; i < active->nr_ended; i++) {
		if (ended[i].of == of) {
			ended[i].duration += duration;
			return;
		}
	}
	ended = ptl_grow(ended, active->nr_ended, &active->room,
			 sizeof(*ended));
	ended[active->nr_ended++] = (struct ptl_ended){of, duration};
	active->ended = ended;
}

/* A call ends: what ended inside of it is part of it.  Or its end was not seen:
 * then those are in the call around it. */
static void leave_active(const struct ptl_nests *nests,
			 const struct ptl_frame *frame, int64_t duration)
{
	struct ptl_active *active = frame->active;
	size_t first = active->first, nr = active->nr_ended;

	active->nr--;
	active->first = frame->first_before;
	active->nr_ended = first;
	if (duration >= 0)
		add_ended(active, nests->total != NULL ? frame->of : NULL,
			  duration);
	else
		for (size_t i = first; i < nr; i++)
			add_ended(active, active->ended[i].of,
				  active->ended[i].duration);
}

/* No call of the function goes on: these were inside of none that ended. */
static void count_ended(struct ptl_nests *nests, struct ptl_function *function,
			struct ptl_active *active)
{
	for (size_t i = 0; i < active->nr_ended; i++) {
		function->total += active->ended[i].duration;
		if (nests->total != NULL)
			nests->total(active->ended[i].of,
				     active->ended[i].duration);
	}
	active->nr_ended = 0;
}

/* Takes the innermost call off. */
static void leave(struct ptl_nests *nests, struct nest *nest, int64_t end)
{
	struct ptl_frame *frame = &nest->frame[--nest->nr];
	struct ptl_frame *outer =
		nest->nr > 0 ? &nest->frame[nest->nr - 1] : NULL;
	int64_t duration = end == INT64_MAX   ? -1 :
			   end > frame->begin ? end - frame->begin :
						0;

	if (nest->inner > nest->nr)
		nest->inner = frame->outer;
	leave_active(nests, frame, duration);
	if (duration < 0) {
		frame->function->nr_open++;
		if (outer != NULL)
			outer->inside += frame->inside;
	} else {
		count(frame->function, duration, frame->inside);
		if (outer != NULL)
			outer->inside += duration;
	}
	if (frame->active->nr == 0)
		count_ended(nests, frame->function, frame->active);
	if (nests->leave != NULL)
		nests->leave(nests->of, outer, frame, duration);
}

/* Those that have ended by now, and what is inside of them. */
static void leave_ended(struct ptl_nests *nests, struct nest *nest, int64_t now)
{
	while (nest->inner > 0 && nest->frame[nest->inner - 1].end <= now)
		for (size_t nr = nest->inner - 1; nest->nr > nr;)
			leave(nests, nest, nest->frame[nest->nr - 1].end);
}

/* That one is among those whose end is known. */
static void link_ended(struct nest *nest, size_t i)
{
	size_t *inner = &nest->inner;

	while (*inner > i + 1)
		inner = &nest->frame[*inner - 1].outer;
	nest->frame[i].outer = *inner;
	*inner = i + 1;
}

static void leave_all(struct ptl_nests *nests, struct nest *nest)
{
	while (nest->nr > 0)
		leave(nests, nest, nest->frame[nest->nr - 1].end);
}

/* The end of a call may be lost: an end that comes is perhaps another one's. */
static void leave_open(struct ptl_nests *nests, struct nest *nest)
{
	size_t first = 0;

	while (first < nest->nr && nest->frame[first].end != INT64_MAX)
		first++;
	while (nest->nr > first)
		leave(nests, nest, nest->frame[nest->nr - 1].end);
}

static struct nest *get_nest(struct ptl_nests *nests,
			     const struct ptl_step *step)
{
	struct nest *nest = step->thread->of[nests->user];

	if (nest == NULL)
		nest = step->thread->of[nests->user] = ptl_alloc(sizeof(*nest));
	if (nest->life != step->thread->life)
		leave_all(nests, nest);
	nest->life = step->thread->life;
	if (nest->losses != nests->losses)
		leave_open(nests, nest);
	nest->losses = nests->losses;
	return nest;
}

static struct ptl_function *get_function(struct ptl_nests *nests,
					 const char *name, const char *library)
{
	const char *key[] = {name, library};
	struct ptl_function *function =
		ptl_hash_get(&nests->functions, key, sizeof(key));

	if (function->name == NULL)
		function->is_entry_only = ptl_is_entry_only(name);
	function->name = name;
	function->library = library;
	return function;
}

/* The function of a call:enter or call:exit; NULL: the event was cut. */
static struct ptl_function *find_callee(struct ptl_nests *nests,
					const struct ptl_step *step)
{
	const char *name = ptl_step_string(step, "function");
	int64_t callee = ptl_step_number(step, "callee", 0);
	char address[32];

	if (callee == 0)
		return NULL;
	if (name == NULL) {
		snprintf(address, sizeof(address), "0x%llx",
			 (unsigned long long)callee);
		name = ptl_intern(address, sizeof(address));
	}
	return get_function(nests, name, ptl_step_string(step, "library"));
}

/* Calls of functions that never had an exit are not worth a place. */
static void tidy_up(struct ptl_nests *nests, struct nest *nest)
{
	size_t nr = 0;

	for (size_t i = 0; i < nest->nr; i++) {
		struct ptl_frame *frame = &nest->frame[i];
		const struct ptl_function *function = frame->function;

		if (function->hist.nr > 0 || frame->end != INT64_MAX) {
			nest->frame[nr++] = *frame;
			continue;
		}
		leave_active(nests, frame, -1);
		frame->function->nr_open++;
	}
	nest->nr = nr;
	nest->inner = 0;
	for (size_t i = 0; i < nr; i++)
		if (nest->frame[i].end != INT64_MAX)
			link_ended(nest, i);
	while (nest->nr > MAX_DEPTH / 2)
		leave(nests, nest, INT64_MAX);
}

static void enter(struct ptl_nests *nests, struct nest *nest,
		  const struct ptl_step *step, struct ptl_function *function,
		  int64_t end)
{
	const void *key[] = {step->thread, function};
	struct ptl_frame *frame;

	function->nr++;
	if (nest->nr >= MAX_DEPTH)
		tidy_up(nests, nest);
	nest->frame = ptl_grow(nest->frame, nest->nr, &nest->room,
			       sizeof(*nest->frame));
	frame = &nest->frame[nest->nr];
	*frame = (struct ptl_frame){
		.function = function,
		.begin = step->now,
		.end = end,
		.active = ptl_hash_get(&nests->active, key, sizeof(key)),
	};
	frame->first_before = frame->active->first;
	frame->active->first = frame->active->nr_ended;
	frame->active->nr++;
	if (nests->enter != NULL)
		nests->enter(nests->of, step, nest->nr > 0 ? frame - 1 : NULL,
			     frame);
	nest->nr++;
	if (end != INT64_MAX)
		link_ended(nest, nest->nr - 1);
}

/* The innermost call of the function that has no end yet, or NULL. */
static struct ptl_frame *find_open(const struct nest *nest,
				   const struct ptl_function *function)
{
	for (size_t at = nest->nr; at > 0; at--)
		if (nest->frame[at - 1].function == function &&
		    nest->frame[at - 1].end == INT64_MAX)
			return &nest->frame[at - 1];
	return NULL;
}

/* A call of the function ends, and what is inside of it; or it has just begun,
 * and this says when it will end. */
static void learn_leave(struct ptl_nests *nests, struct nest *nest,
			const struct ptl_step *step,
			struct ptl_function *function)
{
	struct ptl_frame *frame = find_open(nest, function);
	bool is_begin = step->view->source->duration >= 0;
	size_t at;

	nests->has_ends = true;
	if (frame == NULL) {
		if (is_begin && step->duration >= 0)
			enter(nests, nest, step, function,
			      step->now + step->duration);
		return;
	}
	at = (size_t)(frame - nest->frame);
	if (is_begin) {
		frame->begin = step->now;
		frame->end = step->now + step->duration;
		link_ended(nest, at);
		return;
	}
	while (nest->nr > at + 1)
		leave(nests, nest, nest->frame[nest->nr - 1].end);
	leave(nests, nest, step->now);
}

static bool is_timed(const struct ptl_step *step)
{
	return step->duration >= 0 && step->kind->family >= PTL_FAMILY_FILE &&
	       step->kind->family <= PTL_FAMILY_NET;
}

void ptl_nests_learn(struct ptl_nests *nests, const struct ptl_step *step)
{
	struct ptl_function *function;
	struct nest *nest;

	nests->losses += step->kind->act == PTL_ACT_OVERFLOW;
	if (step->process == NULL)
		return;
	nest = get_nest(nests, step);
	leave_ended(nests, nest, step->now);
	if (is_timed(step)) {
		function = get_function(nests, step->kind->name, "libc");
		function->is_libc = true;
		function->nr_failed += step->error != NULL;
		enter(nests, nest, step, function, step->now + step->duration);
	} else if (step->kind->act == PTL_ACT_ENTER) {
		nests->has_begins = true;
		function = find_callee(nests, step);
		if (function != NULL)
			enter(nests, nest, step, function, INT64_MAX);
	} else if (step->kind->act == PTL_ACT_LEAVE) {
		function = find_callee(nests, step);
		if (function != NULL)
			learn_leave(nests, nest, step, function);
	}
}

void ptl_nests_end(struct ptl_nests *nests, struct ptl_model *model)
{
	struct ptl_task *thread = NULL;

	while ((thread = ptl_tasks_next(model->threads, thread)) != NULL) {
		struct nest *nest = thread->of[nests->user];

		if (nest == NULL)
			continue;
		leave_all(nests, nest);
		free(nest->frame);
		free(nest);
		thread->of[nests->user] = NULL;
	}
}

void ptl_nests_free(struct ptl_nests *nests)
{
	struct ptl_function *function = NULL;
	struct ptl_active *active = NULL;

	while ((function = ptl_hash_next(&nests->functions, function)) != NULL)
		ptl_hist_free(&function->hist);
	while ((active = ptl_hash_next(&nests->active, active)) != NULL)
		free(active->ended);
	ptl_hash_clear(&nests->functions);
	ptl_hash_clear(&nests->active);
}
