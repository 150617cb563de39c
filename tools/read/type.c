/* SPDX-License-Identifier: MIT */
/* What is known of an event type; see type.h. */
#include "tools/read/type.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"

/* System types have smaller ones. */
#define SYSTEM_IDS 256

static bool is_system(trace_event_id_t id)
{
	static trace_event_set_t system;
	static bool is_filled;
	int is_member = 0;

	if (!is_filled) {
		posix_trace_eventset_fill(&system, POSIX_TRACE_SYSTEM_EVENTS);
		is_filled = true;
	}
	return id != POSIX_TRACE_UNNAMED_USEREVENT &&
	       posix_trace_eventset_ismember(id, &system, &is_member) == 0 &&
	       is_member;
}

static struct ptl_type *make(trace_id_t trid, trace_event_id_t id)
{
	struct ptl_type *type = ptl_alloc(sizeof(*type));
	char fields[512] = "";

	type->id = id;
	type->wanted = -1;
	type->is_system = is_system(id);
	if (posix_trace_eventid_get_name(trid, id, type->name) != 0)
		snprintf(type->name, sizeof(type->name), "#%u", id);
	type->name_size = strlen(type->name);
	if (posix_trace_eventid_get_fields_np(trid, id, fields,
					      sizeof(fields)) != 0)
		fields[0] = '\0';
	ptl_layout_parse(&type->layout,
			 fields[0] != '\0' ? fields : ptl_layout_standard(id));
	type->kind =
		ptl_kind_get(id, type->is_system, type->name, &type->layout);
	return type;
}

struct ptl_type *ptl_type_get(trace_id_t trid, trace_event_id_t id)
{
	static struct ptl_type *system[SYSTEM_IDS];
	struct ptl_type *type;

	if (id < SYSTEM_IDS && system[id] != NULL)
		return system[id];
	type = make(trid, id);
	/* The library's own types are the same in any log. */
	if (id < SYSTEM_IDS && type->is_system && type->name[0] != '#') {
		type->is_shared = true;
		system[id] = type;
	}
	return type;
}
