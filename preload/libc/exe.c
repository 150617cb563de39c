/* SPDX-License-Identifier: MIT */
/*
 * Reading /proc/self costs a young process some microseconds, now and again
 * when it ends: the kernel makes entries for it.  The path that was executed,
 * which the kernel passes to every process, mostly leads to the same file once
 * its symbolic links are resolved.
 */
#include "preload/libc/exe.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <sys/auxv.h>

#define MAX_LINKS 8
#define MAX_LINK 256

/* The path that was executed.  NULL if it may be that of a script: then its
 * interpreter is the program, and has that path among its arguments; or if the
 * program is a loader, which was given the path of what it loaded. */
static const char *executed(char *const *argv)
{
	const char *path = (const char *)getauxval(AT_EXECFN);

	if (!path || path[0] != '/' || !argv || !argv[0] || !getauxval(AT_BASE))
		return NULL;
	for (argv++; *argv; argv++)
		if (ptl_streq(*argv, path))
			return NULL;
	return path;
}

/* Replaces the name at [name, end) by a link's text; what follows is kept.
 * Returns where to go on, or NULL. */
static char *follow(char *buf, size_t size, char *name, const char *end,
		    const char *link)
{
	char rest[MAX_LINK];
	size_t length = ptl_strlen(link);

	if (link[0] == '/')
		name = buf;
	if (ptl_strcopy(rest, sizeof(rest), end) == sizeof(rest) - 1 ||
	    length + sizeof(rest) > size - (size_t)(name - buf))
		return NULL;
	ptl_strcopy(name + ptl_strcopy(name, length + 1, link), sizeof(rest),
		    rest);
	return name + (link[0] == '/');
}

/* Resolves symbolic links in place; false: use /proc/self/exe instead. */
static bool resolve(char *buf, size_t size)
{
	char link[MAX_LINK], *name = buf + 1, *end;
	int links = 0;

	for (;;) {
		bool is_last;
		long ret;

		for (end = name; *end && *end != '/'; end++)
			;
		/* "//", "." and "..". */
		if (end == name ||
		    (*name == '.' &&
		     (end == name + 1 || (name[1] == '.' && end == name + 2))))
			return false;
		is_last = !*end;
		*end = '\0';
		ret = ptl_sys(SYS_readlinkat, AT_FDCWD, buf, link,
			      sizeof(link) - 1);
		if (!is_last)
			*end = '/';
		if (ret == -EINVAL) {
			if (is_last)
				return true;
			name = end + 1;
			continue;
		}
		if (ret <= 0 || ret == sizeof(link) - 1 || ++links > MAX_LINKS)
			return false;
		link[ret] = '\0';
		name = follow(buf, size, name, end, link);
		if (!name)
			return false;
	}
}

const char *ptl_exe_find(char *buf, size_t size, char *const *argv)
{
	const char *path = executed(argv);
	long ret;

	if (path && ptl_strcopy(buf, size, path) < size - 1 &&
	    resolve(buf, size))
		return buf;
	ret = ptl_sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", buf,
		      size - 1);
	if (ret <= 0)
		return argv && argv[0] ? argv[0] : "";
	buf[ret] = '\0';
	return buf;
}
