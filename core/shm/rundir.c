/* SPDX-License-Identifier: MIT */
/* The run directory: its name, which user may own it, and what is there. */
#include "core/shm/rundir.h"

#include <limits.h>
#include <linux/fs.h>

#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define SHM_DIR "/dev/shm/"
#define SHM_DIR_PREFIX SHM_DIR "ptrace-"
#define PERMISSIONS 0777

/* How often to fill the buffer with what another user's directory has: enough
 * for 16384 processes. */
#define FOREIGN_LOOKS 512

/* What getdents64(2) fills the buffer with. */
struct entry {
	uint64_t ino;
	int64_t off;
	uint16_t size;
	uint8_t type;
	char name[];
};

static char *put_str(char *to, const char *s)
{
	while (*s)
		*to++ = *s++;
	*to = '\0';
	return to;
}

static char *put_num(char *to, uint64_t value, unsigned int base)
{
	return to + ptl_utoa(to, value, base);
}

void ptl_segment_name_stream(char *buf, uint64_t id)
{
	put_num(put_str(buf, "s."), id, 16);
}

void ptl_segment_name_names(char *buf, uint64_t id)
{
	put_num(put_str(buf, "t."), id, 16);
}

void ptl_rundir_name_tmp(char *buf, const char *prefix)
{
	static _Atomic uint32_t count;

	buf = put_num(put_str(buf, prefix), ptl_ident_pidns, 10);
	buf = put_num(put_str(buf, "."), (uint64_t)ptl_sys_getpid(), 10);
	buf = put_num(put_str(buf, "."), (uint64_t)ptl_sys_gettid(), 10);
	put_num(put_str(buf, "."),
		atomic_fetch_add_explicit(&count, 1, memory_order_relaxed), 10);
}

int ptl_rundir_rename(int dir, const char *from, const char *to)
{
	return (int)ptl_sys6(SYS_renameat2, dir, (long)from, dir, (long)to,
			     RENAME_NOREPLACE, 0);
}

/* The run directory if it is there and what it must be. */
static int open_verified(const char *path, uint32_t uid)
{
	int dir = ptl_sys_open(AT_FDCWD, path,
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	struct stat st;
	int err;

	if (dir == -ENOTDIR || dir == -ELOOP || dir == -EACCES)
		return -EPERM;
	if (dir < 0)
		return dir;
	err = ptl_sys_fstat(dir, &st);
	if (err == 0 && st.st_uid == uid && (st.st_mode & PERMISSIONS) == 0700)
		return dir;
	ptl_sys_close(dir);
	return err ? err : -EPERM;
}

static int make_own(const char *path)
{
	int err = (int)ptl_sys(SYS_mkdirat, AT_FDCWD, path, 0700, 0);

	/* Whatever the umask.  No other user can put a link there: the sticky
	 * bit of /dev/shm. */
	if (err == 0)
		err = (int)ptl_sys(SYS_fchmodat, AT_FDCWD, path, 0700, 0);
	return err;
}

/* In a directory that all may write to, can they move what is not theirs? */
static bool is_guarded(void)
{
	struct stat st;

	return ptl_sys(SYS_newfstatat, AT_FDCWD, SHM_DIR, &st, 0) == 0 &&
	       (!(st.st_mode & 022) || st.st_mode & S_ISVTX);
}

/* Gives away the directory that we have just made. */
static int give(const char *path, uint32_t uid)
{
	int dir = open_verified(path, ptl_sys_geteuid());
	int err = dir < 0 ? dir : ptl_sys_fchown(dir, uid);

	if (dir >= 0)
		ptl_sys_close(dir);
	return err;
}

/* For another user, by root: it is that user's from the first moment. */
static int make_for(const char *path, uint32_t uid)
{
	char tmp[sizeof(SHM_DIR_PREFIX) + PTL_SHM_NAME];
	int err;

	if (!is_guarded())
		return -EPERM;
	ptl_rundir_name_tmp(tmp, SHM_DIR_PREFIX "x.");
	err = make_own(tmp);
	if (err)
		return err;
	err = give(tmp, uid);
	if (err == 0)
		err = ptl_rundir_rename(AT_FDCWD, tmp, path);
	if (err)
		ptl_sys(SYS_unlinkat, AT_FDCWD, tmp, AT_REMOVEDIR, 0);
	return err;
}

int ptl_rundir_open(uint32_t uid, bool create)
{
	char path[sizeof(SHM_DIR_PREFIX) + PTL_SHM_NAME];
	uint32_t me = ptl_sys_geteuid();
	int dir, err;

	put_num(put_str(path, SHM_DIR_PREFIX), uid, 10);
	dir = open_verified(path, uid);
	if (dir != -ENOENT || !create)
		return dir;
	if (uid == me)
		err = make_own(path);
	else if (me == 0)
		err = make_for(path, uid);
	else
		return -EPERM;
	if (err && err != -EEXIST)
		return err;
	return open_verified(path, uid);
}

/* Another user could make files for as long as we look at them. */
static bool is_foreign(int fd)
{
	struct stat st;

	return ptl_sys_fstat(fd, &st) != 0 || st.st_uid != ptl_sys_geteuid();
}

int ptl_rundir_each(int dir, const char *prefix,
		    int (*fn)(int dir, const char *name, void *arg), void *arg)
{
	char buf[2048] __attribute__((aligned(8)));
	/* A descriptor of its own: it has a position. */
	int fd = ptl_sys_open(dir, ".", O_RDONLY | O_DIRECTORY, 0);
	const struct entry *entry;
	unsigned int left;
	long size;
	int ret = 0;

	if (fd < 0)
		return fd;
	left = is_foreign(fd) ? FOREIGN_LOOKS : UINT_MAX;
	while (ret == 0 && left-- > 0) {
		size = ptl_sys(SYS_getdents64, fd, buf, sizeof(buf), 0);
		if (size < 0)
			ret = (int)size;
		if (size <= 0)
			break;
		for (long at = 0; at < size && ret == 0; at += entry->size) {
			entry = (const struct entry *)(buf + at);
			if (ptl_strpre(entry->name, prefix))
				ret = fn(dir, entry->name, arg);
		}
	}
	ptl_sys_close(fd);
	return ret;
}
