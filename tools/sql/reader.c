/* SPDX-License-Identifier: MIT */
/* Readers of events; see reader.h. */
#include "tools/sql/reader.h"

#include <stdlib.h>

#include "tools/lib/clock.h"
#include "tools/lib/hash.h"
#include "tools/lib/say.h"

static void see(void *to, struct ptl_source *source)
{
	(void)to;
	(void)source;
}

void ptl_sql_begin(struct ptl_sql *sql, struct ptl_merge *merge)
{
	struct posix_trace_info_np info;

	*sql = (struct ptl_sql){
		.merge = merge, .begun = UINT64_MAX, .is_sorted = true};
	for (size_t i = 0; i < merge->nr_sources; i++) {
		struct ptl_source *source = &merge->source[i];
		uint64_t time = ptl_ns(&source->event.posix_timestamp);

		if (source->has_event && time < sql->begun)
			sql->begun = time;
		if (posix_trace_get_info_np(source->trid, &info) != 0)
			continue;
		sql->events += (double)info.events;
		/* How much of it can be read is known when it was. */
		if (info.log_state == POSIX_TRACE_LOG_DAMAGED_NP) {
			ptl_source_window(source, NULL, NULL);
			ptl_source_survey(source, see, NULL);
		}
		sql->is_sorted &= info.log_state == POSIX_TRACE_LOG_COMPLETE_NP;
	}
	if (sql->begun == UINT64_MAX)
		sql->begun = 0;
}

void ptl_sql_end(struct ptl_sql *sql)
{
	for (int i = 0; i < 2; i++) {
		if (sql->read_facts[i] == NULL)
			continue;
		ptl_sql_facts_free(sql->facts[i]);
		ptl_sql_reader_close(sql->read_facts[i]);
		free(sql->read_facts[i]);
	}
}

/* All of them are read, and each is learned from.  Returns NULL if not. */
static struct ptl_sql_facts *read_all(struct ptl_sql_reader *reader,
				      struct ptl_sql *sql, bool wants_waits)
{
	const struct ptl_sql_limits none = {0};
	struct ptl_sql_facts *facts;

	if (!ptl_sql_reader_open(reader, sql, PTL_SQL_FACTS_NEED, &none))
		return NULL;
	facts = ptl_sql_facts_new(&reader->model, &reader->row, wants_waits);
	while (ptl_sql_reader_next(reader)) {
		if (reader->is_at_end) {
			ptl_sql_facts_end(facts);
			return facts;
		}
		ptl_sql_facts_learn(facts, &reader->step);
	}
	ptl_sql_facts_free(facts);
	return NULL;
}

struct ptl_sql_facts *ptl_sql_facts(struct ptl_sql *sql, bool wants_waits)
{
	struct ptl_sql_reader *reader;

	if (sql->facts[wants_waits] != NULL)
		return sql->facts[wants_waits];
	reader = ptl_alloc(sizeof(*reader));
	sql->facts[wants_waits] = read_all(reader, sql, wants_waits);
	if (sql->facts[wants_waits] != NULL) {
		sql->read_facts[wants_waits] = reader;
		return sql->facts[wants_waits];
	}
	ptl_sql_reader_close(reader);
	free(reader);
	return NULL;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000),
				 .tv_nsec = (long)(ns % 1000000000)};
}

/* Of the time that is asked for. */
struct window {
	struct timespec since, until;
	bool has_since, has_until;
};

static struct window window_of(const struct ptl_sql_limits *limits,
			       unsigned int needs)
{
	return (struct window){
		.since = timespec_of(limits->since),
		.until = timespec_of(limits->until),
		.has_since = limits->has_since && !(needs & PTL_SQL_NEEDS_ALL),
		.has_until = limits->has_until,
	};
}

/* Of a compressed log only that has to be unpacked. */
static void bring(struct ptl_sql *sql, size_t only, const struct window *window)
{
	for (size_t i = 0; i < sql->merge->nr_sources; i++)
		if (only == SIZE_MAX || i == only)
			ptl_source_bring(
				&sql->merge->source[i],
				window->has_since ? &window->since : NULL,
				window->has_until ? &window->until : NULL);
}

/* So that not all of a large log is read. */
static void set_window(struct ptl_sql_reader *reader,
		       const struct window *window)
{
	if (!window->has_since && !window->has_until)
		return;
	for (size_t i = 0; i < reader->merge.nr_sources; i++)
		ptl_source_window(&reader->merge.source[i],
				  window->has_since ? &window->since : NULL,
				  window->has_until ? &window->until : NULL);
}

bool ptl_sql_reader_open(struct ptl_sql_reader *reader, struct ptl_sql *sql,
			 unsigned int needs,
			 const struct ptl_sql_limits *limits)
{
	size_t only = limits->log != 0 && !(needs & PTL_SQL_NEEDS_ALL) ?
			      limits->log - 1 :
			      SIZE_MAX;
	struct window window = window_of(limits, needs);

	reader->sql = sql;
	reader->limits = *limits;
	reader->is_at_end = false;
	bring(sql, only, &window);
	if (!ptl_merge_again(&reader->merge, sql->merge, only))
		return false;
	reader->first = only < sql->merge->nr_sources ? only + 1 : 1;
	reader->is_open = true;
	reader->has_model = needs & PTL_SQL_NEEDS_MODEL;
	reader->row = (struct ptl_sql_row){.begun = sql->begun,
					   .view = &reader->view,
					   .step = &reader->step};
	if (reader->has_model)
		ptl_model_begin(&reader->model, &reader->merge,
				needs & PTL_SQL_NEEDS_WHO);
	ptl_sql_row_begin(&reader->row, needs, &reader->model);
	set_window(reader, &window);
	return true;
}

void ptl_sql_reader_close(struct ptl_sql_reader *reader)
{
	if (!reader->is_open)
		return;
	ptl_sql_row_end(&reader->row);
	if (reader->has_model)
		ptl_model_free(&reader->model);
	ptl_merge_end_again(&reader->merge);
	reader->is_open = reader->has_model = false;
}

static bool has_name(const struct ptl_sql_limits *limits, const char *name)
{
	for (size_t i = 0; i < limits->nr_names; i++)
		if (limits->name[i] == name)
			return true;
	return limits->nr_names == 0;
}

static bool has_pid(const struct ptl_sql_limits *limits, pid_t pid)
{
	for (size_t i = 0; i < limits->nr_pids; i++)
		if (limits->pid[i] == pid)
			return true;
	return limits->nr_pids == 0;
}

/* What SQLite compares once more is only to save work. */
static bool is_wanted(struct ptl_sql_reader *reader,
		      const struct ptl_source *source)
{
	const struct ptl_sql_limits *limits = &reader->limits;
	struct ptl_sql_row *row = &reader->row;

	if (limits->has_since &&
	    ptl_ns(&source->event.posix_timestamp) < limits->since)
		return false;
	if (limits->log != 0 && limits->log != row->log)
		return false;
	return has_pid(limits, source->event.posix_pid) &&
	       has_name(limits, row->type->kind->name);
}

/* There is nothing more that is wanted, or would have to be known. */
static bool is_over(const struct ptl_sql_reader *reader,
		    const struct ptl_source *source)
{
	const struct ptl_sql_limits *limits = &reader->limits;

	if (limits->id != 0 && reader->row.id >= limits->id)
		return true;
	return limits->has_until && reader->sql->is_sorted &&
	       ptl_ns(&source->event.posix_timestamp) > limits->until;
}

static void learn(struct ptl_sql_reader *reader, struct ptl_source *source,
		  bool is_asked)
{
	static struct ptl_filter all, none = {.until = {.is_set = true}};
	unsigned int needs = reader->row.needs;
	bool is_named = is_asked && (needs & PTL_SQL_NEEDS_NAMES);

	if (reader->has_model) {
		ptl_model_event(&reader->model, source, is_named ? &all : &none,
				&reader->step);
		ptl_sql_row_learn(&reader->row, &reader->step);
	} else if (is_asked && (needs & PTL_SQL_NEEDS_DATA)) {
		ptl_view_decode(&reader->view, source);
	}
}

static void step_to(struct ptl_sql_reader *reader, struct ptl_source *source)
{
	struct ptl_sql_row *row = &reader->row;
	size_t log = reader->first + (size_t)(source - reader->merge.source);
	uint64_t time = ptl_ns(&source->event.posix_timestamp);

	row->same = row->log == log && row->time == time ? row->same + 1 : 0;
	row->time = time;
	row->log = log;
	row->id++;
	row->source = source;
	row->type = source->type;
}

bool ptl_sql_reader_next(struct ptl_sql_reader *reader)
{
	const volatile sig_atomic_t *signo = reader->sql->signo;
	struct ptl_source *source;

	while (!reader->is_at_end) {
		bool is_asked;

		source = ptl_merge_next(&reader->merge);
		if (source == NULL || is_over(reader, source))
			break;
		if (signo != NULL && *signo != 0)
			return false;
		step_to(reader, source);
		is_asked = is_wanted(reader, source);
		learn(reader, source, is_asked);
		if (is_asked)
			return true;
	}
	reader->is_at_end = true;
	return true;
}
