/* SPDX-License-Identifier: MIT */
/*
 * See off_cpu.h.  An event of a time off the processor comes where that begins:
 * the call in which it is has come before, and says how long it took; who ended
 * the call's wait comes later.  So the times are kept until there are no more
 * events.
 */
#include "tools/report/model/off_cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/lib/clock.h"
#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/model/modules.h"
#include "tools/report/model/off_sums.h"

#define NS_PER_S 1000000000
/* Where a log does not say how many samples there are in a second. */
#define HZ_USUAL 999

/* Calls can be in one another, but not in many. */
#define CALLS 8

/* By how much, in ns, the kernel's clock and ours may differ. */
#define CLOSE 5000

struct recent_call {
	int64_t begin, end;
	const struct ptl_wait *wait; /* or NULL */
	const char *name;
	const struct ptl_site *site;
};

struct followed {
	struct ptl_off_thread thread;
	struct recent_call call[CALLS];
	unsigned int nr; /* that there were; the last is at nr - 1 */
};

struct ptl_off_cpu {
	struct ptl_strands *strands;
	struct followed **by_life;
	size_t nr_lives, room;
	struct ptl_off_time *time;
	size_t nr, time_room;
	struct ptl_off_sums *sums;
	const struct ptl_off_thread **ended;
	size_t nr_ended, ended_room;
	int64_t hz;
	struct ptl_off_all all;
};

struct ptl_off_cpu *ptl_off_cpu_new(void)
{
	struct ptl_off_cpu *off = ptl_alloc(sizeof(*off));

	off->strands = ptl_strands_new();
	off->hz = HZ_USUAL;
	return off;
}

void ptl_off_cpu_free(struct ptl_off_cpu *off)
{
	for (size_t i = 0; i < off->nr_lives; i++)
		free(off->by_life[i]);
	free(off->by_life);
	free(off->time);
	free(off->ended);
	if (off->sums != NULL)
		ptl_off_sums_free(off->sums);
	ptl_strands_free(off->strands);
	free(off);
}

static struct followed *follow(struct ptl_off_cpu *off,
			       const struct ptl_step *step)
{
	size_t life = step->thread->life;
	struct followed *followed;

	while (off->nr_lives <= life) {
		off->by_life = ptl_grow(off->by_life, off->nr_lives, &off->room,
					sizeof(*off->by_life));
		off->by_life[off->nr_lives++] = NULL;
	}
	if (off->by_life[life] == NULL) {
		followed = ptl_alloc(sizeof(*followed));
		followed->thread.tid = step->thread->tid;
		followed->thread.sampled = -1;
		followed->thread.on = -1;
		off->by_life[life] = followed;
	}
	followed = off->by_life[life];
	followed->thread.process = step->process;
	followed->thread.label = step->process->label;
	if (step->thread->name != NULL)
		followed->thread.name = step->thread->name;
	return followed;
}

static void learn_call(struct ptl_off_cpu *off, struct followed *followed,
		       const struct ptl_step *step)
{
	struct recent_call *call = &followed->call[followed->nr++ % CALLS];

	*call = (struct recent_call){
		.begin = step->now,
		.end = step->now + (step->duration > 0 ? step->duration : 0),
		.wait = ptl_strands_wait(off->strands, step),
		.name = step->kind->name,
		.site = ptl_model_site(step),
	};
}

/* The innermost call that the thread was in all the time, or NULL. */
static const struct recent_call *call_around(const struct followed *followed,
					     int64_t begin, int64_t end)
{
	for (unsigned int i = 0; i < CALLS && i < followed->nr; i++) {
		const struct recent_call *call =
			&followed->call[(followed->nr - 1 - i) % CALLS];

		if (call->begin <= begin + CLOSE && call->end >= end - CLOSE)
			return call;
	}
	return NULL;
}

/* Where no call is recorded that was made to wait, a function that is. */
static void find_function(struct ptl_off_time *time,
			  const struct ptl_step *step)
{
	uint64_t at = ptl_ns(&step->view->event->posix_timestamp);
	const struct ptl_call *in = ptl_calls_in(step->thread, at);

	if (in == NULL)
		return;
	time->call = ptl_modules_function(step->view->source->modules,
					  step->view->event, in->callee)
			     .function;
	if (time->call == NULL)
		return;
	time->call = ptl_intern(time->call, strlen(time->call));
	time->site = ptl_sites_at(&step->model->sites, step->view, in->site);
}

static void learn_off(struct ptl_off_cpu *off, const struct followed *followed,
		      const struct ptl_step *step)
{
	int64_t took = step->duration > 0 ? step->duration : 0;
	const struct recent_call *call =
		call_around(followed, step->now, step->now + took);
	struct ptl_off_time *time;

	off->time = ptl_grow(off->time, off->nr, &off->time_room,
			     sizeof(*off->time));
	time = &off->time[off->nr++];
	*time = (struct ptl_off_time){
		.thread = &followed->thread,
		.begin = step->now,
		.end = step->now + took,
		.is_preempted = ptl_off_is_preempted(step),
	};
	if (ptl_off_is_page(step)) {
		time->is_page = true;
		time->site = ptl_model_site(step);
		return;
	}
	if (call == NULL) {
		find_function(time, step);
		return;
	}
	time->wait = call->wait;
	time->call = call->name;
	time->site = call->site;
}

/* A number that makes sense as a time, or a count. */
static int64_t field(const struct ptl_step *step, const char *name)
{
	int64_t number = ptl_step_number(step, name, 0);

	return number > 0 ? number : 0;
}

static void learn_sums(struct ptl_off_cpu *off, struct ptl_off_thread *thread,
		       const struct ptl_step *step)
{
	if (thread->on < 0) {
		off->ended = ptl_grow(off->ended, off->nr_ended,
				      &off->ended_room, sizeof(*off->ended));
		off->ended[off->nr_ended++] = thread;
	}
	thread->on = field(step, "on");
	thread->off = field(step, "off");
	thread->preempted = field(step, "preempted");
	thread->brief = field(step, "short");
	thread->unknown = field(step, "unknown");
	thread->times = field(step, "times");
	thread->preempted_times = field(step, "preempted_times");
	thread->brief_times = field(step, "short_times");
}

static void learn_sample(const struct ptl_off_cpu *off,
			 struct ptl_off_thread *thread,
			 const struct ptl_step *step)
{
	int64_t time =
		ptl_number_share(field(step, "weight"), NS_PER_S, off->hz);

	if (field(step, "mode") & PTL_SAMPLE_KERNEL)
		time = 0;
	thread->sampled = thread->sampled < 0 ?
				  time :
				  ptl_number_add(thread->sampled, time);
}

void ptl_off_cpu_learn(struct ptl_off_cpu *off, const struct ptl_step *step)
{
	struct followed *followed;

	ptl_strands_learn(off->strands, step);
	ptl_off_all_learn(&off->all, step);
	if (step->kind->act == PTL_ACT_CPU_SAMPLING && field(step, "hz") > 0)
		off->hz = field(step, "hz");
	if (step->process == NULL || step->thread == NULL)
		return;
	followed = follow(off, step);
	switch (step->kind->act) {
	case PTL_ACT_SCHED_OFF:
		learn_off(off, followed, step);
		break;
	case PTL_ACT_SCHED_SUM:
		learn_sums(off, &followed->thread, step);
		break;
	case PTL_ACT_CPU_SAMPLE:
		learn_sample(off, &followed->thread, step);
		break;
	default:
		if (step->kind->is_call)
			learn_call(off, followed, step);
		break;
	}
}

/* The end */

static int compare_threads(const void *left, const void *right)
{
	const struct ptl_off_thread *a = *(struct ptl_off_thread *const *)left;
	const struct ptl_off_thread *b = *(struct ptl_off_thread *const *)right;
	int64_t x = ptl_number_add(a->on, a->off);
	int64_t y = ptl_number_add(b->on, b->off);

	if (x != y)
		return x > y ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

void ptl_off_cpu_end(struct ptl_off_cpu *off)
{
	ptl_strands_end(off->strands);
	if (off->sums != NULL)
		ptl_off_sums_free(off->sums);
	off->sums = ptl_off_sums_new(off->time, off->nr);
	if (off->nr_ended > 0)
		qsort(off->ended, off->nr_ended, sizeof(*off->ended),
		      compare_threads);
}

struct ptl_off_sum *ptl_off_cpu_next(const struct ptl_off_cpu *off,
				     const struct ptl_off_sum *sum)
{
	return ptl_off_sums_next(off->sums, sum);
}

const struct ptl_off_thread *const *
ptl_off_cpu_threads(const struct ptl_off_cpu *off, size_t *nr)
{
	*nr = off->nr_ended;
	return off->ended;
}

const struct ptl_off_all *ptl_off_cpu_all(const struct ptl_off_cpu *off)
{
	return &off->all;
}
