/* SPDX-License-Identifier: MIT */
/* See beside.h. */
#include "tools/lib/beside.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool ptl_beside(char *path, size_t room, const char *name)
{
	ssize_t size = readlink("/proc/self/exe", path, room);
	size_t own;
	char *slash;

	if (size < 0)
		return false;
	slash = memrchr(path, '/', (size_t)size);
	own = slash == NULL ? 0 : (size_t)(slash + 1 - path);
	/* A path that does not fit is cut, by readlink(). */
	if (own == 0 || (size_t)size == room || strlen(name) >= room - own) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(path + own, name);
	return true;
}
