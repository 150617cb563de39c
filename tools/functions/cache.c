/* SPDX-License-Identifier: MIT */
/*
 * Patches on disk; see cache.h.  The name of a file is a number made of the
 * key, which is in the file, too: two keys of the same number take turns.
 */
#include "tools/functions/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/lib/say.h"

#define MAGIC UINT64_C(0x31454843414c5450) /* "PTLACHE1" */

/* All files together; the oldest go. */
#define BYTES_MAX ((off_t)256 << 20)
#define FILES_MAX 4096

struct head {
	uint64_t magic;
	uint64_t sum;	   /* of all that follows the head */
	uint64_t key_size; /* as it was, and up to a multiple of 8 zeroes */
	uint64_t size;	   /* of the patches, behind the key */
};

static uint64_t padded(uint64_t size)
{
	return (size + 7) & ~UINT64_C(7);
}

/* Of whole words, behind what has that sum.  Against damage, not against
 * malice: see open_directory(). */
static uint64_t add_sum(uint64_t sum, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t word;

	for (size_t i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

static uint64_t sum_of(const void *bytes, size_t size)
{
	return add_sum(size, bytes, size);
}

/* ---- the directory --------------------------------------------------- */

/* As with sudo: nothing is made in what is another user's. */
static bool is_anothers(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_uid != geteuid();
}

/* False: there is to be none. */
static bool directory_path(char *path, size_t room)
{
	const char *own = getenv("PTRACE_PLAN_CACHE");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int size = 0;

	if (own != NULL)
		size = snprintf(path, room, "%s", own);
	else if (cache != NULL && cache[0] == '/' && !is_anothers(cache))
		size = snprintf(path, room, "%s/libptrace/plans", cache);
	else if (home != NULL && home[0] == '/' && !is_anothers(home))
		size = snprintf(path, room, "%s/.cache/libptrace/plans", home);
	return size > 0 && (size_t)size < room && path[0] == '/';
}

/* Makes it, and what is above it. */
static void make_directory(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

/* Nobody but us, and root, can have written it. */
static bool is_ours(int fd, mode_t type, struct stat *status)
{
	return fstat(fd, status) == 0 && (status->st_mode & S_IFMT) == type &&
	       status->st_uid == geteuid() &&
	       (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int open_directory(bool make)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	struct stat status;
	char path[4096];
	int dir;

	if (!directory_path(path, sizeof(path)))
		return -1;
	dir = open(path, flags);
	if (dir < 0 && errno == ENOENT && make) {
		make_directory(path);
		dir = open(path, flags);
	}
	if (dir >= 0 && !is_ours(dir, S_IFDIR, &status)) {
		close(dir);
		dir = -1;
	}
	return dir;
}

/* The file in which something of that key is. */
static void name_of(const struct ptl_cache_key *key, char name[32])
{
	snprintf(name, 32, "%016llx",
		 (unsigned long long)sum_of(key->text, padded(key->size)));
}

/* ---- the key --------------------------------------------------------- */

static int print_file(char *to, size_t room, const struct stat *file)
{
	return snprintf(to, room, "%llx %llx %lld %lld.%09ld %lld.%09ld",
			(unsigned long long)file->st_dev,
			(unsigned long long)file->st_ino,
			(long long)file->st_size,
			(long long)file->st_mtim.tv_sec, file->st_mtim.tv_nsec,
			(long long)file->st_ctim.tv_sec, file->st_ctim.tv_nsec);
}

void ptl_cache_begin(struct ptl_cache_key *key, const struct stat *file,
		     const char *path, const char *question)
{
	char of_file[200], of_program[200];
	size_t room = sizeof(of_file) + sizeof(of_program) + strlen(path) +
		      strlen(question) + 8;
	struct stat program;

	*key = (struct ptl_cache_key){.text = NULL};
	/* What is made depends on who makes it. */
	if (stat("/proc/self/exe", &program) != 0)
		return;
	print_file(of_file, sizeof(of_file), file);
	print_file(of_program, sizeof(of_program), &program);
	key->text = ptl_alloc(padded(room));
	key->size = 1 + (size_t)snprintf(key->text, room, "%s\n%s\n%s\n%s\n",
					 of_program, of_file, path, question);
}

void ptl_cache_end(struct ptl_cache_key *key)
{
	free(key->text);
	*key = (struct ptl_cache_key){.text = NULL};
}

/* ---- find ------------------------------------------------------------ */

static bool read_all(int fd, void *to, size_t size)
{
	char *at = to;

	while (size > 0) {
		ssize_t got = read(fd, at, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

/* The head says no more than what is there, and it is the same key. */
static bool fits(const struct head *head, const struct ptl_cache_key *key,
		 off_t size)
{
	uint64_t rest = (uint64_t)size - sizeof(*head);

	return head->magic == MAGIC && head->key_size == key->size &&
	       padded(key->size) <= rest &&
	       head->size == rest - padded(key->size) &&
	       head->size % sizeof(uint64_t) == 0;
}

/* Key and patches, or NULL. */
static unsigned char *read_file(int fd, const struct ptl_cache_key *key,
				struct head *head)
{
	size_t key_size = padded(key->size), size;
	struct stat status;
	unsigned char *bytes;

	if (!is_ours(fd, S_IFREG, &status) ||
	    status.st_size < (off_t)sizeof(*head) ||
	    status.st_size > BYTES_MAX || !read_all(fd, head, sizeof(*head)) ||
	    !fits(head, key, status.st_size))
		return NULL;
	size = key_size + head->size;
	bytes = ptl_alloc(size);
	if (read_all(fd, bytes, size) && sum_of(bytes, size) == head->sum &&
	    memcmp(bytes, key->text, key_size) == 0)
		return bytes;
	free(bytes);
	return NULL;
}

bool ptl_cache_find(const struct ptl_cache_key *key, struct ptl_buffer *to)
{
	unsigned char *bytes = NULL;
	struct head head;
	char name[32];
	int dir, fd = -1;

	dir = key->text != NULL ? open_directory(false) : -1;
	if (dir < 0)
		return false;
	name_of(key, name);
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(dir);
	if (fd < 0)
		return false;
	bytes = read_file(fd, key, &head);
	if (bytes != NULL) {
		ptl_buffer_add(to, bytes + padded(key->size), head.size);
		/* The oldest go first. */
		futimens(fd, NULL);
	}
	free(bytes);
	close(fd);
	return bytes != NULL;
}

/* ---- keep ------------------------------------------------------------ */

struct kept {
	char name[32];
	struct timespec used;
	off_t size;
};

static int by_age(const void *a, const void *b)
{
	const struct timespec *left = &((const struct kept *)a)->used,
			      *right = &((const struct kept *)b)->used;

	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? -1 : 1;
	return (left->tv_nsec > right->tv_nsec) -
	       (left->tv_nsec < right->tv_nsec);
}

/* As name_of() and ptl_cache_keep() make them: what else is there is none of
 * ours. */
static bool is_kept(const char *name)
{
	if (strncmp(name, "new.", 4) == 0)
		return name[4] != '\0' &&
		       name[4 + strspn(name + 4, "0123456789")] == '\0';
	return strlen(name) == 16 && strspn(name, "0123456789abcdef") == 16;
}

/* Our own files, and how many bytes they are. */
static size_t list(int dir, struct kept *kept, size_t room, off_t *bytes)
{
	int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = again >= 0 ? fdopendir(again) : NULL;
	const struct dirent *entry;
	struct stat status;
	size_t nr = 0;

	*bytes = 0;
	while (stream != NULL && nr < room &&
	       (entry = readdir(stream)) != NULL) {
		if (!is_kept(entry->d_name) ||
		    fstatat(dir, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(status.st_mode))
			continue;
		strcpy(kept[nr].name, entry->d_name);
		kept[nr].used = status.st_mtim;
		kept[nr++].size = status.st_size;
		*bytes += status.st_size;
	}
	if (stream != NULL)
		closedir(stream);
	else if (again >= 0)
		close(again);
	return nr;
}

/* Half of it goes at once, so that this is seldom. */
static void make_room(int dir)
{
	struct kept *kept = ptl_alloc(FILES_MAX * sizeof(*kept));
	off_t bytes;
	size_t nr = list(dir, kept, FILES_MAX, &bytes), left = nr;

	if (bytes > BYTES_MAX || nr == FILES_MAX) {
		qsort(kept, nr, sizeof(*kept), by_age);
		for (size_t i = 0;
		     i < nr && (bytes > BYTES_MAX / 2 || left > FILES_MAX / 2);
		     i++, left--) {
			unlinkat(dir, kept[i].name, 0);
			bytes -= kept[i].size;
		}
	}
	free(kept);
}

static bool write_all(int fd, const void *from, size_t size)
{
	const char *at = from;

	while (size > 0) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		size -= (size_t)done;
	}
	return true;
}

static bool write_file(int fd, const struct ptl_cache_key *key,
		       const void *bytes, size_t size)
{
	size_t key_size = padded(key->size);
	struct head head = {
		.magic = MAGIC,
		.sum = key_size + size,
		.key_size = key->size,
		.size = size,
	};

	head.sum = add_sum(head.sum, key->text, key_size);
	head.sum = add_sum(head.sum, bytes, size);
	return write_all(fd, &head, sizeof(head)) &&
	       write_all(fd, key->text, key_size) && write_all(fd, bytes, size);
}

void ptl_cache_keep(const struct ptl_cache_key *key, const void *bytes,
		    size_t size)
{
	char name[32], new[32];
	int dir, fd;

	if (key->text == NULL || size == 0 || size % sizeof(uint64_t) != 0 ||
	    (off_t)size > BYTES_MAX / 4)
		return;
	dir = open_directory(true);
	if (dir < 0)
		return;
	make_room(dir);
	name_of(key, name);
	snprintf(new, sizeof(new), "new.%d", (int)getpid());
	/* Nobody sees a part of it, and who reads the former one goes on. */
	fd = openat(dir, new,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0) {
		if (!write_file(fd, key, bytes, size) || close(fd) != 0 ||
		    renameat(dir, new, dir, name) != 0)
			unlinkat(dir, new, 0);
	}
	close(dir);
}
