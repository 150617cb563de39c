/* SPDX-License-Identifier: MIT */
/* A stream's prototypes; see prototypes.h. */
#include "core/control/prototypes.h"

#include "core/shm/segment.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>

int ptl_prototypes_create(int dir, struct ptl_map *map, const char *text,
			  size_t size)
{
	uint64_t total = sizeof(struct ptl_shm_prototypes) + size;
	char name[PTL_SHM_NAME], tmp[PTL_SHM_NAME];
	struct ptl_shm_prototypes *made;
	void *base;
	int err = ptl_segment_create(dir, total, map->uid, tmp, &base);

	if (err)
		return err;
	made = base;
	ptl_segment_prefix(&made->prefix, PTL_SHM_MAGIC_PROTOTYPES,
			   sizeof(*made), total, map->id);
	made->size = size;
	memcpy(made->text, text, size);
	ptl_sys_munmap(base, total);
	ptl_segment_name_prototypes(name, map->id);
	err = ptl_segment_publish(dir, tmp, name);
	/* The segment is there before it is said to be.  Pairs with
	 * ptl_prototypes_attach(). */
	if (!err)
		atomic_store_explicit(&map->head->prototypes, 1,
				      memory_order_release);
	return err;
}

const char *ptl_prototypes_attach(const struct ptl_map *map, size_t *size)
{
	const struct ptl_shm_prototypes *there;
	char name[PTL_SHM_NAME];
	uint64_t total;
	void *base;
	int dir, err;

	/* Pairs with ptl_prototypes_create(). */
	if (!atomic_load_explicit(&map->head->prototypes, memory_order_acquire))
		return NULL;
	dir = ptl_rundir_open(map->uid, false);
	if (dir < 0)
		return NULL;
	ptl_segment_name_prototypes(name, map->id);
	err = ptl_segment_attach(dir, name, PTL_SHM_MAGIC_PROTOTYPES,
				 sizeof(*there), map->uid, &base, &total);
	ptl_sys_close(dir);
	if (err)
		return NULL;
	there = base;
	*size = PTL_MIN(there->size, total - sizeof(*there));
	return there->text;
}

void ptl_prototypes_remove(int dir, const struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	if (!atomic_load_explicit(&map->head->prototypes, memory_order_relaxed))
		return;
	ptl_segment_name_prototypes(name, map->id);
	ptl_sys_unlink(dir, name);
}

int ptl_prototypes_collect(int dir, const char *name, void *arg)
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
