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
#include <sys/stat.h>
#include <time.h>
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

	snprintf(path, sizeof(path), "%s/r.7", dir);
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

static struct ptl_shm_registry *dead_in;
static uint32_t dead[PTL_ENTRIES_MAX], nr_dead;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_BOOTTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct ptl_shm_registry *map_registry(void)
{
	struct ptl_shm_registry *shm = MAP_FAILED;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/shm/ptrace-%u/r.7", geteuid());
	fd = open(path, O_RDWR);
	if (fd >= 0)
		shm = mmap(NULL, sizeof(*shm), PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0);
	close(fd);
	if (shm != MAP_FAILED)
		return shm;
	printf("Bail out! %s: %s\n", path, strerror(errno));
	exit(1);
}

static uint64_t stream_of(pid_t traced)
{
	for (uint32_t i = 0; traced && i < dead_in->span; i++)
		if (dead_in->key[i] >> 32 == (uint32_t)traced)
			return dead_in->entry[i].refs[0] | 1;
	return 0;
}

void shm_leave_dead(pid_t pid, pid_t traced)
{
	struct stat ns = {0};

	dead_in = map_registry();
	stat("/proc/self/ns/pid", &ns);
	for (uint32_t i = 0; i < dead_in->span; i++) {
		struct ptl_shm_entry *entry = &dead_in->entry[i];

		if (dead_in->key[i] >> 12 & 0xf)
			continue;
		memset(entry, 0, sizeof(*entry));
		entry->ident.pid = (uint32_t)pid;
		entry->ident.pidns = ns.st_ino;
		entry->ident.uid = geteuid();
		entry->ident.born = now();
		entry->parent.pid = (uint32_t)getpid();
		entry->flags = PTL_ENTRY_LOADED;
		entry->refs[0] = stream_of(traced);
		entry->active = entry->refs[0] != 0;
		dead_in->key[i] = (uint64_t)pid << 32 | PTL_LIFE_OVER << 16 |
				  PTL_KEY_LISTED << 12;
		dead[nr_dead++] = i;
	}
}

void shm_fill(void)
{
	struct ptl_shm_registry *shm = map_registry();
	char path[64];

	snprintf(path, sizeof(path), "/dev/shm/ptrace-%u/r.7", geteuid());
	if (truncate(path, sizeof(*shm)) == 0)
		shm->room = shm->span = PTL_ENTRIES_MAX;
	shm_leave_dead(1 << 22, 0);
}

void shm_dead_exec(void)
{
	for (uint32_t i = 0; i < nr_dead; i++)
		dead_in->entry[dead[i]].exec_since = now();
}

void shm_clear_dead(void)
{
	while (nr_dead > 0)
		dead_in->key[dead[--nr_dead]] = 0;
}

int shm_found_dead(pid_t pid)
{
	struct ptl_shm_registry *shm = map_registry();

	for (uint32_t i = 0; i < shm->span; i++)
		if (shm->key[i] >> 32 == (uint32_t)pid &&
		    (shm->key[i] >> 12 & 0xf) == PTL_KEY_LISTED) {
			shm->key[i] = UINT64_C(1) << 32 | PTL_LIFE_OVER << 16 |
				      PTL_KEY_FOUND << 12;
			return 1;
		}
	return 0;
}

/* -1: it has none. */
static int awaited(const struct ptl_shm_registry *shm, pid_t pid)
{
	for (uint32_t i = 0; i < shm->span; i++)
		if (shm->key[i] >> 32 == (uint32_t)pid &&
		    (shm->key[i] >> 12 & 0xf) == PTL_KEY_AWAITED)
			return (int)i;
	return -1;
}

int shm_is_awaited(pid_t pid)
{
	struct ptl_shm_registry *shm = map_registry();
	int is = awaited(shm, pid) >= 0;

	munmap(shm, sizeof(*shm));
	return is;
}

int shm_take_awaited(pid_t pid)
{
	struct ptl_shm_registry *shm = map_registry();
	int i = awaited(shm, pid);
	uint32_t to = 0;

	if (i < 0)
		return -1;
	while (shm->key[to] >> 12 & 0xf)
		to++;
	memcpy(&shm->entry[to], &shm->entry[i], sizeof(shm->entry[i]));
	shm->key[to] = (uint64_t)pid << 32 | PTL_KEY_LISTED << 12;
	memset(&shm->entry[i], 0, sizeof(shm->entry[i]));
	shm->key[i] = (uint64_t)getpid() << 32 | PTL_LIFE_OVER << 16 |
		      PTL_KEY_LISTED << 12;
	return i;
}

void shm_give_back(int entry)
{
	map_registry()->key[entry] = 0;
}

int shm_streams(int entry)
{
	struct ptl_shm_registry *shm = map_registry();
	int nr = 0;

	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		nr += shm->entry[entry].refs[i] != 0;
	return nr;
}

void shm_lend(pid_t pid, pid_t traced)
{
	static uint64_t key;
	static uint32_t at;

	dead_in = map_registry();
	if (traced) {
		for (at = 0; dead_in->key[at] >> 32 != (uint32_t)pid; at++)
			;
		key = dead_in->key[at];
		dead_in->key[at] = (uint64_t)getpid() << 32 | PTL_KEY_LISTED
								      << 12;
		dead_in->entry[at].refs[0] = stream_of(traced);
		dead_in->entry[at].active = 1;
	} else {
		dead_in->entry[at].active = 0;
		dead_in->entry[at].refs[0] = 0;
		dead_in->key[at] = key;
	}
	munmap(dead_in, sizeof(*dead_in));
}
