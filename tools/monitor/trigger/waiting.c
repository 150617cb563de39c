/* SPDX-License-Identifier: MIT */
/* See waiting.h. */
#include "tools/monitor/trigger/waiting.h"

#include <string.h>

#include "core/format/sysevents.h"
#include "tools/read/filter/where_may.h"

static const struct {
	trace_event_id_t id;
	const char *name, *fields;
} types[] = {
#define SYSEVENT(id, ident, name, act, fields) {id, name, fields},
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

/* Without these there are no names, later. */
static bool is_needed(const char *name)
{
	static const char *const families[] = {
		"posix_trace_", "trace:",	"process:",   "thread:",
		"dl:",		"cpu:sampling", "call:hooks", "call:unhooked"};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strncmp(name, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

static bool may_match(const struct ptl_triggers *triggers, const char *name,
		      const char *fields)
{
	for (size_t i = 0; i < triggers->nr; i++)
		if (ptl_where_may_match(triggers->trigger[i].where, name,
					fields))
			return true;
	return false;
}

int ptl_waiting_begin(trace_id_t trid, const struct ptl_triggers *triggers,
		      const trace_event_set_t *filter)
{
	trace_event_set_t out;
	int is_out = 0;

	if (may_match(triggers, NULL, NULL)) {
		out = *filter;
		for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
			posix_trace_eventset_add(types[i].id, &out);
	} else {
		posix_trace_eventset_fill(&out, POSIX_TRACE_ALL_EVENTS);
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		posix_trace_eventset_ismember(types[i].id, filter, &is_out);
		if (!is_out &&
		    (is_needed(types[i].name) ||
		     may_match(triggers, types[i].name, types[i].fields)))
			posix_trace_eventset_del(types[i].id, &out);
	}
	return posix_trace_set_filter(trid, &out, POSIX_TRACE_SET_EVENTSET);
}
