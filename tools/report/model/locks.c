/* SPDX-License-Identifier: MIT */
/*
 * Locks; see locks.h.  An event of a lock comes where its call began, so it
 * comes before the event by which the holder lets the lock go: waits are kept
 * until then.
 */
#include "tools/report/model/locks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/modules.h"

/* So many waits are kept of a lock that is held for ever. */
#define MAX_PENDING 4096

/* Waits are kept by their durations, for each factor of two. */
#define OCTAVES 62

struct ptl_lock_wait {
	struct ptl_lock_wait *next; /* for the same lock */
	int64_t begin, end;
};

/* Waits of which it is not known yet who held the lock; of those that last
 * about as long, the one that began last comes first. */
struct ptl_lock_pending {
	struct ptl_lock_wait *first[OCTAVES];
	size_t nr;
	size_t limit; /* with so many, those that are known by now are dropped
		       */
};

/* What a thread has of a lock. */
struct ptl_lock_hold {
	struct ptl_lock_hold *next; /* of those that have the lock */
	struct ptl_seen_lock *lock;
	unsigned int depth; /* how often it has locked it; 0: it has it not */
	uint64_t life;	    /* of the thread */
	int64_t since;
	const struct ptl_site *site;
};

struct ptl_locks {
	struct ptl_hash locks;	/* struct ptl_seen_lock */
	struct ptl_hash holds;	/* struct ptl_lock_hold, by lock and thread */
	struct ptl_hash places; /* struct ptl_lock_place */
};

struct ptl_locks *ptl_locks_new(void)
{
	struct ptl_locks *locks = ptl_alloc(sizeof(*locks));

	locks->locks.value_size = sizeof(struct ptl_seen_lock);
	locks->holds.value_size = sizeof(struct ptl_lock_hold);
	locks->places.value_size = sizeof(struct ptl_lock_place);
	return locks;
}

static void drop_before(struct ptl_lock_pending *pending, int64_t end)
{
	for (unsigned int i = 0; i < OCTAVES; i++) {
		struct ptl_lock_wait **at = &pending->first[i], *wait;

		while ((wait = *at) != NULL) {
			if (wait->end > end) {
				at = &wait->next;
				continue;
			}
			*at = wait->next;
			free(wait);
			pending->nr--;
		}
	}
	pending->limit = 2 * pending->nr + 64;
}

void ptl_locks_free(struct ptl_locks *locks)
{
	struct ptl_seen_lock *lock = NULL;

	while ((lock = ptl_hash_next(&locks->locks, lock)) != NULL) {
		if (lock->pending != NULL)
			drop_before(lock->pending, INT64_MAX);
		free(lock->pending);
		ptl_hist_free(&lock->wait);
	}
	ptl_hash_clear(&locks->locks);
	ptl_hash_clear(&locks->holds);
	ptl_hash_clear(&locks->places);
	free(locks);
}

static bool is_condition(const char *kind)
{
	return strcmp(kind, "cond") == 0 || strcmp(kind, "cnd") == 0 ||
	       strcmp(kind, "barrier") == 0 || strcmp(kind, "thread") == 0;
}

bool ptl_lock_is_condition(const struct ptl_seen_lock *lock)
{
	return is_condition(lock->kind);
}

/* The variable that it is, or is in; or its place in a module, or NULL. */
static const char *place_of(const struct ptl_view *view, uint64_t address)
{
	struct ptl_modules *modules = view->source->modules;
	const char *module, *variable;
	uint64_t offset, inside = 0;
	char place[1024], plus[32] = "";

	/* Of a return address it is the byte before that is looked for. */
	module = ptl_modules_place(modules, view->event, address + 1, &offset);
	if (module == NULL)
		return NULL;
	variable = ptl_modules_variable(modules, view->event, address, &inside);
	if (variable == NULL)
		inside = offset - 1;
	if (variable == NULL || inside > 0)
		snprintf(plus, sizeof(plus), "+0x%llx",
			 (unsigned long long)inside);
	snprintf(place, sizeof(place), "%s%.400s%s (%.400s)",
		 variable != NULL ? "&" : "", variable != NULL ? variable : "",
		 plus, module);
	return ptl_intern(place, sizeof(place));
}

const char *ptl_lock_name(const struct ptl_step *step,
			  const struct ptl_arg *arg)
{
	const char *place = place_of(step->view, (uint64_t)arg->value);
	char name[1100];

	if (place != NULL)
		snprintf(name, sizeof(name), "%.40s %.1000s", arg->name, place);
	else
		snprintf(name, sizeof(name), "%.40s 0x%llx", arg->name,
			 (unsigned long long)arg->value);
	return ptl_intern(name, sizeof(name));
}

/* The lock that an argument is the address of. */
static struct ptl_seen_lock *get_lock(struct ptl_locks *locks,
				      const struct ptl_step *step,
				      const struct ptl_arg *arg)
{
	const struct ptl_view *view = step->view;
	struct {
		const struct ptl_process *process;
		uint64_t address, image;
	} key = {step->process, (uint64_t)arg->value,
		 view->event->posix_image_np};
	struct ptl_seen_lock *lock =
		ptl_hash_get(&locks->locks, &key, sizeof(key));

	if (lock->kind != NULL)
		return lock;
	lock->kind = ptl_intern(arg->name, strlen(arg->name));
	lock->address = key.address;
	lock->process = step->process;
	lock->first = ptl_model_site(step);
	/* A semaphore has no holder. */
	lock->held =
		strcmp(lock->kind, "sem") == 0 || is_condition(lock->kind) ?
			-1 :
			0;
	if (strcmp(lock->kind, "thread") != 0)
		lock->place = place_of(view, key.address);
	return lock;
}

static struct ptl_lock_place *get_place(struct ptl_locks *locks,
					const struct ptl_seen_lock *lock,
					struct ptl_lock_place **list,
					const struct ptl_site *site)
{
	const void *key[] = {lock, list, site};
	struct ptl_lock_place *place =
		ptl_hash_get(&locks->places, key, sizeof(key));

	if (place->site != NULL)
		return place;
	place->site = site;
	place->next = *list;
	*list = place;
	return place;
}

static void add_wait(struct ptl_locks *locks, struct ptl_seen_lock *lock,
		     const struct ptl_step *step)
{
	struct ptl_lock_place *place =
		get_place(locks, lock, &lock->waited, ptl_model_site(step));

	ptl_hist_add(&lock->wait, (uint64_t)step->duration);
	place->nr++;
	place->wait += step->duration;
}

static unsigned int octave_of(int64_t duration)
{
	return 63 - (unsigned int)__builtin_clzll((uint64_t)duration | 1);
}

/* Until nobody has the lock any more who had it then. */
static void keep_wait(struct ptl_seen_lock *lock, const struct ptl_step *step)
{
	struct ptl_lock_wait *wait = ptl_alloc(sizeof(*wait)), **first;

	if (lock->pending == NULL)
		lock->pending = ptl_alloc(sizeof(*lock->pending));
	wait->begin = step->now;
	wait->end = step->now + step->duration;
	first = &lock->pending->first[octave_of(step->duration)];
	wait->next = *first;
	*first = wait;
	lock->pending->nr++;
}

/* Waits go that ended before the threads got the lock that have it now; later
 * ones will get it later.  If a thread never lets it go, all that have ended.
 */
static void drop_waits(struct ptl_seen_lock *lock, int64_t now)
{
	struct ptl_lock_pending *pending = lock->pending;
	int64_t first = now;

	if (pending == NULL ||
	    (pending->nr <= pending->limit && pending->nr < MAX_PENDING))
		return;
	if (pending->nr < MAX_PENDING)
		for (const struct ptl_lock_hold *hold = lock->active;
		     hold != NULL; hold = hold->next)
			if (hold->since < first)
				first = hold->since;
	drop_before(pending, first);
}

static void activate(struct ptl_lock_hold *hold)
{
	hold->next = hold->lock->active;
	hold->lock->active = hold;
}

static void deactivate(struct ptl_lock_hold *hold)
{
	struct ptl_lock_hold **at = &hold->lock->active;

	while (*at != hold)
		at = &(*at)->next;
	*at = hold->next;
}

static struct ptl_lock_hold *get_hold(struct ptl_locks *locks,
				      struct ptl_seen_lock *lock,
				      const struct ptl_step *step)
{
	const void *key[] = {lock, step->thread};
	struct ptl_lock_hold *hold =
		ptl_hash_get(&locks->holds, key, sizeof(key));

	/* The thread before it at this place has ended with the lock. */
	if (hold->life != step->thread->life && hold->depth > 0) {
		deactivate(hold);
		hold->depth = 0;
		lock->is_held_least = true;
	}
	hold->lock = lock;
	hold->life = step->thread->life;
	return hold;
}

static void take(struct ptl_locks *locks, struct ptl_seen_lock *lock,
		 const struct ptl_step *step, int64_t since)
{
	struct ptl_lock_hold *hold = get_hold(locks, lock, step);

	if (hold->depth++ > 0)
		return;
	activate(hold);
	hold->since = since;
	hold->site = ptl_model_site(step);
}

static void blame_for(struct ptl_locks *locks, const struct ptl_lock_hold *hold,
		      int64_t now, const struct ptl_lock_wait *wait,
		      bool *is_met)
{
	int64_t begin = wait->begin > hold->since ? wait->begin : hold->since;
	int64_t end = wait->end < now ? wait->end : now;
	struct ptl_lock_place *place;

	if (end <= begin)
		return;
	place = get_place(locks, hold->lock, &hold->lock->holders, hold->site);
	place->nr++;
	place->wait += end - begin;
	/* Several may wait for one to let go. */
	place->holds += !*is_met;
	*is_met = true;
}

/* Who waited meanwhile waited for this one. */
static void blame(struct ptl_locks *locks, const struct ptl_lock_hold *hold,
		  int64_t now)
{
	const struct ptl_lock_pending *pending = hold->lock->pending;
	bool is_met = false;

	for (unsigned int i = 0; pending != NULL && i < OCTAVES; i++) {
		const struct ptl_lock_wait *wait = pending->first[i];
		/* Of waits that began earlier all were over. */
		int64_t least = hold->since - (INT64_C(1) << i) * 2;

		for (; wait != NULL && wait->begin >= least; wait = wait->next)
			blame_for(locks, hold, now, wait, &is_met);
	}
}

static void end_hold(struct ptl_locks *locks, struct ptl_lock_hold *hold,
		     int64_t now)
{
	if (now < hold->since)
		return;
	hold->lock->held += now - hold->since;
	blame(locks, hold, now);
}

static void let_go(struct ptl_locks *locks, struct ptl_seen_lock *lock,
		   const struct ptl_step *step)
{
	struct ptl_lock_hold *hold = get_hold(locks, lock, step);

	if (hold->depth == 0 || --hold->depth > 0)
		return;
	end_hold(locks, hold, step->now);
	deactivate(hold);
	drop_waits(lock, step->now);
}

static void learn_lock(struct ptl_locks *locks, struct ptl_seen_lock *lock,
		       const struct ptl_step *step)
{
	bool is_contended = ptl_step_field(step, PTL_FIELD_CONTENDED, 0) == 1;
	int64_t wait = step->duration > 0 ? step->duration : 0;

	lock->nr++;
	if (is_contended) {
		lock->nr_contended++;
		if (step->duration >= 0) {
			add_wait(locks, lock, step);
			keep_wait(lock, step);
		}
	}
	if (step->error == NULL && lock->held >= 0)
		take(locks, lock, step, step->now + wait);
}

static void learn_trylock(struct ptl_locks *locks, struct ptl_seen_lock *lock,
			  const struct ptl_step *step)
{
	lock->nr++;
	if (step->error != NULL)
		lock->nr_busy++;
	else if (lock->held >= 0)
		take(locks, lock, step, step->now);
}

/* The thread has no lock while it waits, and has it again then. */
static void learn_condition(struct ptl_locks *locks,
			    struct ptl_seen_lock *condition,
			    const struct ptl_step *step)
{
	const struct ptl_args *args = &step->view->args;
	struct ptl_seen_lock *lock;
	struct ptl_lock_hold *hold;

	condition->nr++;
	if (step->duration >= 0)
		add_wait(locks, condition, step);
	if (args->nr < 2 || step->kind->act != PTL_ACT_CONDITION)
		return;
	lock = get_lock(locks, step, &args->arg[1]);
	hold = get_hold(locks, lock, step);
	if (hold->depth == 0 || step->duration < 0)
		return;
	end_hold(locks, hold, step->now);
	hold->since = step->now + step->duration;
}

static bool is_about_lock(const struct ptl_kind *kind)
{
	return kind->family == PTL_FAMILY_SYNC && kind->act != PTL_ACT_OTHER &&
	       kind->act != PTL_ACT_WAKE && kind->act != PTL_ACT_WAITPID;
}

void ptl_locks_learn(struct ptl_locks *locks, const struct ptl_step *step)
{
	struct ptl_seen_lock *lock;

	if (step->process == NULL || !is_about_lock(step->kind) ||
	    step->view->args.nr == 0)
		return;
	lock = get_lock(locks, step, &step->view->args.arg[0]);
	switch (step->kind->act) {
	case PTL_ACT_LOCK:
	case PTL_ACT_RDLOCK:
	case PTL_ACT_SEM_WAIT:
		learn_lock(locks, lock, step);
		break;
	case PTL_ACT_TRYLOCK:
	case PTL_ACT_TRYRDLOCK:
	case PTL_ACT_SEM_TRYWAIT:
		learn_trylock(locks, lock, step);
		break;
	case PTL_ACT_UNLOCK:
		let_go(locks, lock, step);
		break;
	case PTL_ACT_CONDITION:
	case PTL_ACT_BARRIER:
	case PTL_ACT_JOIN:
		learn_condition(locks, lock, step);
		break;
	default:
		break;
	}
}

void ptl_locks_end(struct ptl_locks *locks)
{
	const struct ptl_lock_hold *hold = NULL;

	while ((hold = ptl_hash_next(&locks->holds, hold)) != NULL)
		if (hold->depth > 0)
			hold->lock->is_held_least = true;
}

const struct ptl_seen_lock *ptl_locks_next(const struct ptl_locks *locks,
					   const struct ptl_seen_lock *lock)
{
	return ptl_hash_next(&locks->locks, lock);
}
