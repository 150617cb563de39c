/* SPDX-License-Identifier: MIT */
/* Kinds of events; see kind.h. */
#include "tools/read/kind.h"

#include <string.h>

#include "core/format/sysevents.h"
#include "tools/lib/hash.h"
#include "tools/lib/args/words.h"

static const char *const families[PTL_FAMILIES] = {
	[PTL_FAMILY_USER] = "user",	  [PTL_FAMILY_TRACE] = "posix_trace",
	[PTL_FAMILY_PROCESS] = "process", [PTL_FAMILY_THREAD] = "thread",
	[PTL_FAMILY_SIGNAL] = "signal",	  [PTL_FAMILY_FILE] = "file",
	[PTL_FAMILY_IO] = "io",		  [PTL_FAMILY_MEM] = "mem",
	[PTL_FAMILY_SYNC] = "sync",	  [PTL_FAMILY_TIME] = "time",
	[PTL_FAMILY_NET] = "net",	  [PTL_FAMILY_DL] = "dl",
	[PTL_FAMILY_CPU] = "cpu",	  [PTL_FAMILY_SCHED] = "sched",
	[PTL_FAMILY_CALL] = "call",
};

/* By id.  An id never changes its meaning, but a log may say of its types what
 * it likes. */
static const struct {
	const char *name;
	enum ptl_act act;
} acts[] = {
#define SYSEVENT(id, ident, name, act, fields) [id] = {name, PTL_ACT_##act},
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

static enum ptl_act act_of(trace_event_id_t id, const char *name)
{
	if (id >= sizeof(acts) / sizeof(*acts) || acts[id].name == NULL ||
	    strcmp(acts[id].name, name) != 0)
		return PTL_ACT_OTHER;
	return acts[id].act;
}

static enum ptl_family family_of(const char *name)
{
	if (strncmp(name, "posix_trace_", 12) == 0)
		return PTL_FAMILY_TRACE;
	for (int i = PTL_FAMILY_PROCESS; i < PTL_FAMILIES; i++) {
		size_t size = strlen(families[i]);

		if (strncmp(name, families[i], size) == 0 && name[size] == ':')
			return (enum ptl_family)i;
	}
	return PTL_FAMILY_USER;
}

const char *ptl_family_name(enum ptl_family family)
{
	return families[family];
}

/* Functions of pthreads return the error, those of <netdb.h> one of theirs. */
static void find_error(struct ptl_kind *kind, const struct ptl_layout *layout)
{
	kind->error_at = -1;
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const char *name = layout->field[i].name;

		if (strcmp(name, "errno") == 0) {
			kind->error_at = (int)i;
			kind->is_result_error = false;
			return;
		}
		if (strcmp(name, "ret") == 0 &&
		    layout->field[i].words != NULL &&
		    (kind->family == PTL_FAMILY_SYNC ||
		     kind->family == PTL_FAMILY_NET)) {
			kind->error_at = (int)i;
			kind->is_result_error = true;
		}
	}
}

static void find_fields(int at[PTL_FIELDS], const struct ptl_layout *layout)
{
	static const char *const names[PTL_FIELDS] = {
		[PTL_FIELD_CALLEE] = "callee",
		[PTL_FIELD_DURATION] = "duration",
		[PTL_FIELD_CONTENDED] = "contended",
		[PTL_FIELD_RESULT] = "ret",
		[PTL_FIELD_ERROR] = "errno",
		[PTL_FIELD_STATUS] = "status",
		[PTL_FIELD_SIGNAL] = "signal",
		[PTL_FIELD_SIZE] = "size",
		[PTL_FIELD_COUNT] = "count",
		[PTL_FIELD_POINTER] = "ptr",
		[PTL_FIELD_FD] = "fd",
		[PTL_FIELD_QUEUE] = "mq",
		[PTL_FIELD_STREAM] = "stream",
		[PTL_FIELD_FLAGS] = "flags",
	};

	for (int field = 0; field < PTL_FIELDS; field++) {
		at[field] = -1;
		for (unsigned int i = layout->nr_fields; i > 0; i--)
			if (strcmp(layout->field[i - 1].name, names[field]) ==
			    0)
				at[field] = (int)i - 1;
	}
}

enum ptl_outcome ptl_kind_outcome(const struct ptl_kind *kind,
				  const struct ptl_args *args)
{
	static const enum ptl_field fields[] = {
		PTL_FIELD_ERROR, PTL_FIELD_STATUS, PTL_FIELD_SIGNAL};
	enum ptl_outcome outcome = PTL_OUTCOME_NONE;
	const struct ptl_arg *arg;

	if (kind->error_at >= 0) {
		if ((unsigned int)kind->error_at >= args->nr)
			return PTL_OUTCOME_NONE;
		return args->arg[kind->error_at].value != 0 ||
				       ptl_words_is_late_error(
					       &args->arg[args->nr - 1]) ?
			       PTL_OUTCOME_FAILED :
			       PTL_OUTCOME_DONE;
	}
	/* dlopen() has a text in place of errno. */
	if (kind->act == PTL_ACT_LOAD) {
		arg = ptl_kind_arg(kind, PTL_FIELD_RESULT, args);
		if (arg != NULL)
			return arg->value == 0 ? PTL_OUTCOME_FAILED :
						 PTL_OUTCOME_DONE;
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		arg = ptl_kind_arg(kind, fields[i], args);
		if (arg == NULL || arg->type != PTL_ARG_INT)
			continue;
		if (arg->value != 0)
			return PTL_OUTCOME_FAILED;
		outcome = PTL_OUTCOME_DONE;
	}
	return outcome;
}

static bool is_call(const struct ptl_kind *kind)
{
	return (kind->family >= PTL_FAMILY_FILE &&
		kind->family <= PTL_FAMILY_NET) ||
	       kind->act == PTL_ACT_LOAD || kind->act == PTL_ACT_UNLOAD ||
	       kind->act == PTL_ACT_SETTING;
}

/* The names of functions, signals and namespaces. */
static bool is_described(const struct ptl_kind *kind)
{
	return (kind->family == PTL_FAMILY_SIGNAL && !kind->is_call) ||
	       kind->family == PTL_FAMILY_CALL || kind->act == PTL_ACT_START;
}

static struct ptl_hash kinds = {.value_size = sizeof(struct ptl_kind)};

const struct ptl_kind *ptl_kind_get(trace_event_id_t id, bool is_system,
				    const char *name,
				    const struct ptl_layout *layout)
{
	struct {
		enum ptl_act act;
		bool is_system;
		char name[TRACE_EVENT_NAME_MAX + 1];
		unsigned int nr_fields;
		int at[PTL_FIELDS];
	} key;
	struct ptl_kind *kind;

	/* Two types of one name have different acts or fields. */
	memset(&key, 0, sizeof(key));
	key.act = is_system ? act_of(id, name) : PTL_ACT_OTHER;
	key.is_system = is_system;
	key.nr_fields = layout->nr_fields;
	find_fields(key.at, layout);
	strcpy(key.name, name);
	kind = ptl_hash_get(&kinds, &key, sizeof(key));
	if (kind->name != NULL)
		return kind;
	kind->name = ptl_intern(name, strlen(name));
	kind->error_at = -1;
	memcpy(kind->at, key.at, sizeof(key.at));
	if (!is_system)
		return kind;
	kind->family = family_of(name);
	kind->act = key.act;
	kind->is_call = is_call(kind);
	kind->is_described = is_described(kind);
	find_error(kind, layout);
	return kind;
}
