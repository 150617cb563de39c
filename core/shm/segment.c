/* SPDX-License-Identifier: MIT */
/*
 * Segments: which user may own them, how they are made and mapped.  What is
 * inside one, beyond its prefix, is checked elsewhere.
 */
#include "core/shm/segment.h"

#include <signal.h>
#include <sys/resource.h>

#include "core/sys/clock.h"
#include "core/sys/lock.h"
#include "core/sys/syscall.h"

/* Temporary names are tried so often: those of dead processes may be there. */
#define TMP_TRIES 100

#define PAGE 4096u
#define PERMISSIONS 0777
#define GRND_NONBLOCK 1

/* What has no space yet is not there then, as far as it may not be. */
static int cut_to_limit(int fd, uint64_t space)
{
	uint64_t limit = ptl_segment_limit() & ~(uint64_t)(PAGE - 1);

	return (int)ptl_sys_truncate(fd, PTL_MAX(space, limit));
}

/*
 * Takes the file's space, and makes it so large.  Over RLIMIT_FSIZE the kernel
 * sends a SIGXFSZ even for a tmpfs, to this thread; the program is not to know.
 * All signals wait meanwhile, because tmpfs gives up a large allocation at the
 * first one.
 */
static int take_space(int fd, uint64_t space, uint64_t size)
{
	const uint64_t xfsz = UINT64_C(1) << (SIGXFSZ - 1);
	const struct timespec now = {0};
	struct ptl_lock_mask mask;
	uint64_t pending = 0;
	bool has_space;
	int err;

	ptl_signals_block(&mask);
	ptl_sys(SYS_rt_sigpending, &pending, sizeof(pending), 0, 0);
	do
		err = (int)ptl_sys_allocate(fd, space);
	while (err == -EINTR);
	has_space = err == 0;
	if (err == 0 && size > space)
		err = (int)ptl_sys_truncate(fd, size);
	if (err == -EFBIG) {
		if (!(pending & xfsz))
			ptl_sys(SYS_rt_sigtimedwait, &xfsz, NULL, &now,
				sizeof(xfsz));
		err = has_space ? cut_to_limit(fd, space) : -ENOSPC;
	}
	ptl_signals_restore(&mask);
	return err;
}

static int open_tmp(int dir, char *tmp)
{
	int fd = -EEXIST;

	for (int i = 0; i < TMP_TRIES && fd == -EEXIST; i++) {
		ptl_rundir_name_tmp(tmp, "x.");
		fd = ptl_sys_open(dir, tmp,
				  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	}
	return fd;
}

static int make(int dir, uint64_t space, uint64_t size, uint32_t uid, char *tmp)
{
	int fd, err;

	if (space == 0 || size > INT64_MAX)
		return -EINVAL;
	fd = open_tmp(dir, tmp);
	if (fd < 0)
		return fd;
	/* The umask may have taken some of 0600 away. */
	err = (int)ptl_sys(SYS_fchmod, fd, 0600, 0, 0);
	if (err == 0 && uid != ptl_sys_geteuid())
		err = ptl_sys_fchown(fd, uid);
	if (err == 0)
		err = take_space(fd, space, size);
	if (err == 0)
		return fd;
	ptl_sys_unlink(dir, tmp);
	ptl_sys_close(fd);
	return err;
}

int ptl_segment_make(int dir, uint64_t size, uint32_t uid, char *tmp)
{
	return make(dir, size, size, uid, tmp);
}

int ptl_segment_create_growing(int dir, uint64_t space, uint64_t size,
			       uint32_t uid, char *tmp, void **map)
{
	int fd = make(dir, space, size, uid, tmp);
	void *mapped;

	if (fd < 0)
		return -fd;
	mapped = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			      fd, 0);
	if (mapped == MAP_FAILED)
		ptl_sys_unlink(dir, tmp);
	ptl_sys_close(fd);
	if (mapped == MAP_FAILED)
		return ENOMEM;
	*map = mapped;
	return 0;
}

int ptl_segment_create(int dir, uint64_t size, uint32_t uid, char *tmp,
		       void **map)
{
	return ptl_segment_create_growing(dir, size, size, uid, tmp, map);
}

uint64_t ptl_segment_limit(void)
{
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};

	ptl_sys(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit);
	return limit.rlim_cur;
}

int ptl_segment_publish(int dir, const char *tmp, const char *name)
{
	int err = ptl_rundir_rename(dir, tmp, name);

	if (err == 0)
		return 0;
	/* A file system without RENAME_NOREPLACE (a sandbox's idea of tmpfs)
	 * has links. */
	if (err == -EINVAL || err == -ENOSYS)
		err = (int)ptl_sys6(SYS_linkat, dir, (long)tmp, dir, (long)name,
				    0, 0);
	ptl_sys_unlink(dir, tmp);
	return -err;
}

/* 0 if the open file is a segment of ours by all that can be seen without
 * mapping it: reading what a peer cut short cannot hurt, touching it can. */
static int check_segment(int fd, uint32_t magic, uint64_t min_size,
			 uint32_t uid, uint64_t *size)
{
	struct ptl_shm_prefix prefix;
	struct ptl_kstat st;
	uint64_t holes = 0;
	long ret = ptl_sys_fstat(fd, &st);

	if (ret < 0)
		return (int)-ret;
	if (!S_ISREG(st.st_mode))
		return EBADMSG;
	if (st.st_uid != uid || (st.st_mode & PERMISSIONS) != 0600)
		return EPERM;
	*size = (uint64_t)st.st_size;
	/* Another user's file with holes: to touch them would take memory.
	 * That of names, which is small, has some. */
	if (magic == PTL_SHM_MAGIC_STREAM)
		holes = PTL_SHM_GROWTH;
	if ((uint64_t)st.st_blocks + holes / 512 < *size / 512 &&
	    uid != ptl_sys_geteuid() && magic != PTL_SHM_MAGIC_NAMES)
		return EBADMSG;
	if (*size < PTL_MAX(min_size, sizeof(prefix)))
		return EBADMSG;
	ret = ptl_sys_pread(fd, &prefix, sizeof(prefix), 0);
	if (ret != sizeof(prefix))
		return ret < 0 ? (int)-ret : EBADMSG;
	if (prefix.magic != magic || prefix.major != PTL_SHM_MAJOR ||
	    prefix.byte_order != PTL_BYTE_ORDER_MARK ||
	    prefix.head_size < sizeof(prefix) || prefix.head_size > *size)
		return EBADMSG;
	/* A registry grows; a table of names may be smaller than it should. */
	if (magic == PTL_SHM_MAGIC_REGISTRY)
		return prefix.total_size <= *size ? 0 : EBADMSG;
	if (magic == PTL_SHM_MAGIC_NAMES)
		return prefix.total_size >= *size ? 0 : EBADMSG;
	return prefix.total_size == *size ? 0 : EBADMSG;
}

static int open_segment(int dir, const char *name)
{
	/* Not to block, should there be a device. */
	int fd = ptl_sys_open(dir, name,
			      O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

	if (fd == -ELOOP || fd == -EACCES)
		return -EPERM;
	if (fd == -EISDIR || fd == -ENXIO || fd == -ENODEV)
		return -EBADMSG;
	return fd;
}

/* A descriptor of a segment, checked as far as it can be; or -errno. */
static int open_checked(int dir, const char *name, uint32_t magic,
			uint64_t min_size, uint32_t uid, uint64_t *size)
{
	int fd = open_segment(dir, name), err;

	if (fd < 0)
		return fd;
	err = check_segment(fd, magic, min_size, uid, size);
	if (err == 0)
		return fd;
	ptl_sys_close(fd);
	return -err;
}

int ptl_segment_attach(int dir, const char *name, uint32_t magic,
		       uint64_t min_size, uint32_t uid, void **map,
		       uint64_t *size)
{
	uint64_t file_size;
	void *mapped;
	int fd = open_checked(dir, name, magic, min_size, uid, &file_size);

	if (fd < 0)
		return -fd;
	mapped = ptl_sys_mmap(NULL, file_size, PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	ptl_sys_close(fd);
	if (mapped == MAP_FAILED)
		return ENOMEM;
	*map = mapped;
	*size = file_size;
	return 0;
}

int ptl_segment_attach_growing(int dir, const char *name, uint32_t magic,
			       const struct ptl_segment_growing *growing,
			       uint32_t uid, void **map, uint64_t *size)
{
	void *mapped;
	int fd = open_checked(dir, name, magic, growing->min_size, uid, size);

	if (fd < 0)
		return -fd;
	mapped = ptl_sys_mmap(NULL, growing->room, PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	ptl_sys_close(fd);
	if (mapped == MAP_FAILED)
		return ENOMEM;
	*map = mapped;
	return 0;
}

int ptl_segment_grow(int dir, const char *name, uint32_t magic, uint64_t size,
		     uint32_t uid)
{
	uint64_t now;
	int fd = open_checked(dir, name, magic, 0, uid, &now), err = 0;

	if (fd < 0)
		return -fd;
	if (now < size)
		err = take_space(fd, size, size);
	ptl_sys_close(fd);
	return -err;
}

static bool read_all(int fd, void *to, uint64_t size, uint64_t offset)
{
	uint64_t done = 0;

	while (done < size) {
		long n = ptl_sys_pread(fd, (char *)to + done, size - done,
				       (int64_t)(offset + done));

		if (n == -EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

/* Into zeroes: what is not there stays what it is, and takes no memory. */
static bool read_data(int fd, void *to, uint64_t size)
{
	uint64_t at = 0;

	while (at < size) {
		int64_t begin = ptl_sys_seek(fd, at, SEEK_DATA);
		int64_t end;

		if (begin == -ENXIO)
			break;
		if (begin < 0)
			return read_all(fd, (char *)to + at, size - at, at);
		end = ptl_sys_seek(fd, (uint64_t)begin, SEEK_HOLE);
		if (end <= begin || (uint64_t)begin >= size)
			return false;
		at = PTL_MIN((uint64_t)end, size);
		if (!read_all(fd, (char *)to + begin, at - (uint64_t)begin,
			      (uint64_t)begin))
			return false;
	}
	return true;
}

int ptl_segment_copy_growing(int dir, const char *name, uint32_t magic,
			     const struct ptl_segment_growing *growing,
			     uint32_t uid, void **map, uint64_t *size)
{
	uint64_t file_size, room;
	void *copy = MAP_FAILED;
	int fd = open_checked(dir, name, magic, growing->min_size, uid,
			      &file_size);
	int err = ENOMEM;

	if (fd < 0)
		return -fd;
	room = PTL_MAX(growing->room, file_size);
	if (room <= PTL_SHM_COPY_MAX)
		copy = ptl_sys_mmap(NULL, room, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy != MAP_FAILED)
		err = read_data(fd, copy, file_size) ? 0 : EBADMSG;
	ptl_sys_close(fd);
	if (err == 0) {
		*map = copy;
		*size = file_size;
	} else if (copy != MAP_FAILED) {
		ptl_sys_munmap(copy, room);
	}
	return err;
}

int ptl_segment_copy(int dir, const char *name, uint32_t magic,
		     uint64_t min_size, uint32_t uid, void **map,
		     uint64_t *size)
{
	const struct ptl_segment_growing growing = {min_size, 0};

	return ptl_segment_copy_growing(dir, name, magic, &growing, uid, map,
					size);
}

int ptl_segment_peek(int dir, const char *name, uint32_t magic, uint32_t uid,
		     uint64_t offset, void *to, size_t size)
{
	uint64_t file_size;
	int fd = open_checked(dir, name, magic, 0, uid, &file_size);
	int err;

	if (fd < 0)
		return -fd;
	err = offset <= INT64_MAX && read_all(fd, to, size, offset) ? 0 :
								      EBADMSG;
	ptl_sys_close(fd);
	return err;
}

void ptl_segment_prefix(struct ptl_shm_prefix *prefix, uint32_t magic,
			uint32_t head_size, uint64_t total_size, uint64_t id)
{
	*prefix = (struct ptl_shm_prefix){
		.magic = magic,
		.major = PTL_SHM_MAJOR,
		.minor = PTL_SHM_MINOR,
		.byte_order = PTL_BYTE_ORDER_MARK,
		.head_size = head_size,
		.total_size = total_size,
		.id = id,
	};
}

/* SplitMix64's finalizer: every bit of the result depends on every bit. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint64_t ptl_segment_new_id(void)
{
	static _Atomic uint64_t count;
	uint64_t id = 0;

	/* getrandom(2) may fail early in the boot, or in a sandbox.  Unique
	 * will do. */
	if (ptl_sys(SYS_getrandom, &id, sizeof(id), GRND_NONBLOCK, 0) !=
	    sizeof(id)) {
		id = (uint64_t)ptl_sys_gettid() << 32 |
		     atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
		id = mix(mix(id) + ptl_clock_ns(CLOCK_MONOTONIC));
	}
	id &= (UINT64_C(1) << 62) - 1;
	return id ? id : 1;
}
