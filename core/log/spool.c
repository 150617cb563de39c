/* SPDX-License-Identifier: MIT */
/* See spool.h. */
#include "core/log/spool.h"

#include "core/format/layout.h"
#include "core/format/logfile.h"
#include "core/sys/syscall.h"

#include <string.h>

/* Do these bytes, from `at' on, go with the beginning of a log? */
static bool may_be_log(const char *bytes, size_t size, uint64_t at)
{
	for (; size && at < sizeof(PTL_LOG_MAGIC) - 1; size--)
		if (*bytes++ != PTL_LOG_MAGIC[at++])
			return false;
	return true;
}

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		long n = ptl_sys_write(fd, bytes, size);

		if (n == -EINTR)
			continue;
		if (n < 0)
			return (int)n;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

static bool is_zero(const char *bytes, size_t size)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* What is nothing but zeroes takes no memory: it may be more than there is. */
static int put(int copy, const char *bytes, size_t size, uint64_t at)
{
	int64_t err;

	if (!is_zero(bytes, size))
		return write_all(copy, bytes, size);
	err = ptl_sys_truncate(copy, at + size);
	if (err == 0)
		err = ptl_sys_seek(copy, 0, SEEK_END);
	return err < 0 ? (int)err : 0;
}

static int copy_all(int fd, bool as_it_comes, int copy)
{
	char buf[65536];
	uint64_t at = 0;
	int err = 0;
	long n;

	while (!err && (n = as_it_comes ? ptl_sys_read(fd, buf, sizeof(buf)) :
					  ptl_sys_pread(fd, buf, sizeof(buf),
							(int64_t)at))) {
		if (n == -EINTR)
			continue;
		if (n < 0)
			return (int)n;
		if (!may_be_log(buf, (size_t)n, at))
			return -EINVAL;
		err = put(copy, buf, (size_t)n, at);
		at += (uint64_t)n;
	}
	return err;
}

int ptl_spool(int fd, bool as_it_comes)
{
	int copy = (int)ptl_sys(SYS_memfd_create, "ptlog", 1, 0, 0);
	int err = copy < 0 ? copy : copy_all(fd, as_it_comes, copy);

	if (err && copy >= 0)
		ptl_sys_close(copy);
	return err ? err : copy;
}
