/* SPDX-License-Identifier: MIT */
/* The tables besides `event'; see tables.h. */
#include "tools/sql/tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/say.h"

typedef struct ptl_sql_value value;
typedef const struct ptl_sql_facts facts;
typedef const struct ptl_merge logs;

static value upid_of(const struct ptl_process *process)
{
	return process != NULL ? ptl_sql_int((int64_t)process->number + 1) :
				 (value){0};
}

static size_t nr_processes(facts *f, logs *merge)
{
	(void)merge;
	return f->nr_processes;
}

static value get_process(facts *f, logs *merge, size_t row, int column)
{
	const struct ptl_process *process = f->process[row];

	(void)merge;
	switch (column) {
	case 0:
		return upid_of(process);
	case 1:
		return ptl_sql_text(process->host);
	case 2:
		return ptl_sql_int(process->pid);
	case 3:
		return ptl_sql_int(process->pidns);
	case 4:
		return upid_of(process->parent);
	case 5:
		return ptl_sql_text(ptl_process_program(process));
	case 6:
		return ptl_sql_text(ptl_process_arguments(process));
	case 7:
		return ptl_sql_int(process->begin);
	case 8:
		return ptl_sql_int(process->end);
	case 9:
		return ptl_sql_int(ptl_process_is_whole(process));
	case 10:
		return ptl_sql_maybe(process->is_ended ? process->status : -1);
	case 11:
		return ptl_sql_maybe(process->is_ended ? process->signal : -1);
	case 12:
		return ptl_sql_maybe(process->user_us);
	case 13:
		return ptl_sql_maybe(process->sys_us);
	case 14:
		return ptl_sql_maybe(process->maxrss_kib);
	case 15:
		return ptl_sql_int(process->max_threads);
	case 16:
		return ptl_sql_int((int64_t)process->events);
	case 17:
		return ptl_sql_maybe(process->rank);
	default:
		return ptl_sql_text(process->tags.first != NULL ?
					    ptl_tags_shown(&process->tags) + 1 :
					    NULL);
	}
}

static size_t nr_programs(facts *f, logs *merge)
{
	(void)merge;
	return f->nr_images;
}

static value get_program(facts *f, logs *merge, size_t row, int column)
{
	const struct ptl_sql_image *image = &f->image[row];

	(void)merge;
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)row + 1);
	case 1:
		return upid_of(image->process);
	case 2:
		return ptl_sql_int(image->program->number);
	case 3:
		return ptl_sql_text(image->program->program);
	case 4:
		return ptl_sql_text(image->program->arguments);
	case 5:
		return ptl_sql_text(image->program->cwd);
	case 6:
		return ptl_sql_int(image->program->begin);
	default:
		return ptl_sql_int(image->program->end);
	}
}

static size_t nr_threads(facts *f, logs *merge)
{
	(void)merge;
	return f->nr_threads;
}

static value get_thread(facts *f, logs *merge, size_t row, int column)
{
	const struct ptl_sql_thread *thread = &f->thread[row];

	(void)merge;
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)row + 1);
	case 1:
		return upid_of(thread->process);
	case 2:
		return thread->log > 0 ? ptl_sql_int((int64_t)thread->log) :
					 (value){0};
	case 3:
		return thread->life > 0 ? ptl_sql_int(thread->tid) : (value){0};
	case 4:
		return ptl_sql_text(thread->name);
	case 5:
		return ptl_sql_maybe(thread->begin);
	case 6:
		return ptl_sql_maybe(thread->begin >= 0 ? thread->end : -1);
	default:
		return ptl_sql_int(thread->events);
	}
}

static size_t nr_files(facts *f, logs *merge)
{
	(void)merge;
	return f->nr_files;
}

static value get_file(facts *f, logs *merge, size_t row, int column)
{
	const struct ptl_sql_file *file = f->file[row];

	(void)merge;
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)row + 1);
	case 1:
		return ptl_sql_text(file->file->name);
	case 2:
		return ptl_sql_text(ptl_file_kind_name(file->file->kind));
	case 3:
		return ptl_sql_text(file->file->host);
	case 4:
		return ptl_sql_int(file->opens);
	case 5:
		return ptl_sql_int(file->failed);
	case 6:
		return ptl_sql_int(file->read);
	case 7:
		return ptl_sql_int(file->written);
	default:
		return ptl_sql_int(file->time);
	}
}

static size_t nr_locks(facts *f, logs *merge)
{
	(void)merge;
	return f->nr_locks;
}

static value get_lock(facts *f, logs *merge, size_t row, int column)
{
	const struct ptl_seen_lock *lock = f->lock[row];

	(void)merge;
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)row + 1);
	case 1:
		return ptl_sql_text(lock->kind);
	case 2:
		return ptl_sql_int((int64_t)lock->address);
	case 3:
		return upid_of(lock->process);
	case 4:
		return ptl_sql_text(lock->place);
	case 5:
		return ptl_sql_text(lock->first != NULL ? lock->first->name :
							  NULL);
	case 6:
		return ptl_sql_int((int64_t)lock->nr);
	case 7:
		return ptl_sql_int((int64_t)lock->nr_contended);
	case 8:
		return ptl_sql_int((int64_t)lock->nr_busy);
	case 9:
		return ptl_sql_int((int64_t)lock->wait.sum);
	case 10:
		return ptl_sql_int((int64_t)lock->wait.max);
	default:
		return ptl_sql_maybe(lock->held);
	}
}

static size_t nr_waits(facts *f, logs *merge)
{
	(void)merge;
	return f->nr_waits;
}

static value get_wait(facts *f, logs *merge, size_t row, int column)
{
	const struct ptl_wait *wait = f->wait[row];
	const struct ptl_strand *waker = wait->waker;

	(void)merge;
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)row + 1);
	case 1:
		return ptl_sql_int(wait->begin);
	case 2:
		return ptl_sql_int(wait->end - wait->begin);
	case 3:
		return upid_of(wait->strand->process);
	case 4:
		return ptl_sql_int((int64_t)wait->strand->life);
	case 5:
		return ptl_sql_text(ptl_wait_name(wait));
	case 6:
		return ptl_sql_text(wait->site->name);
	case 7:
		return upid_of(waker != NULL ? waker->process : NULL);
	case 8:
		return waker != NULL ? ptl_sql_int((int64_t)waker->life) :
				       (value){0};
	default:
		return waker != NULL ? ptl_sql_int(wait->woken) : (value){0};
	}
}

static size_t nr_logs(facts *f, logs *merge)
{
	(void)f;
	return merge->nr_sources;
}

static const char *state_name(int state)
{
	switch (state) {
	case POSIX_TRACE_LOG_ACTIVE_NP:
		return "active";
	case POSIX_TRACE_LOG_COMPLETE_NP:
		return "complete";
	case POSIX_TRACE_LOG_INCOMPLETE_NP:
		return "incomplete";
	default:
		return "damaged";
	}
}

static value get_log(facts *f, logs *merge, size_t row, int column)
{
	static struct posix_trace_info_np info;
	const struct ptl_source *source = &merge->source[row];

	(void)f;
	if (posix_trace_get_info_np(source->trid, &info) != 0)
		return (value){0};
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)row + 1);
	case 1:
		return ptl_sql_text(source->path);
	case 2:
		return ptl_sql_text(info.host[0] != '\0' ? info.host : NULL);
	case 3:
		return ptl_sql_text(info.boot_id[0] != '\0' ? info.boot_id :
							      NULL);
	case 4:
		return ptl_sql_text(state_name(info.log_state));
	case 5:
		return ptl_sql_int((int64_t)info.events);
	case 6:
		return info.lost_unknown ? ptl_sql_text(NULL) :
					   ptl_sql_int((int64_t)info.lost);
	case 7:
		return ptl_sql_int((int64_t)info.log_size);
	case 8:
		return ptl_sql_int(source->shift);
	default:
		return ptl_sql_maybe(info.clock_error > 0 ? info.clock_error :
							    -1);
	}
}

/* A type that a log names. */
struct type {
	size_t log;
	trace_event_id_t id;
};

/* All of them, found once. */
static struct {
	struct type *type;
	size_t nr, room;
} types;

static size_t nr_types(facts *f, logs *merge)
{
	trace_event_id_t id;
	int unavailable;

	(void)f;
	if (types.nr > 0)
		return types.nr;
	for (size_t i = 0; i < merge->nr_sources; i++) {
		trace_id_t trid = merge->source[i].trid;

		posix_trace_eventtypelist_rewind(trid);
		while (posix_trace_eventtypelist_getnext_id(
			       trid, &id, &unavailable) == 0 &&
		       !unavailable) {
			types.type = ptl_grow(types.type, types.nr, &types.room,
					      sizeof(*types.type));
			types.type[types.nr++] = (struct type){i, id};
		}
	}
	return types.nr;
}

static value get_type(facts *f, logs *merge, size_t row, int column)
{
	static char fields[1024];
	struct ptl_source *source = &merge->source[types.type[row].log];
	trace_event_id_t id = types.type[row].id;
	const struct ptl_type *type = ptl_source_type(source, id);

	(void)f;
	switch (column) {
	case 0:
		return ptl_sql_int((int64_t)types.type[row].log + 1);
	case 1:
		return ptl_sql_int(id);
	case 2:
		return ptl_sql_bytes(type->name, type->name_size);
	case 3:
		return ptl_sql_text(ptl_family_name(type->kind->family));
	default:
		if (posix_trace_eventid_get_fields_np(source->trid, id, fields,
						      sizeof(fields)) != 0)
			return (value){0};
		return ptl_sql_text(fields);
	}
}

const struct ptl_sql_table ptl_sql_tables[] = {
	{"process",
	 "upid INTEGER, host TEXT, pid INTEGER, pidns INTEGER, parent INTEGER, "
	 "program TEXT, args TEXT, t INTEGER, t_end INTEGER, is_whole INTEGER, "
	 "status INTEGER, signal INTEGER, user_us INTEGER, sys_us INTEGER, "
	 "maxrss_kib INTEGER, threads INTEGER, events INTEGER, rank INTEGER, "
	 "tags TEXT",
	 19, true, true, false, nr_processes, get_process},
	{"program",
	 "prog INTEGER, upid INTEGER, image INTEGER, name TEXT, args TEXT, "
	 "cwd TEXT, t INTEGER, t_end INTEGER",
	 8, true, true, false, nr_programs, get_program},
	{"thread",
	 "utid INTEGER, upid INTEGER, log INTEGER, tid INTEGER, name TEXT, "
	 "t INTEGER, t_end INTEGER, events INTEGER",
	 8, true, true, false, nr_threads, get_thread},
	{"file",
	 "file INTEGER, name TEXT, kind TEXT, host TEXT, opens INTEGER, "
	 "failed INTEGER, bytes_read INTEGER, bytes_written INTEGER, "
	 "time INTEGER",
	 9, true, true, false, nr_files, get_file},
	{"lock",
	 "lock INTEGER, kind TEXT, address INTEGER, upid INTEGER, place TEXT, "
	 "first TEXT, uses INTEGER, contended INTEGER, busy INTEGER, "
	 "wait INTEGER, max_wait INTEGER, held INTEGER",
	 12, true, true, false, nr_locks, get_lock},
	{"wait",
	 "wait INTEGER, t INTEGER, dur INTEGER, upid INTEGER, utid INTEGER, "
	 "object TEXT, place TEXT, waker_upid INTEGER, waker_utid INTEGER, "
	 "woken INTEGER",
	 10, true, true, true, nr_waits, get_wait},
	{"log",
	 "log INTEGER, path TEXT, host TEXT, boot TEXT, state TEXT, "
	 "events INTEGER, lost INTEGER, size INTEGER, shift INTEGER, "
	 "clock_error INTEGER",
	 10, true, true, false, nr_logs, get_log},
	{"type",
	 "log INTEGER, type INTEGER, name TEXT, family TEXT, fields TEXT", 5,
	 false, false, false, nr_types, get_type},
	{0},
};
