/* SPDX-License-Identifier: MIT */
/* See triggers.h. */
#include "tools/monitor/trigger/triggers.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/read/filter/where_may.h"

static const struct {
	const char *name;
	const char *argument; /* what has to follow; NULL: nothing can */
	bool is_optional;
} acts[] = {
	[PTL_DO_START] = {"start", NULL, false},
	[PTL_DO_STOP] = {"stop", NULL, false},
	[PTL_DO_MARK] = {"mark", "TEXT", false},
	[PTL_DO_SNAPSHOT] = {"snapshot", "FILE", true},
	[PTL_DO_EXEC] = {"exec", "COMMAND", false},
	[PTL_DO_STACK] = {"stack", NULL, false},
};

bool ptl_triggers_add(struct ptl_triggers *triggers, const char *when)
{
	struct ptl_trigger *trigger = &triggers->trigger[triggers->nr];
	struct ptl_where_error error;

	if (triggers->nr == PTL_TRIGGERS_MAX) {
		ptl_say("--when: there can be %d of them", PTL_TRIGGERS_MAX);
		return false;
	}
	trigger->when = when;
	trigger->where = ptl_where_parse(when, &error);
	if (trigger->where == NULL) {
		ptl_say("--when: at column %zu of '%s': expected %s",
			error.column, when, error.expected);
		return false;
	}
	triggers->nr++;
	return true;
}

/* The action that the text begins with, and what follows, or NULL. */
static struct ptl_trigger_act parse(const char *action)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		size_t size = strlen(acts[i].name);
		const char *rest = action + size;

		if (strncmp(action, acts[i].name, size) != 0 ||
		    strchr("= ", *rest) == NULL)
			continue;
		if (*rest != '\0')
			rest++;
		rest += strspn(rest, " ");
		return (struct ptl_trigger_act){
			.kind = (enum ptl_do)i,
			.text = *rest != '\0' ? rest : NULL,
		};
	}
	return (struct ptl_trigger_act){.kind = PTL_DO_NONE};
}

const char *ptl_triggers_act(const char *action, struct ptl_trigger_act *act)
{
	static char wrong[256];

	*act = parse(action);
	if (act->kind == PTL_DO_NONE)
		snprintf(wrong, sizeof(wrong),
			 "'%.100s' is not start, stop, mark TEXT, "
			 "snapshot[=FILE] or exec COMMAND",
			 action);
	else if (act->kind == PTL_DO_STACK)
		return "stack is not possible: when the expression is "
		       "looked at, the thread is elsewhere; -k records the "
		       "call stack of each event";
	else if (act->text == NULL && acts[act->kind].argument != NULL &&
		 !acts[act->kind].is_optional)
		snprintf(wrong, sizeof(wrong), "%s what? (%s %s)",
			 acts[act->kind].name, acts[act->kind].name,
			 acts[act->kind].argument);
	else if (act->text != NULL && acts[act->kind].argument == NULL)
		snprintf(wrong, sizeof(wrong), "nothing follows %s",
			 acts[act->kind].name);
	else
		return NULL;
	return wrong;
}

struct ptl_trigger ptl_trigger_none(void)
{
	static const char never[] = "name == \"\"";
	struct ptl_where_error error;

	return (struct ptl_trigger){
		.when = never,
		.where = ptl_where_parse(never, &error),
	};
}

bool ptl_triggers_are_any(const struct ptl_triggers *triggers)
{
	for (size_t i = 0; i < triggers->nr; i++)
		if (triggers->trigger[i].nr_acts > 0)
			return true;
	return false;
}

bool ptl_triggers_do(struct ptl_triggers *triggers, const char *action)
{
	struct ptl_trigger_act act;
	struct ptl_trigger *trigger;
	const char *wrong = ptl_triggers_act(action, &act);

	if (wrong != NULL) {
		ptl_say("--do: %s", wrong);
		return false;
	}
	if (triggers->nr == 0) {
		ptl_say("--do is for what happens: when? (--when EXPR before "
			"it)");
		return false;
	}
	trigger = &triggers->trigger[triggers->nr - 1];
	if (trigger->nr_acts == PTL_TRIGGER_ACTS) {
		ptl_say("--do: there can be %d of them for one --when",
			PTL_TRIGGER_ACTS);
		return false;
	}
	trigger->act[trigger->nr_acts++] = act;
	return true;
}

bool ptl_triggers_have(const struct ptl_triggers *triggers, enum ptl_do kind)
{
	for (size_t i = 0; i < triggers->nr; i++)
		for (size_t k = 0; k < triggers->trigger[i].nr_acts; k++)
			if (triggers->trigger[i].act[k].kind == kind)
				return true;
	return false;
}

bool ptl_triggers_check(const struct ptl_triggers *triggers, bool is_snapshot)
{
	for (size_t i = 0; i < triggers->nr; i++)
		if (triggers->trigger[i].nr_acts == 0) {
			ptl_say("--when '%s': do what? (--do start, stop, mark "
				"TEXT, snapshot[=FILE] or exec COMMAND, behind "
				"it)",
				triggers->trigger[i].when);
			return false;
		}
	if (!is_snapshot && ptl_triggers_have(triggers, PTL_DO_SNAPSHOT)) {
		ptl_say("--do: snapshot is of what memory holds, and needs "
			"--snapshot; without it the log has everything");
		return false;
	}
	return true;
}

void ptl_triggers_warn(const struct ptl_triggers *triggers)
{
	for (size_t i = 0; i < triggers->nr; i++) {
		const char *field =
			ptl_where_unknown(triggers->trigger[i].where);

		if (field != NULL)
			ptl_say("--when: no event has a field '%s', unless a "
				"program or -a makes one",
				field);
	}
}
