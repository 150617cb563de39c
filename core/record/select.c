/* SPDX-License-Identifier: MIT */
/* Filters where events are recorded; see select.h. */
#include "core/record/select.h"

#include "core/buffer/counter.h"
#include "core/format/sysevents.h"
#include "core/format/values.h"
#include "core/record/slots.h"
#include "core/shm/names.h"
#include "core/shm/select.h"
#include "core/sys/glob.h"
#include "core/sys/text.h"

#include <sys/socket.h>

#include <fcntl.h>

/* The data of a call, without when it began. */
struct call {
	uint32_t id;
	const unsigned char *data;
	size_t size;
	uint64_t since;
};

/*
 * Going through an event's fields, and what it has of them.  The fields are
 * text as in sysevents.h: "NAME:TYPE.WORDS", with blanks between.
 */
struct walk {
	const char *fields;
	const unsigned char *data;
	size_t size; /* what is left of them */
	/* The field: */
	const char *name, *words; /* words: behind the dot, or a blank */
	size_t name_size;
	char type;
	const unsigned char *value;
	size_t value_size; /* of a string without its null */
};

/* A field of a call: an integer, a string, or a byte with the number of those
 * behind it. */
static void take(struct walk *walk)
{
	size_t size = walk->size;

	walk->value = walk->data;
	if (walk->type == 'i' || walk->type == 'x') {
		size = PTL_MIN(size, sizeof(int64_t));
		walk->value_size = size;
	} else if (walk->type == 's') {
		walk->value_size = 0;
		while (walk->value_size < size && walk->data[walk->value_size])
			walk->value_size++;
		size = PTL_MIN(size, walk->value_size + 1);
	} else if (walk->type == 'b' && size > 0) {
		walk->value_size = PTL_MIN((size_t)walk->data[0], size - 1);
		walk->value++;
		size = walk->value_size + 1;
	} else {
		walk->value_size = size;
	}
	walk->data += size;
	walk->size -= size;
}

static bool next(struct walk *walk)
{
	const char *at = walk->fields;

	if (!*at)
		return false;
	walk->name = at;
	while (*at != ':')
		at++;
	walk->name_size = (size_t)(at - walk->name);
	walk->type = at[1];
	at += 2;
	walk->words = *at == '.' ? at + 1 : "";
	while (*at && *at != ' ')
		at++;
	walk->fields = at + (*at == ' ');
	take(walk);
	return true;
}

static struct walk walk_of(const struct call *call)
{
	const char *fields = ptl_sysevent_fields(call->id);

	return (struct walk){.fields = fields ? fields : "",
			     .data = call->data,
			     .size = call->size};
}

static bool is_named(const struct walk *walk, const char *name)
{
	return ptl_strpre(walk->name, name) &&
	       walk->name[ptl_strlen(name)] == ':';
}

static bool is_word(const struct walk *walk)
{
	return (walk->type == 'i' || walk->type == 'x') &&
	       walk->value_size == sizeof(int64_t);
}

static int64_t word_at(const unsigned char *at)
{
	int64_t word;

	__builtin_memcpy(&word, at, sizeof(word));
	return word;
}

/* ---- failed ------------------------------------------------------- */

/* SO_ERROR: a connection that failed since. */
static bool is_late_error(const struct call *call)
{
	const unsigned char *value = call->data + 5 * sizeof(int64_t) + 1;
	int error = 0;

	if (call->id != PTL_EV_NET_GETSOCKOPT ||
	    call->size < 5 * sizeof(int64_t) + 1 + sizeof(error) ||
	    value[-1] != sizeof(error) ||
	    word_at(call->data + 8) != SOL_SOCKET ||
	    word_at(call->data + 16) != SO_ERROR)
		return false;
	__builtin_memcpy(&error, value, sizeof(error));
	return error != 0;
}

/* Functions of pthreads return the error, those of <netdb.h> one of theirs. */
static bool returns_errors(const struct call *call)
{
	const char *name = ptl_sysevent_name(call->id);

	return name && (ptl_strpre(name, "sync:") || ptl_strpre(name, "net:"));
}

/* What tools take for a failure, too (tools/read/kind.c). */
static bool has_failed(const struct call *call)
{
	struct walk walk = walk_of(call);
	int64_t error = 0;

	while (next(&walk)) {
		if (!is_word(&walk))
			continue;
		if (is_named(&walk, "errno")) {
			error = word_at(walk.value);
			break;
		}
		if (!is_named(&walk, "ret"))
			continue;
		if (call->id == PTL_EV_DL_OPEN)
			return word_at(walk.value) == 0;
		if (*walk.words && returns_errors(call))
			error = word_at(walk.value);
	}
	return error != 0 || is_late_error(call);
}

/* ---- descriptors -------------------------------------------------- */

static bool wants_fd(const struct ptl_shm_select *select, int64_t fd)
{
	uint32_t nr =
		atomic_load_explicit(&select->nr_fds, memory_order_relaxed);

	nr = PTL_MIN(nr, (uint32_t)PTL_SELECT_FD_MAX);
	for (uint32_t i = 0; i < nr; i++)
		if (atomic_load_explicit(&select->fd[i],
					 memory_order_relaxed) == fd)
			return true;
	return false;
}

static bool wants_range(const struct ptl_shm_select *select, int64_t first,
			int64_t last)
{
	uint32_t nr =
		atomic_load_explicit(&select->nr_fds, memory_order_relaxed);

	nr = PTL_MIN(nr, (uint32_t)PTL_SELECT_FD_MAX);
	for (uint32_t i = 0; i < nr; i++) {
		int64_t fd = atomic_load_explicit(&select->fd[i],
						  memory_order_relaxed);

		if (fd >= first && (last < 0 || fd <= last))
			return true;
	}
	return false;
}

/* Does it return a descriptor? */
static bool makes_fd(const struct call *call)
{
	switch (call->id) {
	case PTL_EV_FILE_OPEN:
	case PTL_EV_FILE_MKSTEMP:
	case PTL_EV_IO_DUP:
	case PTL_EV_IO_EPOLL_CREATE:
	case PTL_EV_IO_EVENTFD:
	case PTL_EV_IO_INOTIFY_INIT:
	case PTL_EV_IO_MEMFD:
	case PTL_EV_IO_MQ_OPEN:
	case PTL_EV_MEM_SHM_OPEN:
	case PTL_EV_NET_ACCEPT:
	case PTL_EV_NET_SOCKET:
	case PTL_EV_TIME_TIMERFD_CREATE:
		return true;
	case PTL_EV_IO_FCNTL:
		return call->size >= 2 * sizeof(int64_t) &&
		       (word_at(call->data + 8) == F_DUPFD ||
			word_at(call->data + 8) == F_DUPFD_CLOEXEC);
	default:
		return false;
	}
}

/* Is the field a descriptor? */
static bool is_fd(const struct walk *walk, const struct call *call)
{
	static const char names[][6] = {"fd",	 "in",	  "out", "read",
					"write", "epoll", "mq"};

	if (walk->type != 'i' || !is_word(walk))
		return false;
	if (ptl_strpre(walk->words, "dirfd"))
		return true;
	if (is_named(walk, "ret"))
		return makes_fd(call);
	if (call->id == PTL_EV_NET_SOCKETPAIR)
		return is_named(walk, "first") || is_named(walk, "second");
	for (size_t i = 0; i < PTL_ARRAY_SIZE(names); i++)
		if (is_named(walk, names[i]))
			return true;
	return false;
}

static bool is_about_fd(const struct ptl_shm_select *select,
			const struct call *call)
{
	struct walk walk = walk_of(call);

	if (call->id == PTL_EV_FILE_CLOSE_RANGE)
		return call->size >= 2 * sizeof(int64_t) &&
		       wants_range(select, word_at(call->data),
				   word_at(call->data + 8));
	while (next(&walk))
		if (is_fd(&walk, call) && wants_fd(select, word_at(walk.value)))
			return true;
	return false;
}

/* ---- paths -------------------------------------------------------- */

/* The fields that ptrace-dump --path looks at. */
static bool is_path(const struct walk *walk)
{
	static const char names[][9] = {"path",	  "old",      "new", "target",
					"source", "resolved", "cwd"};

	if (walk->type != 's' && walk->type != 'b')
		return false;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(names); i++)
		if (is_named(walk, names[i]))
			return true;
	return false;
}

static bool wants_path(const struct ptl_shm_select *select,
		       const struct walk *walk)
{
	const char *at = select->paths;
	size_t left = ptl_strnlen(at, sizeof(select->paths));

	while (left) {
		size_t size = 0;

		while (size < left && at[size] != ',')
			size++;
		if (ptl_glob_fits(at, size, (const char *)walk->value,
				  walk->value_size))
			return true;
		size += size < left;
		at += size;
		left -= size;
	}
	return false;
}

static bool is_about_path(const struct ptl_shm_select *select,
			  const struct call *call)
{
	struct walk walk = walk_of(call);

	while (next(&walk))
		if (is_path(&walk) && wants_path(select, &walk))
			return true;
	return false;
}

/* ---- all of them -------------------------------------------------- */

static bool is_slower(const struct ptl_map *map, const struct call *call)
{
	uint64_t now = ptl_counter_now(map->clock);

	return call->since &&
	       now - call->since >=
		       atomic_load_explicit(&map->head->select.ticks,
					    memory_order_relaxed);
}

static bool passes(const struct ptl_map *map, const struct call *call)
{
	const struct ptl_shm_select *select = &map->head->select;
	uint32_t what = ptl_selects(map);

	if (what & PTL_SELECT_SLOWER && !is_slower(map, call))
		return false;
	if (what & PTL_SELECT_FAILED && !has_failed(call))
		return false;
	if (what & PTL_SELECT_FDS && !is_about_fd(select, call))
		return false;
	return !(what & PTL_SELECT_PATHS) || is_about_path(select, call);
}

static uint64_t select_from(uint64_t active, const struct call *call)
{
	uint64_t wanted = active;

	for (uint64_t left = active; left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (!map || passes(map, call))
			continue;
		ptl_select_count(map, ptl_thread.tid, 1);
		wanted &= ~(left & -left);
	}
	return wanted;
}

uint64_t ptl_select(uint64_t active, uint32_t id, const void *data, size_t size)
{
	struct call call = {.id = id, .data = data, .size = size};
	struct ptl_slot *slot;
	bool is_of_libc = id >= PTL_ID_FIRST_CALL && id <= PTL_ID_LAST_CALL;
	bool mark;

	if (is_of_libc ? size < sizeof(call.since) :
			 id < PTL_EV_DL_OPEN || id > PTL_EV_DL_CLOSE)
		return active;
	slot = ptl_slot_mine();
	if (!slot)
		return active;
	/* The streams stay mapped meanwhile. */
	mark = ptl_slot_mark(slot);
	if (is_of_libc) {
		call.size -= sizeof(call.since);
		__builtin_memcpy(&call.since, call.data + call.size,
				 sizeof(call.since));
	}
	active = select_from(active, &call);
	if (mark)
		ptl_slot_unmark(slot);
	return active;
}
