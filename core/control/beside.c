/* SPDX-License-Identifier: MIT */
/* Segments beside a stream's; see beside.h. */
#include "core/control/beside.h"

#include "core/shm/segment.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>

int ptl_beside_create(int dir, struct ptl_map *map, enum ptl_shm_beside what,
		      const void *bytes, size_t size)
{
	uint64_t total = sizeof(struct ptl_shm_bytes) + size;
	char name[PTL_SHM_NAME], tmp[PTL_SHM_NAME];
	struct ptl_shm_bytes *made;
	void *base;
	int err = ptl_segment_create(dir, total, map->uid, tmp, &base);

	if (err)
		return err;
	made = base;
	ptl_segment_prefix(&made->prefix, PTL_SHM_MAGIC_BESIDE, sizeof(*made),
			   total, map->id);
	made->size = size;
	memcpy(made->bytes, bytes, size);
	ptl_sys_munmap(base, total);
	ptl_segment_name_beside(name, what, map->id);
	err = ptl_segment_publish(dir, tmp, name);
	/* The segment is there before it is said to be.  Pairs with
	 * ptl_beside_attach(). */
	if (!err)
		atomic_fetch_or_explicit(&map->head->beside, 1u << what,
					 memory_order_release);
	return err;
}

static bool has(const struct ptl_map *map, enum ptl_shm_beside what)
{
	/* Pairs with ptl_beside_create(). */
	return atomic_load_explicit(&map->head->beside, memory_order_acquire) >>
		       what &
	       1;
}

const void *ptl_beside_attach(const struct ptl_map *map,
			      enum ptl_shm_beside what, size_t *size)
{
	const struct ptl_shm_bytes *there;
	char name[PTL_SHM_NAME];
	uint64_t total;
	void *base;
	int dir, err;

	if (!has(map, what))
		return NULL;
	dir = ptl_rundir_open(map->uid, false);
	if (dir < 0)
		return NULL;
	ptl_segment_name_beside(name, what, map->id);
	err = ptl_segment_attach(dir, name, PTL_SHM_MAGIC_BESIDE,
				 sizeof(*there), map->uid, &base, &total);
	ptl_sys_close(dir);
	if (err)
		return NULL;
	there = base;
	*size = PTL_MIN(there->size, total - sizeof(*there));
	return there->bytes;
}

void ptl_beside_remove(int dir, const struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	for (unsigned int what = 0; what < PTL_SHM_BESIDES; what++) {
		if (!has(map, what))
			continue;
		ptl_segment_name_beside(name, what, map->id);
		ptl_sys_unlink(dir, name);
	}
}

static int collect(int dir, const char *name, void *arg)
{
	char stream[PTL_SHM_NAME];

	(void)arg;
	/* The rest of both names is the stream's number. */
	ptl_strcopy(stream, sizeof(stream), name);
	stream[0] = 's';
	if (ptl_sys(SYS_faccessat, dir, stream, 0, 0) == -ENOENT)
		ptl_sys_unlink(dir, name);
	return 0;
}

void ptl_beside_collect(int dir)
{
	char prefix[PTL_SHM_NAME];

	for (unsigned int what = 0; what < PTL_SHM_BESIDES; what++) {
		ptl_segment_name_beside(prefix, what, 0);
		prefix[2] = '\0';
		ptl_rundir_each(dir, prefix, collect, NULL);
	}
}
