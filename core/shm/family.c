/* SPDX-License-Identifier: MIT */
/* Making and finding the segment of a family's event type names. */
#include "core/shm/family.h"

#include "core/shm/names.h"
#include "core/shm/segment.h"
#include "core/sys/syscall.h"

#include <linux/futex.h>

#define PAGE 4096u

typedef int map_function(int dir, const char *name, uint32_t magic,
			 uint64_t min_size, uint64_t room, uint32_t uid,
			 void **map, uint64_t *size);

/* Bytes of a table that are there from the beginning.  The others may be holes,
 * or, if its maker could not make so large a file, behind its end. */
#define SPACE (offsetof(struct ptl_shm_names, heap) + PTL_NAMES_FIRST)

static int get(int dir, uint32_t uid, uint64_t id, map_function *map,
	       struct ptl_shm_names **names)
{
	const uint64_t room = sizeof(struct ptl_shm_names);
	char name[PTL_SHM_NAME];
	uint64_t size;
	void *base;
	int err;

	ptl_segment_name_names(name, id);
	err = map(dir, name, PTL_SHM_MAGIC_NAMES, SPACE, room, uid, &base,
		  &size);
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

int ptl_family_grow(struct ptl_shm_names *names)
{
	uint32_t ready =
		atomic_load_explicit(&names->heap_ready, memory_order_relaxed);
	uint32_t end;

	if (ready % PTL_NAMES_STEP != PTL_NAMES_FIRST % PTL_NAMES_STEP ||
	    ready >= PTL_NAMES_HEAP)
		return ENOMEM;
	end = ready + PTL_NAMES_STEP;
	for (uint32_t at = ready; at < end; at += PAGE)
		if (touch(names->heap + at))
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
	int err = ptl_segment_create_growing(dir, SPACE, sizeof(*made),
					     maker->uid, tmp, &base);

	if (err)
		return err;
	made = base;
	*id = ptl_segment_new_id();
	ptl_names_init(made, *id);
	made->maker = *maker;
	ptl_segment_name_names(name, *id);
	err = ptl_segment_publish(dir, tmp, name);
	if (err)
		ptl_sys_munmap(base, sizeof(*made));
	else
		*names = made;
	return err;
}

int ptl_family_names(int dir, const struct ptl_shm_ident *maker,
		     _Atomic uint64_t *id, struct ptl_shm_names **names)
{
	/* A table is complete before its id is anywhere. */
	uint64_t current = atomic_load_explicit(id, memory_order_relaxed);
	struct ptl_shm_names *own;
	char name[PTL_SHM_NAME];
	uint64_t made;
	int err = ENOENT;

	if (current)
		err = ptl_family_find(dir, maker->uid, current, names);
	/* The others of the family go on with theirs. */
	if (!ptl_segment_is_gone(err))
		return err;
	err = make(dir, maker, &made, &own);
	if (err)
		return err;
	if (atomic_compare_exchange_strong_explicit(id, &current, made,
						    memory_order_relaxed,
						    memory_order_relaxed)) {
		*names = own;
		return 0;
	}
	ptl_sys_munmap(own, sizeof(*own));
	ptl_segment_name_names(name, made);
	ptl_sys_unlink(dir, name);
	return ptl_family_find(dir, maker->uid, current, names);
}

/* With more memory, if that is what it takes. */
static int insert(struct ptl_shm_names *names, const char *name)
{
	uint32_t id;
	int err = ptl_names_open(names, name, &id);

	while (err == ENOMEM && ptl_family_grow(names) == 0)
		err = ptl_names_open(names, name, &id);
	return err;
}

int ptl_family_again(int dir, const struct ptl_shm_ident *maker,
		     struct ptl_shm_names *from, uint64_t *id,
		     struct ptl_shm_names **names)
{
	uint32_t end = PTL_ID_FIRST_USER + ptl_names_count(from);
	char name[PTL_NAME_SIZE];
	int err = make(dir, maker, id, names);

	/* Up to the first that is damaged: ids are given in order. */
	for (uint32_t i = PTL_ID_FIRST_USER; i < end && !err; i++)
		if (ptl_names_get(from, i, name) || insert(*names, name))
			break;
	return err;
}
