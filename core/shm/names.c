/* SPDX-License-Identifier: MIT */
/*
 * The table of names, and the predefined types.  An entry goes from 0 to its
 * final value by one compare-and-swap, always the first that is 0; so a thread
 * that loses to another looks at what that one put there, and goes on behind
 * it: no name is there twice.  The string is in the heap before that.  A thread
 * killed in between leaves only a hole of one string in the heap.
 *
 * The index comes after the entry, and is anybody's to complete: who looks for
 * a name looks in the index, then at the entries that may not be there yet, and
 * puts those there on his way.  So a thread that was killed holds nobody up.
 *
 * Lock-free: an insertion is tried again only because another one succeeded.
 */
#include "core/shm/names.h"

#include <errno.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "core/shm/segment.h"
#include "core/sys/text.h"

/* The texts of system events in one piece: pointers to them would all have to
 * be relocated in each program that starts. */
static const struct texts {
	char none;
#define SYSEVENT(id, ident, name, act, fields) \
	char name_##ident[sizeof(name)]; \
	char fields_##ident[sizeof(fields)];
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
} texts = {'\0',
#define SYSEVENT(id, ident, name, act, fields) name, fields,
	   PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

/* By id; of those that are none, zeroes. */
static const struct {
	uint16_t name, fields;
} sysevents[PTL_ID_FIRST_USER] = {
#define SYSEVENT(id, ident, name, act, fields) \
	[id] = {offsetof(struct texts, name_##ident), \
		offsetof(struct texts, fields_##ident)},
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};
static_assert(sizeof(texts) <= UINT16_MAX, "offsets");

static const char *text(uint16_t offset)
{
	return (const char *)&texts + offset;
}

void ptl_names_init(struct ptl_shm_names *names, uint64_t id)
{
	ptl_segment_prefix(&names->prefix, PTL_SHM_MAGIC_NAMES,
			   offsetof(struct ptl_shm_names, entry),
			   sizeof(*names), id);
	atomic_init(&names->heap_ready, PTL_NAMES_FIRST);
}

/* FNV-1a, never 0, so that no entry in use is 0. */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash ? hash : 1;
}

/* Bytes of the heap that may be touched. */
static uint32_t heap_ready(struct ptl_shm_names *names)
{
	/* Bytes of an entry that was seen are among them. */
	uint32_t ready =
		atomic_load_explicit(&names->heap_ready, memory_order_relaxed);

	return PTL_MIN(ready, PTL_NAMES_HEAP);
}

/* The string of an entry, and its size without the null; NULL: damaged. */
static const char *entry_name(struct ptl_shm_names *names, uint64_t entry,
			      size_t *size)
{
	uint32_t offset =
		(uint32_t)entry & ~(PTL_NAMES_GIVEN | PTL_NAMES_FIELDS);
	uint32_t ready = heap_ready(names);
	size_t max;

	if (offset >= ready)
		return NULL;
	max = PTL_MIN(ready - offset, PTL_NAME_SIZE);
	*size = ptl_strnlen(names->heap + offset, max);
	return *size < max ? names->heap + offset : NULL;
}

static bool entry_is(struct ptl_shm_names *names, uint64_t entry, uint32_t hash,
		     const char *name)
{
	const char *there;
	size_t size;

	if (entry >> 32 != hash)
		return false;
	there = entry_name(names, entry, &size);
	return there && ptl_strnlen(name, PTL_NAME_SIZE) == size &&
	       memcmp(there, name, size) == 0;
}

bool ptl_names_are_few(struct ptl_shm_names *names)
{
	return atomic_load_explicit(&names->few, memory_order_relaxed);
}

/* Is there memory for entry i? */
static bool has_entry(struct ptl_shm_names *names, uint32_t i)
{
	return i < PTL_NAMES_FEW || !ptl_names_are_few(names);
}

static uint64_t load_entry(struct ptl_shm_names *names, uint32_t i)
{
	if (!has_entry(names, i))
		return 0;
	/* The string of an entry is there.  Pairs with insert_entry(). */
	return atomic_load_explicit(&names->entry[i], memory_order_acquire);
}

static bool is_name(uint64_t entry)
{
	return entry >> 32;
}

/* From here on entries may not be in the index. */
static uint32_t load_indexed(struct ptl_shm_names *names)
{
	/* The index of those before is there.  Pairs with index_entry(). */
	uint32_t indexed =
		atomic_load_explicit(&names->indexed, memory_order_acquire);

	return has_entry(names, indexed) ? PTL_MIN(indexed, PTL_NAMES_MAX) :
					   PTL_NAMES_FEW;
}

static uint32_t load_index(struct ptl_shm_names *names, uint32_t place)
{
	/* The entry is there.  Pairs with index_entry(). */
	return atomic_load_explicit(&names->index[place % PTL_NAMES_INDEX],
				    memory_order_acquire);
}

/*
 * Puts entry i, whose predecessors are all there, into the index, if nobody has
 * yet.  Places are taken once: whoever else is at it goes the same way.
 */
static void index_entry(struct ptl_shm_names *names, uint32_t i, uint64_t entry)
{
	uint32_t place = (uint32_t)(entry >> 32), was = i;
	uint32_t tries = i < PTL_NAMES_FEW ? 0 : PTL_NAMES_INDEX;

	for (; tries > 0; place++, tries--) {
		uint16_t there = (uint16_t)load_index(names, place);

		/* Pairs with load_index(). */
		if (there == 0 &&
		    atomic_compare_exchange_strong_explicit(
			    &names->index[place % PTL_NAMES_INDEX], &there,
			    (uint16_t)(i + 1), memory_order_release,
			    memory_order_acquire))
			break;
		if (there == i + 1)
			break;
	}
	/* Pairs with load_indexed(). */
	atomic_compare_exchange_strong_explicit(&names->indexed, &was, i + 1,
						memory_order_release,
						memory_order_relaxed);
}

/* The entry of that name by the index. */
static bool find_indexed(struct ptl_shm_names *names, uint32_t hash,
			 const char *name, uint32_t *i)
{
	for (uint32_t tries = 0; tries < PTL_NAMES_INDEX; tries++) {
		uint32_t number = load_index(names, hash + tries);

		if (number == 0)
			return false;
		*i = number - 1;
		if (number <= PTL_NAMES_MAX &&
		    entry_is(names, load_entry(names, *i), hash, name))
			return true;
	}
	return false;
}

/* The entry of that name; else false, and *i is the first free one. */
static bool find_entry(struct ptl_shm_names *names, uint32_t hash,
		       const char *name, uint32_t *i)
{
	/* Before the search: what is indexed meanwhile is looked at below. */
	uint32_t indexed = load_indexed(names);
	uint64_t entry;

	for (*i = 0; *i < PTL_MIN(indexed, PTL_NAMES_FEW); ++*i)
		if (entry_is(names, load_entry(names, *i), hash, name))
			return true;
	if (indexed > PTL_NAMES_FEW && find_indexed(names, hash, name, i))
		return true;
	for (*i = indexed; *i < PTL_NAMES_MAX; ++*i) {
		entry = load_entry(names, *i);
		if (!is_name(entry))
			return false;
		index_entry(names, *i, entry);
		if (entry_is(names, entry, hash, name))
			return true;
	}
	return false;
}

/* Takes `size' bytes of the heap.  Returns 0, ENOMEM or ENOSPC. */
static int take_heap(struct ptl_shm_names *names, uint32_t size,
		     uint32_t *offset)
{
	uint32_t ready = heap_ready(names);
	uint32_t used =
		atomic_load_explicit(&names->heap_used, memory_order_relaxed);

	do {
		if (used > ready || ready - used < size)
			return ready < PTL_NAMES_HEAP ? ENOMEM : ENOSPC;
	} while (!atomic_compare_exchange_weak_explicit(
		&names->heap_used, &used, used + size, memory_order_relaxed,
		memory_order_relaxed));
	*offset = used;
	return 0;
}

/* Gives them back, if no more were taken since. */
static void give_heap(struct ptl_shm_names *names, uint32_t size,
		      uint32_t offset)
{
	uint32_t used = offset + size;

	atomic_compare_exchange_strong_explicit(&names->heap_used, &used,
						offset, memory_order_relaxed,
						memory_order_relaxed);
}

/*
 * Puts the entry into the first free place from *i on, or finds that another
 * has put the name there meanwhile.  Returns 0, EEXIST, ENOSPC, ESTALE, or
 * ENOMEM.
 */
static int insert_entry(struct ptl_shm_names *names, uint64_t entry,
			const char *name, uint32_t *i)
{
	for (; *i < PTL_NAMES_MAX; ++*i) {
		uint64_t was = 0;
		bool done;

		if (!has_entry(names, *i))
			return ENOMEM;
		/* The string is there before its entry, ours and the other's.
		 * Pairs with load_entry() and with itself. */
		done = atomic_compare_exchange_strong_explicit(
			&names->entry[*i], &was, entry, memory_order_release,
			memory_order_acquire);
		if (!done && !is_name(was))
			return ESTALE;
		index_entry(names, *i, done ? entry : was);
		if (done)
			return 0;
		if (entry_is(names, was, (uint32_t)(entry >> 32), name))
			return EEXIST;
	}
	return ENOSPC;
}

/* fields: "", or what the entry gets if it is new. */
static int open_name(struct ptl_shm_names *names, const char *name,
		     const char *fields, uint32_t given, uint32_t *id)
{
	uint32_t hash, offset, i, mark = given;
	uint32_t size = (uint32_t)ptl_strnlen(name, PTL_NAME_SIZE) + 1;
	uint32_t more = (uint32_t)ptl_strnlen(fields, PTL_NAME_SIZE);
	uint32_t name_size = size;
	int err;

	if (size > PTL_NAME_SIZE || more == PTL_NAME_SIZE)
		return ENAMETOOLONG;
	if (more) {
		mark |= PTL_NAMES_FIELDS;
		size += more + 1;
	}
	hash = hash_name(name);
	if (find_entry(names, hash, name, &i)) {
		*id = PTL_ID_FIRST_USER + i;
		return 0;
	}
	if (i == PTL_NAMES_MAX)
		return ENOSPC;
	err = take_heap(names, size, &offset);
	if (err)
		return err;
	memcpy(names->heap + offset, name, name_size);
	memcpy(names->heap + offset + name_size, fields, size - name_size);
	err = insert_entry(names, (uint64_t)hash << 32 | mark | offset, name,
			   &i);
	if (err)
		give_heap(names, size, offset);
	else if (given)
		atomic_fetch_add_explicit(&names->nr_given, 1,
					  memory_order_relaxed);
	if (err && err != EEXIST)
		return err;
	*id = PTL_ID_FIRST_USER + i;
	return 0;
}

int ptl_names_open(struct ptl_shm_names *names, const char *name, uint32_t *id)
{
	return open_name(names, name, "", 0, id);
}

int ptl_names_open_fields(struct ptl_shm_names *names, const char *name,
			  const char *fields, uint32_t *id)
{
	return open_name(names, name, fields, 0, id);
}

int ptl_names_give(struct ptl_shm_names *names, const char *name, uint32_t *id)
{
	return open_name(names, name, "", PTL_NAMES_GIVEN, id);
}

bool ptl_names_given(struct ptl_shm_names *names, uint32_t id)
{
	return id >= PTL_ID_FIRST_USER && id < PTL_ID_LIMIT &&
	       load_entry(names, id - PTL_ID_FIRST_USER) & PTL_NAMES_GIVEN;
}

uint32_t ptl_names_find(struct ptl_shm_names *names, const char *name)
{
	uint32_t i;

	if (ptl_strnlen(name, PTL_NAME_SIZE) == PTL_NAME_SIZE)
		return 0;
	if (!find_entry(names, hash_name(name), name, &i))
		return 0;
	return PTL_ID_FIRST_USER + i;
}

int ptl_names_get(struct ptl_shm_names *names, uint32_t id, char *buf)
{
	const char *name;
	uint64_t entry;
	size_t size;

	if (id < PTL_ID_FIRST_USER || id >= PTL_ID_LIMIT)
		return EINVAL;
	entry = load_entry(names, id - PTL_ID_FIRST_USER);
	if (!is_name(entry))
		return EINVAL;
	name = entry_name(names, entry, &size);
	if (!name)
		return EINVAL;
	memcpy(buf, name, size);
	buf[size] = '\0';
	return 0;
}

void ptl_names_fields(struct ptl_shm_names *names, uint32_t id, char *buf)
{
	uint32_t ready = heap_ready(names), at;
	const char *name;
	uint64_t entry;
	size_t size;

	buf[0] = '\0';
	if (id < PTL_ID_FIRST_USER || id >= PTL_ID_LIMIT)
		return;
	entry = load_entry(names, id - PTL_ID_FIRST_USER);
	name = entry & PTL_NAMES_FIELDS ? entry_name(names, entry, &size) :
					  NULL;
	if (!name)
		return;
	at = (uint32_t)(name - names->heap) + (uint32_t)size + 1;
	size = PTL_MIN(ready - at, PTL_NAME_SIZE - 1);
	size = ptl_strnlen(names->heap + at, size);
	memcpy(buf, names->heap + at, size);
	buf[size] = '\0';
}

uint32_t ptl_names_count(struct ptl_shm_names *names)
{
	uint32_t count = load_indexed(names);

	while (count < PTL_NAMES_MAX && is_name(load_entry(names, count)))
		count++;
	return count;
}

void ptl_names_close(struct ptl_shm_names *names)
{
	uint32_t i = ptl_names_count(names);

	for (; i < PTL_NAMES_MAX; i++) {
		uint64_t was = 0;

		/* Pairs with insert_entry(): who is too late sees where its
		 * family has gone. */
		if (atomic_compare_exchange_strong_explicit(
			    &names->entry[i], &was, PTL_NAMES_CLOSED,
			    memory_order_release, memory_order_acquire) ||
		    !is_name(was))
			return;
	}
}

void ptl_names_reopen(struct ptl_shm_names *names)
{
	uint32_t i = ptl_names_count(names);

	atomic_store_explicit(&names->moved_to, 0, memory_order_relaxed);
	if (i < PTL_NAMES_MAX)
		atomic_store_explicit(&names->entry[i], 0,
				      memory_order_relaxed);
}

void ptl_names_note_most(struct ptl_shm_names *names, uint32_t nr)
{
	uint32_t most =
		atomic_load_explicit(&names->most, memory_order_relaxed);

	while (most < nr && !atomic_compare_exchange_weak_explicit(
				    &names->most, &most, nr,
				    memory_order_relaxed, memory_order_relaxed))
		;
}

static bool is_sysevent(uint32_t id)
{
	return id < PTL_ID_FIRST_USER && sysevents[id].name;
}

const char *ptl_sysevent_name(uint32_t id)
{
	return is_sysevent(id) ? text(sysevents[id].name) : NULL;
}

const char *ptl_sysevent_fields(uint32_t id)
{
	return is_sysevent(id) ? text(sysevents[id].fields) : NULL;
}

uint32_t ptl_sysevent_next(uint32_t id)
{
	while (++id < PTL_ID_FIRST_USER)
		if (is_sysevent(id))
			return id;
	return 0;
}

bool ptl_sysevent_owns(const char *name)
{
	for (uint32_t id = 0; (id = ptl_sysevent_next(id));) {
		const char *ours = text(sysevents[id].name);
		size_t size = 0;

		while (name[size] && name[size] == ours[size] &&
		       ours[size] != ':')
			size++;
		if (ours[size] == ':' && name[size] == ':')
			return true;
	}
	return ptl_strpre(name, "posix_trace_");
}

uint32_t ptl_sysevent_find(const char *name)
{
	/* Of several types of one name the first, if it is not of old. */
	for (uint32_t id = 0; (id = ptl_sysevent_next(id));)
		if (ptl_streq(text(sysevents[id].name), name))
			return id == PTL_EV_PROCESS_START ?
				       PTL_EV_PROCESS_BEGIN :
				       id;
	return 0;
}
