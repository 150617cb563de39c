/* SPDX-License-Identifier: MIT */
/*
 * The file that a log goes to.  Its path may lead through directories that
 * others can write to, /tmp for one, and the tracing user may be root.  So the
 * path is walked name by name, and no link is followed but ours and those of
 * the root directory's owner; a file that is there already must be ours, and
 * empty or a log that is not written any more.  Nothing is changed before all
 * of that is known, and the file is never truncated here.
 */
#include "core/control/logopen.h"

#include <linux/limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statfs.h>

#include "core/control/recover.h"
#include "core/format/layout.h"
#include "core/format/logfile.h"
#include "core/log/writer.h"
#include "core/shm/segment.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define MAX_LINKS 40
/* How often to look again when the file comes or goes under our hands. */
#define MAX_TRIES 10
#define LOG_MODE 0600

struct walk {
	int dir;	  /* where the rest of the path begins */
	const char *rest; /* "" behind the last name */
	char name[NAME_MAX + 1];
	struct ptl_kstat st; /* of the last name; st_mode 0: nothing there */
	bool is_given; /* it is a link of the kernel's, /dev/fd/N: to a file
			* that was opened before and given to us */
	unsigned int nr_links;
	char path[PATH_MAX];
};

/* The owner of the root directory decides what all names mean: root, where
 * there is one. */
static bool is_trusted(uint32_t uid)
{
	struct ptl_kstat root;

	return uid == ptl_sys_geteuid() ||
	       (ptl_sys(SYS_newfstatat, AT_FDCWD, "/", &root, 0) == 0 &&
		uid == root.st_uid);
}

static void leave(const struct walk *walk)
{
	if (walk->dir >= 0)
		ptl_sys_close(walk->dir);
}

/* Goes on from that directory, or fails with that negative errno. */
static int enter(struct walk *walk, int dir)
{
	if (dir < 0)
		return dir;
	leave(walk);
	walk->dir = dir;
	return 0;
}

static int next_name(struct walk *walk)
{
	size_t size = 0;

	while (*walk->rest == '/')
		walk->rest++;
	while (walk->rest[size] && walk->rest[size] != '/')
		size++;
	if (size == 0)
		return walk->rest == walk->path ? -ENOENT : -EISDIR;
	if (size > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(walk->name, walk->rest, size);
	walk->name[size] = '\0';
	walk->rest += size;
	return 0;
}

/* Puts what the link says in the place of its name. */
static int expand(struct walk *walk, int link)
{
	size_t left = ptl_strlen(walk->rest);
	char text[PATH_MAX];
	long size = ptl_sys(SYS_readlinkat, link, "", text, sizeof(text));

	if (size < 0)
		return (int)size;
	if (++walk->nr_links > MAX_LINKS)
		return -ELOOP;
	if ((size_t)size + left >= sizeof(walk->path))
		return -ENAMETOOLONG;
	memmove(walk->path + size, walk->rest, left + 1);
	memcpy(walk->path, text, (size_t)size);
	walk->rest = walk->path;
	if (text[0] != '/')
		return 0;
	return enter(walk, ptl_sys_open(AT_FDCWD, "/", O_PATH, 0));
}

/* What the kernel's own links lead to cannot be said by a path. */
static bool is_kernels(int link)
{
	struct statfs fs;

	return ptl_sys(SYS_fstatfs, link, &fs, 0, 0) == 0 &&
	       fs.f_type == PROC_SUPER_MAGIC;
}

static int follow(struct walk *walk, int link)
{
	if (!is_trusted(walk->st.st_uid))
		return -EPERM;
	if (!is_kernels(link))
		return expand(walk, link);
	walk->is_given = !*walk->rest;
	if (walk->is_given)
		return 0;
	return enter(walk, ptl_sys_open(walk->dir, walk->name,
					O_PATH | O_DIRECTORY, 0));
}

/* Walks to the last name, which is none of a link then. */
static int walk_path(struct walk *walk, int flags)
{
	for (;;) {
		int err = next_name(walk), fd;

		if (err)
			return err;
		fd = ptl_sys_open(walk->dir, walk->name, O_PATH | O_NOFOLLOW,
				  0);
		walk->st.st_mode = 0;
		if (fd == -ENOENT && !*walk->rest)
			return 0;
		if (fd < 0)
			return fd;
		err = ptl_sys_fstat(fd, &walk->st);
		if (!err && flags & O_EXCL && !*walk->rest)
			err = -EEXIST;
		if (!err && !S_ISLNK(walk->st.st_mode) && *walk->rest) {
			enter(walk, fd);
			continue;
		}
		if (!err && S_ISLNK(walk->st.st_mode)) {
			err = follow(walk, fd);
			ptl_sys_close(fd);
			if (err || walk->is_given)
				return err;
			continue;
		}
		ptl_sys_close(fd);
		return err;
	}
}

/* A device's name is root's work, whichever user may write to it. */
static int check_owner(const struct ptl_kstat *st)
{
	if (S_ISDIR(st->st_mode))
		return EISDIR;
	if (S_ISFIFO(st->st_mode))
		return is_trusted(st->st_uid) ? 0 : EPERM;
	if (!S_ISREG(st->st_mode))
		return 0;
	if (st->st_uid != ptl_sys_geteuid())
		return EPERM;
	/* By which of its names would it be known that it is written? */
	return st->st_nlink > 1 ? EMLINK : 0;
}

/* Does the controller of that log live, and write to it? */
static bool is_written(const struct ptl_log_head *head)
{
	char boot[sizeof(head->boot)];
	bool lives;
	int dir;

	ptl_boot_id(boot);
	if (!ptl_log_head_ok(head) ||
	    memcmp(boot, head->boot, sizeof(boot)) != 0)
		return false;
	dir = ptl_rundir_open(head->uid, false);
	if (dir < 0)
		return false;
	lives = ptl_recover_controller_lives(dir, head->uid, head->stream);
	ptl_sys_close(dir);
	return lives;
}

/* Is what is in it nothing, or a log that is done with?  With O_TRUNC: no log?
 */
static int check_contents(int fd, const struct ptl_kstat *st, int flags)
{
	struct ptl_log_head head = {.major = 0};
	bool is_log;
	long size;

	/* A file system without locks does without. */
	if (ptl_sys(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0) == -EWOULDBLOCK)
		return EBUSY;
	if (st->st_size == 0)
		return 0;
	size = ptl_sys_pread(fd, &head, sizeof(head), 0);
	if (size < 0)
		return size == -EBADF ? EACCES : (int)-size;
	is_log = memcmp(head.magic, PTL_LOG_MAGIC, sizeof(head.magic)) == 0;
	if (is_log == (bool)(flags & O_TRUNC))
		return EEXIST;
	return is_log && is_written(&head) ? EBUSY : 0;
}

/* What was looked at before it was opened may be another file by now. */
static int check_file(int fd, bool is_named, int flags)
{
	struct ptl_kstat st;
	int err = -ptl_sys_fstat(fd, &st);

	if (!err && is_named)
		err = check_owner(&st);
	if (!err && S_ISREG(st.st_mode))
		err = check_contents(fd, &st, flags);
	/* What was an empty file, or an older version's log, too; there are
	 * file systems that cannot. */
	if (!err && is_named && S_ISREG(st.st_mode))
		ptl_sys(SYS_fchmod, fd, LOG_MODE, 0, 0);
	return err;
}

/* EPERM is our own word.  The kernel's is of a file or directory that nobody
 * may change. */
static int open_last(const struct walk *walk, int flags)
{
	int fd = ptl_sys_open(walk->dir, walk->name, flags, LOG_MODE);

	return fd == -EPERM ? -EACCES : fd;
}

/* The file that is there; -ENOENT if it has become a link meanwhile.  Open for
 * reading, too, for a process that completes it; but not a pipe or a device,
 * where reading would mean something else. */
static int take(const struct walk *walk, int flags)
{
	int how = O_NOCTTY | (walk->is_given ? 0 : O_NOFOLLOW), fd, err;
	struct ptl_kstat st = walk->st;

	err = walk->is_given ? -(int)ptl_sys(SYS_newfstatat, walk->dir,
					     walk->name, &st, 0) :
			       check_owner(&st);
	if (err)
		return -err;
	fd = open_last(walk, how | (S_ISREG(st.st_mode) ? O_RDWR : O_WRONLY));
	if (fd == -EACCES)
		fd = open_last(walk, how | O_WRONLY);
	if (fd < 0)
		return fd == -ELOOP ? -ENOENT : fd;
	err = check_file(fd, !walk->is_given, flags);
	if (!err)
		return fd;
	ptl_sys_close(fd);
	return -err;
}

/* A new file; -ENOENT if another process was first. */
static int make(const struct walk *walk)
{
	int fd = open_last(walk,
			   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY);

	if (fd < 0)
		return fd == -EEXIST ? -ENOENT : fd;
	/* The umask may have taken away what we need ourselves. */
	ptl_sys(SYS_fchmod, fd, LOG_MODE, 0, 0);
	ptl_sys(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0);
	return fd;
}

static int try(const char *path, int flags)
{
	struct walk walk = {.dir = AT_FDCWD, .rest = walk.path};
	int ret;

	if (ptl_strnlen(path, PATH_MAX) == PATH_MAX)
		return -ENAMETOOLONG;
	ptl_strcopy(walk.path, sizeof(walk.path), path);
	ret = *path == '/' ?
		      enter(&walk, ptl_sys_open(AT_FDCWD, "/", O_PATH, 0)) :
		      0;
	if (!ret)
		ret = walk_path(&walk, flags);
	if (!ret)
		ret = walk.st.st_mode ? take(&walk, flags) : make(&walk);
	leave(&walk);
	return ret;
}

int ptl_logopen(const char *path, int flags)
{
	int fd = -ENOENT;

	for (unsigned int i = 0; i < MAX_TRIES && fd == -ENOENT; i++)
		fd = try(path, flags);
	return fd;
}
