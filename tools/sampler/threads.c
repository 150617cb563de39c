/* SPDX-License-Identifier: MIT */
/* See threads.h. */
#include "tools/sampler/threads.h"

#include <stdlib.h>

#include "core/format/sysevents.h"
#include "tools/lib/say.h"
#include "tools/sampler/process.h"
#include "tools/sampler/tell.h"

#define BUCKETS 1024u

/* After a page has come the kernel tells of it at once: within so many ns. */
#define PAGE_NS 1000000

enum state { UNKNOWN, ON, OFF };

/* A time off the processor that is over, and for what is not known as yet. */
struct open_time {
	uint64_t begin, took; /* took 0: there is none */
	unsigned int cpu;
};

struct switched_thread {
	pid_t pid, tid;
	enum state state;
	bool is_preempted; /* while it is OFF */
	uint64_t since;	   /* of the state; 0: nothing is known before */
	/* ns, and how often: off the processor in all, and of these times those
	 * when it could have run, and those that were too short to be told. */
	uint64_t on, off, preempted, brief, unknown;
	uint64_t times, preempted_times, brief_times;
	struct open_time last;
	struct switched_thread *next;
};

static struct switched_thread *buckets[BUCKETS];
static uint64_t least;
static bool is_paused; /* then `since' is 0, and only the state is kept */

void ptl_threads_least(uint64_t ns)
{
	least = ns;
}

static struct switched_thread **find(pid_t tid)
{
	struct switched_thread **at = &buckets[(unsigned int)tid % BUCKETS];

	while (*at != NULL && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

static struct switched_thread *get(const struct ptl_threads_at *at)
{
	struct switched_thread **found = find(at->tid);

	if (*found == NULL) {
		*found = ptl_alloc(sizeof(**found));
		(*found)->tid = at->tid;
	}
	(*found)->pid = at->pid;
	return *found;
}

static void tell(const struct switched_thread *thread, uint32_t id,
		 uint64_t when, uint64_t address,
		 const struct ptl_tell_data *data)
{
	ptl_tell(&(struct ptl_tell){
		.id = id,
		.pid = thread->pid,
		.tid = thread->tid,
		.image = ptl_process_get(thread->pid)->image,
		.when = when,
		.addr = address,
		.data = data->bytes,
		.size = data->size,
	});
}

static void add_sums(struct switched_thread *thread, uint64_t took)
{
	thread->off += took;
	thread->times++;
	if (thread->is_preempted) {
		thread->preempted += took;
		thread->preempted_times++;
	}
}

/* Of what is not told by itself. */
static void add_brief(struct switched_thread *thread, uint64_t took)
{
	add_sums(thread, took);
	thread->brief += took;
	thread->brief_times++;
}

static void tell_off(const struct switched_thread *thread,
		     const struct open_time *time, bool is_preempted,
		     uint64_t address)
{
	static struct ptl_tell_data data;

	data.size = 0;
	ptl_tell_int(&data, time->took);
	ptl_tell_int(&data, is_preempted);
	ptl_tell_int(&data, time->cpu);
	tell(thread, PTL_EV_SCHED_OFF, time->begin, address, &data);
}

/* The last time was for a page, of the instruction there; 0: for something
 * else.
 */
static void tell_last(struct switched_thread *thread, uint64_t address)
{
	if (thread->last.took != 0)
		tell_off(thread, &thread->last, false, address);
	thread->last.took = 0;
}

/* A time off the processor is over. */
static void add_off(struct switched_thread *thread, uint64_t took,
		    unsigned int cpu)
{
	const struct open_time time = {thread->since, took, cpu};

	if (took < least) {
		add_brief(thread, took);
		return;
	}
	add_sums(thread, took);
	if (thread->is_preempted)
		tell_off(thread, &time, true, 0);
	else
		thread->last = time;
}

/* The state that it was in is over.  If it is not the one that can end so, its
 * own end, and what came since, was lost. */
static void leave_state(struct switched_thread *thread,
			const struct ptl_threads_at *at, enum state ends)
{
	/* Of two records with one time the later one may come first. */
	uint64_t took = at->when > thread->since ? at->when - thread->since : 0;

	tell_last(thread, 0);
	if (thread->since != 0 && thread->state != ends)
		thread->unknown += took;
	else if (thread->since != 0 && thread->state == ON)
		thread->on += took;
	else if (thread->since != 0)
		add_off(thread, took, at->cpu);
	thread->since = is_paused ? 0 : at->when;
}

static void tell_sums(const struct switched_thread *thread, uint64_t when)
{
	const uint64_t sums[] = {
		thread->on,
		thread->off,
		thread->times,
		thread->preempted,
		thread->preempted_times,
		thread->brief,
		thread->brief_times,
		thread->unknown,
	};
	static struct ptl_tell_data data;

	/* A thread that lived while the trace was stopped. */
	if (thread->on + thread->off + thread->unknown == 0)
		return;
	data.size = 0;
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		ptl_tell_int(&data, sums[i]);
	tell(thread, PTL_EV_SCHED_SUM, when, 0, &data);
}

/* What is known of it is told, and forgotten.  Nobody ends off the processor:
 * that it came back was lost. */
static void finish(struct switched_thread **found,
		   const struct ptl_threads_at *at)
{
	struct switched_thread *thread = *found;

	leave_state(thread, at, ON);
	tell_last(thread, 0);
	tell_sums(thread, at->when);
	*found = thread->next;
	free(thread);
}

void ptl_threads_begin(const struct ptl_threads_at *at)
{
	struct switched_thread *thread;

	if (least == 0)
		return;
	/* The number may have been another's, whose end was lost. */
	if (*find(at->tid) != NULL)
		finish(find(at->tid), at);
	thread = get(at);
	thread->state = OFF;
	thread->is_preempted = true;
	thread->since = is_paused ? 0 : at->when;
}

void ptl_threads_found(const struct ptl_threads_at *at, bool waits)
{
	struct switched_thread *thread;

	if (least == 0)
		return;
	thread = get(at);
	thread->state = waits ? OFF : UNKNOWN;
	thread->since = is_paused ? 0 : at->when;
}

void ptl_threads_end(const struct ptl_threads_at *at)
{
	struct switched_thread **found = find(at->tid);

	if (least != 0 && *found != NULL)
		finish(found, at);
}

static void finish_others(const struct ptl_threads_at *at)
{
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (struct switched_thread **found = &buckets[i];
		     *found != NULL;)
			if ((*found)->pid == at->pid &&
			    (*found)->tid != at->tid)
				finish(found, at);
			else
				found = &(*found)->next;
}

void ptl_threads_exec(const struct ptl_threads_at *at)
{
	if (least == 0)
		return;
	if (ptl_process_get(at->pid)->threads > 1)
		finish_others(at);
	/* Of the first process nothing was told before. */
	if (*find(at->tid) == NULL)
		ptl_threads_on(at);
}

void ptl_threads_off(const struct ptl_threads_at *at, bool is_preempted)
{
	struct switched_thread *thread;

	if (least == 0)
		return;
	thread = get(at);
	leave_state(thread, at, ON);
	thread->state = OFF;
	thread->is_preempted = is_preempted;
}

void ptl_threads_on(const struct ptl_threads_at *at)
{
	struct switched_thread *thread;

	if (least == 0)
		return;
	thread = get(at);
	leave_state(thread, at, OFF);
	thread->state = ON;
}

void ptl_threads_page(const struct ptl_threads_at *at, uint64_t address)
{
	struct switched_thread *thread = *find(at->tid);

	if (thread == NULL || thread->state != ON)
		return;
	/* The thread runs on since then. */
	if (at->when >= thread->since && at->when - thread->since < PAGE_NS)
		tell_last(thread, address);
}

void ptl_threads_settle(uint64_t before)
{
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (struct switched_thread *thread = buckets[i];
		     thread != NULL; thread = thread->next)
			if (thread->last.took != 0 &&
			    thread->since + PAGE_NS <= before)
				tell_last(thread, 0);
}

void ptl_threads_lose(void)
{
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (struct switched_thread *thread = buckets[i];
		     thread != NULL; thread = thread->next) {
			tell_last(thread, 0);
			thread->state = UNKNOWN;
		}
}

/* A time off the processor that is not over is in the sums, and not told. */
static void pause_thread(struct switched_thread *thread, uint64_t when)
{
	uint64_t took = when > thread->since ? when - thread->since : 0;

	tell_last(thread, 0);
	if (thread->since == 0)
		return;
	if (thread->state == ON)
		thread->on += took;
	else if (thread->state == UNKNOWN)
		thread->unknown += took;
	else
		add_brief(thread, took);
	thread->since = 0;
}

void ptl_threads_pause(uint64_t when)
{
	is_paused = true;
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (struct switched_thread *thread = buckets[i];
		     thread != NULL; thread = thread->next)
			pause_thread(thread, when);
}

void ptl_threads_resume(uint64_t when)
{
	is_paused = false;
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (struct switched_thread *thread = buckets[i];
		     thread != NULL; thread = thread->next)
			thread->since = when;
}

/* One that may be off the processor now. */
static void leave_thread(struct switched_thread **found, uint64_t when)
{
	struct switched_thread *thread = *found;
	const struct ptl_threads_at at = {
		.pid = thread->pid,
		.tid = thread->tid,
		.when = when,
	};

	leave_state(thread, &at, thread->state == UNKNOWN ? ON : thread->state);
	thread->state = ON;
	finish(found, &at);
}

void ptl_threads_leave(uint64_t when)
{
	for (unsigned int i = 0; i < BUCKETS; i++)
		while (buckets[i] != NULL)
			leave_thread(&buckets[i], when);
}
