/* SPDX-License-Identifier: MIT */
/* Making and finding the segment of a family's event type names. */
#include "core/shm/family.h"

#include "core/shm/apart.h"
#include "core/shm/names.h"
#include "core/shm/segment.h"
#include "core/sys/syscall.h"

#include <linux/futex.h>

#define PAGE 4096u

/* More often than others name another table in an entry. */
#define TRIES 16

/* The heap begins so far behind the begin of a page. */
#define HEAP_SHIFT (offsetof(struct ptl_shm_names, heap) % PAGE)

typedef int map_function(int dir, const char *name, uint32_t magic,
			 const struct ptl_segment_growing *growing,
			 uint32_t uid, void **map, uint64_t *size);

/* Bytes that the file of a table has at least.  Those behind them may be
 * behind its end, if its maker could not make so large a file; most are holes
 * at first. */
#define SPACE (offsetof(struct ptl_shm_names, heap) + PTL_NAMES_FIRST)

static int get(int dir, uint32_t uid, uint64_t id, map_function *map,
	       struct ptl_shm_names **names)
{
	const uint64_t room = sizeof(struct ptl_shm_names);
	const struct ptl_segment_growing growing = {SPACE, room};
	char name[PTL_SHM_NAME];
	uint64_t size;
	void *base;
	int err;

	ptl_segment_name_names(name, id);
	err = map(dir, name, PTL_SHM_MAGIC_NAMES, &growing, uid, &base, &size);
	if (err)
		return err;
	/* Another user's may say that more of it can be touched than can. */
	if (size == room ||
	    (size < room &&
	     (map != ptl_segment_attach_growing || uid == ptl_sys_geteuid()))) {
		*names = base;
		return 0;
	}
	ptl_sys_munmap(base, PTL_MAX(size, room));
	return EBADMSG;
}

/*
 * Has the kernel write to the page of that word, and change nothing.  Returns
 * 0 or EFAULT.
 */
static int touch(void *word)
{
	const long add_none = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);
	long ret;

	do
		ret = ptl_sys6(SYS_futex, (long)word, FUTEX_WAKE_OP_PRIVATE, 0,
			       0, (long)word, add_none);
	while (ret == -EINTR || ret == -EAGAIN);
	return ret < 0 ? (int)-ret : 0;
}

/* Touches so many bytes; false: there is no memory for them. */
static bool touch_all(void *from, size_t size)
{
	uintptr_t end = (uintptr_t)from + size;

	for (uintptr_t at = (uintptr_t)from & -(uintptr_t)PAGE; at < end;
	     at += PAGE)
		if (touch((void *)at))
			return false;
	return true;
}

static int grow_entries(struct ptl_shm_names *names)
{
	if (!touch_all(names->entry, sizeof(names->entry)) ||
	    !touch_all(names->index, sizeof(names->index)))
		return ENOMEM;
	atomic_store_explicit(&names->few, 0, memory_order_relaxed);
	return 0;
}

int ptl_family_grow(struct ptl_shm_names *names)
{
	uint32_t ready =
		atomic_load_explicit(&names->heap_ready, memory_order_relaxed);
	uint32_t end;

	if (ptl_names_are_few(names) && ptl_names_count(names) >= PTL_NAMES_FEW)
		return grow_entries(names);
	if (ready >= PTL_NAMES_HEAP || (ready + HEAP_SHIFT) % PAGE != 0)
		return ENOMEM;
	end = ready + PTL_NAMES_STEP - (ready + HEAP_SHIFT) % PTL_NAMES_STEP;
	if (!touch_all(names->heap + ready, end - ready))
		return ENOMEM;
	/* Another may have been here: they are all there in any case. */
	atomic_compare_exchange_strong_explicit(&names->heap_ready, &ready, end,
						memory_order_relaxed,
						memory_order_relaxed);
	return 0;
}

int ptl_family_find(int dir, uint32_t uid, uint64_t id,
		    struct ptl_shm_names **names)
{
	return get(dir, uid, id, ptl_segment_attach_growing, names);
}

int ptl_family_copy(int dir, uint32_t uid, uint64_t id,
		    struct ptl_shm_names **names)
{
	return get(dir, uid, id, ptl_segment_copy_growing, names);
}

/* A new, empty table in the run directory; its id in *id. */
static int make(int dir, const struct ptl_shm_ident *maker, uint64_t *id,
		struct ptl_shm_names **names)
{
	char name[PTL_SHM_NAME], tmp[PTL_SHM_NAME];
	struct ptl_shm_names *made;
	void *base;
	int err = ptl_segment_create_growing(dir, PAGE, sizeof(*made),
					     maker->uid, tmp, &base);

	if (err)
		return err;
	made = base;
	if (!touch_all(made->heap, PTL_NAMES_FIRST)) {
		ptl_sys_unlink(dir, tmp);
		ptl_sys_munmap(base, sizeof(*made));
		return ENOSPC;
	}
	*id = ptl_segment_new_id();
	ptl_names_init(made, *id);
	atomic_init(&made->few, 1);
	made->maker = *maker;
	ptl_segment_name_names(name, *id);
	err = ptl_segment_publish(dir, tmp, name);
	if (err)
		ptl_sys_munmap(base, sizeof(*made));
	else
		*names = made;
	return err;
}

static void unmake(int dir, struct ptl_shm_names *made, uint64_t id)
{
	char name[PTL_SHM_NAME];

	ptl_sys_munmap(made, sizeof(*made));
	ptl_segment_name_names(name, id);
	ptl_sys_unlink(dir, name);
}

/* With more memory, if that is what it takes. */
static int insert(struct ptl_shm_names *names, const char *name,
		  const char *fields, uint32_t *id)
{
	int err = ptl_names_open_fields(names, name, fields, id);

	while (err == ENOMEM && ptl_family_grow(names) == 0)
		err = ptl_names_open_fields(names, name, fields, id);
	return err;
}

/* Up to the first that is damaged: ids are given in order. */
static int copy_names(struct ptl_shm_names *from, struct ptl_shm_names *to)
{
	uint32_t end = PTL_ID_FIRST_USER + ptl_names_count(from);
	char name[PTL_NAME_SIZE], fields[PTL_NAME_SIZE];

	for (uint32_t i = PTL_ID_FIRST_USER; i < end; i++) {
		uint32_t id;
		int err;

		if (ptl_names_get(from, i, name))
			break;
		ptl_names_fields(from, i, fields);
		err = insert(to, name, fields, &id);
		if (err || id != i)
			return err ? err : EEXIST;
	}
	return 0;
}

int ptl_family_again(int dir, const struct ptl_shm_ident *maker,
		     struct ptl_shm_names *from, uint64_t *id,
		     struct ptl_shm_names **names)
{
	struct ptl_shm_names *made;
	int err = make(dir, maker, id, &made);

	if (err)
		return err;
	err = copy_names(from, made);
	if (err)
		unmake(dir, made, *id);
	else
		*names = made;
	return err;
}

uint64_t ptl_family_place(const struct ptl_shm_names *names)
{
	/* Pairs with set_once(). */
	uint64_t to =
		atomic_load_explicit(&names->moved_to, memory_order_acquire);

	return to ? to : names->prefix.id;
}

uint64_t ptl_family_place_of(uint32_t uid, uint64_t id)
{
	struct ptl_shm_names *names;

	if (!ptl_apart_is(id))
		return id;
	if (ptl_apart_attach(uid, id, &names) != 0)
		return 0;
	id = ptl_family_place(names);
	ptl_sys_munmap(names, sizeof(*names));
	return id;
}

/* False: another has set it before; *to is what. */
static bool set_once(_Atomic uint64_t *word, uint64_t *to)
{
	uint64_t was = 0;
	/* Pairs with ptl_family_place(). */
	bool done = atomic_compare_exchange_strong_explicit(
		word, &was, *to, memory_order_acq_rel, memory_order_acquire);

	if (!done)
		*to = was;
	return done;
}

static uint32_t refused_in(const struct ptl_shm_names *names)
{
	return atomic_load_explicit(&names->refused, memory_order_relaxed);
}

int ptl_family_move(struct ptl_shm_names *from, struct ptl_shm_names *to)
{
	uint64_t source = from->prefix.id, target = to->prefix.id;
	int err;

	set_once(&to->came_from, &source);
	if (source != from->prefix.id)
		return EEXIST;
	if (set_once(&from->moved_to, &target))
		atomic_fetch_add_explicit(&to->refused, refused_in(from),
					  memory_order_relaxed);
	if (target != to->prefix.id)
		return EEXIST;
	ptl_names_close(from);
	err = copy_names(from, to);
	ptl_names_note_most(
		to, atomic_load_explicit(&from->most, memory_order_relaxed));
	return err;
}

/* The file that a table goes to, made if there is none yet. */
static int file_of(int dir, const struct ptl_shm_ident *maker,
		   struct ptl_shm_names *from, struct ptl_shm_names **names)
{
	uint64_t id = ptl_family_place(from), is;
	struct ptl_shm_names *made;
	int err;

	if (!ptl_apart_is(id))
		return ptl_family_find(dir, maker->uid, id, names);
	/* With its names: there may be no space for them. */
	err = ptl_family_again(dir, maker, from, &id, &made);
	if (err)
		return err;
	atomic_init(&made->came_from, from->prefix.id);
	atomic_init(&made->refused, refused_in(from));
	is = id;
	if (set_once(&from->moved_to, &is)) {
		*names = made;
		return 0;
	}
	unmake(dir, made, id);
	return ptl_family_find(dir, maker->uid, is, names);
}

/* The table of that id, in a file.  One that goes to a file of others, since it
 * is damaged, counts as gone. */
static int filed(int dir, const struct ptl_shm_ident *maker, uint64_t id,
		 struct ptl_shm_names **names)
{
	struct ptl_shm_names *from, *to;
	int err;

	if (!id)
		return ENOENT;
	if (!ptl_apart_is(id))
		return ptl_family_find(dir, maker->uid, id, names);
	err = ptl_apart_attach(maker->uid, id, &from);
	if (err)
		return err;
	err = file_of(dir, maker, from, &to);
	if (!err) {
		err = ptl_family_move(from, to);
		if (err)
			ptl_sys_munmap(to, sizeof(*to));
		else
			*names = to;
	}
	ptl_sys_munmap(from, sizeof(*from));
	return err == EEXIST ? ENOENT : err;
}

int ptl_family_names(int dir, const struct ptl_shm_ident *maker,
		     _Atomic uint64_t *id, struct ptl_shm_names **names)
{
	for (unsigned int tries = 0; tries < TRIES; tries++) {
		/* A table is complete before its id is anywhere. */
		uint64_t was = atomic_load_explicit(id, memory_order_relaxed);
		struct ptl_shm_names *found;
		uint64_t is;
		int err = filed(dir, maker, was, &found);
		/* The others of the family go on with theirs. */
		bool is_new = ptl_segment_is_gone(err);

		if (is_new)
			err = make(dir, maker, &is, &found);
		if (err)
			return err;
		*names = found;
		is = found->prefix.id;
		/* Pairs with place_now() in attached_names.c. */
		if (was == is || atomic_compare_exchange_strong_explicit(
					 id, &was, is, memory_order_seq_cst,
					 memory_order_relaxed))
			return 0;
		/* Another was first. */
		if (is_new)
			unmake(dir, found, is);
		else
			ptl_sys_munmap(found, sizeof(*found));
	}
	return EAGAIN;
}
