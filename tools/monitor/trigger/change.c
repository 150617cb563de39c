/* SPDX-License-Identifier: MIT */
/*
 * Triggers of a trace that runs; see change.h.  ptrace-trigger knows its
 * expressions from the start: it is ended, when it has answered, and another
 * one goes on behind what was looked at.  A trigger keeps its number until it
 * is forgotten.
 */
#include "tools/monitor/trigger/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monitor/trigger/waiting.h"

struct change {
	struct ptl_firing *firing;
	const struct ptl_talk *request;
	size_t at; /* the next argument */
	struct ptl_talk *reply;
};

static const char *next_argument(struct change *change)
{
	return ptl_talk_next(change->request, &change->at);
}

/* NULL, or why not.  Types that the new ones could match are recorded, too,
 * where the trace waits for a start. */
static const char *apply(struct ptl_firing *firing)
{
	struct ptl_acting *acting = &firing->acting;
	const char *why = ptl_firing_again(firing);

	if (why == NULL && atomic_load(&acting->fired->is_waiting))
		ptl_waiting_begin(acting->subject->trid, acting->triggers,
				  &acting->fired->filter);
	return why;
}

/* The number that the trigger has, from 0 on; PTL_TRIGGERS_MAX: there is none.
 */
static size_t free_number(const struct ptl_triggers *triggers)
{
	size_t i = 0;

	while (i < triggers->nr && triggers->trigger[i].nr_acts > 0)
		i++;
	return i;
}

/* Text of the trigger's own. */
static const char *kept(const char *text)
{
	return text != NULL ? strdup(text) : NULL;
}

/* The actions behind the expression.  NULL, or why not. */
static const char *take_acts(struct change *change, struct ptl_trigger *trigger)
{
	const char *action, *wrong;

	while ((action = next_argument(change)) != NULL) {
		struct ptl_trigger_act act;

		wrong = ptl_triggers_act(action, &act);
		if (wrong != NULL)
			return wrong;
		if (act.kind == PTL_DO_START)
			return "start is for ptrace-run --do: this trace has "
			       "started";
		if (trigger->nr_acts == PTL_TRIGGER_ACTS)
			return "more actions than a trigger can have";
		act.text = kept(act.text);
		trigger->act[trigger->nr_acts++] = act;
	}
	return trigger->nr_acts > 0 ? NULL : "do what? (mark TEXT, stop ...)";
}

static const char *parse(struct change *change, struct ptl_trigger *trigger)
{
	static char wrong[256];
	struct ptl_where_error error;

	*trigger = (struct ptl_trigger){.when = kept(next_argument(change))};
	if (trigger->when == NULL)
		return "when?";
	trigger->where = ptl_where_parse(trigger->when, &error);
	if (trigger->where != NULL)
		return take_acts(change, trigger);
	snprintf(wrong, sizeof(wrong), "at column %zu of '%.100s': expected %s",
		 error.column, trigger->when, error.expected);
	return wrong;
}

static bool does_snapshot(const struct ptl_trigger *trigger)
{
	for (size_t i = 0; i < trigger->nr_acts; i++)
		if (trigger->act[i].kind == PTL_DO_SNAPSHOT)
			return true;
	return false;
}

/* The words of the request, from there on, for the controller after us. */
static const char *keep(struct ptl_trigger_kept *kept,
			const struct ptl_talk *request, size_t at)
{
	size_t size = request->size - at;

	if (size > sizeof(kept->words))
		return "the trigger has more than 4096 bytes";
	memcpy(kept->words, request->bytes + at, size);
	kept->size = (uint32_t)size;
	atomic_store(&kept->state, PTL_TRIGGER_ADDED);
	return NULL;
}

static void drop(struct ptl_firing *firing, size_t i)
{
	firing->own.trigger[i] = ptl_trigger_none();
	atomic_store(&firing->acting.fired->kept[i].state,
		     PTL_TRIGGER_FORGOTTEN);
}

static const char *when(struct change *change)
{
	struct ptl_firing *firing = change->firing;
	struct ptl_triggers *triggers = &firing->own;
	size_t i = free_number(triggers), at = change->at;
	struct ptl_trigger trigger;
	const char *wrong;

	if (firing->why_not != NULL)
		return firing->why_not;
	if (i == PTL_TRIGGERS_MAX)
		return "there are as many triggers as there can be";
	wrong = parse(change, &trigger);
	if (wrong != NULL)
		return wrong;
	if (!firing->is_snapshot && does_snapshot(&trigger))
		return "snapshot is of what memory holds, and needs a trace "
		       "with --snapshot";
	ptl_firing_count_anew(firing, i);
	wrong = keep(&firing->acting.fired->kept[i], change->request, at);
	if (wrong != NULL)
		return wrong;
	triggers->trigger[i] = trigger;
	triggers->nr += i == triggers->nr;
	wrong = apply(firing);
	if (wrong != NULL)
		drop(firing, i);
	ptl_talk_add_number(change->reply, i + 1);
	return wrong;
}

static const char *forget(struct change *change)
{
	struct ptl_triggers *triggers = &change->firing->own;
	const char *number = next_argument(change);
	unsigned long i = number != NULL ? strtoul(number, NULL, 10) : 0;

	if (i == 0 || i > triggers->nr || triggers->trigger[i - 1].nr_acts == 0)
		return "there is no trigger of that number";
	/* The trigger was there until now. */
	ptl_firing_catch_up(change->firing);
	drop(change->firing, i - 1);
	return apply(change->firing);
}

/* Of each its number, how often it has fired, the expression and what is done.
 */
static const char *list(struct change *change)
{
	const struct ptl_acting *acting = &change->firing->acting;
	const struct ptl_triggers *triggers = &change->firing->own;

	for (size_t i = 0; i < triggers->nr; i++) {
		const struct ptl_trigger *trigger = &triggers->trigger[i];
		char acts[1024];

		if (trigger->nr_acts == 0)
			continue;
		ptl_trigger_words(trigger, acts, sizeof(acts));
		ptl_talk_add_number(change->reply, i + 1);
		ptl_talk_add_number(change->reply,
				    atomic_load(&acting->fired->fired[i]));
		ptl_talk_add(change->reply, trigger->when);
		ptl_talk_add(change->reply, acts);
	}
	return NULL;
}

/* One of the controller before us. */
static struct ptl_trigger restored(const struct ptl_trigger_kept *kept,
				   struct ptl_talk *talk)
{
	struct change change = {.request = talk};
	struct ptl_trigger trigger;

	talk->size = kept->size;
	memcpy(talk->bytes, kept->words, kept->size);
	return parse(&change, &trigger) == NULL ? trigger : ptl_trigger_none();
}

void ptl_change_restore(struct ptl_triggers *triggers,
			const struct ptl_fired *fired)
{
	static struct ptl_talk talk;

	for (size_t i = 0; i < PTL_TRIGGERS_MAX; i++) {
		unsigned int state = atomic_load(&fired->kept[i].state);

		if (state == PTL_TRIGGER_AS_BEGUN)
			continue;
		/* Triggers before it are, or were, there. */
		triggers->nr = i < triggers->nr ? triggers->nr : i + 1;
		triggers->trigger[i] =
			state == PTL_TRIGGER_ADDED ?
				restored(&fired->kept[i], &talk) :
				ptl_trigger_none();
	}
}

static const struct {
	const char *name;
	const char *(*run)(struct change *change);
} requests[] = {{"when", when}, {"triggers", list}, {"forget", forget}};

bool ptl_change_answer(struct ptl_firing *firing,
		       const struct ptl_talk *request, struct ptl_talk *reply)
{
	struct change change = {firing, request, 0, reply};
	const char *failed = NULL;
	size_t i = 0, nr = sizeof(requests) / sizeof(*requests);

	while (i < nr && !ptl_requests_is(request, requests[i].name))
		i++;
	if (i == nr)
		return false;
	next_argument(&change); /* the version */
	next_argument(&change); /* the name */
	ptl_talk_begin(reply);
	ptl_talk_add(reply, PTL_TALK_OK);
	failed = requests[i].run(&change);
	if (failed == NULL)
		return true;
	ptl_talk_begin(reply);
	ptl_talk_add(reply, PTL_TALK_FAILED);
	ptl_talk_add(reply, failed);
	return true;
}
