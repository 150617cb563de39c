/* SPDX-License-Identifier: MIT */
/* See filter.h.  All of it by calls that ld.so makes, too. */
#include "core/sys/filter.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* The filters are counted far behind; who we are, before the user's groups, of
 * which there may be many: all that is asked for where a program has little
 * stack. */
#define STATUS_SIZE 4096
#define WHO_SIZE 512

#define OURS "/proc/self/status"

uint8_t ptl_sys_door;
uint64_t ptl_door_tracer = PTL_DOOR_NOT_LOOKED;

/* As it was when the program began. */
static uint8_t first_door;
static int first_count;

static uint32_t (*libc_tid)(void);

/* Who we were when that could be seen last: /proc may be gone by now. */
static uint32_t last[PTL_SYS_EUID + 1];

/* The n-th number of a line that begins with `key'; 0: there is none. */
static uint64_t number(const char *text, const char *key, int n)
{
	uint64_t value = 0;

	while (*text && !ptl_strpre(text, key)) {
		while (*text && *text != '\n')
			text++;
		text += *text != '\0';
	}
	for (text += *text ? ptl_strlen(key) : 0; n > 0 && *text == '\t'; n--) {
		text++;
		value = ptl_atou(&text, 10);
	}
	return value;
}

/* False: there is no /proc, or it does not show that process. */
static bool read_status(const char *path, char *text, size_t size)
{
	return ptl_sys_read_text(AT_FDCWD, path, text, size) > 0;
}

/* Linux before 5.9 does not say how many. */
static int count(const char *text)
{
	int nr = (int)number(text, "Seccomp_filters:", 1);

	return number(text, "Seccomp:", 1) ? PTL_MAX(nr, 1) : 0;
}

static int count_of_first(void)
{
	char text[STATUS_SIZE];

	return read_status("/proc/1/status", text, sizeof(text)) ? count(text) :
								   0;
}

static void note(const char *text)
{
	last[PTL_SYS_PID] = last[PTL_SYS_TID] =
		(uint32_t)number(text, "Tgid:", 1);
	last[PTL_SYS_PPID] = (uint32_t)number(text, "PPid:", 1);
	last[PTL_SYS_EUID] = (uint32_t)number(text, "Uid:", 2);
}

int ptl_door_look(int known)
{
	char text[STATUS_SIZE];
	bool shown = read_status(OURS, text, sizeof(text));
	int filters = shown ? count(text) : 0;

	if (shown)
		ptl_door_tracer = number(text, "TracerPid:", 1);
	if (known < 0 && filters)
		known = count_of_first();
	first_count = filters;
	if (filters <= known || !filters)
		return filters;
	note(text);
	ptl_sys_door = first_door = PTL_DOOR_NARROW;
	return known;
}

void ptl_door_shut(uint32_t (*tid)(void))
{
	if (ptl_sys_door == PTL_DOOR_SHUT)
		return;
	last[PTL_SYS_PID] = (uint32_t)ptl_sys_getpid();
	last[PTL_SYS_TID] = (uint32_t)ptl_sys_gettid();
	last[PTL_SYS_PPID] = (uint32_t)ptl_sys_getppid();
	last[PTL_SYS_EUID] = ptl_sys_geteuid();
	libc_tid = tid;
	ptl_sys_door = PTL_DOOR_SHUT;
}

bool ptl_door_reopen(void)
{
	char text[STATUS_SIZE];
	bool may;

	ptl_sys_door = PTL_DOOR_NARROW;
	may = read_status(OURS, text, sizeof(text)) &&
	      count(text) == first_count;
	ptl_sys_door = may ? first_door : PTL_DOOR_SHUT;
	return may;
}

/* Of a child that libc has not made it knows only whose it was. */
static bool forked_by_libc(void)
{
	uint32_t pid = libc_tid ? libc_tid() : 0;

	if (!pid || pid == last[PTL_SYS_PID])
		return false;
	last[PTL_SYS_PPID] = last[PTL_SYS_PID];
	last[PTL_SYS_PID] = pid;
	return true;
}

bool ptl_door_forked(void)
{
	char text[WHO_SIZE];
	bool shown;

	if (ptl_sys_door == PTL_DOOR_SHUT)
		return forked_by_libc();
	shown = read_status(OURS, text, sizeof(text));
	if (shown)
		note(text);
	return shown;
}

static uint32_t ask_proc(enum ptl_sys_who who)
{
	char text[WHO_SIZE];

	if (who == PTL_SYS_TID)
		return read_status("/proc/thread-self/status", text,
				   sizeof(text)) ?
			       (uint32_t)number(text, "Pid:", 1) :
			       last[PTL_SYS_TID];
	if (!read_status(OURS, text, sizeof(text)))
		return last[who];
	if (who == PTL_SYS_PID)
		return (uint32_t)number(text, "Tgid:", 1);
	return who == PTL_SYS_PPID ? (uint32_t)number(text, "PPid:", 1) :
				     (uint32_t)number(text, "Uid:", 2);
}

uint32_t ptl_sys_ask(enum ptl_sys_who who)
{
	if (ptl_sys_door == PTL_DOOR_NARROW)
		return ask_proc(who);
	if (who != PTL_SYS_TID)
		return last[who];
	return libc_tid ? libc_tid() : 0;
}
