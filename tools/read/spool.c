/* SPDX-License-Identifier: MIT */
/* Copies of logs; see spool.h. */
#include "tools/read/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "\211PTLOG\r\n";

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno != EINTR)
			return errno;
		if (done > 0) {
			bytes += done;
			size -= (size_t)done;
		}
	}
	return 0;
}

/* The file has so many bytes, or more. */
static int reach(int fd, off_t end)
{
	struct stat st;

	if (end < 0 || fstat(fd, &st) != 0)
		return errno;
	return st.st_size < end && ftruncate(fd, end) != 0 ? errno : 0;
}

/* What is nothing but zeros takes no room. */
int ptl_spool_write(int fd, const char *bytes, size_t size)
{

	if (size == 0 || bytes[0] != 0 ||
	    memcmp(bytes, bytes + 1, size - 1) != 0)
		return write_all(fd, bytes, size);
	return reach(fd, lseek(fd, (off_t)size, SEEK_CUR));
}

static int copy_all(int fd, int copy)
{
	static char buf[65536];
	size_t at = 0;
	ssize_t size;

	while ((size = read(fd, buf, sizeof(buf))) != 0) {
		int error;

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return errno;
		for (ssize_t i = 0; i < size && at < sizeof(magic) - 1; i++)
			if (buf[i] != magic[at++])
				return EINVAL;
		error = ptl_spool_write(copy, buf, (size_t)size);
		if (error != 0)
			return error;
	}
	return 0;
}

/* 0 stands for none. */
static int not_zero(int fd)
{
	int other;

	if (fd != 0)
		return fd < 0 ? -errno : fd;
	other = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	close(fd);
	return other < 0 ? -EMFILE : other;
}

int ptl_spool_file(void)
{
	const char *directory = getenv("TMPDIR");
	int fd = open(directory != NULL && *directory != '\0' ? directory :
								"/tmp",
		      O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = memfd_create("ptlog", MFD_CLOEXEC);
	return not_zero(fd);
}

int ptl_spool_pipe(int fd)
{
	int copy = not_zero(memfd_create("ptlog", MFD_CLOEXEC)), error;

	if (copy < 0)
		return copy;
	error = copy_all(fd, copy);
	if (error == 0)
		return copy;
	close(copy);
	return -error;
}
