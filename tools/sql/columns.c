/* SPDX-License-Identifier: MIT */
/* The columns of the table `event'; see columns.h. */
#include "tools/sql/columns.h"

#include <string.h>

#include "tools/dump/parts/json.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/lib/args/words.h"

typedef struct ptl_sql_value value;
typedef const struct ptl_sql_row event_row;

static value get_id(event_row *row)
{
	return ptl_sql_int((int64_t)row->id);
}

static value get_log(event_row *row)
{
	return ptl_sql_int((int64_t)row->log);
}

static value get_t(event_row *row)
{
	return ptl_sql_int(
		(int64_t)(ptl_ns(&row->source->event.posix_timestamp) -
			  row->begun));
}

static value get_ts(event_row *row)
{
	return ptl_sql_int(
		(int64_t)ptl_ns(&row->source->event.posix_timestamp));
}

static value get_dur(event_row *row)
{
	return ptl_sql_maybe(row->view->duration);
}

static value get_name(event_row *row)
{
	return ptl_sql_bytes(row->type->name, row->type->name_size);
}

static value get_family(event_row *row)
{
	return ptl_sql_text(ptl_family_name(row->type->kind->family));
}

static value get_pid(event_row *row)
{
	return ptl_sql_int(row->source->event.posix_pid);
}

static value get_tid(event_row *row)
{
	return ptl_sql_int(row->source->event.posix_tid_np);
}

static value get_program(event_row *row)
{
	return ptl_sql_text(row->view->program);
}

static value get_upid(event_row *row)
{
	const struct ptl_process *process = row->step->process;

	return process != NULL ? ptl_sql_int((int64_t)process->number + 1) :
				 (value){0};
}

static value get_utid(event_row *row)
{
	const struct ptl_thread *thread = row->step->thread;

	return thread != NULL ? ptl_sql_int((int64_t)thread->life) : (value){0};
}

/* An argument that is a number. */
static value get_number(event_row *row, const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(&row->view->args, name);

	return arg != NULL && (arg->type == PTL_ARG_INT ||
			       arg->type == PTL_ARG_HEX ||
			       arg->type == PTL_ARG_C_INT) ?
		       ptl_sql_int(arg->value) :
		       (value){0};
}

static value get_ret(event_row *row)
{
	return get_number(row, "ret");
}

/* The argument that is the error, if it is one. */
static const struct ptl_arg *error_of(event_row *row)
{
	const struct ptl_args *args = &row->view->args;
	const struct ptl_arg *error =
		(unsigned int)row->type->kind->error_at < args->nr ?
			&args->arg[row->type->kind->error_at] :
			NULL;

	return error != NULL && error->value != 0 ? error : NULL;
}

static value get_errno(event_row *row)
{
	const struct ptl_arg *error = error_of(row);

	return error != NULL ? ptl_sql_int(error->value) : (value){0};
}

static value get_error(event_row *row)
{
	static char buf[PTL_WORDS_MAX];
	const struct ptl_arg *error = error_of(row);
	struct ptl_arg named;

	if (error == NULL)
		return (value){0};
	named = (struct ptl_arg){
		.type = PTL_ARG_INT,
		.words = error->words != NULL ? error->words :
						ptl_words_find("errno", 5),
		.value = error->value,
	};
	return ptl_sql_bytes(buf, ptl_words_text(&named, buf));
}

static value get_failed(event_row *row)
{
	enum ptl_outcome outcome = row->view->outcome;

	return outcome != PTL_OUTCOME_NONE ?
		       ptl_sql_int(outcome == PTL_OUTCOME_FAILED) :
		       (value){0};
}

static value get_fd(event_row *row)
{
	return get_number(row, "fd");
}

static value get_size(event_row *row)
{
	return get_number(row, "size");
}

static value get_path(event_row *row)
{
	const struct ptl_arg *arg = ptl_decode_find(&row->view->args, "path");

	return arg != NULL && arg->bytes != NULL ?
		       ptl_sql_bytes(arg->bytes, arg->size) :
		       (value){0};
}

static value get_file(event_row *row)
{
	const struct ptl_file *file =
		row->nr_uses > 0 ? row->use[0].file : NULL;

	return ptl_sql_text(file != NULL ? ptl_file_same(file)->name : NULL);
}

/* The address of what is locked, or waited for. */
static value get_lock(event_row *row)
{
	static const char *const names[] = {"mutex", "mtx",    "rwlock",
					    "spin",  "cond",   "cnd",
					    "sem",   "barrier"};
	value lock = {0};

	if (row->type->kind->family != PTL_FAMILY_SYNC)
		return lock;
	for (size_t i = 0;
	     lock.kind == PTL_SQL_NULL && i < sizeof(names) / sizeof(*names);
	     i++)
		lock = get_number(row, names[i]);
	return lock;
}

static value get_function(event_row *row)
{
	const struct ptl_arg *arg =
		row->type->kind->family == PTL_FAMILY_CALL ?
			ptl_decode_find(&row->view->args, "function") :
			NULL;

	return arg != NULL && arg->bytes != NULL ?
		       ptl_sql_bytes(arg->bytes, arg->size) :
		       (value){0};
}

static value get_place(event_row *row)
{
	if (row->source->event.posix_prog_address == NULL)
		return (value){0};
	return ptl_sql_text(ptl_model_site(row->step)->name);
}

static value get_depth(event_row *row)
{
	return ptl_sql_int(row->depth);
}

static value get_parent(event_row *row)
{
	return row->parent != 0 ? ptl_sql_int((int64_t)row->parent) :
				  (value){0};
}

static value get_is_call(event_row *row)
{
	return ptl_sql_int(row->type->kind->is_call ||
			   row->type->kind->act == PTL_ACT_LEAVE);
}

static value get_start(event_row *row)
{
	return ptl_sql_int((int64_t)(row->start - row->begun));
}

/* An object that grows as it is written. */
static struct {
	char *bytes;
	size_t nr, room;
} object;

static void take(const char *bytes, size_t size)
{
	while (object.room - object.nr < size)
		object.bytes =
			ptl_grow(object.bytes, object.room, &object.room, 1);
	memcpy(object.bytes + object.nr, bytes, size);
	object.nr += size;
}

static value get_args(event_row *row)
{
	static struct ptl_out out = {.take = take};

	object.nr = 0;
	ptl_json_args(&out, row->view);
	ptl_out_flush(&out);
	return ptl_sql_bytes(object.bytes, object.nr);
}

static value get_context(event_row *row)
{
	static struct ptl_out out = {.take = take};
	bool has_any;

	object.nr = 0;
	has_any = ptl_json_context(&out, "", row->view);
	ptl_out_flush(&out);
	return has_any ? ptl_sql_bytes(object.bytes, object.nr) : (value){0};
}

#define DATA PTL_SQL_NEEDS_DATA
#define MODEL (DATA | PTL_SQL_NEEDS_MODEL)
#define NAMES (MODEL | PTL_SQL_NEEDS_NAMES)
#define WHO (MODEL | PTL_SQL_NEEDS_WHO)
#define ALL PTL_SQL_NEEDS_ALL
#define FILES (WHO | ALL | PTL_SQL_NEEDS_FILES)
#define CALLS (WHO | ALL | PTL_SQL_NEEDS_CALLS)

const struct ptl_sql_column ptl_sql_columns[] = {
	[PTL_SQL_ID] = {"id", "INTEGER", ALL, get_id, false},
	[PTL_SQL_LOG] = {"log", "INTEGER", 0, get_log, false},
	[PTL_SQL_T] = {"t", "INTEGER", 0, get_t, false},
	[PTL_SQL_TS] = {"ts", "INTEGER", 0, get_ts, false},
	[PTL_SQL_DUR] = {"dur", "INTEGER", MODEL, get_dur, false},
	[PTL_SQL_NAME] = {"name", "TEXT", 0, get_name, true},
	[PTL_SQL_FAMILY] = {"family", "TEXT", 0, get_family, true},
	[PTL_SQL_PID] = {"pid", "INTEGER", 0, get_pid, false},
	{"tid", "INTEGER", 0, get_tid, false},
	{"program", "TEXT", WHO, get_program, true},
	{"upid", "INTEGER", WHO | ALL, get_upid, false},
	{"utid", "INTEGER", WHO | ALL, get_utid, false},
	{"ret", "INTEGER", DATA, get_ret, false},
	{"errno", "INTEGER", DATA, get_errno, false},
	{"error", "TEXT", DATA, get_error, true},
	{"failed", "INTEGER", DATA, get_failed, false},
	{"fd", "INTEGER", DATA, get_fd, false},
	{"size", "INTEGER", DATA, get_size, false},
	{"path", "TEXT", DATA, get_path, true},
	{"file", "TEXT", FILES, get_file, true},
	{"lock", "INTEGER", DATA, get_lock, false},
	{"function", "TEXT", NAMES, get_function, true},
	{"place", "TEXT", MODEL, get_place, true},
	{"depth", "INTEGER", CALLS, get_depth, false},
	{"parent", "INTEGER", CALLS, get_parent, false},
	{"start", "INTEGER", CALLS, get_start, false},
	{"is_call", "INTEGER", 0, get_is_call, false},
	{"args", "TEXT", NAMES, get_args, false},
	{"context", "TEXT", NAMES | WHO | ALL, get_context, true},
	{0},
};

size_t ptl_sql_nr_columns(void)
{
	return sizeof(ptl_sql_columns) / sizeof(*ptl_sql_columns) - 1;
}
