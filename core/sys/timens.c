/* SPDX-License-Identifier: MIT */
#include "core/sys/timens.h"

#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* Of the namespace that all others begin in. */
#define FIRST UINT64_C(0xeffffffa)

#define NS_PER_SEC INT64_C(1000000000)

static bool inode(const char *path, uint64_t *number)
{
	struct ptl_kstat st;

	if (ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st, 0) != 0)
		return false;
	*number = st.st_ino;
	return true;
}

bool ptl_timens_is_apart(uint32_t pid)
{
	char path[48] = "/proc/";
	size_t n = sizeof("/proc/") - 1;
	uint64_t ours, its;

	n += ptl_utoa(path + n, pid, 10);
	ptl_strcopy(path + n, sizeof(path) - n, "/ns/time");
	return inode(path, &its) && inode("/proc/self/ns/time", &ours) &&
	       ours != its;
}

/* Behind blanks, with a sign. */
static int64_t number(const char **at)
{
	const char *s = *at;
	bool negative;
	int64_t value = 0;

	while (*s == ' ' || *s == '\t')
		s++;
	negative = *s == '-';
	s += negative;
	for (; *s >= '0' && *s <= '9' && value < INT64_MAX / 100; s++)
		value = value * 10 + (*s - '0');
	*at = s;
	return negative ? -value : value;
}

/* The line "boottime SECONDS NANOSECONDS". */
static int64_t offset_in(const char *text)
{
	static const char word[] = "boottime";
	int64_t seconds;

	while (!ptl_strpre(text, word)) {
		while (*text && *text != '\n')
			text++;
		if (!*text++)
			return 0;
	}
	text += sizeof(word) - 1;
	seconds = number(&text);
	if (seconds > INT64_MAX / NS_PER_SEC - 1 ||
	    seconds < INT64_MIN / NS_PER_SEC + 1)
		return 0;
	return seconds * NS_PER_SEC + number(&text);
}

/* The file is about the namespace that our children will be in. */
static int64_t ask(void)
{
	uint64_t ours, children;
	char text[256];

	if (!inode("/proc/self/ns/time", &ours) || ours == FIRST ||
	    !inode("/proc/self/ns/time_for_children", &children) ||
	    ours != children)
		return 0;
	if (ptl_sys_read_text(AT_FDCWD, "/proc/self/timens_offsets", text,
			      sizeof(text)) < 0)
		return 0;
	return offset_in(text);
}

int64_t ptl_timens_ahead(void)
{
	static _Atomic int64_t ahead;
	static _Atomic bool known;

	/* Pairs with itself. */
	if (!atomic_load_explicit(&known, memory_order_acquire)) {
		atomic_store_explicit(&ahead, ask(), memory_order_relaxed);
		atomic_store_explicit(&known, true, memory_order_release);
	}
	return atomic_load_explicit(&ahead, memory_order_relaxed);
}

uint64_t ptl_boottime(void)
{
	return ptl_clock_ns(CLOCK_BOOTTIME) - (uint64_t)ptl_timens_ahead();
}

uint64_t ptl_boottime_ask(void)
{
	return ptl_clock_ask(CLOCK_BOOTTIME) - (uint64_t)ptl_timens_ahead();
}
