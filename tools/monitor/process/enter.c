/* SPDX-License-Identifier: MIT */
/*
 * The library finds a process in the run directory of /dev/shm, so the one of
 * the process is put there.
 *
 * A directory of another mount namespace can be mounted in ours only by way of
 * a copy that is in neither, and the copy is made from within the other one.
 */
#include "tools/monitor/process/enter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/monitor/process/whynot.h"

#define SHM "/dev/shm"

/* Since Linux 5.2; libc and its headers may be older. */
#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#endif
#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#ifndef MOVE_MOUNT_F_EMPTY_PATH
#define MOVE_MOUNT_F_EMPTY_PATH 4
#endif

static int open_proc(pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void close_both(int one, int other)
{
	if (one >= 0)
		close(one);
	if (other >= 0)
		close(other);
}

/* Is its registry, on that device, in a /dev/shm that is not ours? */
static bool has_own_shm(pid_t pid, dev_t dev)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root" SHM, (int)pid);
	return stat(path, &its) == 0 && its.st_dev == dev &&
	       (stat(SHM, &ours) != 0 || ours.st_dev != its.st_dev);
}

/* Root stays what it is: in a user namespace it would be at the mercy of who
 * made it. */
static int enter_user(pid_t pid, int user)
{
	if (!ptl_whynot_is_apart(pid, "user"))
		return 0;
	if (geteuid() == 0)
		return EPERM;
	return setns(user, CLONE_NEWUSER) == 0 ? 0 : errno;
}

/* From now on our mounts are nobody else's. */
static bool leave_mounts(void)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* A descriptor of the copy, or -1.  What goes wrong in there we do not survive:
 * nothing is to be done there. */
static int copy_from(int mounts, int own, int root)
{
	int tree, error;

	if (setns(mounts, CLONE_NEWNS) != 0)
		return -1;
	tree = (int)syscall(SYS_open_tree, AT_FDCWD, SHM,
			    OPEN_TREE_CLONE | O_CLOEXEC);
	error = errno;
	if (setns(own, CLONE_NEWNS) != 0 || fchdir(root) != 0 ||
	    chroot(".") != 0)
		_exit(1);
	errno = error;
	return tree;
}

static int copy_shm(int mounts)
{
	int own = open_proc(getpid(), "ns/mnt");
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int tree = own < 0 || root < 0 ? -1 : copy_from(mounts, own, root);
	int error = errno;

	close_both(own, root);
	errno = error;
	return tree;
}

static bool is_replaced;

static int replace_shm(int mounts)
{
	int tree = leave_mounts() ? copy_shm(mounts) : -1, error = 0;

	if (tree < 0)
		return errno;
	if (syscall(SYS_move_mount, tree, "", AT_FDCWD, SHM,
		    MOVE_MOUNT_F_EMPTY_PATH) != 0)
		error = errno;
	close(tree);
	is_replaced = error == 0;
	return error;
}

int ptl_enter(pid_t pid)
{
	int user, mounts, error;
	bool is_ours, has_shm;
	dev_t dev;

	if (!ptl_whynot_registry(pid, &dev, &is_ours))
		return 0;
	has_shm = has_own_shm(pid, dev);
	if (!has_shm && (is_ours || !ptl_whynot_is_apart(pid, "user")))
		return 0;
	user = open_proc(pid, "ns/user");
	mounts = open_proc(pid, "ns/mnt");
	error = user < 0 || mounts < 0 ? errno : enter_user(pid, user);
	if (error == 0 && has_shm)
		error = replace_shm(mounts);
	close_both(user, mounts);
	return error;
}

void ptl_enter_leave(void)
{
	if (is_replaced)
		umount2(SHM, MNT_DETACH);
}
