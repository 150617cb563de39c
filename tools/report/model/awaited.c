/* SPDX-License-Identifier: MIT */
/* What threads wait for, and who ends that; see awaited.h. */
#include "tools/report/model/awaited.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"

/* Where there are more waits than that, shorter ones are left out. */
#define MANY (UINT64_C(1) << 20)

/* So many wait for the same at once; who ends the others' waits is not known.
 */
#define MAX_PENDING 4096

/* What lets a lock go is not timed: its event may be later than the end of the
 * wait that it ended, by so many ns. */
#define LATE 10000000

/* As a key all other bytes are 0. */
struct key {
	enum ptl_awaited_what what;
	unsigned int image;
	const void *of;
	uint64_t number;
};

struct ptl_awaited *ptl_awaited_get(struct ptl_hash *all,
				    enum ptl_awaited_what what, const void *of,
				    uint64_t number, unsigned int image)
{
	struct key key;

	memset(&key, 0, sizeof(key));
	key.what = what;
	key.of = of;
	key.number = number;
	key.image = image;
	return ptl_hash_get(all, &key, sizeof(key));
}

/* What is over cannot be ended any more. */
static void drop_past(struct ptl_awaited *awaited, int64_t now)
{
	struct ptl_wait **at = &awaited->first, *wait;

	while ((wait = *at) != NULL)
		if (wait->end < now - LATE || wait->is_over) {
			if (wait->takes && !wait->is_over)
				ptl_awaited_take(awaited, wait->strand,
						 wait->end);
			*at = wait->next;
			awaited->nr--;
		} else {
			at = &wait->next;
		}
}

void ptl_awaited_keep(struct ptl_awaited *awaited, struct ptl_wait *wait)
{
	if (wait == NULL)
		return;
	drop_past(awaited, wait->begin);
	if (awaited->nr == MAX_PENDING)
		return;
	awaited->nr++;
	wait->next = awaited->first;
	awaited->first = wait;
}

static bool may_be_late(enum ptl_wait_kind kind)
{
	return kind == PTL_WAIT_LOCK || kind == PTL_WAIT_CONDITION;
}

void ptl_awaited_end(struct ptl_wait *wait, struct ptl_strand *strand,
		     int64_t now)
{
	bool is_late = now > wait->end;

	if (strand == wait->strand || now <= wait->begin ||
	    (wait->is_first && wait->waker != NULL) ||
	    (is_late && !may_be_late(wait->kind)) ||
	    (is_late && wait->kind == PTL_WAIT_CONDITION &&
	     wait->waker != NULL))
		return;
	wait->waker = strand;
	wait->woken = is_late ? wait->end : now;
	wait->told = now;
}

void ptl_awaited_wake(struct ptl_awaited *awaited, struct ptl_strand *strand,
		      int64_t now)
{
	drop_past(awaited, now);
	for (struct ptl_wait *wait = awaited->first; wait != NULL;
	     wait = wait->next)
		ptl_awaited_end(wait, strand, now);
}

void ptl_awaited_ended(struct ptl_awaited *awaited, struct ptl_strand *strand,
		       int64_t now)
{
	ptl_awaited_wake(awaited, strand, now);
	awaited->ended = strand;
	awaited->ended_at = now;
}

void ptl_awaited_meet(const struct ptl_awaited *awaited,
		      struct ptl_strand *strand, const struct ptl_wait *wait,
		      int64_t now)
{
	struct ptl_strand *ended = awaited->ended;

	if (ended == NULL || ended == strand ||
	    (wait != NULL && awaited->ended_at > wait->begin))
		return;
	strand->meeting =
		ptl_grow(strand->meeting, strand->nr_meetings,
			 &strand->meetings_room, sizeof(*strand->meeting));
	strand->meeting[strand->nr_meetings++] = (struct ptl_meeting){
		.other = ended, .over = awaited->ended_at, .at = now};
}

void ptl_awaited_take(struct ptl_awaited *awaited, struct ptl_strand *strand,
		      int64_t since)
{
	if (awaited->owner != NULL && awaited->owned_since > since)
		return;
	awaited->owner = strand;
	awaited->owned_since = since;
}

struct ptl_strand *ptl_awaited_holder(const struct ptl_awaited *awaited,
				      int64_t now)
{
	struct ptl_strand *holder = awaited->owner;
	int64_t since = awaited->owned_since;

	for (const struct ptl_wait *wait = awaited->first; wait != NULL;
	     wait = wait->next) {
		if (!wait->takes || wait->is_over || wait->end > now ||
		    (holder != NULL && wait->end < since))
			continue;
		holder = wait->strand;
		since = wait->end;
	}
	return holder;
}

void ptl_awaited_let_go(struct ptl_awaited *awaited, struct ptl_strand *strand,
			int64_t now)
{
	if (awaited->owner == strand)
		awaited->owner = NULL;
	for (struct ptl_wait *wait = awaited->first; wait != NULL;
	     wait = wait->next)
		if (wait->strand == strand)
			wait->is_over = true;
	ptl_awaited_wake(awaited, strand, now);
}

struct ptl_wait *ptl_wait_add(struct ptl_waits_kept *kept,
			      struct ptl_strand *strand,
			      const struct ptl_step *step,
			      enum ptl_wait_kind kind, const char *what)
{
	struct ptl_wait *wait;

	if (step->duration < kept->least)
		return NULL;
	if (++kept->nr % MANY == 0)
		kept->least *= 4;
	wait = ptl_alloc(sizeof(*wait));
	wait->strand = strand;
	wait->begin = step->now;
	wait->end = step->now + step->duration;
	wait->kind = kind;
	wait->what = what;
	wait->site = ptl_model_site(step);
	strand->wait = ptl_grow(strand->wait, strand->nr, &strand->room,
				sizeof(struct ptl_wait *));
	strand->wait[strand->nr++] = wait;
	if (wait->end > strand->end)
		strand->end = wait->end;
	return wait;
}

const char *ptl_strand_program(const struct ptl_strand *strand)
{
	/* Before it has said its name. */
	return strand->label->name != NULL ?
		       strand->label->name :
		       ptl_process_program(strand->process);
}

const char *ptl_wait_name(const struct ptl_wait *wait)
{
	static const char *const before[] = {
		[PTL_WAIT_DATA] = "data from ",
		[PTL_WAIT_ROOM] = "room in ",
		[PTL_WAIT_CHILD] = "the end of ",
		[PTL_WAIT_SIGNAL] = "a signal, in ",
	};
	const char *what = wait->what, *words = NULL;
	char text[1100];

	if (wait->kind < sizeof(before) / sizeof(*before))
		words = before[wait->kind];
	if (wait->child != NULL)
		what = ptl_process_program(wait->child);
	snprintf(text, sizeof(text), "%s%.1000s", words != NULL ? words : "",
		 what);
	return ptl_intern(text, sizeof(text));
}
