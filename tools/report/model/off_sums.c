/* SPDX-License-Identifier: MIT */
/* See off_sums.h. */
#include "tools/report/model/off_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/number.h"
#include "tools/lib/say.h"

struct ptl_off_sums {
	struct ptl_hash sums;	/* struct ptl_off_sum, by program and so on */
	struct ptl_hash shares; /* struct ptl_off_share, by list and name */
};

static const char *program_of(const struct ptl_off_thread *thread)
{
	/* Before it has said its name. */
	return thread->label->name != NULL ?
		       thread->label->name :
		       ptl_process_program(thread->process);
}

static const char *thread_name(const char *program, const char *name, pid_t pid,
			       pid_t tid)
{
	char text[400];

	if (name != NULL)
		program = name;
	if (pid == tid)
		snprintf(text, sizeof(text), "%.300s[%d]", program, (int)pid);
	else
		snprintf(text, sizeof(text), "%.300s[%d/%d]", program, (int)pid,
			 (int)tid);
	return ptl_intern(text, sizeof(text));
}

const char *ptl_off_thread_name(const struct ptl_off_thread *thread)
{
	return thread_name(program_of(thread), thread->name,
			   thread->process->pid, thread->tid);
}

static const char *name_of_strand(const struct ptl_strand *strand)
{
	return thread_name(ptl_strand_program(strand), strand->name,
			   strand->process->pid, strand->tid);
}

static const char *why(const struct ptl_off_time *time)
{
	char text[128];

	if (time->is_preempted)
		return "no CPU was free";
	if (time->is_page)
		return "page fault";
	if (time->call == NULL)
		return "in no recorded call";
	if (time->wait != NULL && time->wait->kind != PTL_WAIT_CALL)
		return ptl_wait_name(time->wait);
	snprintf(text, sizeof(text), "in %.100s", time->call);
	return ptl_intern(text, sizeof(text));
}

/* Anywhere, where it was not the thread that went off. */
static const char *where(const struct ptl_off_time *time)
{
	if (time->is_preempted || (time->call == NULL && !time->is_page))
		return NULL;
	return time->site->name;
}

static void add_share(struct ptl_off_sums *sums, struct ptl_off_share **list,
		      const char *name, int64_t took)
{
	const void *key[] = {list, name};
	struct ptl_off_share *share =
		ptl_hash_get(&sums->shares, key, sizeof(key));

	if (!share->is_known) {
		share->is_known = true;
		share->name = name;
		share->next = *list;
		*list = share;
	}
	share->time = ptl_number_add(share->time, took);
	share->nr++;
}

/* Who woke it, and how long it took to run then: that is known of the last time
 * in the wait only, for before it woke for nothing. */
static void add_wake(struct ptl_off_sums *sums, struct ptl_off_sum *sum,
		     const struct ptl_off_time *time)
{
	const struct ptl_wait *wait = time->wait;
	const struct ptl_strand *waker;

	if (time->is_preempted || wait == NULL)
		return;
	/* Whose event of the release came too late had it even so. */
	waker = wait->waker != NULL ? wait->waker : wait->holder;
	if (waker != NULL)
		add_share(sums, &sum->wakers, name_of_strand(waker),
			  time->end - time->begin);
	if (wait->waker == NULL || wait->woken < time->begin ||
	    wait->woken > time->end)
		return;
	sum->nr_woken++;
	sum->wake = ptl_number_add(sum->wake, time->end - wait->woken);
}

static void add(struct ptl_off_sums *sums, const struct ptl_off_time *time)
{
	const void *key[] = {program_of(time->thread), why(time), where(time)};
	struct ptl_off_sum *sum = ptl_hash_get(&sums->sums, key, sizeof(key));
	int64_t took = time->end - time->begin;

	sum->program = key[0];
	sum->why = key[1];
	sum->where = key[2];
	sum->is_preempted = time->is_preempted;
	sum->is_lock = time->wait != NULL && time->wait->kind == PTL_WAIT_LOCK;
	sum->nr++;
	sum->time = ptl_number_add(sum->time, took);
	if (took > sum->max)
		sum->max = took;
	add_share(sums, &sum->threads, ptl_off_thread_name(time->thread), took);
	add_wake(sums, sum, time);
}

static int compare_shares(const void *left, const void *right)
{
	const struct ptl_off_share *a = *(struct ptl_off_share *const *)left;
	const struct ptl_off_share *b = *(struct ptl_off_share *const *)right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* The longest first. */
static void sort_shares(struct ptl_off_share **list)
{
	struct ptl_off_share **share = NULL;
	size_t nr = 0, room = 0;

	for (; *list != NULL; *list = (*list)->next) {
		share = ptl_grow(share, nr, &room,
				 sizeof(struct ptl_off_share *));
		share[nr++] = *list;
	}
	if (nr > 0)
		qsort(share, nr, sizeof(struct ptl_off_share *),
		      compare_shares);
	for (; nr > 0; nr--) {
		share[nr - 1]->next = *list;
		*list = share[nr - 1];
	}
	free(share);
}

struct ptl_off_sums *ptl_off_sums_new(const struct ptl_off_time *time,
				      size_t nr)
{
	struct ptl_off_sums *sums = ptl_alloc(sizeof(*sums));
	struct ptl_off_sum *sum = NULL;

	sums->sums.value_size = sizeof(struct ptl_off_sum);
	sums->shares.value_size = sizeof(struct ptl_off_share);
	for (size_t i = 0; i < nr; i++)
		add(sums, &time[i]);
	while ((sum = ptl_hash_next(&sums->sums, sum)) != NULL) {
		sort_shares(&sum->threads);
		sort_shares(&sum->wakers);
	}
	return sums;
}

void ptl_off_sums_free(struct ptl_off_sums *sums)
{
	ptl_hash_clear(&sums->sums);
	ptl_hash_clear(&sums->shares);
	free(sums);
}

struct ptl_off_sum *ptl_off_sums_next(const struct ptl_off_sums *sums,
				      const struct ptl_off_sum *sum)
{
	return ptl_hash_next(&sums->sums, sum);
}
