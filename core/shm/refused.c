/* SPDX-License-Identifier: MIT */
/* See refused.h. */
#include "core/shm/refused.h"

#include "core/shm/place.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define PERMISSIONS 0777

/* Room for what is wrong with a place. */
#define FAULT 32

/* Text that is cut where its room, with the null, ends. */
struct text {
	char *to;
	size_t room;
};

static void put(struct text *text, const char *s)
{
	size_t n = ptl_strcopy(text->to, text->room, s);

	text->to += n;
	text->room -= n;
}

static void put_number(struct text *text, uint32_t value)
{
	char digits[24];

	ptl_utoa(digits, value, 10);
	put(text, digits);
}

static void put_error(struct text *fault, long err)
{
	switch (err) {
	case -ENOENT:
		put(fault, "not there");
		break;
	case -EACCES:
	case -EPERM:
		put(fault, "no permission");
		break;
	case -EROFS:
		put(fault, "read-only");
		break;
	default:
		put(fault, "error ");
		put_number(fault, (uint32_t)-err);
	}
}

/* Where there is nothing: why it cannot be made. */
static void put_missing(struct text *fault, const char *path)
{
	char parent[PTL_PLACE_PATH];
	long err;

	ptl_place_parent(parent, path);
	err = ptl_sys(SYS_faccessat, AT_FDCWD, parent, W_OK, 0);
	put_error(fault, err ? err : -ENOENT);
}

/* Nothing, if it can be used. */
static void put_fault(struct text *fault, const char *path, uint32_t uid)
{
	struct ptl_kstat st;
	long err = ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st,
			   AT_SYMLINK_NOFOLLOW);
	int dir;

	if (err == -ENOENT) {
		put_missing(fault, path);
	} else if (err) {
		put_error(fault, err);
	} else if (st.st_uid != uid) {
		put(fault, "user ");
		put_number(fault, st.st_uid);
		put(fault, "'s");
	} else if (!S_ISDIR(st.st_mode)) {
		put(fault, S_ISLNK(st.st_mode) ? "a link" : "no directory");
	} else if ((st.st_mode & PERMISSIONS) != 0700) {
		put(fault, "its mode is not 0700");
	} else {
		/* All users without a number here look like one. */
		dir = ptl_place_open(path, uid);
		if (dir < 0)
			put_error(fault, dir);
		else if (ptl_place_is_readonly(dir))
			put_error(fault, -EROFS);
		if (dir >= 0)
			ptl_sys_close(dir);
	}
}

static void find_fault(char *fault, uint32_t uid, unsigned int place)
{
	struct text text = {fault, FAULT};
	char path[PTL_PLACE_PATH];

	*fault = '\0';
	ptl_place_path(path, uid, place);
	put_fault(&text, path, uid);
}

static void put_places(struct text *text, uint32_t uid, unsigned int first,
		       unsigned int last, const char *fault)
{
	char path[PTL_PLACE_PATH];

	ptl_place_path(path, uid, first);
	put(text, path);
	if (last > first) {
		put(text, " to .");
		put_number(text, last);
	}
	put(text, " (");
	put(text, fault);
	put(text, ")");
}

void ptl_refused_places(uint32_t uid, unsigned int first, unsigned int nr,
			char *text, size_t size)
{
	struct text list = {text, size};
	unsigned int end = first + nr, next;
	char fault[FAULT], other[FAULT];

	*text = '\0';
	for (; first < end; first = next) {
		find_fault(fault, uid, first);
		/* What is wrong with all of /dev/shm is told once. */
		for (next = first + 1; next < end && next < PTL_PLACE_LAST;
		     next++) {
			find_fault(other, uid, next);
			if (!ptl_streq(fault, other))
				break;
		}
		if (!*fault)
			continue;
		if (list.to > text)
			put(&list, ", ");
		put_places(&list, uid, first, next - 1, fault);
	}
}
