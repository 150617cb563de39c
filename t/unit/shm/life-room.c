/* SPDX-License-Identifier: MIT */
/* Where the bytes that few processes need are all taken a process has one of
 * the others as its sign of life: there are as many as entries. */
#include "core/shm/life.h"
#include "core/shm/segment.h"

#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* By a process of its own, as far as locks know. */
static int take(int dir, const char *file, off_t from, off_t size)
{
	struct flock lock = {
		.l_type = F_WRLCK,
		.l_start = from,
		.l_len = size,
	};
	int fd = openat(dir, file, O_RDWR | O_CREAT, 0600);

	return fcntl(fd, F_OFD_SETLK, &lock);
}

int main(int argc, char **argv)
{
	struct ptl_registry reg;
	uint32_t life;
	char file[16];
	int dir, n = 0;

	(void)argc;
	private_shm(argv);
	plan(4);
	dir = ptl_rundir_open(geteuid(), true);
	is_int(ptl_registry_open(dir, geteuid(), true, &reg), 0, "a registry");
	take(dir, "l.0", 0, 64);
	life = ptl_life_take(&reg, dir);
	ok(life > 64 && life <= PTL_ENTRIES_MAX, "byte %u", life - 1);
	for (uint32_t i = 1; i < 64; i++) {
		snprintf(file, sizeof(file), "l.%u", i);
		/* All but what we have. */
		if (take(dir, file, 0, 64) == 0)
			continue;
		n += i == (life - 1) / 64;
		take(dir, file, 0, (life - 1) % 64);
		take(dir, file, (life - 1) % 64 + 1, 64);
	}
	is_int(n, 1, "which it has locked");
	is_int(ptl_life_take(&reg, dir), PTL_LIFE_NONE, "no more are left");
	return done();
}
