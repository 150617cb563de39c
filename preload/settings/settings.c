/* SPDX-License-Identifier: MIT */
/* The settings and their values; see settings.h. */
#include "preload/settings/settings.h"

#include "core/sys/text.h"

#include "preload/settings/fds.h"
#include "preload/settings/list.h"
#include "preload/settings/logname.h"
#include "preload/settings/rate.h"

#define PREFIX "PTRACE_"
#define NAME_ROOM 16

enum kind {
	OUTPUT,
	EVENTS,
	GLOBS,
	PROGRAMS,
	VARIABLES,
	PATHS,
	FDS,
	NAMES,
	SWITCH,
	FILE,
	DEPTH,
	HERTZ,
	COPIED,
	SAMPLER,
	LEVELS,
	TIME,
	RATE,
	UNWINDER,
	REACH,
	SYMBOLS,
	SIZE,
	ROOM,
	STREAM,
	LOG
};

/* Not pointers, which the loader would have to relocate one by one. */
static const struct row {
	char name[NAME_ROOM];
	uint8_t kind; /* enum kind */
	uint16_t at;  /* its offset in the settings */
} rows[] = {
#define ROW(name, kind, field) \
	{ \
		name, kind, offsetof(struct ptl_settings, field) \
	}
	ROW("output", OUTPUT, output),
	ROW("events", EVENTS, families),
	ROW("calls", GLOBS, calls),
	ROW("returns", GLOBS, returns),
	ROW("functions", GLOBS, functions),
	ROW("probes", GLOBS, probes),
	ROW("reach", REACH, reach),
	ROW("symbols", SYMBOLS, symbols),
	ROW("entry-only", SWITCH, entry_only),
	ROW("min-size", SIZE, min_size),
	ROW("exclude", NAMES, exclude),
	ROW("only", PROGRAMS, only),
	ROW("program", PROGRAMS, only),
	ROW("skip", PROGRAMS, skip),
	ROW("path", PATHS, paths),
	ROW("failed", SWITCH, failed),
	ROW("slower", TIME, slower),
	ROW("fd", FDS, fds),
	ROW("arguments", SWITCH, arguments),
	ROW("prototypes", FILE, prototypes),
	ROW("min-duration", TIME, min_duration),
	ROW("depth", LEVELS, depth),
	ROW("hot", RATE, hot),
	ROW("summary", SWITCH, summary),
	ROW("io-data", SIZE, io_data),
	ROW("environment", VARIABLES, environment),
	ROW("traceparent", SWITCH, traceparent),
	ROW("crash", SWITCH, records_crashes),
	ROW("sample", HERTZ, sample),
	ROW("sample-stack", COPIED, sample_stack),
	ROW("sample-by", SAMPLER, sample_by),
	ROW("sample-kernel", SWITCH, sample_kernel),
	ROW("sched", TIME, sched),
	ROW("follow", SWITCH, follows),
	ROW("stack", DEPTH, stack_depth),
	ROW("unwinder", UNWINDER, unwinder),
	ROW("data-size", SIZE, data_size),
	ROW("stream-size", ROOM, stream_size),
	ROW("log-size", SIZE, log_size),
	ROW("stream-policy", STREAM, stream_policy),
	ROW("log-policy", LOG, log_policy),
	ROW("compress", SWITCH, compress),
	ROW("suspended", SWITCH, is_suspended),
	ROW("snapshot", SWITCH, is_snapshot),
#undef ROW
};
static_assert(sizeof(struct ptl_settings) <= UINT16_MAX, "fits into a row");

static const struct policy {
	char name[12];
	int value;
} stream_policies[] =
	{
#define POLICY(name, value) {name, value},
		PTL_STREAM_POLICIES(POLICY, POLICY)},
  log_policies[] = {PTL_LOG_POLICIES(POLICY, POLICY)
#undef POLICY
};

void ptl_settings_init(struct ptl_settings *settings)
{
	*settings = (struct ptl_settings){
		.follows = true,
		.io_data = PTL_SIZE_DEFAULT,
		.data_size = PTL_SIZE_DEFAULT,
		.stream_size = PTL_SIZE_DEFAULT,
		.log_size = PTL_SIZE_DEFAULT,
		.log_policy = POSIX_TRACE_APPEND,
	};
	ptl_families_init(&settings->families);
}

/* Takes digits, up to the limit; moves *s past them. */
static bool take_number(const char **s, size_t limit, size_t *number)
{
	const char *begin = *s;

	for (*number = 0; **s >= '0' && **s <= '9'; (*s)++) {
		size_t digit = (size_t)(**s - '0');

		if (digit > limit || *number > (limit - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return *s != begin;
}

/* A number of bytes, with K, M or G for powers of 1024. */
static bool set_size(size_t *size, const char *value)
{
	static const char units[] = "KMG";
	unsigned int shift = 0;
	size_t number;

	if (!take_number(&value, PTL_SIZE_DEFAULT - 1, &number) || !number)
		return false;
	for (unsigned int i = 0; units[i]; i++)
		if ((*value & ~0x20) == units[i])
			shift = 10 * (i + 1);
	value += shift > 0;
	if (*value || number > (PTL_SIZE_DEFAULT - 1) >> shift)
		return false;
	*size = number << shift;
	return true;
}

static bool set_room(size_t *size, const char *value)
{
	size_t room;

	if (!set_size(&room, value) || room < PTL_STREAM_LEAST)
		return false;
	*size = room;
	return true;
}

static bool set_depth(unsigned int *depth, const char *value)
{
	size_t number;

	if (!take_number(&value, POSIX_TRACE_STACK_MAX_NP, &number) || *value)
		return false;
	*depth = (unsigned int)number;
	return true;
}

static bool set_hertz(unsigned int *hz, const char *value)
{
	size_t number;

	if (!take_number(&value, PTL_SAMPLE_MOST, &number) || *value || !number)
		return false;
	*hz = (unsigned int)number;
	return true;
}

/* The kernel copies words. */
static bool set_copied(unsigned int *bytes, const char *value)
{
	size_t size;

	if (!set_size(&size, value) || size < PTL_SAMPLE_STACK_LEAST ||
	    size > PTL_SAMPLE_STACK_MOST)
		return false;
	*bytes = (unsigned int)((size + 7) & ~(size_t)7);
	return true;
}

static bool set_levels(unsigned int *levels, const char *value)
{
	size_t number;

	if (!take_number(&value, UINT32_MAX, &number) || *value || !number)
		return false;
	*levels = (unsigned int)number;
	return true;
}

static bool set_time(uint64_t *ns, const char *value)
{
	static const struct {
		char unit[4];
		uint32_t ns;
	} units[] = {
		{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	size_t number;

	if (!take_number(&value, PTRDIFF_MAX, &number) || !number)
		return false;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(units); i++)
		if (ptl_streq(units[i].unit, value) &&
		    number <= INT64_MAX / units[i].ns) {
			*ns = (uint64_t)number * units[i].ns;
			return true;
		}
	return false;
}

static bool set_policy(int *policy, const struct policy *known, size_t nr,
		       const char *value)
{
	while (nr > 0 && !ptl_streq(known->name, value))
		known++, nr--;
	if (nr == 0)
		return false;
	*policy = known->value;
	return true;
}

static bool set_switch(bool *is_on, const char *value)
{
	if (!ptl_streq(value, "0") && !ptl_streq(value, "1"))
		return false;
	*is_on = *value == '1';
	return true;
}

/* Can each of them be the name of an event type? */
static bool are_names(const char *list)
{
	const char *word;
	size_t size;

	while (ptl_list_next(&list, &word, &size))
		if (size == 0 || size > TRACE_EVENT_NAME_MAX)
			return false;
	return true;
}

/* Fits into a stream, which has room for so much. */
static bool are_paths(const char *list)
{
	return *list && ptl_strlen(list) < PTL_SELECTION_PATHS;
}

static bool is_output(const char *value)
{
	if (*value == '|')
		return value[1];
	return *value && ptl_logname_is_pattern(value);
}

static bool is_unwinder(const char *value)
{
	return ptl_streq(value, "auto") || ptl_streq(value, "own") ||
	       ptl_streq(value, "libunwind");
}

/* A list, a file or a word. */
static bool set_text(const char **text, const char *value, bool makes_sense)
{
	if (makes_sense)
		*text = value;
	return makes_sense;
}

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < PTL_ARRAY_SIZE(rows); i++)
		if (ptl_streq(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static bool is_reach(const char *value)
{
	return ptl_streq(value, "raw") || ptl_streq(value, "static") ||
	       ptl_streq(value, "libc") || ptl_streq(value, "none");
}

static bool set(struct ptl_settings *settings, const struct row *row,
		const char *value)
{
	void *field = (char *)settings + row->at;

	switch ((enum kind)row->kind) {
	case OUTPUT:
		return set_text(field, value, is_output(value));
	case EVENTS:
		return ptl_families_add(field, value);
	case GLOBS:
	case PROGRAMS:
	case VARIABLES:
	case FILE:
		return set_text(field, value, *value);
	case PATHS:
		return set_text(field, value, are_paths(value));
	case FDS:
		return set_text(field, value, ptl_fds_read(value, NULL) > 0);
	case NAMES:
		return set_text(field, value, are_names(value));
	case SWITCH:
		return set_switch(field, value);
	case DEPTH:
		return set_depth(field, value);
	case HERTZ:
		return set_hertz(field, value);
	case COPIED:
		return set_copied(field, value);
	case SAMPLER:
		return set_text(field, value,
				ptl_streq(value, "perf") ||
					ptl_streq(value, "timer"));
	case LEVELS:
		return set_levels(field, value);
	case TIME:
		return set_time(field, value);
	case RATE:
		return set_text(field, value, ptl_rate_read(value));
	case UNWINDER:
		return set_text(field, value, is_unwinder(value));
	case REACH:
		return set_text(field, value, is_reach(value));
	case SYMBOLS:
		return set_text(field, value,
				ptl_streq(value, "auto") ||
					ptl_streq(value, "all") ||
					ptl_streq(value, "none"));
	case SIZE:
		return set_size(field, value);
	case ROOM:
		return set_room(field, value);
	case STREAM:
		return set_policy(field, stream_policies,
				  PTL_ARRAY_SIZE(stream_policies), value);
	case LOG:
		return set_policy(field, log_policies,
				  PTL_ARRAY_SIZE(log_policies), value);
	}
	return false;
}

bool ptl_settings_set(struct ptl_settings *settings, const char *name,
		      const char *value)
{
	const struct row *row = find_row(name);

	return row && set(settings, row, value);
}

const char *ptl_settings_allowed(const char *name)
{
	const struct row *row = find_row(name);

	switch (row ? (enum kind)row->kind : SIZE) {
	case OUTPUT:
		return "a file, - or '|CMD' (in a file's name %h: host, "
		       "%p: process, %r: rank, %%: %)";
	case EVENTS:
		return "a list of " PTL_FAMILIES_WORDS
		       " (!x: not x; +x: also x), nor a call, as open, nor a "
		       "class, as %net or desc, nor sdt:PROVIDER:NAME";
	case GLOBS:
		return "a pattern of names, or LIBRARY:NAME";
	case PROGRAMS:
		return "a pattern of programs' names";
	case VARIABLES:
		return "a pattern of variables' names";
	case PATHS:
		return PTL_PATHS_WORDS;
	case FDS:
		return PTL_FDS_WORDS;
	case NAMES:
		return "a list of names of event types";
	case FILE:
		return "a file";
	case SWITCH:
		return "0 or 1";
	case DEPTH:
		return "a depth from 0 to " PTL_STACK_DEEPEST;
	case HERTZ:
		return PTL_SAMPLE_WORDS;
	case COPIED:
		return PTL_SAMPLE_STACK_WORDS;
	case SAMPLER:
		return "one of " PTL_SAMPLE_BY_WORDS;
	case LEVELS:
		return "a number of levels above 0";
	case TIME:
		return PTL_TIME_WORDS;
	case RATE:
		return PTL_RATE_WORDS;
	case UNWINDER:
		return "one of " PTL_UNWINDER_WORDS;
	case REACH:
		return "one of " PTL_REACH_WORDS;
	case SYMBOLS:
		return "one of " PTL_SYMBOLS_WORDS;
	case STREAM:
		return "one of " PTL_STREAM_POLICY_WORDS;
	case LOG:
		return "one of " PTL_LOG_POLICY_WORDS;
	case ROOM:
		return PTL_STREAM_SIZE_WORDS;
	case SIZE:
		break;
	}
	return PTL_SIZE_WORDS;
}

static void put_variable(char *variable, const char *name)
{
	char *at = variable + ptl_strcopy(variable, sizeof(PREFIX), PREFIX);

	for (; *name; name++)
		*at++ = (char)(*name == '-' ? '_' : *name & ~0x20);
	*at = '\0';
}

static const char *find_value(char *const *envp, const char *variable)
{
	size_t size = ptl_strlen(variable);
	const char *value = NULL;

	for (; *envp; envp++)
		if (ptl_strpre(*envp, variable) && (*envp)[size] == '=')
			value = *envp + size + 1;
	return value;
}

/* Returns what the value should have been, or NULL if it is valid. */
static const char *set_from(struct ptl_settings *settings,
			    const struct row *row, const char *value)
{
	/* The program writes to standard output. */
	bool is_taken = row->kind == OUTPUT && ptl_streq(value, "-");

	/* 1 means yes, as with other variables. */
	if (row->kind == DEPTH && ptl_streq(value, "1"))
		value = PTL_STACK_DEEPEST;
	if (!is_taken && set(settings, row, value))
		return NULL;
	return row->kind == OUTPUT ? "a file or '|CMD' (standard output is the "
				     "program's; in a file's name %h: host, "
				     "%p: process, %r: rank, %%: %)" :
				     ptl_settings_allowed(row->name);
}

void ptl_settings_from_environment(struct ptl_settings *settings,
				   char *const *envp,
				   void (*wrong)(const char *variable,
						 const char *value,
						 const char *allowed))
{
	for (size_t i = 0; i < PTL_ARRAY_SIZE(rows); i++) {
		char variable[sizeof(PREFIX) + NAME_ROOM];
		const char *value, *allowed;

		put_variable(variable, rows[i].name);
		value = find_value(envp, variable);
		if (!value || !*value)
			continue;
		allowed = set_from(settings, &rows[i], value);
		if (allowed && wrong)
			wrong(variable, value, allowed);
	}
}
