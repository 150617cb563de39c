/* SPDX-License-Identifier: MIT */
/*
 * Calls inside of calls; see nests.h.  A call of libc is one event, which comes
 * where the call began and says how long it took: it ends when the thread's
 * next event is later than that.  With --min-duration a function's call is one
 * event, too, which comes where it ended, behind what was inside of it: so of
 * each thread the last calls that have ended are kept.
 */
#include "tools/report/model/nests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Deeper than that nobody calls: these are calls that have no exit events. */
#define MAX_DEPTH 65536

/* So many calls that have ended are kept. */
#define MAX_ENDED 4096

struct ended {
	int64_t begin, duration;
};

struct nest {
	uint64_t life;	 /* of the thread */
	uint64_t losses; /* that it has seen */
	struct ptl_frame *frame;
	size_t nr, room;
	struct ended *ended;
	size_t nr_ended, ended_room;
};

void ptl_nests_begin(struct ptl_nests *nests)
{
	nests->functions.value_size = sizeof(struct ptl_function);
	nests->active.value_size = sizeof(unsigned int);
}

/* For the calls that say afterwards that they were around it. */
static void keep_ended(struct nest *nest, int64_t begin, int64_t duration)
{
	if (nest->nr_ended == MAX_ENDED) {
		nest->nr_ended /= 2;
		memmove(nest->ended, nest->ended + MAX_ENDED / 2,
			nest->nr_ended * sizeof(*nest->ended));
	}
	nest->ended = ptl_grow(nest->ended, nest->nr_ended, &nest->ended_room,
			       sizeof(*nest->ended));
	nest->ended[nest->nr_ended++] = (struct ended){begin, duration};
}

/* Counts a call; what is inside of it is known. */
static void count(struct ptl_function *function, int64_t duration,
		  int64_t inside, bool is_outermost)
{
	ptl_hist_add(&function->hist, (uint64_t)duration);
	if (duration > inside)
		function->self += duration - inside;
	if (is_outermost)
		function->total += duration;
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

	--*frame->active;
	if (duration < 0) {
		frame->function->nr_open++;
	} else {
		count(frame->function, duration, frame->inside,
		      *frame->active == 0);
		if (outer != NULL)
			outer->inside += duration;
		else
			keep_ended(nest, frame->begin, duration);
	}
	if (nests->leave != NULL)
		nests->leave(nests->of, outer, frame, duration);
}

/* Those of libc that have ended by now. */
static void leave_ended(struct ptl_nests *nests, struct nest *nest, int64_t now)
{
	while (nest->nr > 0 && nest->frame[nest->nr - 1].end <= now)
		leave(nests, nest, nest->frame[nest->nr - 1].end);
}

static void leave_all(struct ptl_nests *nests, struct nest *nest)
{
	while (nest->nr > 0)
		leave(nests, nest, nest->frame[nest->nr - 1].end);
	nest->nr_ended = 0;
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
		ptl_map_get(&nests->functions, key, sizeof(key));

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
		name = ptl_map_string(address, sizeof(address));
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
		--*frame->active;
		frame->function->nr_open++;
	}
	nest->nr = nr;
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
		.active = ptl_map_get(&nests->active, key, sizeof(key)),
	};
	++*frame->active;
	if (nests->enter != NULL)
		nests->enter(nests->of, step, nest->nr > 0 ? frame - 1 : NULL,
			     frame);
	nest->nr++;
}

/* A call that is told of when it has ended: what ended in it was inside. */
static void learn_took(struct ptl_nests *nests, struct nest *nest,
		       const struct ptl_step *step,
		       struct ptl_function *function, int64_t duration)
{
	struct ptl_frame frame = {.function = function,
				  .begin = step->now - duration,
				  .end = step->now};

	function->nr++;
	while (nest->nr_ended > 0 &&
	       nest->ended[nest->nr_ended - 1].begin >= frame.begin)
		frame.inside += nest->ended[--nest->nr_ended].duration;
	count(function, duration, frame.inside, true);
	keep_ended(nest, frame.begin, duration);
	if (nests->enter != NULL)
		nests->enter(nests->of, step, NULL, &frame);
	if (nests->leave != NULL)
		nests->leave(nests->of, NULL, &frame, duration);
}

/* The innermost call of the function ends, and what is inside of it. */
static void learn_leave(struct ptl_nests *nests, struct nest *nest,
			const struct ptl_step *step,
			struct ptl_function *function)
{
	int64_t took = step->kind->has_duration ?
			       ptl_step_number(step, "duration", -1) :
			       -1;
	size_t at = nest->nr;

	nests->has_ends = true;
	while (at > 0 && nest->frame[at - 1].function != function)
		at--;
	if (at == 0) {
		if (took >= 0)
			learn_took(nests, nest, step, function, took);
		return;
	}
	while (nest->nr > at)
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
		free(nest->ended);
		free(nest);
		thread->of[nests->user] = NULL;
	}
}

void ptl_nests_free(struct ptl_nests *nests)
{
	struct ptl_function *function = NULL;

	while ((function = ptl_map_next(&nests->functions, function)) != NULL)
		ptl_hist_free(&function->hist);
	ptl_map_clear(&nests->functions);
	ptl_map_clear(&nests->active);
}
