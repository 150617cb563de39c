/* SPDX-License-Identifier: MIT */
#include "t/lib/shm.h"

#include "core/format/registry.h"

#include "t/lib/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

void private_shm(char **argv)
{
	if (getenv("PTL_T_PRIVATE_SHM"))
		return;
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/dev/shm", "tmpfs", 0, "mode=1777") ||
	    (access("/run/ptrace", F_OK) == 0 &&
	     mount("none", "/run", "tmpfs", 0, "mode=755")))
		skip_all("no mount namespace: %s", strerror(errno));
	setenv("PTL_T_PRIVATE_SHM", "1", 1);
	/* Not /proc/self/exe: under valgrind that is valgrind itself. */
	execv(argv[0], argv);
	printf("Bail out! exec: %s\n", strerror(errno));
	exit(1);
}

static int entries(const char *dir)
{
	struct ptl_shm_registry *shm;
	int n = 0, fd;
	char path[96];

	snprintf(path, sizeof(path), "%s/r.5", dir);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	shm = mmap(NULL, offsetof(struct ptl_shm_registry, entry), PROT_READ,
		   MAP_SHARED, fd, 0);
	close(fd);
	for (unsigned int i = 0; shm != MAP_FAILED && i < PTL_ENTRIES_MAX; i++)
		n += (shm->key[i] >> 12 & 0xf) != PTL_KEY_FREE;
	return n;
}

int shm_files(void)
{
	char path[64];
	struct dirent *entry;
	DIR *dir;
	int n = 0;

	snprintf(path, sizeof(path), "/dev/shm/ptrace-%u", geteuid());
	dir = opendir(path);
	n = entries(path);
	while (dir && (entry = readdir(dir)) != NULL)
		if (!strchr(".lr", entry->d_name[0])) {
			n++;
			if (getenv("PTL_T_VERBOSE"))
				diag("left: %s", entry->d_name);
		}
	if (dir)
		closedir(dir);
	return n;
}
