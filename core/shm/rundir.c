/* SPDX-License-Identifier: MIT */
/* The run directory: its name, which user may own it, and what is there. */
#include "core/shm/rundir.h"

#include <limits.h>
#include <linux/fs.h>

#include "core/shm/place.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* What root makes for another user has such a name first. */
#define TMP_PREFIX "/dev/shm/ptrace-x."

/* How often to look for a place again. */
#define MAKE_TRIES 16

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

void ptl_segment_name_beside(char *buf, enum ptl_shm_beside what, uint64_t id)
{
	put_num(put_str(buf, what == PTL_SHM_PATCHES ? "f." : "p."), id, 16);
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

/* In a directory that all may write to, can they move what is not theirs? */
static bool is_guarded(const char *path)
{
	char parent[PTL_PLACE_PATH];
	struct ptl_kstat st;

	ptl_place_parent(parent, path);
	return ptl_sys(SYS_newfstatat, AT_FDCWD, parent, &st, 0) == 0 &&
	       (!(st.st_mode & 022) || st.st_mode & S_ISVTX);
}

static int make_own(const char *path, uint32_t me)
{
	int err = (int)ptl_sys(SYS_mkdirat, AT_FDCWD, path, 0700, 0);
	int dir;

	if (err)
		return err;
	dir = ptl_place_open(path, me);
	if (dir >= 0)
		ptl_sys_close(dir);
	if (dir != -EPERM)
		return dir < 0 ? dir : 0;
	/* The umask.  By its name: it may be closed to us, too.  No other user
	 * can have put a link there. */
	if (!is_guarded(path))
		return -EPERM;
	return (int)ptl_sys(SYS_fchmodat, AT_FDCWD, path, 0700, 0);
}

/* Gives away the directory that we have just made. */
static int give(const char *path, uint32_t uid)
{
	int dir = ptl_place_open(path, 0);
	int err = dir < 0 ? dir : ptl_sys_fchown(dir, uid);

	if (dir >= 0)
		ptl_sys_close(dir);
	return err;
}

/* For another user, by root: it is that user's from the first moment. */
static int make_for(const char *path, uint32_t uid)
{
	char tmp[sizeof(TMP_PREFIX) + PTL_SHM_NAME];
	int err;

	if (!is_guarded(path))
		return -EPERM;
	ptl_rundir_name_tmp(tmp, TMP_PREFIX);
	err = make_own(tmp, 0);
	if (err)
		return err;
	err = give(tmp, uid);
	if (err == 0)
		err = ptl_rundir_rename(AT_FDCWD, tmp, path);
	if (err)
		ptl_sys(SYS_unlinkat, AT_FDCWD, tmp, AT_REMOVEDIR, 0);
	return err;
}

/* Of another user only in /dev/shm: the last place is in a directory of that
 * user's. */
static int make(uint32_t uid, unsigned int place)
{
	uint32_t me = ptl_sys_geteuid();
	char path[PTL_PLACE_PATH];

	ptl_place_path(path, uid, place);
	if (uid == me)
		return make_own(path, me);
	return me == 0 && place < PTL_PLACE_LAST ? make_for(path, uid) : -EPERM;
}

/*
 * uid:32 place + 1:32.  A process stays in the place in which it found the run
 * directory as long as that is good, whatever becomes of the others.
 */
static _Atomic uint64_t found;

/* Where it was the last time; -1: it was never found. */
int ptl_rundir_place(uint32_t uid)
{
	uint64_t word = atomic_load_explicit(&found, memory_order_relaxed);

	return word >> 32 == uid ? (int)(uint32_t)word - 1 : -1;
}

static int open_place(uint32_t uid, unsigned int place)
{
	char path[PTL_PLACE_PATH];

	ptl_place_path(path, uid, place);
	return ptl_place_open(path, uid);
}

/* Opens a place if it is good to be written to. */
static int open_good(uint32_t uid, unsigned int place)
{
	int dir = open_place(uid, place);

	if (dir < 0 || !ptl_place_is_readonly(dir))
		return dir;
	ptl_sys_close(dir);
	return -EROFS;
}

/* Does it say that the place is not good, and not that this is not known? */
static bool is_refusal(int err)
{
	return err == -ENOENT || err == -EPERM || err == -EROFS;
}

/* The first of so many places that is good; with the first that is vacant,
 * PTL_PLACES if none is. */
static int search(uint32_t uid, unsigned int nr, unsigned int *vacant)
{
	int dir, err = -ENOENT;

	*vacant = PTL_PLACES;
	for (unsigned int place = 0; place < nr; place++) {
		dir = open_good(uid, place);
		if (dir >= 0)
			atomic_store_explicit(&found,
					      (uint64_t)uid << 32 | (place + 1),
					      memory_order_relaxed);
		if (!is_refusal(dir))
			return dir;
		if (dir != -ENOENT)
			err = dir;
		else if (*vacant == PTL_PLACES)
			*vacant = place;
	}
	return err;
}

/*
 * Two processes may make it in two places, if what was in the way of one was
 * gone for the other.  The one that is later sees both, and takes its own back;
 * if both do so, they begin again.
 */
static void settle(uint32_t uid, unsigned int mine)
{
	/* What is in the last place does not count where another can be had. */
	unsigned int nr = mine < PTL_PLACE_LAST ? PTL_PLACE_LAST : PTL_PLACES;
	char path[PTL_PLACE_PATH];
	int dir;

	for (unsigned int place = 0; place < nr; place++) {
		dir = place == mine ? -ENOENT : open_good(uid, place);
		if (dir < 0)
			continue;
		ptl_sys_close(dir);
		ptl_place_path(path, uid, mine);
		/* Not if a third process has come into it. */
		ptl_sys(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0);
		return;
	}
}

int ptl_rundir_reopen(uint32_t uid)
{
	int place = ptl_rundir_place(uid);
	unsigned int vacant;

	return place < 0 ? search(uid, PTL_PLACES, &vacant) :
			   open_place(uid, (unsigned int)place);
}

/* Of the names in /dev/shm none is good, and in the first that is vacant none
 * can be made, because of `err': it can only be looked at, or is not there. */
static int open_last(uint32_t uid, int err, bool make_it)
{
	unsigned int vacant;
	int dir = search(uid, PTL_PLACES, &vacant);

	if (!is_refusal(dir))
		return dir;
	/* Of the last place it says less than why not the others. */
	if (!make_it || make(uid, PTL_PLACE_LAST) != 0)
		return err;
	settle(uid, PTL_PLACE_LAST);
	return search(uid, PTL_PLACES, &vacant);
}

/*
 * If there is none it is made, in one of the first `nr' places.  What is in the
 * last one counts only for those who can have no other: it may have been made
 * by a process that did not see the /dev/shm that we see.
 */
static int open_or_make(uint32_t uid, unsigned int nr)
{
	int place = ptl_rundir_place(uid), dir, err;
	unsigned int vacant;

	dir = place < 0 ? -ENOENT : open_place(uid, (unsigned int)place);
	for (unsigned int tries = 0; dir < 0 && tries < MAKE_TRIES; tries++) {
		dir = search(uid, PTL_PLACE_LAST, &vacant);
		if (!is_refusal(dir))
			return dir;
		err = vacant < PTL_PLACE_LAST ? make(uid, vacant) : dir;
		if (err == 0)
			settle(uid, vacant);
		else if (is_refusal(err) || err == -EACCES)
			return open_last(uid, err, nr > PTL_PLACE_LAST);
		else if (err != -EEXIST)
			return err;
	}
	/* What was made last is there now. */
	return dir < 0 ? search(uid, PTL_PLACES, &vacant) : dir;
}

int ptl_rundir_open(uint32_t uid, bool create)
{
	return create ? open_or_make(uid, PTL_PLACE_LAST) :
			ptl_rundir_reopen(uid);
}

int ptl_rundir_make(uint32_t uid)
{
	return open_or_make(uid, PTL_PLACES);
}

/* -1: it has none, or *err says why that is not known. */
static int find_place(uint32_t uid, int *err)
{
	*err = ptl_rundir_reopen(uid);
	if (*err >= 0)
		ptl_sys_close(*err);
	return ptl_rundir_place(uid);
}

bool ptl_rundir_lacks(uint32_t uid, const char *name)
{
	char path[PTL_PLACE_PATH + PTL_SHM_NAME];
	int place = ptl_rundir_place(uid), err;

	/* Who had another number meanwhile, as one whose user namespace is
	 * being made has, knows the place of that. */
	if (place < 0)
		place = find_place(uid, &err);
	if (place < 0)
		return is_refusal(err);
	ptl_place_path(path, uid, (unsigned int)place);
	put_str(put_str(path + ptl_strlen(path), "/"), name);
	err = (int)ptl_sys(SYS_faccessat, AT_FDCWD, path, W_OK, 0);
	return err == -ENOENT || err == -EROFS;
}

/* Another user could make files for as long as we look at them. */
static bool is_foreign(int fd)
{
	struct ptl_kstat st;

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
