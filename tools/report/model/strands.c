/* SPDX-License-Identifier: MIT */
/*
 * What threads waited for; see strands.h.  An event of a call comes where the
 * call began, and says how long it took: what ends a wait comes later, and
 * before the wait's end.  Until then the wait is kept with its object.
 */
#include "tools/report/model/strands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/modules.h"
#include "tools/report/model/awaited.h"
#include "tools/report/model/channels.h"
#include "tools/report/model/locks.h"

#define LEAST 1000 /* ns */

/* A process's first thread, and who began the process when, if that is known.
 */
struct main {
	struct ptl_strand *first, *parent;
	int64_t at;
};

struct ptl_strands {
	struct ptl_strand *first, **last;
	struct ptl_hash awaited;   /* struct ptl_awaited */
	struct ptl_hash mains;	   /* struct main, by process */
	struct ptl_hash by_thread; /* the last of each struct ptl_thread */
	struct ptl_hash by_tid;	   /* and of each number of a process */
	struct ptl_strand **by_life;
	size_t nr_lives, lives_room;
	struct ptl_channels *channels;
	struct ptl_waits_kept kept;
};

struct ptl_strands *ptl_strands_new(void)
{
	struct ptl_strands *strands = ptl_alloc(sizeof(*strands));

	strands->last = &strands->first;
	strands->awaited.value_size = sizeof(struct ptl_awaited);
	strands->mains.value_size = sizeof(struct main);
	strands->by_thread.value_size = sizeof(struct ptl_strand *);
	strands->by_tid.value_size = sizeof(struct ptl_strand *);
	strands->channels = ptl_channels_new(&strands->kept);
	strands->kept.least = LEAST;
	return strands;
}

void ptl_strands_free(struct ptl_strands *strands)
{
	struct ptl_strand *strand, *next;

	for (strand = strands->first; strand != NULL; strand = next) {
		next = strand->next;
		for (size_t i = 0; i < strand->nr; i++)
			free(strand->wait[i]);
		free(strand->wait);
		free(strand->meeting);
		free(strand);
	}
	ptl_hash_clear(&strands->awaited);
	ptl_hash_clear(&strands->mains);
	ptl_hash_clear(&strands->by_thread);
	ptl_hash_clear(&strands->by_tid);
	free(strands->by_life);
	ptl_channels_free(strands->channels);
	free(strands);
}

/* Strands */

static struct ptl_strand *new_strand(struct ptl_strands *strands,
				     const struct ptl_step *step)
{
	struct ptl_strand *strand = ptl_alloc(sizeof(*strand));

	strand->process = step->process;
	strand->tid = step->thread->tid;
	strand->life = step->thread->life;
	strand->begin = step->now;
	*strands->last = strand;
	strands->last = &strand->next;
	return strand;
}

static struct main *main_of(struct ptl_strands *strands,
			    const struct ptl_process *process)
{
	return ptl_hash_get(&strands->mains, &process, sizeof(process));
}

/* The last of the threads that had this number in the process. */
static struct ptl_strand **of_tid(struct ptl_strands *strands,
				  const struct ptl_process *process,
				  int64_t tid)
{
	struct {
		const struct ptl_process *process;
		int64_t tid;
	} key = {process, tid};

	return ptl_hash_get(&strands->by_tid, &key, sizeof(key));
}

/* The thread that began the one whose first event that is: NULL, if the event
 * does not say so, as of threads that ran before they were traced. */
static struct ptl_strand *creator_of(struct ptl_strands *strands,
				     const struct ptl_step *step)
{
	int64_t tid = step->kind->act == PTL_ACT_THREAD_START ?
			      ptl_step_number(step, "creator", 0) :
			      0;

	return tid > 0 ? *of_tid(strands, step->process, tid) : NULL;
}

/* A thread that executes a program goes on in another strand; of others the
 * first thread of the process is taken for the one that has begun them, if they
 * do not say who has. */
static struct ptl_strand *add_strand(struct ptl_strands *strands,
				     const struct ptl_step *step)
{
	struct ptl_strand **last = ptl_hash_get(
		&strands->by_thread, &step->thread, sizeof(step->thread));
	struct main *main = main_of(strands, step->process);
	struct ptl_strand *creator = creator_of(strands, step);
	struct ptl_strand *strand = new_strand(strands, step), *before = *last;

	if (creator != NULL)
		strand->from = creator;
	else if (before != NULL && before->process == step->process)
		strand->from = before;
	else
		strand->from = main->first;
	strand->from_at = strand->begin;
	if (main->first == NULL)
		main->first = strand;
	*of_tid(strands, step->process, strand->tid) = strand;
	return *last = strand;
}

static struct ptl_strand *strand_of(struct ptl_strands *strands,
				    const struct ptl_step *step)
{
	size_t life = step->thread->life;
	struct ptl_strand *strand;

	while (strands->nr_lives <= life) {
		strands->by_life = ptl_grow(strands->by_life, strands->nr_lives,
					    &strands->lives_room,
					    sizeof(struct ptl_strand *));
		strands->by_life[strands->nr_lives++] = NULL;
	}
	if (strands->by_life[life] == NULL)
		strands->by_life[life] = add_strand(strands, step);
	strand = strands->by_life[life];
	strand->label = step->process->label;
	if (step->thread->name != NULL)
		strand->name = step->thread->name;
	if (step->now > strand->end)
		strand->end = step->now;
	return strand;
}

/* Waits, and what ends them */

/* Locks and the like */

static enum ptl_wait_kind kind_of(enum ptl_act act)
{
	switch (act) {
	case PTL_ACT_CONDITION:
	case PTL_ACT_SEM_WAIT:
		return PTL_WAIT_CONDITION;
	case PTL_ACT_BARRIER:
		return PTL_WAIT_BARRIER;
	case PTL_ACT_JOIN:
		return PTL_WAIT_THREAD;
	default:
		return PTL_WAIT_LOCK;
	}
}

static struct ptl_awaited *pending_at(struct ptl_strands *strands,
				      const struct ptl_step *step,
				      const struct ptl_arg *arg)
{
	return ptl_awaited_get(&strands->awaited, PTL_AWAITED_SYNC,
			       step->process, (uint64_t)arg->value,
			       step->view->event->posix_image_np);
}

/* The end of a process or thread: it waits for that, or need not any more. */
static void ask_for_end(struct ptl_strands *strands, struct ptl_strand *strand,
			const struct ptl_step *step,
			struct ptl_awaited *awaited, enum ptl_wait_kind kind,
			const char *what)
{
	struct ptl_wait *wait =
		ptl_wait_add(&strands->kept, strand, step, kind, what);

	ptl_awaited_meet(awaited, strand, wait, step->now);
	ptl_awaited_keep(awaited, wait);
}

static void learn_child(struct ptl_strands *strands, struct ptl_strand *strand,
			const struct ptl_step *step)
{
	int64_t child = ptl_step_number(step, "ret", 0);

	if (child > 0)
		ask_for_end(strands, strand, step,
			    ptl_awaited_get(&strands->awaited,
					    PTL_AWAITED_CHILD, step->process,
					    (uint64_t)child, 0),
			    PTL_WAIT_CHILD, "a child");
	else
		ptl_wait_add(&strands->kept, strand, step, PTL_WAIT_CALL,
			     step->kind->name);
}

/* Who it is that had it, and that the thread has it at the end, if it has. */
static void take_lock(struct ptl_awaited *pending, struct ptl_strand *strand,
		      const struct ptl_step *step, struct ptl_wait *wait)
{
	struct ptl_strand *holder = ptl_awaited_holder(pending, step->now);

	if (wait != NULL) {
		wait->holder = holder != strand ? holder : NULL;
		wait->takes = step->error == NULL;
	} else if (step->error == NULL) {
		ptl_awaited_take(pending, strand, step->now);
	}
}

static void learn_lock(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	const struct ptl_arg *arg = step->view->args.arg;
	struct ptl_awaited *pending = pending_at(strands, step, arg);
	struct ptl_wait *wait = NULL;

	/* The last thread to come ends the others' waiting. */
	if (step->kind->act == PTL_ACT_BARRIER)
		ptl_awaited_wake(pending, strand, step->now);
	/* Whoever waits for a condition lets the lock go. */
	if (step->kind->act == PTL_ACT_CONDITION && step->view->args.nr > 1)
		ptl_awaited_let_go(pending_at(strands, step, arg + 1), strand,
				   step->now);
	/* The name of a lock takes time to find. */
	if (step->duration >= strands->kept.least)
		wait = ptl_wait_add(&strands->kept, strand, step,
				    kind_of(step->kind->act),
				    ptl_lock_name(step, arg));
	if (kind_of(step->kind->act) == PTL_WAIT_LOCK)
		take_lock(pending, strand, step, wait);
	ptl_awaited_keep(pending, wait);
}

static void learn_sync(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	const struct ptl_arg *arg = step->view->args.arg;

	if (step->view->args.nr == 0)
		return;
	switch (step->kind->act) {
	case PTL_ACT_LOCK:
	case PTL_ACT_RDLOCK:
	case PTL_ACT_SEM_WAIT:
	case PTL_ACT_CONDITION:
	case PTL_ACT_BARRIER:
		learn_lock(strands, strand, step);
		break;
	case PTL_ACT_TRYLOCK:
	case PTL_ACT_TRYRDLOCK:
		take_lock(pending_at(strands, step, arg), strand, step, NULL);
		break;
	case PTL_ACT_UNLOCK:
		ptl_awaited_let_go(pending_at(strands, step, arg), strand,
				   step->now);
		break;
	case PTL_ACT_WAKE:
		ptl_awaited_wake(pending_at(strands, step, arg), strand,
				 step->now);
		break;
	case PTL_ACT_JOIN:
		ask_for_end(strands, strand, step,
			    ptl_awaited_get(&strands->awaited,
					    PTL_AWAITED_THREAD, step->process,
					    (uint64_t)arg->value, 0),
			    PTL_WAIT_THREAD, "the end of a thread");
		break;
	case PTL_ACT_WAITPID:
		learn_child(strands, strand, step);
		break;
	default:
		break;
	}
}

/* Signals */

/* By the number of a process, where the other process is. */
static struct ptl_awaited *signals_to(struct ptl_strands *strands,
				      const struct ptl_process *process,
				      int64_t pid)
{
	return ptl_awaited_get(&strands->awaited, PTL_AWAITED_SIGNAL,
			       process->host, (uint64_t)pid, 0);
}

static bool sleeps(const struct ptl_step *step)
{
	return step->kind->family == PTL_FAMILY_TIME &&
	       strstr(step->kind->name, "sleep") != NULL;
}

/* sleep() says what was left, and has no error. */
static bool is_interrupted(const struct ptl_step *step)
{
	return (step->error != NULL && step->error->value == EINTR) ||
	       (sleeps(step) && ptl_step_number(step, "ret", 0) > 0);
}

/* What it waited for did not come. */
static void learn_interrupted(struct ptl_strands *strands,
			      struct ptl_strand *strand,
			      const struct ptl_step *step)
{
	ptl_awaited_keep(
		signals_to(strands, strand->process, strand->process->pid),
		ptl_wait_add(&strands->kept, strand, step, PTL_WAIT_SIGNAL,
			     step->kind->name));
}

/* Processes */

static void learn_fork(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	const struct ptl_process *child =
		ptl_processes_forked(step->model->processes);
	struct main *main;

	if (child == NULL)
		return;
	main = main_of(strands, child);
	main->parent = strand;
	main->at = step->now;
}

static void learn_end(struct ptl_strands *strands, struct ptl_strand *strand,
		      const struct ptl_step *step)
{
	const struct ptl_process *process = step->process;
	struct ptl_awaited *pending;

	if (step->kind->act == PTL_ACT_THREAD_EXIT) {
		ptl_awaited_ended(
			ptl_awaited_get(
				&strands->awaited, PTL_AWAITED_THREAD, process,
				(uint64_t)step->view->event->posix_thread_id,
				0),
			strand, step->now);
		return;
	}
	ptl_channels_end(strands->channels, strand, step->now);
	if (process->parent == NULL)
		return;
	/* SIGCHLD */
	ptl_awaited_wake(signals_to(strands, process, process->parent->pid),
			 strand, step->now);
	pending = ptl_awaited_get(&strands->awaited, PTL_AWAITED_CHILD,
				  process->parent, (uint64_t)process->pid, 0);
	ptl_awaited_ended(pending, strand, step->now);
	for (struct ptl_wait *wait = pending->first; wait != NULL;
	     wait = wait->next)
		wait->child = process;
}

/* What is told of a thread is none. */
static bool is_deed(const struct ptl_step *step)
{
	return step->process != NULL && step->thread != NULL &&
	       step->kind->family != PTL_FAMILY_SCHED &&
	       step->kind->act != PTL_ACT_CPU_SAMPLE;
}

void ptl_strands_learn(struct ptl_strands *strands, const struct ptl_step *step)
{
	struct ptl_strand *strand;

	if (!is_deed(step))
		return;
	strand = strand_of(strands, step);
	if (step->kind->act == PTL_ACT_FORK)
		learn_fork(strands, strand, step);
	if (step->kind->act == PTL_ACT_EXIT ||
	    step->kind->act == PTL_ACT_THREAD_EXIT)
		learn_end(strands, strand, step);
	if (step->kind->act == PTL_ACT_SIGNAL_SEND)
		ptl_awaited_wake(signals_to(strands, step->process,
					    ptl_step_number(step, "pid", 0)),
				 strand, step->now);
	if (is_interrupted(step))
		learn_interrupted(strands, strand, step);
	else if (step->kind->family == PTL_FAMILY_SYNC)
		learn_sync(strands, strand, step);
	else if (step->kind->act == PTL_ACT_POLL)
		ptl_channels_poll(strands->channels, strand, step);
	else if (sleeps(step))
		ptl_wait_add(&strands->kept, strand, step, PTL_WAIT_SLEEP,
			     step->kind->name);
	else
		ptl_channels_learn(strands->channels, strand, step);
}

struct ptl_strand *ptl_strands_of(const struct ptl_strands *strands,
				  const struct ptl_step *step)
{
	return is_deed(step) && step->thread->life < strands->nr_lives ?
		       strands->by_life[step->thread->life] :
		       NULL;
}

const struct ptl_wait *ptl_strands_wait(const struct ptl_strands *strands,
					const struct ptl_step *step)
{
	const struct ptl_strand *strand = ptl_strands_of(strands, step);
	const struct ptl_wait *last = strand != NULL && strand->nr > 0 ?
					      strand->wait[strand->nr - 1] :
					      NULL;

	return last != NULL && last->begin == step->now ? last : NULL;
}

void ptl_strands_end(struct ptl_strands *strands)
{
	for (struct ptl_strand *strand = strands->first; strand != NULL;
	     strand = strand->next) {
		const struct main *main = main_of(strands, strand->process);

		if (strand->from != NULL || main->parent == NULL)
			continue;
		strand->from = main->parent;
		strand->from_at =
			main->at < strand->begin ? main->at : strand->begin;
	}
}

struct ptl_strand *ptl_strands_next(const struct ptl_strands *strands,
				    const struct ptl_strand *strand)
{
	return strand == NULL ? strands->first : strand->next;
}

struct ptl_strand *ptl_strands_last(const struct ptl_strands *strands)
{
	struct ptl_strand *last = NULL;

	for (struct ptl_strand *strand = strands->first; strand != NULL;
	     strand = strand->next)
		if (strand->process->parent == NULL &&
		    (last == NULL || strand->end > last->end))
			last = strand;
	return last;
}

int64_t ptl_strands_least(const struct ptl_strands *strands)
{
	return strands->kept.least;
}
