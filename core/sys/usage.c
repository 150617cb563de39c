/* SPDX-License-Identifier: MIT */
/*
 * The kernel keeps the most memory that a process had over exec: what a small
 * program is told of itself is what the shell had that executed it.  That much
 * is known when the program begins, so if it is more in the end it is the
 * program's own; else /proc says it, which takes longer.
 */
#include "core/sys/usage.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <limits.h>

/* Until it is known nothing is more. */
static long inherited_kib = LONG_MAX;

static int64_t us(const struct timeval *time)
{
	return (int64_t)time->tv_sec * 1000000 + time->tv_usec;
}

static bool ask(struct rusage *usage)
{
	return ptl_sys(SYS_getrusage, RUSAGE_SELF, usage, 0, 0) == 0;
}

void ptl_usage_begin(void)
{
	struct rusage usage;

	if (ask(&usage))
		inherited_kib = usage.ru_maxrss;
}

void ptl_usage_forked(void)
{
	inherited_kib = -1;
}

/* The line `VmHWM:	     1080 kB'; -1: it is not known. */
static int64_t peak_kib(void)
{
	char buf[1024], *at = buf;
	int64_t kib = 0;

	/* VmHWM is among the first twenty lines. */
	ptl_sys_read_text(AT_FDCWD, "/proc/self/status", buf, sizeof(buf));
	while (*at && !ptl_strpre(at, "VmHWM:"))
		at++;
	while (*at && (*at < '0' || *at > '9'))
		at++;
	if (!*at)
		return -1;
	for (; *at >= '0' && *at <= '9'; at++)
		kib = kib * 10 + (*at - '0');
	return kib;
}

struct ptl_usage ptl_usage_self(void)
{
	struct ptl_usage self = {0};
	struct rusage usage;

	if (!ask(&usage))
		return self;
	self = ptl_usage_child(&usage);
	self.maxrss_kib =
		usage.ru_maxrss > inherited_kib ? usage.ru_maxrss : peak_kib();
	if (self.maxrss_kib >= 0)
		self.known += sizeof(self.maxrss_kib);
	return self;
}

struct ptl_usage ptl_usage_child(const struct rusage *usage)
{
	struct ptl_usage child = {0};

	if (!usage)
		return child;
	child.user_us = us(&usage->ru_utime);
	child.sys_us = us(&usage->ru_stime);
	child.known = sizeof(child.user_us) + sizeof(child.sys_us);
	return child;
}
