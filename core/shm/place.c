/* SPDX-License-Identifier: MIT */
/* See place.h. */
#include "core/shm/place.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define PERMISSIONS 0777

static char *put(char *to, const char *s)
{
	while (*s)
		*to++ = *s++;
	*to = '\0';
	return to;
}

void ptl_place_path(char *path, uint32_t uid, unsigned int place)
{
	if (place == PTL_PLACE_LAST && uid == 0) {
		put(path, "/run/ptrace");
		return;
	}
	path = put(path,
		   place == PTL_PLACE_LAST ? "/run/user/" : "/dev/shm/ptrace-");
	path += ptl_utoa(path, uid, 10);
	if (place == PTL_PLACE_LAST)
		put(path, "/ptrace");
	else if (place > 0)
		ptl_utoa(put(path, "."), place, 10);
}

void ptl_place_parent(char *parent, const char *path)
{
	size_t end = ptl_strlen(path);

	while (end > 1 && path[end] != '/')
		end--;
	ptl_strcopy(parent, end + 1, path);
}

int ptl_place_open(const char *path, uint32_t uid)
{
	int dir = ptl_sys_open(AT_FDCWD, path,
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	struct ptl_kstat st;
	int err;

	if (dir == -ENOTDIR || dir == -ELOOP || dir == -EACCES)
		return -EPERM;
	if (dir < 0)
		return dir;
	err = ptl_sys_fstat(dir, &st);
	if (err == 0 && st.st_uid == uid && (st.st_mode & PERMISSIONS) == 0700)
		return dir;
	ptl_sys_close(dir);
	return err ? err : -EPERM;
}

bool ptl_place_is_readonly(int dir)
{
	return ptl_sys(SYS_faccessat, dir, ".", W_OK, 0) == -EROFS;
}
