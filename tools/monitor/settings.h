/* SPDX-License-Identifier: MIT */
/*
 * How to trace: what ptrace-run's options and the library's PTRACE_* variables
 * have in common.  A setting has one name: the long option, and in capitals,
 * with PTRACE_ before it, the variable.
 */
#ifndef PTL_TOOLS_MONITOR_SETTINGS_H
#define PTL_TOOLS_MONITOR_SETTINGS_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

#include "tools/monitor/families.h"

#define PTL_SIZE_DEFAULT ((size_t)-1)

struct ptl_settings {
	const char *output; /* NULL: NAME.PID.ptlog; |CMD: a pipe */
	struct ptl_families families;
	const char **exclude; /* names of event types */
	size_t nr_excludes, excludes_room;
	char *calls, *returns;	  /* lists of patterns, or NULL */
	bool follows;		  /* children are traced */
	unsigned int stack_depth; /* 0: no call stacks */
	size_t data_size;	  /* or PTL_SIZE_DEFAULT, as the next two */
	size_t stream_size;
	size_t log_size;
	int stream_policy; /* POSIX_TRACE_* */
	int log_policy;
	bool is_quiet;
	bool is_verbose;
	bool is_strict; /* fail if something could not be traced */
};

void ptl_settings_init(struct ptl_settings *settings);

enum ptl_settings_result {
	PTL_SETTING_OK,
	PTL_SETTING_WRONG,   /* the value makes no sense */
	PTL_SETTING_NOT_YET, /* it does, but not to this version */
	PTL_SETTING_UNKNOWN, /* no setting of that name */
};

/* What a setting can be, as in "... is not a number of bytes". */
const char *ptl_settings_allowed(const char *name);

/* The value is kept, not copied; NULL for settings without one. */
enum ptl_settings_result ptl_settings_set(struct ptl_settings *settings,
					  const char *name, const char *value);

/*
 * From PTRACE_*.  What makes no sense there is told, and then passed over: an
 * environment shall not break a program.
 */
void ptl_settings_from_environment(struct ptl_settings *settings);

/*
 * The attributes of the stream.  Returns 0 or the error number, and the name
 * of the setting that was refused in *name.
 */
int ptl_settings_attr(const struct ptl_settings *settings, trace_attr_t *attr,
		      const char **name);

#endif
