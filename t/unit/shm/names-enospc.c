/* SPDX-License-Identifier: MIT */
/*
 * A table of names in a full tmpfs takes the names that it has memory for, and
 * says that there is no more: no SIGBUS.
 */
#include "core/shm/family.h"
#include "core/shm/names.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Long names, until there is no room; how many. */
static int fill(struct ptl_shm_names *names, int *err)
{
	char name[PTL_NAME_SIZE];
	uint32_t id;
	int n = 0;

	memset(name, 'x', sizeof(name));
	name[PTL_NAME_SIZE - 1] = '\0';
	for (;; n++) {
		name[snprintf(name, sizeof(name), "%d", n)] = ' ';
		*err = ptl_names_open(names, name, &id);
		while (*err == ENOMEM && ptl_family_grow(names) == 0)
			*err = ptl_names_open(names, name, &id);
		if (*err)
			return n;
	}
}

int main(void)
{
	struct ptl_shm_ident maker = { .uid = geteuid() };
	char path[] = "/tmp/ptl-test-XXXXXX", fill_path[64], byte[4096] = "";
	struct ptl_shm_names *names;
	_Atomic uint64_t id = 0;
	int dir, fd, err, n;

	/* In a namespace of our own: it unmounts itself. */
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    !mkdtemp(path))
		skip_all("may not mount");
	if (mount("none", path, "tmpfs", 0, "size=1m")) {
		rmdir(path);
		skip_all("may not mount a tmpfs");
	}
	plan(6);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	is_int(ptl_family_names(dir, &maker, &id, &names), 0,
	       "the table is there, in 1 MiB");
	n = fill(names, &err);
	is_int(err, ENOMEM, "then there is no memory");
	/* What the last 64 KiB lack is missing. */
	ok(n > 2048 && n < 4096, "%d long names have room", n);
	is_int(fill(names, &err), n, "those that are there are found");
	is_int((int)ptl_names_count(names), n, "and no others");

	/* Full before the first name. */
	id = 0;
	snprintf(fill_path, sizeof(fill_path), "%s/full", path);
	fd = open(fill_path, O_WRONLY | O_CREAT, 0600);
	while (write(fd, byte, sizeof(byte)) > 0)
		;
	is_int(ptl_family_names(dir, &maker, &id, &names), ENOSPC,
	       "no table at all in a full one");
	umount2(path, MNT_DETACH);
	rmdir(path);
	return done();
}
