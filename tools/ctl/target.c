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

static bool is_meant(const struct ptl_trace *trace, const char *target)
{
	struct stat status;

	if (is_number(target) && atoll(target) == ptl_trace_pid(trace))
		return true;
	if (trace->about == NULL)
		return false;
	if (strcmp(ptl_trace_log(trace), target) == 0)
		return true;
	return stat(target, &status) == 0 &&
	       is_value(trace, "device", status.st_dev) &&
	       is_value(trace, "inode", status.st_ino);
}

static const struct ptl_trace *find(const struct ptl_traces *traces,
				    const char *target)
{
	for (size_t i = 0; i < traces->nr; i++)
		if (is_meant(&traces->trace[i], target))
			return &traces->trace[i];
	return NULL;
}

/* Root may mean the trace of another user: that of the process or log. */
static void add_owners(struct ptl_traces *traces, const char *target)
{
	struct stat status;
	char process[64];

	snprintf(process, sizeof(process), "/proc/%.20s", target);
	if (geteuid() != 0 ||
	    stat(is_number(target) ? process : target, &status) != 0 ||
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

static size_t choose_only(const struct ptl_traces *traces,
			  const struct ptl_trace **chosen)
{
	if (traces->nr > 1)
		say_ambiguous(traces);
	*chosen = traces->nr == 1 ? &traces->trace[0] : NULL;
	if (traces->nr == 0)
		ptl_say("there is no trace of yours");
	return 1;
}

size_t ptl_target_choose(struct ptl_traces *traces, char *const *targets,
			 size_t nr, const struct ptl_trace ***chosen)
{
	*chosen = ptl_alloc((nr + 1) * sizeof(**chosen));
	if (nr == 0)
		return choose_only(traces, *chosen);
	for (size_t i = 0; i < nr; i++)
		add_owners(traces, targets[i]);
	for (size_t i = 0; i < nr; i++) {
		(*chosen)[i] = find(traces, targets[i]);
		if ((*chosen)[i] == NULL)
			ptl_say(is_number(targets[i]) ?
					"%s: no trace has this controller" :
					"%s: no trace is written to it",
				targets[i]);
	}
	return nr;
}
