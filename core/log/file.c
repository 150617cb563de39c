/* SPDX-License-Identifier: MIT */
/*
 * Files of logs; see file.h.  Those that hold a descriptor are in a list that a
 * hand goes round: who was not used since it came by last loses it.  A file
 * that cannot be opened by its name (a copy in memory, one that was removed)
 * keeps its descriptor, and is not in the list.
 */
#include "core/log/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/log/writer.h"
#include "core/sys/lock.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define MOST 256 /* that hold a descriptor */
#define LEAST 16
#define SPARE 64 /* descriptors that are left to the program */
#define NO_PLACE UINT32_MAX
/* So many logs have no more than this at hand of what they hold. */
#define MANY 64
/* In `users': its descriptor is being closed. */
#define CLOSING (UINT32_C(1) << 31)

/* Protects: the list and the hand, and who has a descriptor. */
static struct ptl_lock lock;
static struct ptl_log_file *list[MOST] PTL_BULK;
static uint32_t nr_listed, hand;
static uint32_t most = LEAST; /* of the list: as many as there may be */
static _Atomic uint32_t nr_files;

static uint32_t limit(void)
{
	struct rlimit of;

	if (ptl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&of) != 0 ||
	    of.rlim_cur >= MOST + SPARE)
		return MOST;
	return of.rlim_cur > LEAST + SPARE ? (uint32_t)of.rlim_cur - SPARE :
					     LEAST;
}

static void unlist(struct ptl_log_file *file)
{
	uint32_t i = file->place;

	file->place = NO_PLACE;
	/* In a fork child it may be that of another. */
	if (i >= nr_listed || list[i] != file)
		return;
	list[i] = list[--nr_listed];
	list[i]->place = i;
}

static void enlist(struct ptl_log_file *file)
{
	file->place = NO_PLACE;
	if (nr_listed == MOST)
		return;
	file->place = nr_listed;
	list[nr_listed++] = file;
}

/* The file under its name, if it still is that; or a negative errno. */
static int open_path(const struct ptl_log_file *file, const char *path)
{
	int fd = ptl_sys_open(AT_FDCWD, path,
			      O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
	struct ptl_kstat st;
	int own;

	if (fd == -ENOENT || fd == -ENOTDIR)
		return -ESTALE;
	if (fd < 0)
		return fd;
	if (ptl_sys_fstat(fd, &st) != 0 || st.st_dev != file->dev ||
	    st.st_ino != file->ino || (uint64_t)st.st_size < file->size) {
		ptl_sys_close(fd);
		return -ESTALE;
	}
	/* Out of the program's way only where it matters: this is done often.
	 */
	own = fd <= 2 ? ptl_log_dup(fd) : fd;
	if (own != fd)
		ptl_sys_close(fd);
	return own;
}

/* Finds the name by which it can be opened again, the first time. */
static bool find_path(struct ptl_log_file *file, int fd)
{
	char path[PTL_PATH_SIZE];
	size_t size;
	int again;

	if (file->path)
		return true;
	ptl_log_path(fd, path);
	if (path[0] == '\0')
		return false;
	again = open_path(file, path);
	if (again < 0)
		return false;
	ptl_sys_close(again);
	size = ptl_strlen(path) + 1;
	file->path = malloc(size);
	if (file->path)
		memcpy(file->path, path, size);
	return file->path != NULL;
}

/* Takes the descriptor away, if nobody uses it.  Then, or if it can have no
 * other, it is not in the list any more. */
static bool close_one(struct ptl_log_file *file)
{
	uint32_t none = 0;
	bool may;
	int fd;

	/* Pairs with ptl_log_file_get() and _put(). */
	if (!atomic_compare_exchange_strong_explicit(
		    &file->users, &none, CLOSING, memory_order_acq_rel,
		    memory_order_relaxed))
		return false;
	fd = atomic_load_explicit(&file->fd, memory_order_relaxed);
	may = find_path(file, fd);
	unlist(file);
	if (may) {
		atomic_store_explicit(&file->fd, -1, memory_order_relaxed);
		ptl_sys_close(fd);
	}
	/* Pairs with ptl_log_file_get(). */
	atomic_fetch_sub_explicit(&file->users, CLOSING, memory_order_release);
	return may;
}

/* Closes one.  False: there is none that may be. */
static bool make_room(void)
{
	for (uint32_t n = 2 * nr_listed; n > 0 && nr_listed > 0; n--) {
		struct ptl_log_file *file;

		hand = hand + 1 < nr_listed ? hand + 1 : 0;
		file = list[hand];
		if (atomic_load_explicit(&file->was_used, memory_order_relaxed))
			atomic_store_explicit(&file->was_used, false,
					      memory_order_relaxed);
		else if (close_one(file))
			return true;
	}
	return false;
}

/* With the lock. */
static void keep_limit(void)
{
	while (nr_listed >= most && make_room())
		;
}

void ptl_log_file_room(void)
{
	struct ptl_lock_mask mask;

	ptl_lock(&lock, &mask);
	if (nr_listed >= LEAST)
		most = limit();
	keep_limit();
	ptl_unlock(&lock, &mask);
}

void ptl_log_file_begin(struct ptl_log_file *file, int fd,
			const struct ptl_kstat *st)
{
	struct ptl_lock_mask mask;

	*file = (struct ptl_log_file){
		.fd = fd,
		.dev = st->st_dev,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
	};
	atomic_fetch_add_explicit(&nr_files, 1, memory_order_relaxed);
	ptl_lock(&lock, &mask);
	enlist(file);
	ptl_unlock(&lock, &mask);
}

void ptl_log_file_end(struct ptl_log_file *file)
{
	struct ptl_lock_mask mask;
	int fd;

	atomic_fetch_sub_explicit(&nr_files, 1, memory_order_relaxed);
	ptl_lock(&lock, &mask);
	unlist(file);
	fd = atomic_load_explicit(&file->fd, memory_order_relaxed);
	ptl_unlock(&lock, &mask);
	if (fd >= 0)
		ptl_sys_close(fd);
	free(file->path);
}

/* With the lock: the file has no descriptor. */
static int reopen(struct ptl_log_file *file)
{
	int fd;

	keep_limit();
	do
		fd = open_path(file, file->path);
	while ((fd == -EMFILE || fd == -ENFILE) && make_room());
	if (fd < 0)
		return fd;
	atomic_store_explicit(&file->fd, fd, memory_order_relaxed);
	enlist(file);
	return fd;
}

int ptl_log_file_get(struct ptl_log_file *file)
{
	struct ptl_lock_mask mask;
	int fd = -1;

	/* Pairs with close_one(). */
	if (!(atomic_fetch_add_explicit(&file->users, 1, memory_order_acq_rel) &
	      CLOSING))
		fd = atomic_load_explicit(&file->fd, memory_order_relaxed);
	if (PTL_UNLIKELY(fd < 0)) {
		/* Whoever is closing it has the lock. */
		ptl_lock(&lock, &mask);
		fd = atomic_load_explicit(&file->fd, memory_order_relaxed);
		if (fd < 0)
			fd = reopen(file);
		ptl_unlock(&lock, &mask);
	}
	if (fd < 0)
		ptl_log_file_put(file);
	else
		atomic_store_explicit(&file->was_used, true,
				      memory_order_relaxed);
	return fd;
}

void ptl_log_file_put(struct ptl_log_file *file)
{
	/* Pairs with close_one(). */
	atomic_fetch_sub_explicit(&file->users, 1, memory_order_acq_rel);
}

bool ptl_log_file_many(void)
{
	return atomic_load_explicit(&nr_files, memory_order_relaxed) > MANY;
}

void ptl_log_file_forked(void)
{
	lock = (struct ptl_lock)PTL_LOCK_INIT;
	nr_listed = 0;
	atomic_store_explicit(&nr_files, 0, memory_order_relaxed);
}
