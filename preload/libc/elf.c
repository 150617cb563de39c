/* SPDX-License-Identifier: MIT */
#include "preload/libc/elf.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/readable.h"

#include <elf.h>
#include <linux/limits.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#else
#define OUR_MACHINE EM_AARCH64
#endif

#define RECENT 2 /* seconds */

/* The beginning of a file: nearly always enough for every check, and small
 * enough for the stack of a small thread. */
struct front {
	union {
		Elf64_Ehdr elf;
		char text[1024];
	} data;
	size_t size;
	int fd;
	bool is_sure; /* it has an interpreter that preloads */
};

/* ld.so itself has no interpreter, and preloads. */
static bool is_loader(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	return ptl_strpre(base, "ld-") || ptl_strpre(base, "ld.so") ||
	       ptl_strpre(base, "ld64");
}

static const char *check_headers(struct front *front, const char *path)
{
	const Elf64_Ehdr *elf = &front->data.elf;
	size_t nr = elf->e_phnum, offset = elf->e_phoff;
	Elf64_Phdr ph[8];

	if (elf->e_phentsize != sizeof(ph[0]))
		return NULL;
	/* Every interpreter preloads: musl's does, too, and can bind all that
	 * we need. */
	while (nr) {
		size_t n = PTL_MIN(nr, PTL_ARRAY_SIZE(ph));
		long size = ptl_sys_pread(front->fd, ph, n * sizeof(ph[0]),
					  (int64_t)offset);

		if (size != (long)(n * sizeof(ph[0])))
			return NULL;
		for (size_t i = 0; i < n; i++)
			if (ph[i].p_type == PT_INTERP) {
				front->is_sure = true;
				return NULL;
			}
		offset += (size_t)size;
		nr -= n;
	}
	return path && is_loader(path) ? NULL : "static";
}

static const char *check_elf(struct front *front, const char *path)
{
	const Elf64_Ehdr *elf = &front->data.elf;

	if (elf->e_ident[EI_CLASS] != ELFCLASS64)
		return "32-bit";
	if (elf->e_ident[EI_DATA] != ELFDATA2LSB ||
	    elf->e_machine != OUR_MACHINE)
		return "other architecture";
	if (elf->e_type != ET_EXEC && elf->e_type != ET_DYN)
		return NULL;
	return check_headers(front, path);
}

/*
 * The kernel marks an image as secure, and ld.so then ignores us, when its
 * effective ids would differ from the real ones, or when it gains capabilities.
 */
static const char *check_ids(const struct stat *st, int fd)
{
	long uid = ptl_sys(SYS_getuid, 0, 0, 0, 0);

	if (st->st_mode & S_ISUID && st->st_uid != uid)
		return "setuid";
	if ((st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    st->st_gid != ptl_sys(SYS_getgid, 0, 0, 0, 0))
		return "setgid";
	if (uid &&
	    ptl_sys(SYS_fgetxattr, fd, "security.capability", NULL, 0) > 0)
		return "file capabilities";
	return NULL;
}

/* Takes the interpreter's path from the first line; false: it is no script. */
static bool script_interpreter(struct front *front, const char **path)
{
	char *text = front->data.text, *end = text + front->size;

	if (front->size < 3 || text[0] != '#' || text[1] != '!')
		return false;
	for (text += 2; text < end && (*text == ' ' || *text == '\t'); text++)
		;
	*path = text;
	while (text < end && *text && *text != ' ' && *text != '\t' &&
	       *text != '\n')
		text++;
	if (text == end)
		return false;
	*text = '\0';
	return true;
}

static bool is_elf(const struct front *front)
{
	return front->size >= sizeof(Elf64_Ehdr) &&
	       ptl_strpre(front->data.text, ELFMAG);
}

static uint64_t add(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/*
 * A hash of the file, which is another if the file changes, or if somebody else
 * asks; 0: look at it.  The time of a change is not fine enough to tell what
 * is done to a file right after it.
 */
static uint64_t hash_file(const struct stat *st)
{
	struct timespec now = {0};
	uint64_t hash;

	ptl_sys(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now, 0, 0);
	if (st->st_mode & (S_ISUID | S_ISGID) ||
	    st->st_ctim.tv_sec + RECENT > now.tv_sec)
		return 0;
	hash = add(add(st->st_dev, st->st_ino), (uint64_t)st->st_ctim.tv_sec);
	hash = add(add(hash, (uint64_t)st->st_ctim.tv_nsec), st->st_mode);
	return add(add(hash, st->st_uid),
		   (uint64_t)ptl_sys(SYS_getuid, 0, 0, 0, 0));
}

static int stat_file(int dir, const char *path, struct stat *st)
{
	long ret = ptl_sys(SYS_newfstatat, dir, path ? path : "", st,
			   path ? 0 : AT_EMPTY_PATH);

	if (ret < 0)
		return (int)-ret;
	/* Never open what is no file: a device or FIFO would notice. */
	return S_ISREG(st->st_mode) ? 0 : EACCES;
}

static int open_front(int dir, const char *path, struct front *front)
{
	long ret;

	front->is_sure = false;
	front->fd = dir;
	if (path)
		front->fd = ptl_sys_open(dir, path, O_RDONLY | O_NOCTTY, 0);
	if (front->fd < 0)
		return -front->fd;
	ret = ptl_sys_pread(front->fd, &front->data, sizeof(front->data), 0);
	front->size = ret > 0 ? (size_t)ret : 0;
	return 0;
}

/* The kernel would refuse to start it: no reason to report. */
static bool is_refused_anyway(int dir, const char *path)
{
	return path && ptl_sys(SYS_faccessat, dir, path, X_OK, 0) == -EACCES;
}

static int check(int dir, const char *path, const char **reason, bool again)
{
	const char *interpreter = NULL;
	struct front front;
	struct stat st;
	uint64_t hash;
	int error;

	*reason = NULL;
	error = stat_file(dir, path, &st);
	if (error)
		return error;
	hash = hash_file(&st);
	if (hash && ptl_core_is_traceable(hash))
		return 0;
	error = open_front(dir, path, &front);
	if (error)
		return error;
	if (is_elf(&front)) {
		*reason = check_ids(&st, front.fd);
		if (!*reason)
			*reason = check_elf(&front, path);
		if (*reason && is_refused_anyway(dir, path))
			*reason = NULL;
	} else if (again) {
		script_interpreter(&front, &interpreter);
	}
	if (path)
		ptl_sys_close(front.fd);
	if (hash && front.is_sure && !*reason)
		ptl_core_note_traceable(hash);
	/* An error here would be the interpreter's, not the file's. */
	if (interpreter)
		check(AT_FDCWD, interpreter, reason, false);
	return 0;
}

int ptl_elf_check(int dir, const char *path, const char **reason)
{
	return check(dir, path, reason, true);
}

static bool is_executable(const char *path)
{
	struct stat st;

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

int ptl_elf_check_search(const char *file, const char **reason)
{
	const char *list = search_path();
	char path[NAME_MAX + 512];
	size_t file_size;
	uintptr_t page = 0;

	*reason = NULL;
	/* What libc reads in the child of a posix_spawnp() we read here. */
	if (!ptl_readable_to(&page, file, '\0'))
		return EFAULT;
	for (const char *s = file; *s; s++)
		if (*s == '/')
			return ptl_elf_check(AT_FDCWD, file, reason);
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
				return ptl_elf_check(AT_FDCWD, path, reason);
			size -= size > 0;
		}
		list += size;
		if (!*list)
			return ENOENT;
	}
}
