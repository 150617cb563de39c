/* SPDX-License-Identifier: MIT */
/* Which events the user wants to see; see filter.h. */
#include "tools/read/filter/filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/read/filter/where_parse.h"

void ptl_filter_add_name(struct ptl_filter *filter, const char *glob)
{
	filter->glob = ptl_grow(filter->glob, filter->nr_globs,
				&filter->globs_room, sizeof(*filter->glob));
	filter->glob[filter->nr_globs++] = glob;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads a number and goes to the text after it.  Returns false if there is no
 * number, or if it is larger than max. */
static bool take_number(const char **text, unsigned long max,
			unsigned long *number)
{
	char *end;

	if (!is_digit(**text))
		return false;
	errno = 0;
	*number = strtoul(*text, &end, 10);
	*text = end;
	return errno == 0 && *number <= max;
}

static void add(struct ptl_filter_numbers *numbers,
		struct ptl_filter_number number)
{
	numbers->number = ptl_grow(numbers->number, numbers->nr, &numbers->room,
				   sizeof(number));
	numbers->number[numbers->nr++] = number;
}

/* PID or PID@PIDNS. */
static bool parse_number(struct ptl_filter_number *parsed, const char *text)
{
	unsigned long number, pidns = 0;
	bool is_of_any;

	if (!take_number(&text, INT_MAX, &number) || number == 0)
		return false;
	is_of_any = *text != '@';
	if (!is_of_any) {
		text++;
		if (!take_number(&text, UINT_MAX, &pidns))
			return false;
	}
	*parsed = (struct ptl_filter_number){
		.number = (pid_t)number,
		.is_of_any = is_of_any,
		.pidns = (unsigned int)pidns,
	};
	return *text == '\0';
}

bool ptl_filter_add_number(struct ptl_filter_numbers *numbers, const char *text)
{
	struct ptl_filter_number number;

	if (!parse_number(&number, text))
		return false;
	add(numbers, number);
	return true;
}

bool ptl_filter_add_tree(struct ptl_filter *filter, const char *text)
{
	struct ptl_filter_number root;

	if (!parse_number(&root, text))
		return false;
	if (filter->tree == NULL)
		filter->tree = ptl_tree_new();
	ptl_tree_add_root(filter->tree, root.number, root.pidns,
			  root.is_of_any);
	return true;
}

/* No trace is as long, in seconds: a time beyond it is one of the clock. */
#define RELATIVE_MAX (INT64_C(1) << 30)

/* 10ms, from the first event on. */
static bool parse_with_unit(struct ptl_filter_time *time, const char *text)
{
	int64_t ns;

	if (!ptl_where_time(text, &ns))
		return false;
	*time = (struct ptl_filter_time){
		.is_set = true,
		.is_relative = true,
		.time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)},
	};
	return true;
}

bool ptl_filter_parse_time(struct ptl_filter_time *time, const char *text)
{
	bool is_signed = *text == '+' || *text == '@';
	long ns = 0, unit = 100000000;
	const char *begin = text + is_signed;
	long long sec = 0;
	char *end;

	time->is_set = true;
	time->is_relative = *text != '@';
	if (*text == '@' || *text == '+')
		text++;
	if (!is_digit(text[0]) && (text[0] != '.' || !is_digit(text[1])))
		return false;
	if (is_digit(*text)) {
		errno = 0;
		sec = strtoll(text, &end, 10);
		if (errno != 0 || sec > LONG_MAX / 2)
			return false;
		if (sec > RELATIVE_MAX && !is_signed)
			time->is_relative = false;
		text = end;
	}
	if (*text == '.')
		for (text++; is_digit(*text); text++, unit /= 10)
			ns += (*text - '0') * unit;
	time->is_cut = time->is_relative && unit == 100;
	time->time.tv_sec = (time_t)sec;
	time->time.tv_nsec = ns;
	return *text == '\0' ||
	       (time->is_relative && parse_with_unit(time, begin));
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
	filter->first = ptl_ns(first);
	make_absolute(&filter->since, first);
	/* What is shown with that time is up to it. */
	if (filter->until.is_set && filter->until.is_cut)
		filter->until.time.tv_nsec += 999;
	filter->until.is_cut = false;
	make_absolute(&filter->until, first);
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static bool is_among(const struct ptl_filter_numbers *numbers, pid_t number,
		     unsigned int pidns)
{
	for (size_t i = 0; i < numbers->nr; i++) {
		const struct ptl_filter_number *wanted = &numbers->number[i];

		if (wanted->number == number &&
		    (wanted->is_of_any || wanted->pidns == pidns))
			return true;
	}
	return false;
}

/* Forgets what was learned of an older process with that number. */
static void forget(struct ptl_filter_numbers *numbers,
		   const struct ptl_filter_number *number)
{
	size_t nr = 0;

	for (size_t i = 0; i < numbers->nr; i++) {
		const struct ptl_filter_number *old = &numbers->number[i];

		if (!old->is_learned || old->number != number->number ||
		    old->pidns != number->pidns)
			numbers->number[nr++] = *old;
	}
	numbers->nr = nr;
}

void ptl_filter_learn(struct ptl_filter *filter,
		      const struct posix_trace_event_info *event,
		      const struct ptl_args *args)
{
	const struct ptl_arg *child = ptl_decode_find(args, "child");
	const struct ptl_arg *nspid = ptl_decode_find(args, "nspid");
	const struct ptl_arg *pidns = ptl_decode_find(args, "pidns");
	struct ptl_filter_number number = {.is_learned = true};

	if (filter->tree != NULL)
		ptl_tree_learn(filter->tree, event, args);
	if (filter->pids.nr == 0 || nspid == NULL || pidns == NULL)
		return;
	number.number = (pid_t)nspid->value;
	number.pidns = (unsigned int)pidns->value;
	forget(&filter->pids, &number);
	if (child != NULL &&
	    is_among(&filter->pids, (pid_t)child->value, event->posix_pidns_np))
		add(&filter->pids, number);
}

bool ptl_filter_wants_name(const struct ptl_filter *filter, const char *name)
{
	if (filter->nr_globs == 0)
		return true;
	for (size_t i = 0; i < filter->nr_globs; i++)
		if (fnmatch(filter->glob[i], name, 0) == 0)
			return true;
	return false;
}

bool ptl_filter_wants_type(const struct ptl_filter *filter,
			   struct ptl_type *type)
{
	if (type->wanted < 0)
		type->wanted = ptl_filter_wants_name(filter, type->name);
	return type->wanted;
}

bool ptl_filter_wants_contents(const struct ptl_filter *filter,
			       struct ptl_where_event *event)
{
	if (filter->where == NULL)
		return true;
	event->since_first = (int64_t)(ptl_ns(&event->event->posix_timestamp) -
				       filter->first);
	return ptl_where_matches(filter->where, event);
}

bool ptl_filter_is_behind(const struct ptl_filter *filter,
			  const struct posix_trace_event_info *event)
{
	return filter->until.is_set &&
	       is_before(&filter->until.time, &event->posix_timestamp);
}

bool ptl_filter_wants(const struct ptl_filter *filter,
		      const struct posix_trace_event_info *event)
{
	if (filter->tree != NULL &&
	    !ptl_tree_has(filter->tree, event->posix_pid,
			  event->posix_pidns_np))
		return false;
	if (filter->pids.nr > 0 &&
	    !is_among(&filter->pids, event->posix_pid, event->posix_pidns_np))
		return false;
	if (filter->tids.nr > 0 && !is_among(&filter->tids, event->posix_tid_np,
					     event->posix_pidns_np))
		return false;
	if (filter->since.is_set &&
	    is_before(&event->posix_timestamp, &filter->since.time))
		return false;
	return !ptl_filter_is_behind(filter, event);
}
