/* SPDX-License-Identifier: MIT */
/* A full tmpfs is ENOSPC when the segment is made, and nothing stays behind. */
#include "core/shm/segment.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SIZE (1 << 20)

static unsigned long free_blocks(int dir)
{
	struct statvfs st;

	return fstatvfs(dir, &st) ? 0 : st.f_bfree;
}

int main(void)
{
	char path[] = "/tmp/ptl-test-XXXXXX", tmp[PTL_SHM_NAME];
	unsigned long blocks;
	void *map = NULL;
	int dir;

	/* In a namespace of our own: it unmounts itself. */
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    !mkdtemp(path))
		skip_all("may not mount");
	if (mount("none", path, "tmpfs", 0, "size=2m")) {
		rmdir(path);
		skip_all("may not mount a tmpfs");
	}
	plan(6);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	blocks = free_blocks(dir);
	is_int(ptl_segment_create(dir, 3 * SIZE, geteuid(), tmp, &map), ENOSPC,
	       "more than there is");
	ok(!map, "the result is untouched");
	is_int((long long)free_blocks(dir), (long long)blocks,
	       "all the space is free again");
	is_int(ptl_segment_create(dir, SIZE, geteuid(), tmp, &map), 0,
	       "what there is");
	memset(map, 1, SIZE);
	is_int(ptl_segment_create(dir, 2 * SIZE, geteuid(), tmp, &map), ENOSPC,
	       "more than there still is");
	is_int(ptl_segment_create(dir, UINT64_C(1) << 62, geteuid(), tmp, &map),
	       ENOSPC, "more than there can be");
	umount2(path, MNT_DETACH);
	rmdir(path);
	return done();
}
