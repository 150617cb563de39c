/* SPDX-License-Identifier: MIT */
/* Which traces the user means; see target.h. */
#include "tools/ctl/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/say.h"

static bool is_number(const char *text)
{
	return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

bool ptl_target_is(const char *argument)
{
	const char *suffix = strrchr(argument, '.');

	return is_number(argument) || strchr(argument, '/') != NULL ||
	       (suffix != NULL && strcmp(suffix, ".ptlog") == 0) ||
	       access(argument, F_OK) == 0;
}

static bool is_value(const struct ptl_trace *trace, const char *key,
		     unsigned long long value)
{
	const char *text = ptl_talk_find(trace->about, key);

	return text != NULL && strtoull(text, NULL, 10) == value;
}

static bool is_meant(const struct ptl_trace *trace, const char *name)
{
	struct stat status;

	if (is_number(name) && atoll(name) == ptl_trace_pid(trace))
		return true;
	if (trace->about == NULL)
		return false;
	if (strcmp(ptl_trace_log(trace), name) == 0)
		return true;
	return stat(name, &status) == 0 &&
	       is_value(trace, "device", status.st_dev) &&
	       is_value(trace, "inode", status.st_ino);
}

static const struct ptl_trace *find(const struct ptl_traces *traces,
				    const char *name)
{
	for (size_t i = 0; i < traces->nr; i++)
		if (is_meant(&traces->trace[i], name))
			return &traces->trace[i];
	return NULL;
}

/* A trace that does not say which it is, and may be the one. */
static const struct ptl_trace *find_silent(const struct ptl_traces *traces,
					   const char *name)
{
	for (size_t i = 0; i < traces->nr; i++)
		if (traces->trace[i].about == NULL &&
		    (!is_number(name) || traces->trace[i].pid == 0))
			return &traces->trace[i];
	return NULL;
}

/* Root may mean the trace of another user: that of the process or log. */
static void add_owners(struct ptl_traces *traces, const char *name)
{
	struct stat status;
	char process[64];

	snprintf(process, sizeof(process), "/proc/%.20s", name);
	if (geteuid() != 0 ||
	    stat(is_number(name) ? process : name, &status) != 0 ||
	    status.st_uid == 0)
		return;
	for (size_t i = 0; i < traces->nr; i++)
		if (traces->trace[i].uid == status.st_uid)
			return;
	ptl_traces_find(traces, status.st_uid);
}

static void __attribute__((noreturn))
say_ambiguous(const struct ptl_traces *traces)
{
	char list[800];
	size_t used = 0;

	for (size_t i = 0; i < traces->nr && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%d (%s)", i > 0 ? ", " : "",
					 ptl_trace_pid(&traces->trace[i]),
					 ptl_trace_log(&traces->trace[i]));
	ptl_say("there are %zu traces: name one of %s", traces->nr, list);
	ptl_say_usage();
}

static struct ptl_ctl_target choose_only(const struct ptl_traces *traces)
{
	struct ptl_ctl_target target = {NULL, false};

	if (traces->nr > 1)
		say_ambiguous(traces);
	if (traces->nr == 1)
		target.trace = &traces->trace[0];
	else
		ptl_say("there is no trace of yours");
	return target;
}

static struct ptl_ctl_target choose(const struct ptl_traces *traces,
				    const char *name)
{
	struct ptl_ctl_target target = {find(traces, name), false};
	const struct ptl_trace *silent = find_silent(traces, name);

	target.is_unknown = target.trace == NULL && silent != NULL;
	if (target.is_unknown)
		ptl_say("%s: it is not known whose it is: controller %d: %s",
			name, ptl_trace_pid(silent), silent->why_silent);
	else if (target.trace == NULL)
		ptl_say(is_number(name) ? "%s: no trace has this controller" :
					  "%s: no trace is written to it",
			name);
	return target;
}

size_t ptl_target_choose(struct ptl_traces *traces, char *const *names,
			 size_t nr, struct ptl_ctl_target **targets)
{
	*targets = ptl_alloc((nr + 1) * sizeof(**targets));
	if (nr == 0) {
		(*targets)[0] = choose_only(traces);
		return 1;
	}
	for (size_t i = 0; i < nr; i++)
		add_owners(traces, names[i]);
	for (size_t i = 0; i < nr; i++)
		(*targets)[i] = choose(traces, names[i]);
	return nr;
}
