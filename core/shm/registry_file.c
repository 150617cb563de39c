/* SPDX-License-Identifier: MIT */
/* The file: made, mapped, grown, and replaced where it is damaged. */
#include "core/shm/registry.h"

#include "core/shm/segment.h"
#include "core/sys/syscall.h"

#include <sys/file.h>

/* How long to wait until another has replaced a damaged one. */
#define LOCK_MS 100

/* How many keys are in use at first; the fewer, the fewer are looked at. */
#define SPAN_FIRST 32u

/* More often than it can grow. */
#define GROWTHS 8u
static_assert(PTL_ENTRIES_FIRST << (GROWTHS - 1) > PTL_ENTRIES_MAX, "growth");

void ptl_registry_close(struct ptl_registry *reg)
{
	if (reg->shm)
		ptl_sys_munmap(reg->shm, sizeof(*reg->shm));
	reg->shm = NULL;
}

/* Both are foreign bytes. */
static uint32_t room_of(const struct ptl_shm_registry *shm)
{
	/* Pairs with raise_to(). */
	uint32_t room = atomic_load_explicit(&shm->room, memory_order_acquire);

	return PTL_MIN(room, PTL_ENTRIES_MAX);
}

uint32_t ptl_registry_span(const struct ptl_shm_registry *shm)
{
	/* Pairs with raise_to(). */
	uint32_t span = atomic_load_explicit(&shm->span, memory_order_acquire),
		 room = room_of(shm);

	return PTL_MIN(span, room);
}

static int attach(int dir, uint32_t uid, struct ptl_registry *reg)
{
	const struct ptl_segment_growing growing = {
		ptl_registry_bytes(PTL_ENTRIES_FIRST),
		sizeof(struct ptl_shm_registry)};

	for (unsigned int tries = 0; tries < GROWTHS; tries++) {
		uint64_t size;
		void *base;
		int err = ptl_segment_attach_growing(
			dir, PTL_REGISTRY_NAME, PTL_SHM_MAGIC_REGISTRY,
			&growing, uid, &base, &size);

		if (err)
			return err;
		reg->shm = base;
		if (ptl_registry_bytes(room_of(reg->shm)) <= size)
			return 0;
		/* The registry has grown since its size was asked for. */
		ptl_registry_close(reg);
	}
	/* Cut short, or it says that it is larger than it is. */
	return EBADMSG;
}

static int make_new(int dir, uint32_t uid)
{
	uint64_t size = ptl_registry_bytes(PTL_ENTRIES_FIRST);
	struct ptl_shm_registry *shm;
	char tmp[PTL_SHM_NAME];
	void *base;
	int err = ptl_segment_create(dir, size, uid, tmp, &base);

	if (err)
		return err;
	shm = base;
	ptl_segment_prefix(&shm->prefix, PTL_SHM_MAGIC_REGISTRY,
			   offsetof(struct ptl_shm_registry, entry), size, 0);
	atomic_init(&shm->room, PTL_ENTRIES_FIRST);
	atomic_init(&shm->span, SPAN_FIRST);
	err = ptl_segment_publish(dir, tmp, PTL_REGISTRY_NAME);
	ptl_sys_munmap(base, size);
	return err == EEXIST ? 0 : err;
}

/* 0: it is not known. */
static uint64_t device_of(int dir)
{
	struct ptl_kstat st;

	return ptl_sys_fstat(dir, &st) == 0 ? st.st_dev : 0;
}

bool ptl_registry_is_in(const struct ptl_registry *reg, int dir, uint32_t uid)
{
	return reg->uid == uid && reg->dev == device_of(dir);
}

/* One process at a time, but not for ever: it may be stopped.  A descriptor
 * that holds the lock, or -errno. */
static int lock_dir(int dir)
{
	const struct timespec pause = {0, 1000000};
	int fd = ptl_sys_open(dir, ".", O_RDONLY | O_DIRECTORY, 0);
	long err = -EWOULDBLOCK;

	for (int ms = 0; fd >= 0 && ms < LOCK_MS && err == -EWOULDBLOCK; ms++) {
		if (ms > 0)
			ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
		err = ptl_sys(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0);
	}
	if (fd < 0 || err == 0)
		return fd;
	ptl_sys_close(fd);
	return (int)err;
}

/* What has the name is not one of ours: damaged, or put there by mistake.  With
 * the lock, or the second would remove what the first has made. */
static int replace(int dir, uint32_t uid, struct ptl_registry *reg)
{
	int lock = lock_dir(dir), err;

	if (lock < 0)
		return -lock;
	err = attach(dir, uid, reg);
	if (err && ptl_segment_is_gone(err)) {
		ptl_sys_unlink(dir, PTL_REGISTRY_NAME);
		err = make_new(dir, uid);
		if (!err)
			err = attach(dir, uid, reg);
	}
	ptl_sys_close(lock);
	return err;
}

int ptl_registry_open(int dir, uint32_t uid, bool make,
		      struct ptl_registry *reg)
{
	int err;

	*reg = (struct ptl_registry){NULL, uid, device_of(dir)};
	err = attach(dir, uid, reg);
	if (!err || !make || !ptl_segment_is_gone(err))
		return err;
	if (err != ENOENT && uid == (uint32_t)ptl_sys_geteuid())
		return replace(dir, uid, reg);
	err = make_new(dir, uid);
	return err ? err : attach(dir, uid, reg);
}

static void raise_to(_Atomic uint32_t *word, uint32_t to)
{
	uint32_t old = atomic_load_explicit(word, memory_order_relaxed);

	/* Pairs with room_of() and ptl_registry_span(). */
	while (old < to && !atomic_compare_exchange_weak_explicit(
				   word, &old, to, memory_order_release,
				   memory_order_relaxed))
		;
}

/* Memory for twice as many. */
static bool make_room(const struct ptl_registry *reg)
{
	uint32_t room = room_of(reg->shm);
	int dir, err;

	if (room >= PTL_ENTRIES_MAX)
		return false;
	/* Another place has another registry. */
	dir = ptl_rundir_reopen(reg->uid);
	if (dir < 0)
		return false;
	room = PTL_MIN(2 * room, PTL_ENTRIES_MAX);
	err = !ptl_registry_is_in(reg, dir, reg->uid) ?
		      ENOENT :
		      ptl_segment_grow(dir, PTL_REGISTRY_NAME,
				       reg->shm->prefix.magic,
				       ptl_registry_bytes(room), reg->uid);
	ptl_sys_close(dir);
	if (!err)
		raise_to(&reg->shm->room, room);
	return !err;
}

bool ptl_registry_extend(const struct ptl_registry *reg)
{
	uint32_t span = ptl_registry_span(reg->shm);

	if (span >= room_of(reg->shm) && !make_room(reg))
		return false;
	raise_to(&reg->shm->span, PTL_MIN(2 * span, room_of(reg->shm)));
	return true;
}
