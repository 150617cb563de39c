/* SPDX-License-Identifier: MIT */
/*
 * A container sees the whole machine's memory, and has what its control group
 * may use: who takes more is killed.  There may be a limit at each level, in
 * one of two versions of their files.  What cannot be read limits nothing.
 */
#include "core/sys/memory.h"

#include <sys/statfs.h>
#include <sys/sysinfo.h>

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define PATH_SIZE 1024

/* What such a file says: a number; or "max". */
static uint64_t limit_in(const char *path)
{
	char buf[32];
	const char *at = buf;

	if (ptl_sys_read_text(AT_FDCWD, path, buf, sizeof(buf)) <= 0 ||
	    *at < '0' || *at > '9')
		return UINT64_MAX;
	return ptl_atou(&at, 10);
}

/* Of the group at that path below `top', and of those above it. */
static uint64_t limit_up_from(const char *top, const char *group,
			      size_t group_size, const char *file)
{
	char path[PATH_SIZE];
	size_t base = ptl_strcopy(path, sizeof(path), top);
	uint64_t limit = UINT64_MAX;

	if (base + group_size + ptl_strlen(file) + 1 > sizeof(path))
		return UINT64_MAX;
	for (size_t size = group_size;; size--) {
		if (size != 0 && group[size] != '/' && size != group_size)
			continue;
		for (size_t i = 0; i < size; i++)
			path[base + i] = group[i];
		ptl_strcopy(path + base + size, sizeof(path) - base - size,
			    file);
		limit = PTL_MIN(limit, limit_in(path));
		if (size == 0)
			return limit;
	}
}

static bool is_word_of(const char *list, const char *word)
{
	while (*list && *list != ':') {
		size_t n = 0;

		while (word[n] && list[n] == word[n])
			n++;
		if (!word[n] && (list[n] == ',' || list[n] == ':'))
			return true;
		while (*list && *list != ':' && *list++ != ',')
			;
	}
	return false;
}

/* A line "NUMBER:CONTROLLERS:PATH", without controllers in the second version.
 */
static uint64_t limit_of_line(const char *line, const char *root)
{
	const char *controllers = line, *group;
	char top[PATH_SIZE];
	size_t size = 0, used;

	while (*controllers && *controllers++ != ':')
		;
	group = controllers;
	while (*group && *group != ':')
		group++;
	if (*group++ != ':' || *group != '/')
		return UINT64_MAX;
	while (group[size] && group[size] != '\n')
		size++;
	if (size == 1) /* "/" */
		size = 0;
	if (*controllers == ':')
		return limit_up_from(root, group, size, "/memory.max");
	if (!is_word_of(controllers, "memory"))
		return UINT64_MAX;
	used = ptl_strcopy(top, sizeof(top), root);
	ptl_strcopy(top + used, sizeof(top) - used, "/memory");
	return limit_up_from(top, group, size, "/memory.limit_in_bytes");
}

uint64_t ptl_memory_of_groups(const char *groups, const char *root)
{
	uint64_t limit = UINT64_MAX;

	while (*groups) {
		limit = PTL_MIN(limit, limit_of_line(groups, root));
		while (*groups && *groups++ != '\n')
			;
	}
	return limit;
}

uint64_t ptl_memory_limit(void)
{
	uint64_t limit = UINT64_MAX;
	struct sysinfo machine;
	char groups[4096];

	if (ptl_sys(SYS_sysinfo, &machine, 0, 0, 0) == 0)
		limit = (uint64_t)machine.totalram * machine.mem_unit;
	if (ptl_sys_read_text(AT_FDCWD, "/proc/self/cgroup", groups,
			      sizeof(groups)) > 0)
		limit = PTL_MIN(limit,
				ptl_memory_of_groups(groups, "/sys/fs/cgroup"));
	return limit;
}

uint64_t ptl_memory_free_at(int fd)
{
	struct statfs fs;

	/* A tmpfs without limit has no blocks. */
	if (ptl_sys(SYS_fstatfs, fd, &fs, 0, 0) != 0 || fs.f_blocks == 0)
		return UINT64_MAX;
	return (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
}
