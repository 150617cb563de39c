/* SPDX-License-Identifier: MIT */
/* What calls amount to; see nests.h. */
#include "tools/report/model/nests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/args/words.h"
#include "tools/model/modules.h"

/* ns: nothing lasts longer, but in a damaged log. */
#define DURATION_MAX ((UINT64_C(1) << 30) * 1000000000)

/* So much later than a call may end what is in it, ns. */
#define ROUNDING 16

/*
 * The time of a call that is no other one's: a moment of a thread is that of
 * one call, also if there are several stacks, of which each goes on meanwhile.
 * What is inside of a call has ended before; what else has, was before it on
 * another stack, and then the call's time may all be known already.
 */
static int64_t own_time(struct ptl_nests *nests, struct ptl_thread *thread,
			const struct ptl_frame *frame, int64_t duration)
{
	int64_t *sum = &thread->calls->sum[nests->user.number];
	int64_t self = duration - (*sum - frame->before);

	if (self < -ROUNDING)
		return 0;
	*sum += self;
	return self > 0 ? self : 0;
}

static struct ptl_frame *get(const struct ptl_frame_ref *ref)
{
	return ref->frame != NULL && ref->frame->serial == ref->serial ?
		       ref->frame :
		       NULL;
}

static struct ptl_frame_ref refer(struct ptl_frame *frame)
{
	return (struct ptl_frame_ref){frame, frame != NULL ? frame->serial : 0};
}

/* One for each place that calls, of those directly inside of the same call. */
static void add_ended(struct ptl_frame *frame, void *of, int64_t duration)
{
	for (size_t i = 0; i < frame->nr_ended; i++) {
		if (frame->ended[i].of == of) {
			frame->ended[i].duration += duration;
			return;
		}
	}
	frame->ended = ptl_grow(frame->ended, frame->nr_ended, &frame->room,
				sizeof(*frame->ended));
	frame->ended[frame->nr_ended++] = (struct ptl_ended){of, duration};
}

/* The time is part of the call of the function that it is in, or of the total.
 */
static void add_total(struct ptl_nests *nests, const struct ptl_frame *frame,
		      void *of, int64_t duration)
{
	struct ptl_frame *same = get(&frame->same);

	if (same != NULL) {
		add_ended(same, nests->total != NULL ? of : NULL, duration);
		return;
	}
	frame->function->total += duration;
	if (nests->total != NULL)
		nests->total(of, duration);
}

/* What ended inside of it is part of it.  Or its end was not seen: then those
 * are in the call around it. */
static void total_up(struct ptl_nests *nests, struct ptl_frame *frame,
		     int64_t duration)
{
	if (duration >= 0) {
		add_total(nests, frame, frame->of, duration - frame->counted);
	} else {
		for (size_t i = 0; i < frame->nr_ended; i++) {
			add_total(nests, frame, frame->ended[i].of,
				  frame->ended[i].duration);
			frame->counted += frame->ended[i].duration;
		}
	}
	frame->nr_ended = 0;
}

static void give_back(struct ptl_nests *nests, struct ptl_frame *frame)
{
	if (get(frame->active) == frame)
		*frame->active = frame->last;
	frame->serial = 0;
	frame->unused = nests->unused;
	nests->unused = frame;
}

/* The innermost call around it that counts. */
static struct ptl_frame *frame_around(const struct ptl_nests *nests,
				      const struct ptl_thread *thread,
				      const struct ptl_call *outer)
{
	while (outer != NULL && outer->of[nests->user.number] == NULL)
		outer = ptl_calls_outer(thread, outer);
	return outer != NULL ? outer->of[nests->user.number] : NULL;
}

static void leave(struct ptl_nests *nests, struct ptl_frame *frame,
		  struct ptl_frame *outer, int64_t duration, int64_t self)
{
	struct ptl_function *function = frame->function;

	if (duration < 0) {
		function->nr_open++;
	} else {
		ptl_hist_add(&function->hist, (uint64_t)duration);
		function->self += self;
	}
	total_up(nests, frame, duration);
	if (nests->leave != NULL)
		nests->leave(nests->of, outer, frame, duration, self);
	give_back(nests, frame);
}

static void leave_call(void *of, struct ptl_thread *thread,
		       struct ptl_call *call, struct ptl_call *outer,
		       uint64_t at, enum ptl_call_end how)
{
	struct ptl_nests *nests = of;
	struct ptl_frame *frame = call->of[nests->user.number];
	uint64_t took = at > call->begin ? at - call->begin : 0;

	if (frame == NULL)
		return;
	if (how == PTL_CALL_LEFT || took > DURATION_MAX)
		leave(nests, frame, frame_around(nests, thread, outer), -1, 0);
	else
		leave(nests, frame, frame_around(nests, thread, outer),
		      (int64_t)took,
		      own_time(nests, thread, frame, (int64_t)took));
}

/* What it is in may end before: what has ended in it is part of that. */
static void pass_call(void *of, struct ptl_thread *thread,
		      struct ptl_call *call, struct ptl_call *outer,
		      uint64_t at)
{
	struct ptl_nests *nests = of;
	struct ptl_frame *frame = call->of[nests->user.number];

	(void)thread;
	(void)outer;
	(void)at;
	if (frame != NULL)
		total_up(nests, frame, -1);
}

void ptl_nests_begin(struct ptl_nests *nests, struct ptl_model *model)
{
	nests->functions.value_size = sizeof(struct ptl_function);
	nests->active.value_size = sizeof(struct ptl_frame_ref);
	nests->user = (struct ptl_calls_user){
		.wants_libc = true,
		.leave = leave_call,
		.pass = pass_call,
		.of = nests,
	};
	ptl_calls_add_user(model->calls, &nests->user);
}

static struct ptl_function *get_function(struct ptl_nests *nests,
					 const char *name, const char *library)
{
	const char *key[] = {name, library};
	struct ptl_function *function =
		ptl_hash_get(&nests->functions, key, sizeof(key));

	function->name = name;
	function->library = library;
	return function;
}

/* The function of a call:enter or call:exit. */
static struct ptl_function *find_callee(struct ptl_nests *nests,
					const struct ptl_step *step)
{
	const char *name = ptl_step_string(step, "function");

	/* For which there was no room. */
	if (name == NULL && step->kind->act == PTL_ACT_SUMMARY &&
	    ptl_step_number(step, "callee", 0) == 0)
		return get_function(nests, ptl_intern("[other]", 8), NULL);
	/* By its place in its file, which is the same in each process. */
	if (name == NULL)
		name = ptl_model_site_at(step, (uint64_t)ptl_step_number(
						       step, "callee", 0))
			       ->name;
	return get_function(nests, name, ptl_step_string(step, "library"));
}

static struct ptl_function *find_function(struct ptl_nests *nests,
					  const struct ptl_step *step)
{
	struct ptl_function *function;

	if (ptl_act_enters(step->kind->act) || step->kind->act == PTL_ACT_LEAVE)
		return find_callee(nests, step);
	function = get_function(nests, step->kind->name, "libc");
	function->is_libc = true;
	function->nr_failed += step->error != NULL;
	return function;
}

/* The event is in the function as a return address would be. */
static void learn_hot(struct ptl_nests *nests, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	uint64_t at = (uintptr_t)view->event->posix_prog_address - 1;
	struct ptl_callee callee =
		ptl_modules_function(view->source->modules, view->event, at);
	struct ptl_function *function = get_function(
		nests,
		callee.function != NULL ?
			ptl_intern(callee.function, callee.function_size) :
			ptl_model_site_at(step, at)->name,
		callee.library != NULL ?
			ptl_intern(callee.library, callee.library_size) :
			NULL);

	if (function->nr_hot++ == 0)
		function->hot_at = step->now;
}

/* The call of the function that a new one is inside of.  Where there are
 * several stacks that is not always the last one. */
static struct ptl_frame *find_same(const struct ptl_nests *nests,
				   const struct ptl_step *step,
				   const struct ptl_frame *frame)
{
	const struct ptl_call *call = step->moment.outer;
	const struct ptl_frame *around;

	if (!ptl_calls_cross(step->moment.thread))
		return get(&frame->last);
	for (; call != NULL;
	     call = ptl_calls_outer(step->moment.thread, call)) {
		around = call->of[nests->user.number];
		if (around != NULL && around->function == frame->function)
			return call->of[nests->user.number];
	}
	return NULL;
}

/* The thread's innermost call of each function is known, and of each call the
 * one before. */
static struct ptl_frame *enter(struct ptl_nests *nests,
			       const struct ptl_step *step,
			       struct ptl_function *function)
{
	const void *key[] = {step->thread, function};
	struct ptl_frame *frame = nests->unused, old = {0};

	if (frame != NULL) {
		nests->unused = frame->unused;
		old = *frame;
	} else {
		frame = ptl_alloc(sizeof(*frame));
	}
	*frame = (struct ptl_frame){
		.serial = ++nests->serials,
		.function = function,
		.before = step->moment.thread->calls != NULL ?
				  step->moment.thread->calls
					  ->sum[nests->user.number] :
				  0,
		.active = ptl_hash_get(&nests->active, key, sizeof(key)),
		.ended = old.ended,
		.room = old.room,
	};
	frame->last = *frame->active;
	frame->same = refer(find_same(nests, step, frame));
	*frame->active = refer(frame);
	function->nr++;
	function->nr_entries += step->kind->act == PTL_ACT_ENTRY;
	if (nests->enter != NULL)
		nests->enter(nests->of, step,
			     frame_around(nests, step->moment.thread,
					  step->moment.outer),
			     frame);
	return frame;
}

/* A call that says how long it took, or that has no end. */
static bool is_call(const struct ptl_step *step)
{
	const struct ptl_moment *moment = &step->moment;

	if (ptl_act_enters(step->kind->act))
		return moment->begins ||
		       ptl_step_number(step, "callee", 0) != 0;
	return moment->begins && moment->call->kind >= PTL_CALL_FUNCTION &&
	       step->duration >= 0;
}

/* Of the calls that a call:summary stands for the times are known as counts of
 * octaves: they are taken to lie evenly in their own, as far as the shortest
 * and the longest let them. */
#define PARTS 8

static uint64_t add_times(struct ptl_hist *hist, const struct ptl_arg *took,
			  uint64_t least, uint64_t most)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < ptl_counts_nr(took); i++) {
		uint64_t low = i > 0 ? UINT64_C(1) << (i - 1) : 0;
		uint64_t count = ptl_counts_at(took, i);

		nr += count;
		for (uint64_t part = 0; part < PARTS; part++) {
			uint64_t some = count / (PARTS - part);
			uint64_t time = low + low * (2 * part + 1) / 2 / PARTS;

			time = time < least ? least : time;
			time = time > most ? most : time;
			ptl_hist_add_many(hist, time, some);
			count -= some;
		}
	}
	if (nr > 0 && most > hist->max)
		hist->max = most;
	return nr;
}

void ptl_nests_add_time(int64_t *sum, int64_t time)
{
	*sum = *sum > INT64_MAX - time ? INT64_MAX : *sum + time;
}

/* The event's number; 0 if nothing takes so long, but in a damaged log. */
static int64_t time_of(const struct ptl_step *step, const char *name)
{
	int64_t time = ptl_step_number(step, name, 0);

	return time >= 0 && (uint64_t)time <= DURATION_MAX ? time : 0;
}

static void learn_summary(struct ptl_nests *nests, const struct ptl_step *step)
{
	const struct ptl_arg *took = ptl_decode_find(&step->view->args, "took");
	struct ptl_function *function = find_callee(nests, step);
	uint64_t nr = (uint64_t)ptl_step_number(step, "calls", 0), nr_ended = 0;
	int64_t total = time_of(step, "total");

	nests->has_begins = true;
	if (took != NULL)
		nr_ended = add_times(&function->hist, took,
				     (uint64_t)time_of(step, "min"),
				     (uint64_t)time_of(step, "max"));
	nests->has_ends |= nr_ended > 0;
	function->nr += nr;
	/* What ends in a summary may have begun in one before. */
	if (nr > nr_ended)
		function->nr_open += nr - nr_ended;
	else
		function->nr_open -= nr_ended - nr < function->nr_open ?
					     nr_ended - nr :
					     function->nr_open;
	ptl_nests_add_time(&function->total, total);
	ptl_nests_add_time(&function->self, time_of(step, "self"));
	if (nests->summary != NULL)
		nests->summary(nests->of, step, function, nr,
			       nr_ended > 0 ? total : -1);
}

void ptl_nests_learn(struct ptl_nests *nests, const struct ptl_step *step)
{
	const struct ptl_moment *moment = &step->moment;
	struct ptl_frame *frame;

	if (step->process == NULL)
		return;
	if (step->kind->act == PTL_ACT_SUMMARY) {
		learn_summary(nests, step);
		return;
	}
	if (ptl_step_is_hot(step))
		learn_hot(nests, step);
	nests->has_begins |= ptl_act_enters(step->kind->act);
	nests->has_ends |= step->kind->act == PTL_ACT_LEAVE;
	if (!is_call(step))
		return;
	frame = enter(nests, step, find_function(nests, step));
	if (moment->call != NULL)
		moment->call->of[nests->user.number] = frame;
	else
		leave(nests, frame,
		      frame_around(nests, moment->thread, moment->outer), -1,
		      0);
}

void ptl_nests_free(struct ptl_nests *nests)
{
	struct ptl_function *function = NULL;

	while ((function = ptl_hash_next(&nests->functions, function)) != NULL)
		ptl_hist_free(&function->hist);
	while (nests->unused != NULL) {
		struct ptl_frame *frame = nests->unused;

		nests->unused = frame->unused;
		free(frame->ended);
		free(frame);
	}
	ptl_hash_clear(&nests->functions);
	ptl_hash_clear(&nests->active);
}
