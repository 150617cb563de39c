/* SPDX-License-Identifier: MIT */
/* See apart.h. */
#include "core/shm/apart.h"

#include "core/shm/names.h"
#include "core/shm/segment.h"
#include "core/sys/syscall.h"

#include <sys/shm.h>

#ifndef SHM_NORESERVE
#define SHM_NORESERVE 010000
#endif

#define SIZE sizeof(struct ptl_shm_names)
#define PERMISSIONS 0777

/* The number of memory that has none, which nobody can attach. */
#define NO_NUMBER INT32_MAX

/*
 * A table has a key until it is marked for removal: so what a maker leaves that
 * is killed in between, which is no memory yet, is removed by the next one,
 * which looks at all of these.
 */
#define KEY 0x70744e00
#define KEYS 8

static int attach(int32_t number, void **base)
{
	long at = ptl_sys_shmat(number, 0, SIZE);

	if (at < 0 && at > -4096)
		return (int)-at;
	*base = (void *)at;
	return 0;
}

/* A number, or -errno. */
static int get(int32_t key)
{
	return (int)ptl_sys(SYS_shmget, key, SIZE,
			    IPC_CREAT | IPC_EXCL | SHM_NORESERVE | 0600, 0);
}

/* If it is another user's only that one can. */
static void remove_left(int32_t key)
{
	int number = (int)ptl_sys(SYS_shmget, key, 0, 0, 0);
	struct shmid_ds ds;

	if (number >= 0 && ptl_sys(SYS_shmctl, number, IPC_STAT, &ds, 0) == 0 &&
	    ds.shm_nattch == 0 && ds.shm_segsz == SIZE)
		ptl_sys(SYS_shmctl, number, IPC_RMID, NULL, 0);
}

/* Another may have a key, or take for left what is being made. */
static void *make_shared(int32_t *number)
{
	int32_t first = ptl_sys_gettid() % KEYS;
	void *base = NULL;

	for (int32_t i = 0; i < KEYS; i++)
		remove_left(KEY + i);
	for (int32_t i = 0; i < KEYS && !base; i++) {
		*number = get(KEY + (first + i) % KEYS);
		if (*number == -EEXIST)
			continue;
		if (*number < 0)
			return NULL;
		attach(*number, &base);
		ptl_sys(SYS_shmctl, *number, IPC_RMID, NULL, 0);
	}
	return base;
}

struct ptl_shm_names *ptl_apart_make(void)
{
	int32_t number = NO_NUMBER;
	struct ptl_shm_names *names = make_shared(&number);

	if (!names) {
		number = NO_NUMBER;
		names = ptl_sys_mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
				     -1, 0);
	}
	if (names == MAP_FAILED)
		return NULL;
	/* 1:1 number:31 random:32 */
	ptl_names_init(names, PTL_NAMES_APART | (uint64_t)number << 32 |
				      (uint32_t)ptl_segment_new_id());
	names->maker.uid = (uint32_t)ptl_sys_geteuid();
	/* The heap is memory like any other. */
	atomic_init(&names->heap_ready, PTL_NAMES_HEAP);
	return names;
}

/* Of a number that is used again it is known only now what it is. */
static bool is_good(int32_t number, const struct ptl_shm_names *names,
		    uint32_t uid, uint64_t id)
{
	struct shmid_ds ds;

	return ptl_sys(SYS_shmctl, number, IPC_STAT, &ds, 0) == 0 &&
	       ds.shm_perm.cuid == uid && ds.shm_segsz == SIZE &&
	       (ds.shm_perm.mode & PERMISSIONS) == 0600 &&
	       names->prefix.magic == PTL_SHM_MAGIC_NAMES &&
	       names->prefix.major == PTL_SHM_MAJOR &&
	       names->prefix.byte_order == PTL_BYTE_ORDER_MARK &&
	       names->prefix.id == id;
}

int ptl_apart_attach(uint32_t uid, uint64_t id, struct ptl_shm_names **names)
{
	int32_t number = id >> 32 & INT32_MAX;
	void *at;
	int err = attach(number, &at);

	if (err)
		return err == ENOMEM ? ENOMEM : ENOENT;
	if (is_good(number, at, uid, id)) {
		*names = at;
		return 0;
	}
	ptl_sys(SYS_shmdt, at, 0, 0, 0);
	return ENOENT;
}
