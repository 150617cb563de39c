/* SPDX-License-Identifier: MIT */
/* What is known of an event type; see type.h. */
#include "tools/read/type.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"

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

static enum ptl_kind kind_of(const char *name)
{
	static const struct {
		const char *name;
		enum ptl_kind kind;
	} kinds[] = {
		{"process:start", PTL_KIND_START},
		{"process:program", PTL_KIND_PROGRAM},
		{"process:fork", PTL_KIND_FORK},
		{"process:untraced", PTL_KIND_UNTRACED},
		{"process:exec", PTL_KIND_EXEC},
		{"process:exec_failed", PTL_KIND_EXEC_FAILED},
		{"process:exit", PTL_KIND_EXIT},
		{"thread:start", PTL_KIND_THREAD_START},
		{"thread:name", PTL_KIND_THREAD_NAME},
		{"thread:exit", PTL_KIND_THREAD_EXIT},
		{"dl:map", PTL_KIND_MAP},
		{"dl:unmap", PTL_KIND_UNMAP},
		{"call:symbol", PTL_KIND_SYMBOL},
		{"call:enter", PTL_KIND_CALL_ENTER},
		{"call:exit", PTL_KIND_CALL_EXIT},
		{"posix_trace_overflow", PTL_KIND_OVERFLOW},
		{"posix_trace_resume", PTL_KIND_RESUME},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(name, kinds[i].name) == 0)
			return kinds[i].kind;
	return PTL_KIND_OTHER;
}

struct ptl_type *ptl_type_new(trace_id_t trid, trace_event_id_t id)
{
	struct ptl_type *type = ptl_alloc(sizeof(*type));
	char fields[512] = "";

	type->id = id;
	type->wanted = -1;
	type->is_system = is_system(id);
	if (posix_trace_eventid_get_name(trid, id, type->name) != 0)
		snprintf(type->name, sizeof(type->name), "#%u", id);
	type->name_size = strlen(type->name);
	type->is_signal =
		type->is_system && strncmp(type->name, "signal:", 7) == 0;
	type->kind = type->is_system ? kind_of(type->name) : PTL_KIND_OTHER;
	if (posix_trace_eventid_get_fields_np(trid, id, fields,
					      sizeof(fields)) != 0)
		fields[0] = '\0';
	ptl_layout_parse(&type->layout,
			 fields[0] != '\0' ? fields : ptl_layout_standard(id));
	return type;
}
