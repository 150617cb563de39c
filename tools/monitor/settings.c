/* SPDX-License-Identifier: MIT */
/* How to trace; see settings.h. */
#include "tools/monitor/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

void ptl_settings_init(struct ptl_settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	ptl_families_init(&settings->families);
	settings->follows = true;
	settings->data_size = PTL_SIZE_DEFAULT;
	settings->stream_size = PTL_SIZE_DEFAULT;
	settings->log_size = PTL_SIZE_DEFAULT;
	settings->stream_policy = POSIX_TRACE_FLUSH;
	settings->log_policy = POSIX_TRACE_APPEND;
}

/* A number of bytes, with K, M or G for powers of 1024. */
static enum ptl_settings_result set_size(size_t *size, const char *value)
{
	unsigned long long number;
	unsigned int shift = 0;
	char *end;

	if (*value < '0' || *value > '9')
		return PTL_SETTING_WRONG;
	errno = 0;
	number = strtoull(value, &end, 10);
	switch (*end) {
	case 'G':
	case 'g':
		shift += 10;
		__attribute__((fallthrough));
	case 'M':
	case 'm':
		shift += 10;
		__attribute__((fallthrough));
	case 'K':
	case 'k':
		shift += 10;
		end++;
	}
	if (errno != 0 || *end != '\0' || number == 0 ||
	    number > (PTL_SIZE_DEFAULT - 1) >> shift)
		return PTL_SETTING_WRONG;
	*size = (size_t)number << shift;
	return PTL_SETTING_OK;
}

static enum ptl_settings_result set_output(struct ptl_settings *settings,
					   const char *value)
{
	if (*value == '\0' || strcmp(value, "|") == 0)
		return PTL_SETTING_WRONG;
	settings->output = value;
	return PTL_SETTING_OK;
}

static enum ptl_settings_result set_stream_policy(struct ptl_settings *settings,
						  const char *value)
{
	if (strcmp(value, "loop") == 0)
		settings->stream_policy = POSIX_TRACE_LOOP;
	else if (strcmp(value, "until-full") == 0)
		settings->stream_policy = POSIX_TRACE_UNTIL_FULL;
	else if (strcmp(value, "flush") == 0)
		settings->stream_policy = POSIX_TRACE_FLUSH;
	else if (strcmp(value, "block") == 0)
		settings->stream_policy = POSIX_TRACE_BLOCK_NP;
	else
		return PTL_SETTING_WRONG;
	return PTL_SETTING_OK;
}

static enum ptl_settings_result set_log_policy(struct ptl_settings *settings,
					       const char *value)
{
	if (strcmp(value, "loop") == 0)
		settings->log_policy = POSIX_TRACE_LOOP;
	else if (strcmp(value, "until-full") == 0)
		settings->log_policy = POSIX_TRACE_UNTIL_FULL;
	else if (strcmp(value, "append") == 0)
		settings->log_policy = POSIX_TRACE_APPEND;
	else
		return PTL_SETTING_WRONG;
	return PTL_SETTING_OK;
}

static enum ptl_settings_result add_exclude(struct ptl_settings *settings,
					    const char *value)
{
	if (*value == '\0' || strlen(value) > TRACE_EVENT_NAME_MAX)
		return PTL_SETTING_WRONG;
	settings->exclude =
		ptl_grow(settings->exclude, settings->nr_excludes,
			 &settings->excludes_room, sizeof(*settings->exclude));
	settings->exclude[settings->nr_excludes++] = value;
	return PTL_SETTING_OK;
}

/* How deep, or, without a value, as deep as can be. */
static enum ptl_settings_result set_stack(struct ptl_settings *settings,
					  const char *value)
{
	char *end;
	long depth;

	if (value == NULL) {
		settings->stack_depth = POSIX_TRACE_STACK_MAX_NP;
		return PTL_SETTING_OK;
	}
	depth = strtol(value, &end, 10);
	if (*value < '0' || *value > '9' || *end != '\0' ||
	    depth > POSIX_TRACE_STACK_MAX_NP)
		return PTL_SETTING_WRONG;
	settings->stack_depth = (unsigned int)depth;
	return PTL_SETTING_OK;
}

/* A pattern more in a list separated by commas. */
static enum ptl_settings_result add_glob(struct ptl_settings *settings,
					 char **list, const char *value)
{
	char *old = *list;

	if (*value == '\0')
		return PTL_SETTING_WRONG;
	*list = ptl_alloc(strlen(value) + (old ? strlen(old) + 1 : 0) + 1);
	if (old)
		strcat(strcpy(*list, old), ",");
	strcat(*list, value);
	free(old);
	settings->families.has_calls = true;
	return PTL_SETTING_OK;
}

const char *ptl_settings_allowed(const char *name)
{
	static const struct {
		const char *name, *values;
	} allowed[] = {
		{"output", "a file, - or '|CMD'"},
		{"events", "a list of " PTL_FAMILIES_WORDS " (!x: not x)"},
		{"calls", "a pattern of names, or LIBRARY:NAME"},
		{"returns", "a pattern of names, or LIBRARY:NAME"},
		{"exclude", "the name of an event type"},
		{"stack", "a depth from 0 to 64"},
		{"stream-policy", "one of loop, until-full, flush, block"},
		{"log-policy", "one of loop, until-full, append"},
	};

	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
		if (strcmp(name, allowed[i].name) == 0)
			return allowed[i].values;
	return "a number of bytes above 0, as 100, 16K, 2M, 1G";
}

static bool is_later(const char *name)
{
	static const char *const later[] = {"only", "skip"};

	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++)
		if (strcmp(name, later[i]) == 0)
			return true;
	return false;
}

enum ptl_settings_result ptl_settings_set(struct ptl_settings *settings,
					  const char *name, const char *value)
{
	if (strcmp(name, "output") == 0)
		return set_output(settings, value);
	else if (strcmp(name, "events") == 0)
		return ptl_families_add(&settings->families, value) ?
			       PTL_SETTING_OK :
			       PTL_SETTING_WRONG;
	else if (strcmp(name, "calls") == 0)
		return add_glob(settings, &settings->calls, value);
	else if (strcmp(name, "returns") == 0)
		return add_glob(settings, &settings->returns, value);
	else if (strcmp(name, "exclude") == 0)
		return add_exclude(settings, value);
	else if (strcmp(name, "no-follow") == 0)
		settings->follows = false;
	else if (strcmp(name, "stack") == 0)
		return set_stack(settings, value);
	else if (strcmp(name, "data-size") == 0)
		return set_size(&settings->data_size, value);
	else if (strcmp(name, "stream-size") == 0)
		return set_size(&settings->stream_size, value);
	else if (strcmp(name, "log-size") == 0)
		return set_size(&settings->log_size, value);
	else if (strcmp(name, "stream-policy") == 0)
		return set_stream_policy(settings, value);
	else if (strcmp(name, "log-policy") == 0)
		return set_log_policy(settings, value);
	else if (strcmp(name, "quiet") == 0)
		settings->is_quiet = true;
	else if (strcmp(name, "verbose") == 0)
		settings->is_verbose = true;
	else if (strcmp(name, "strict") == 0)
		settings->is_strict = true;
	else
		return is_later(name) ? PTL_SETTING_NOT_YET :
					PTL_SETTING_UNKNOWN;
	return PTL_SETTING_OK;
}

/* From a variable; what is wrong is told, and the default stays. */
static void set_from(struct ptl_settings *settings, const char *variable,
		     const char *name, const char *value)
{
	if (ptl_settings_set(settings, name, value) == PTL_SETTING_WRONG)
		ptl_say("%s: '%s' is not %s", variable, value,
			ptl_settings_allowed(name));
}

/* A list of names, since a variable cannot be repeated as an option can. */
static void exclude_list(struct ptl_settings *settings, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;

	while (rest != NULL && (name = strsep(&rest, ",")) != NULL)
		set_from(settings, "PTRACE_EXCLUDE", "exclude", name);
}

void ptl_settings_from_environment(struct ptl_settings *settings)
{
	static const struct {
		const char *variable, *name;
	} known[] = {
		{"PTRACE_OUTPUT", "output"},
		{"PTRACE_EVENTS", "events"},
		{"PTRACE_CALLS", "calls"},
		{"PTRACE_RETURNS", "returns"},
		{"PTRACE_STACK", "stack"},
		{"PTRACE_DATA_SIZE", "data-size"},
		{"PTRACE_STREAM_SIZE", "stream-size"},
		{"PTRACE_LOG_SIZE", "log-size"},
		{"PTRACE_STREAM_POLICY", "stream-policy"},
		{"PTRACE_LOG_POLICY", "log-policy"},
	};
	const char *value;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		value = getenv(known[i].variable);
		if (value == NULL || *value == '\0')
			continue;
		/* 1, as with other variables, is yes. */
		if (strcmp(known[i].name, "stack") == 0 &&
		    strcmp(value, "1") == 0)
			value = "64";
		set_from(settings, known[i].variable, known[i].name, value);
	}
	/* There the program writes. */
	if (settings->output != NULL && strcmp(settings->output, "-") == 0) {
		ptl_say("PTRACE_OUTPUT: standard output is the program's");
		settings->output = NULL;
	}
	value = getenv("PTRACE_EXCLUDE");
	if (value != NULL && *value != '\0')
		exclude_list(settings, value);
	value = getenv("PTRACE_FOLLOW");
	if (value != NULL && *value != '\0' && strcmp(value, "0") != 0 &&
	    strcmp(value, "1") != 0)
		ptl_say("PTRACE_FOLLOW: '%s' is not 0 or 1", value);
	settings->follows = value == NULL || strcmp(value, "0") != 0;
	/* Nothing else is said in the traced program's name. */
	settings->is_quiet = true;
}

int ptl_settings_attr(const struct ptl_settings *settings, trace_attr_t *attr,
		      const char **name)
{
	int error = posix_trace_attr_init(attr);

	*name = "attributes";
	if (error == 0) {
		*name = "no-follow";
		error = posix_trace_attr_setinherited(
			attr, settings->follows ? POSIX_TRACE_INHERITED :
						  POSIX_TRACE_CLOSE_FOR_CHILD);
	}
	/* All of them, or none: that is a matter of the filter. */
	if (error == 0)
		error = posix_trace_attr_setcalls_np(attr, 1);
	if (error == 0) {
		*name = "stream-policy";
		error = posix_trace_attr_setstreamfullpolicy(
			attr, settings->stream_policy);
	}
	if (error == 0) {
		*name = "log-policy";
		error = posix_trace_attr_setlogfullpolicy(attr,
							  settings->log_policy);
	}
	if (error == 0) {
		*name = "stack";
		error = posix_trace_attr_setstackdepth_np(
			attr, settings->stack_depth);
	}
	if (error == 0 && settings->data_size != PTL_SIZE_DEFAULT) {
		*name = "data-size";
		error = posix_trace_attr_setmaxdatasize(attr,
							settings->data_size);
	}
	if (error == 0 && settings->stream_size != PTL_SIZE_DEFAULT) {
		*name = "stream-size";
		error = posix_trace_attr_setstreamsize(attr,
						       settings->stream_size);
	}
	if (error == 0 && settings->log_size != PTL_SIZE_DEFAULT) {
		*name = "log-size";
		error = posix_trace_attr_setlogsize(attr, settings->log_size);
	}
	return error;
}
