/* SPDX-License-Identifier: MIT */
/*
 * The reader of a log: opens it, gives its events a time, and answers
 * questions about it.  Where things are is index.c's, their order
 * log/merge.c's.  Memory is from the heap: this is no part of recording.
 */
#include "core/log/reader.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "core/log/index.h"
#include "core/log/merge.h"
#include "core/log/writer.h"
#include "core/shm/names.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

struct ptl_log_reader {
	struct ptl_log_head head;
	struct ptl_log_index index;
	struct ptl_log_merge merge;
	struct ptl_clock_line line; /* that of the last event */
	uint64_t ns;		    /* of the last event */
	/* A log that came round: its loss comes before the first event. */
	enum { NOT_TOLD, OVERFLOW_TOLD, RESUME_TOLD, FIRST_TOLD } loss;
	struct ptl_event told;
	struct ptl_event *first; /* the merge's */
};

/* What it says of the host, if it does, and makes sense. */
static void read_host(struct ptl_log_head *head)
{
	struct ptl_log_host *host = &head->where;

	if (head->head_size < sizeof(*head) ||
	    host->check !=
		    ptl_log_check(host, offsetof(struct ptl_log_host, check)))
		*host = (struct ptl_log_host){.clock_sync = 0};
	host->machine[sizeof(host->machine) - 1] = '\0';
	host->zone[sizeof(host->zone) - 1] = '\0';
}

/* Reads the head and checks it; all that is foreign in it is made safe. */
static int read_head(struct ptl_log_head *head, struct ptl_log_index *index)
{
	size_t size = ptl_log_index_pread(index, head, sizeof(*head), 0);

	if (index->state.error)
		return index->state.error;
	if (size < PTL_LOG_HEAD_LEAST || !ptl_log_head_ok(head) ||
	    head->head_size > index->state.size)
		return EINVAL;
	read_host(head);
	head->boot[sizeof(head->boot) - 1] = '\0';
	head->host[sizeof(head->host) - 1] = '\0';
	head->attr.name[sizeof(head->attr.name) - 1] = '\0';
	head->attr.version[sizeof(head->attr.version) - 1] = '\0';
	/* Reserved once. */
	if (head->minor < 2)
		head->cut_error = head->cut_untraced = 0;
	return 0;
}

/* A descriptor of ours for a readable regular file; or a negative errno. */
static int take_fd(int fd, struct ptl_holes *holes, struct ptl_kstat *st)
{
	long flags = ptl_sys(SYS_fcntl, fd, F_GETFL, 0, 0);
	int err = flags < 0 ? (int)flags : ptl_sys_fstat(fd, st);

	if (err)
		return err == -EBADF ? -EINVAL : err;
	if (flags & O_PATH || (flags & O_ACCMODE) == O_WRONLY ||
	    !S_ISREG(st->st_mode))
		return -EINVAL;
	ptl_log_file_room();
	return ptl_holes_begin(holes, fd, st);
}

/* How many events the file still has of packets that are not whole. */
static void count_cut(struct ptl_log_reader *reader)
{
	struct ptl_log_index *index = &reader->index;

	for (size_t i = 0; i < index->nr_slots; i++)
		if (index->slot[i].cut)
			index->state.events += ptl_log_merge_count(
				&reader->merge, &index->slot[i]);
}

int ptl_log_reader_open(int fd, struct ptl_log_reader **reader)
{
	struct ptl_log_reader *r;
	struct ptl_holes holes;
	struct ptl_kstat st;
	int err, own = take_fd(fd, &holes, &st);

	if (own < 0)
		return -own;
	r = calloc(1, sizeof(*r));
	if (!r) {
		ptl_sys_close(own);
		return ENOMEM;
	}
	ptl_log_file_begin(&r->index.file, own, &st);
	r->index.holes = holes;
	r->index.state.size = (uint64_t)st.st_size;
	r->merge.index = &r->index;
	err = read_head(&r->head, &r->index);
	if (!err)
		err = ptl_log_index_build(&r->index, &r->head);
	if (err) {
		ptl_log_reader_close(r);
		return err;
	}
	count_cut(r);
	*reader = r;
	return 0;
}

void ptl_log_reader_close(struct ptl_log_reader *reader)
{
	ptl_log_merge_free(&reader->merge);
	ptl_log_index_free(&reader->index);
	ptl_log_file_end(&reader->index.file);
	free(reader);
}

/* As `when' never goes back, the line of the last event is mostly that of the
 * next. */
static uint64_t realtime(struct ptl_log_reader *reader, uint64_t when)
{
	const struct ptl_log_index *index = &reader->index;

	if (PTL_UNLIKELY(!ptl_clock_covers(&reader->line, when)))
		reader->line = ptl_clock_line(reader->head.clock, index->anchor,
					      index->nr_anchors, when);
	return ptl_clock_follow(&reader->line, when);
}

static struct ptl_event *tell(struct ptl_log_reader *reader, uint32_t id,
			      uint64_t when)
{
	reader->told = (struct ptl_event){
		.id = id, .counter = when, .when = when, .duration = -1};
	return &reader->told;
}

/* OVERFLOW, RESUME, and the event that is kept for after them. */
static struct ptl_event *next_after_loss(struct ptl_log_reader *reader)
{
	const struct ptl_log_reader_state *state = &reader->index.state;

	switch (reader->loss) {
	case NOT_TOLD:
		reader->first = ptl_log_merge_next(&reader->merge);
		if (!reader->first)
			return NULL;
		reader->loss = OVERFLOW_TOLD;
		if (!(state->quiet >> NOT_TOLD & 1))
			return tell(reader, PTL_EV_OVERFLOW,
				    PTL_MIN(state->lost_since,
					    reader->first->when));
		__attribute__((fallthrough));
	case OVERFLOW_TOLD:
		reader->loss = RESUME_TOLD;
		if (!(state->quiet >> OVERFLOW_TOLD & 1))
			return tell(reader, PTL_EV_RESUME, reader->first->when);
		__attribute__((fallthrough));
	case RESUME_TOLD:
		reader->loss = FIRST_TOLD;
		return reader->first;
	case FIRST_TOLD:
		break;
	}
	return ptl_log_merge_next(&reader->merge);
}

/* By the line on which it began, so that no division is needed, and the setting
 * of a clock meanwhile is not counted. */
static int64_t duration(const struct ptl_log_reader *reader,
			const struct ptl_event *event)
{
	const struct ptl_clock_line *line = &reader->line;

	return (int64_t)(ptl_clock_follow(line, event->counter) -
			 ptl_clock_follow(line, event->since));
}

const struct ptl_event *ptl_log_reader_next(struct ptl_log_reader *reader)
{
	struct ptl_event *event;
	uint64_t ns;

	if (PTL_LIKELY(!reader->index.state.lost_since))
		event = ptl_log_merge_next(&reader->merge);
	else
		event = next_after_loss(reader);
	if (!event)
		return NULL;
	ns = realtime(reader, event->when);
	/* Nonsense anchors could bend even a function that only grows. */
	reader->ns = PTL_MAX(reader->ns, ns);
	event->ns = reader->ns;
	event->duration = event->since ? duration(reader, event) : -1;
	return event;
}

/* The events that the file had of the last packet, if it was not whole. */
static uint64_t take_back_cut(struct ptl_log_reader *reader)
{
	struct ptl_log_index *index = &reader->index;
	uint64_t given = 0;

	for (size_t i = 0; i < index->nr_slots; i++) {
		if (!index->slot[i].cut)
			continue;
		given = ptl_log_merge_count(&reader->merge, &index->slot[i]);
		index->slot[i].cut = false;
		index->state.events -= given;
	}
	return given;
}

static bool ask_file(struct ptl_log_file *file, struct ptl_kstat *st)
{
	int fd = ptl_log_file_get(file), err;

	if (fd < 0)
		return false;
	err = ptl_sys_fstat(fd, st);
	ptl_log_file_put(file);
	return err == 0;
}

bool ptl_log_reader_grow(struct ptl_log_reader *reader)
{
	struct ptl_log_index *index = &reader->index;
	size_t old = index->nr_slots;
	struct ptl_kstat st;

	if (index->state.complete || !ask_file(&index->file, &st) ||
	    (uint64_t)st.st_size <= index->state.size ||
	    !ptl_log_index_whole(index, (uint64_t)st.st_size))
		return false;
	if (ptl_log_index_grow(index, (uint64_t)st.st_size,
			       take_back_cut(reader)))
		return false;
	/* New anchors bend it. */
	reader->line = (struct ptl_clock_line){0};
	return index->nr_slots > old;
}

void ptl_log_reader_limit(struct ptl_log_reader *reader, uint64_t since,
			  uint64_t until)
{
	ptl_log_merge_limit(&reader->merge, since, until);
}

uint64_t ptl_log_reader_time(const struct ptl_log_reader *reader,
			     uint64_t counter)
{
	return ptl_clock_realtime(reader->head.clock, reader->index.anchor,
				  reader->index.nr_anchors, counter);
}

void ptl_log_reader_forked(void)
{
	ptl_log_file_forked();
}

void ptl_log_reader_rewind(struct ptl_log_reader *reader)
{
	ptl_log_merge_rewind(&reader->merge);
	reader->ns = 0;
	reader->loss = NOT_TOLD;
}

const struct ptl_log_head *
ptl_log_reader_head(const struct ptl_log_reader *reader)
{
	return &reader->head;
}

const struct ptl_log_reader_state *
ptl_log_reader_state(const struct ptl_log_reader *reader)
{
	return &reader->index.state;
}

const char *ptl_log_reader_type_name(const struct ptl_log_reader *reader,
				     uint32_t id)
{
	const char *name = ptl_sysevent_name(id);

	if (name || id >= PTL_ID_LIMIT)
		return name;
	return id < reader->index.types_end ? reader->index.type[id] : NULL;
}

const char *ptl_log_reader_type_fields(const struct ptl_log_reader *reader,
				       uint32_t id)
{
	const char *name;

	if (ptl_sysevent_name(id))
		return ptl_sysevent_fields(id);
	name = ptl_log_reader_type_name(reader, id);
	return name ? name + ptl_strlen(name) + 1 : NULL;
}

uint32_t ptl_log_reader_type_next(const struct ptl_log_reader *reader,
				  uint32_t id)
{
	uint32_t end = PTL_MAX(reader->index.types_end, PTL_ID_FIRST_USER);

	if (id >= end)
		return 0;
	while (++id < end)
		if (ptl_log_reader_type_name(reader, id))
			return id;
	return 0;
}

uint64_t ptl_log_reader_chunk_end(const struct ptl_log_reader *reader,
				  uint32_t chunk, uint64_t life)
{
	const struct ptl_log_index *index = &reader->index;
	uint64_t end = 0;

	for (size_t i = 0; i < index->nr_slots; i++)
		if (index->slot[i].chunk == chunk &&
		    index->slot[i].chunk_life == life && !index->slot[i].cut)
			end = PTL_MAX(end, index->slot[i].chunk_end);
	return end;
}

static bool read_all(struct ptl_log_reader *reader, void *to, uint64_t size,
		     uint64_t offset)
{
	return ptl_log_index_pread(&reader->index, to, size, offset) == size;
}

int ptl_log_reader_enclosed(struct ptl_log_reader *reader, size_t number,
			    char *name, size_t name_room, void *data,
			    size_t room, uint64_t *whole)
{
	const struct ptl_log_enclosure *found;
	uint64_t offset;
	size_t size;

	if (number >= reader->index.nr_enclosures)
		return ENOENT;
	found = &reader->index.enclosure[number];
	*whole = found->size;
	size = PTL_MIN(found->name_size, name_room);
	if (size > 0) {
		if (!read_all(reader, name, size, found->offset))
			return EIO;
		name[size - 1] = '\0';
	}
	offset = found->offset +
		 (((uint64_t)found->name_size + 7) & ~UINT64_C(7));
	size = PTL_MIN(found->size, room);
	return size == 0 || read_all(reader, data, size, offset) ? 0 : EIO;
}
