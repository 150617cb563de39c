/* SPDX-License-Identifier: MIT */
/*
 * The machine that we run on.  What cannot be found out stays unknown: a
 * container may lack any of these files.
 */
#include "core/sys/host.h"

#include <string.h>
#include <sys/timex.h>

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define MACHINE_DIGITS 32

/* The kernel's number for the time namespace that all others begin in. */
#define FIRST_TIMENS UINT64_C(0xeffffffa)

/* What a path begins with that ends with the name of a time zone. */
#define ZONES "zoneinfo/"

/* The first bytes of a file; how many, or a negative errno. */
static long read_file(const char *path, char *buf, size_t size, int64_t at)
{
	int fd = ptl_sys_open(AT_FDCWD, path, O_RDONLY, 0);
	long got;

	if (fd < 0)
		return fd;
	got = ptl_sys_pread(fd, buf, size, at);
	ptl_sys_close(fd);
	return got;
}

/* 32 digits and a newline; it says "uninitialized" before the first boot. */
static void ask_machine(char *machine)
{
	char buf[MACHINE_DIGITS + 2];
	long size = read_file("/etc/machine-id", buf, sizeof(buf), 0);
	bool is_any = false;

	if (size < MACHINE_DIGITS ||
	    (size > MACHINE_DIGITS &&
	     (size > MACHINE_DIGITS + 1 || buf[MACHINE_DIGITS] != '\n')))
		return;
	for (int i = 0; i < MACHINE_DIGITS; i++) {
		if (!(buf[i] >= '0' && buf[i] <= '9') &&
		    !(buf[i] >= 'a' && buf[i] <= 'f'))
			return;
		is_any |= buf[i] != '0';
	}
	if (is_any)
		memcpy(machine, buf, MACHINE_DIGITS);
}

/* The rule that a file of a time zone ends with, between two newlines. */
static void read_rule(char *zone, size_t room)
{
	char buf[64];
	struct ptl_kstat st;
	long size, begin;

	if (ptl_sys(SYS_newfstatat, AT_FDCWD, "/etc/localtime", &st, 0) != 0 ||
	    st.st_size < (off_t)sizeof(buf))
		return;
	size = read_file("/etc/localtime", buf, sizeof(buf),
			 st.st_size - (off_t)sizeof(buf));
	if (size != sizeof(buf) || buf[size - 1] != '\n')
		return;
	buf[size - 1] = '\0';
	for (begin = size - 1;
	     begin > 0 && buf[begin - 1] > ' ' && buf[begin - 1] < 127; begin--)
		;
	if (begin > 0 && buf[begin - 1] == '\n' &&
	    (size_t)(size - begin) <= room)
		ptl_strcopy(zone, room, buf + begin);
}

/* By name, if the file is a link to it. */
static void ask_zone(char *zone, size_t room)
{
	char path[256];
	long size = ptl_sys(SYS_readlinkat, AT_FDCWD, "/etc/localtime", path,
			    sizeof(path) - 1);

	if (size == -ENOENT) {
		ptl_strcopy(zone, room, "UTC"); /* so does libc */
		return;
	}
	if (size > 0) {
		path[size] = '\0';
		for (const char *at = path; *at; at++)
			if (ptl_strpre(at, ZONES) &&
			    ptl_strlen(at + sizeof(ZONES) - 1) < room) {
				ptl_strcopy(zone, room, at + sizeof(ZONES) - 1);
				return;
			}
	}
	read_rule(zone, room);
}

static void ask_clock(struct ptl_log_host *host)
{
	struct timex timex;
	long state;

	memset(&timex, 0, sizeof(timex));
	state = ptl_sys(SYS_adjtimex, &timex, 0, 0, 0);
	if (state < 0)
		return;
	if (state == TIME_ERROR || timex.status & STA_UNSYNC) {
		host->clock_sync = PTL_SYNC_ALONE;
	} else {
		host->clock_sync = PTL_SYNC_KEPT;
		host->clock_error = (uint64_t)timex.maxerror * 1000;
	}
}

/* The CLOCK_MONOTONIC of a time namespace is not that of the others. */
static bool may_be_in_timens(void)
{
	struct ptl_kstat st;
	long err =
		ptl_sys(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/time", &st, 0);

	if (err == 0)
		return st.st_ino != FIRST_TIMENS;
	/* The kernel knows no such namespaces, if there is a /proc. */
	return err != -ENOENT || ptl_sys(SYS_newfstatat, AT_FDCWD,
					 "/proc/self/ns/pid", &st, 0) != 0;
}

void ptl_host_ask(struct ptl_log_host *host)
{
	ask_machine(host->machine);
	ask_zone(host->zone, sizeof(host->zone));
	ask_clock(host);
	if (may_be_in_timens())
		host->clock_offset = 0;
}
