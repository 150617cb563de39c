/* SPDX-License-Identifier: MIT */
/* A file of any size from nothing to a page is refused, whatever it says. */
#include "core/shm/segment.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 4096

static int dir;

static int attach(uint64_t min_size)
{
	uint64_t size;
	void *map;
	int err = ptl_segment_attach(dir, "s.1", PTL_SHM_MAGIC_STREAM, min_size,
				     geteuid(), &map, &size);

	if (err == 0)
		munmap(map, size);
	return err;
}

int main(void)
{
	char path[] = "/dev/shm/ptl-test-XXXXXX";
	unsigned char page[SIZE];
	int cut = 0, garbage = 0, fd;

	plan(4);
	if (!mkdtemp(path))
		return 1;
	dir = open(path, O_RDONLY | O_DIRECTORY);
	fd = openat(dir, "s.1", O_RDWR | O_CREAT, 0600);
	srandom(1);
	for (size_t i = 0; i < SIZE; i++)
		page[i] = (unsigned char)random();
	for (size_t size = 0; size <= SIZE; size++) {
		if (ftruncate(fd, 0) || pwrite(fd, page, size, 0) < 0)
			return 1;
		garbage += attach(0) != EBADMSG;
	}
	is_int(garbage, 0, "garbage of 0 to %d bytes", SIZE);

	ptl_segment_prefix((struct ptl_shm_prefix *)page, PTL_SHM_MAGIC_STREAM,
			   64, SIZE, 1);
	for (size_t size = 0; size < SIZE; size++) {
		if (ftruncate(fd, 0) || pwrite(fd, page, size, 0) < 0)
			return 1;
		cut += attach(0) != EBADMSG;
	}
	is_int(cut, 0, "a segment cut to 0 to %d bytes", SIZE - 1);
	if (ftruncate(fd, 0) || pwrite(fd, page, SIZE, 0) < 0)
		return 1;
	is_int(attach(0), 0, "the whole one");
	is_int(attach(UINT64_MAX), EBADMSG, "the whole one is not that big");

	unlinkat(dir, "s.1", 0);
	rmdir(path);
	return done();
}
