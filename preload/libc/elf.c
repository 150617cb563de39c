/* SPDX-License-Identifier: MIT */
#include "preload/libc/elf.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/older.h"
#include "preload/libc/readable.h"

#include <linux/limits.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define RECENT 2 /* seconds */

/* The kernel follows as many. */
#define MAX_INTERPRETERS 5
#define INTERPRETER_SIZE 256

/* A loader that was found good is none that may be executed. */
#define AS_LOADER 1

/*
 * The kernel marks an image as secure, and ld.so then ignores us, when its
 * effective ids would differ from the real ones, or when it gains capabilities;
 * and removes us from the environment that what it starts will have.
 */
static const char *check_ids(const struct ptl_kstat *st, int fd)
{
	uint32_t uid = (uint32_t)ptl_sys(SYS_getuid, 0, 0, 0, 0);

	if (st->st_mode & S_ISUID && st->st_uid != uid)
		return "setuid" PTL_ELF_ENDS_HERE;
	if ((st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    st->st_gid != (uint32_t)ptl_sys(SYS_getgid, 0, 0, 0, 0))
		return "setgid" PTL_ELF_ENDS_HERE;
	if (uid &&
	    ptl_sys(SYS_fgetxattr, fd, "security.capability", NULL, 0) > 0)
		return "file capabilities" PTL_ELF_ENDS_HERE;
	return NULL;
}

/* The interpreter's path in the first line; "": it is no script. */
static void find_interpreter(const struct ptl_front *front, char *path)
{
	const char *text = front->data.text, *end = text + front->size;
	size_t size = 0;

	path[0] = '\0';
	if (front->size < 3 || text[0] != '#' || text[1] != '!')
		return;
	for (text += 2; text < end && (*text == ' ' || *text == '\t'); text++)
		;
	while (text + size < end && text[size] && text[size] != ' ' &&
	       text[size] != '\t' && text[size] != '\n')
		size++;
	if (text + size < end && size < INTERPRETER_SIZE)
		ptl_strcopy(path, size + 1, text);
}

static uint64_t add(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/*
 * A hash of the file, which is another if the file changes, or if somebody else
 * asks, or a process of the other width; 0: look at it.  The time of a change
 * is not fine enough to tell what is done to a file right after it.
 */
static uint64_t hash_file(const struct ptl_kstat *st)
{
	struct ptl_ktimespec now = {0};
	uint64_t hash;

	ptl_sys(PTL_SYS_CLOCK, CLOCK_REALTIME_COARSE, &now, 0, 0);
	if (st->st_mode & (S_ISUID | S_ISGID) ||
	    st->st_ctim.tv_sec + RECENT > now.tv_sec)
		return 0;
	hash = add(add(st->st_dev, st->st_ino), (uint64_t)st->st_ctim.tv_sec);
	hash ^= sizeof(void *) == 8 ? 0 : 1;
	hash = add(add(hash, (uint64_t)st->st_ctim.tv_nsec), st->st_mode);
	return add(add(hash, st->st_uid),
		   (uint64_t)ptl_sys(SYS_getuid, 0, 0, 0, 0));
}

static int stat_file(int dir, const char *path, struct ptl_kstat *st)
{
	long ret = ptl_sys(SYS_newfstatat, dir, path ? path : "", st,
			   path ? 0 : AT_EMPTY_PATH);

	if (ret < 0)
		return (int)-ret;
	/* Never open what is no file: a device or FIFO would notice. */
	return S_ISREG(st->st_mode) ? 0 : EACCES;
}

static int open_front(int dir, const char *path, struct ptl_front *front)
{
	int fd = dir;

	if (path)
		fd = ptl_sys_open(dir, path, O_RDONLY | O_NOCTTY, 0);
	if (fd < 0)
		return -fd;
	ptl_front_read(front, fd);
	return 0;
}

/* The kernel would refuse to start it: no reason to report. */
static bool is_refused_anyway(int dir, const char *path)
{
	return path && ptl_sys(SYS_faccessat, dir, path, X_OK, 0) == -EACCES;
}

/* Is this the loader of an older C library?  That is found out once. */
static bool is_old(const char *loader)
{
	struct ptl_kstat st;
	uint64_t hash;

	if (stat_file(AT_FDCWD, loader, &st) != 0)
		return false;
	hash = hash_file(&st);
	hash = hash ? add(hash, AS_LOADER) : 0;
	if (hash && ptl_core_is_traceable(hash))
		return false;
	if (ptl_older_beside(loader))
		return true;
	if (hash)
		ptl_core_note_traceable(hash);
	return false;
}

/* Returns whether it is certain that it can be traced. */
static bool check_program(const struct ptl_front *front,
			  const struct ptl_kstat *st, int dir, const char *path,
			  struct ptl_elf *elf)
{
	char loader[PTL_LOADER_SIZE];
	bool is_loaded = false;

	elf->reason = check_ids(st, front->fd);
	if (!elf->reason)
		is_loaded = ptl_loader_find(front, path, elf, loader);
	if (is_loaded && is_old(loader))
		*elf = (struct ptl_elf){
			.reason = "older C library" PTL_ELF_ENDS_HERE,
			.complains = true,
			.is_loader = elf->is_loader};
	if (elf->reason && is_refused_anyway(dir, path))
		*elf = (struct ptl_elf){.wants_file = elf->wants_file,
					.file = -1};
	return is_loaded && !elf->is_loader && !elf->reason;
}

/* Of a script, which leads to another file, the path of that is in `next',
 * which may be where `path' is. */
static int check_file(int dir, const char *path, struct ptl_elf *elf,
		      char next[INTERPRETER_SIZE])
{
	struct ptl_front front;
	struct ptl_kstat st;
	uint64_t hash;
	int error;

	error = stat_file(dir, path, &st);
	if (error)
		return error;
	hash = hash_file(&st);
	if (hash && ptl_core_is_traceable(hash)) {
		next[0] = '\0';
		return 0;
	}
	error = open_front(dir, path, &front);
	if (error)
		return error;
	if (ptl_front_is_elf(&front) &&
	    check_program(&front, &st, dir, path, elf) && hash)
		ptl_core_note_traceable(hash);
	if (elf->reason == ptl_elf_static && elf->wants_file)
		elf->file = (int)ptl_sys(SYS_fcntl, front.fd, F_DUPFD_CLOEXEC,
					 0, 0);
	if (path)
		ptl_sys_close(front.fd);
	find_interpreter(&front, next);
	return 0;
}

int ptl_elf_check(int dir, const char *path, struct ptl_elf *elf)
{
	char next[INTERPRETER_SIZE] = "";
	int error;

	*elf = (struct ptl_elf){.wants_file = elf->wants_file, .file = -1};
	error = check_file(dir, path, elf, next);
	/* An error here would be the interpreter's, not the file's. */
	for (int i = 0; i < MAX_INTERPRETERS && !error && next[0]; i++)
		if (check_file(AT_FDCWD, next, elf, next))
			break;
	return error;
}

static long ask(const char *path, int mode)
{
	return ptl_sys(SYS_faccessat, AT_FDCWD, path, mode, 0);
}

const char ptl_elf_no_library[] = "libptrace.so is not there";

/*
 * Execute permission, which a library may have, is not there where a file
 * system forbids it.  It is asked for the real user: who has become another may
 * keep privileges that the program will not have.
 */
const char *ptl_elf_check_library(const char *path)
{
	long error = ask(path, R_OK | X_OK);
	struct statfs fs = {0};

	if (error == -ENOENT || error == -ENOTDIR)
		return ptl_elf_no_library;
	if (error != -EACCES)
		return NULL;
	if (ask(path, R_OK) == -EACCES)
		return "libptrace.so cannot be read";
	if (ptl_sys(SYS_statfs, path, &fs, 0, 0) == 0 && fs.f_flags & ST_NOEXEC)
		return "libptrace.so is on a noexec mount";
	return NULL;
}

static bool is_executable(const char *path)
{
	struct ptl_kstat st;

	return ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 &&
	       S_ISREG(st.st_mode) &&
	       ptl_sys(SYS_faccessat, AT_FDCWD, path, X_OK, 0) == 0;
}

/* The first one, like getenv(). */
static const char *search_path(void)
{
	for (char **env = environ; env && *env; env++)
		if (ptl_strpre(*env, "PATH="))
			return *env + sizeof("PATH=") - 1;
	return "/bin:/usr/bin";
}

static int check_near(const char *path, struct ptl_elf *elf)
{
	int error = ptl_elf_check(AT_FDCWD, path, elf);

	elf->is_near = path[0] != '/';
	return error;
}

int ptl_elf_check_search(const char *file, struct ptl_elf *elf)
{
	const char *list = search_path();
	char path[NAME_MAX + 512];
	size_t file_size;
	uintptr_t page = 0;

	*elf = (struct ptl_elf){.wants_file = elf->wants_file, .file = -1};
	/* What libc reads in the child of a posix_spawnp() we read here. */
	if (!ptl_readable_to(&page, file, '\0'))
		return EFAULT;
	for (const char *s = file; *s; s++)
		if (*s == '/')
			return check_near(file, elf);
	file_size = ptl_strnlen(file, NAME_MAX);
	for (;; list++) {
		size_t size = 0;

		while (list[size] && list[size] != ':')
			size++;
		if (size + 1 + file_size < sizeof(path)) {
			ptl_strcopy(path, size + 1, list);
			if (size)
				path[size++] = '/';
			ptl_strcopy(path + size, file_size + 1, file);
			if (is_executable(path))
				return check_near(path, elf);
			size -= size > 0;
		}
		list += size;
		if (!*list)
			return ENOENT;
	}
}
