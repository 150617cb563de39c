/* SPDX-License-Identifier: MIT */
#include "tools/inject/maps.h"

#include <stdlib.h>
#include <string.h>

FILE *ptl_maps_open(pid_t pid, const char *file)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return fopen(path, "re");
}

/* FROM-TO rwxp OFFSET DEVICE INODE PATH */
static bool parse(const char *line, struct ptl_mapping *mapping)
{
	unsigned long from, to, offset, inode;
	static const char gone[] = " (deleted)";
	size_t size;
	char flags[8];
	int at = 0;

	if (sscanf(line, "%lx-%lx %7s %lx %*s %lu %n", &from, &to, flags,
		   &offset, &inode, &at) < 5)
		return false;
	mapping->from = from;
	mapping->to = to;
	mapping->offset = offset;
	mapping->inode = (ino_t)inode;
	mapping->is_writable = flags[1] == 'w';
	mapping->is_code = flags[2] == 'x';
	snprintf(mapping->path, sizeof(mapping->path), "%.*s",
		 (int)strcspn(line + at, "\n"), line + at);
	size = strlen(mapping->path);
	if (size >= sizeof(gone) &&
	    strcmp(mapping->path + size - (sizeof(gone) - 1), gone) == 0)
		mapping->path[size - (sizeof(gone) - 1)] = '\0';
	return true;
}

bool ptl_maps_next(FILE *maps, struct ptl_mapping *mapping)
{
	char line[PATH_MAX + 256];

	while (fgets(line, sizeof(line), maps) != NULL)
		if (parse(line, mapping))
			return true;
	return false;
}

static bool is_named(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && strcmp(slash + 1, name) == 0;
}

/* By name, or else by address. */
static bool find(pid_t pid, const char *name, uintptr_t at,
		 struct ptl_mapping *mapping)
{
	FILE *maps = ptl_maps_open(pid, "maps");
	bool found = false;

	while (maps != NULL && !found && ptl_maps_next(maps, mapping))
		found = name != NULL ? is_named(mapping->path, name) :
				       at >= mapping->from && at < mapping->to;
	if (maps != NULL)
		fclose(maps);
	return found;
}

bool ptl_maps_at(pid_t pid, uintptr_t at, struct ptl_mapping *mapping)
{
	return find(pid, NULL, at, mapping);
}

bool ptl_maps_file(pid_t pid, const char *name, struct ptl_mapping *mapping)
{
	return find(pid, name, 0, mapping);
}

long ptl_maps_status(pid_t pid, const char *file, const char *key, int base)
{
	FILE *status = ptl_maps_open(pid, file);
	size_t size = strlen(key);
	char line[256];
	long value = -1;

	while (status != NULL && value == -1 &&
	       fgets(line, sizeof(line), status) != NULL)
		if (strncmp(line, key, size) == 0)
			value = (long)strtoul(line + size, NULL, base);
	if (status != NULL)
		fclose(status);
	return value;
}
