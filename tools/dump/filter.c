/* SPDX-License-Identifier: MIT */
/* Which events the user wants to see; see filter.h. */
#include "tools/dump/filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

void ptl_filter_add_name(struct ptl_filter *filter, const char *glob)
{
	filter->glob = ptl_grow(filter->glob, filter->nr_globs,
				&filter->globs_room, sizeof(*filter->glob));
	filter->glob[filter->nr_globs++] = glob;
}

/* Returns the pid the text is, or 0. */
static pid_t parse_pid(const char *text)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || pid <= 0 ||
	    pid > INT_MAX)
		return 0;
	return (pid_t)pid;
}

bool ptl_filter_add_pid(struct ptl_filter *filter, const char *text)
{
	filter->pid = ptl_grow(filter->pid, filter->nr_pids, &filter->pids_room,
			       sizeof(*filter->pid));
	filter->pid[filter->nr_pids] = parse_pid(text);
	return filter->pid[filter->nr_pids++] != 0;
}

bool ptl_filter_add_tid(struct ptl_filter *filter, const char *text)
{
	filter->tid = ptl_grow(filter->tid, filter->nr_tids, &filter->tids_room,
			       sizeof(*filter->tid));
	filter->tid[filter->nr_tids] = parse_pid(text);
	return filter->tid[filter->nr_tids++] != 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool ptl_filter_parse_time(struct ptl_filter_time *time, const char *text)
{
	long ns = 0, unit = 100000000;
	long long sec = 0;
	char *end;

	time->is_set = true;
	time->is_relative = *text == '+';
	if (time->is_relative)
		text++;
	if (!is_digit(text[0]) && (text[0] != '.' || !is_digit(text[1])))
		return false;
	if (is_digit(*text)) {
		errno = 0;
		sec = strtoll(text, &end, 10);
		if (errno != 0 || sec > LONG_MAX / 2)
			return false;
		text = end;
	}
	if (*text == '.')
		for (text++; is_digit(*text); text++, unit /= 10)
			ns += (*text - '0') * unit;
	time->time.tv_sec = (time_t)sec;
	time->time.tv_nsec = ns;
	return *text == '\0';
}

static void make_absolute(struct ptl_filter_time *time,
			  const struct timespec *first)
{
	if (!time->is_set || !time->is_relative)
		return;
	time->time.tv_sec += first->tv_sec;
	time->time.tv_nsec += first->tv_nsec;
	if (time->time.tv_nsec >= 1000000000) {
		time->time.tv_nsec -= 1000000000;
		time->time.tv_sec++;
	}
	time->is_relative = false;
}

void ptl_filter_begin(struct ptl_filter *filter, const struct timespec *first)
{
	make_absolute(&filter->since, first);
	make_absolute(&filter->until, first);
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static bool is_among(const pid_t *pids, size_t nr, pid_t pid)
{
	if (nr == 0)
		return true;
	for (size_t i = 0; i < nr; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

static bool matches_name(const struct ptl_filter *filter, const char *name)
{
	if (filter->nr_globs == 0)
		return true;
	for (size_t i = 0; i < filter->nr_globs; i++)
		if (fnmatch(filter->glob[i], name, 0) == 0)
			return true;
	return false;
}

bool ptl_filter_wants(const struct ptl_filter *filter, struct ptl_type *type,
		      const struct posix_trace_event_info *event)
{
	if (type->wanted < 0)
		type->wanted = matches_name(filter, type->name);
	if (!type->wanted)
		return false;
	if (!is_among(filter->pid, filter->nr_pids, event->posix_pid) ||
	    !is_among(filter->tid, filter->nr_tids, event->posix_tid_np))
		return false;
	if (filter->since.is_set &&
	    is_before(&event->posix_timestamp, &filter->since.time))
		return false;
	return !filter->until.is_set ||
	       !is_before(&filter->until.time, &event->posix_timestamp);
}
