/* SPDX-License-Identifier: MIT */
/* What is left in /dev/shm, and of System V shared memory. */
#include "t/stress/deaths/deaths.h"

#include "core/format/registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define MAX_IDS 8192
#define TRIES 20
/* So long a program that does not come is waited for. */
#define EXEC_NS UINT64_C(10000000000)
#define MAX_SAID 10

/* What is looked at, from all run directories. */
static struct {
	uint64_t alive[2 * MAX_IDS]; /* of processes: as dt_self() */
	uint64_t table[MAX_IDS];     /* names of those that are there */
	int shm[MAX_IDS];
	unsigned int nr_alive, nr_table, nr_shm, nr_left;
} see;

static int say; /* what is left */

static void __attribute__((format(printf, 1, 2))) left(const char *fmt, ...)
{
	va_list ap;

	see.nr_left++;
	if (!say || see.nr_left > MAX_SAID)
		return;
	va_start(ap, fmt);
	fprintf(stderr, "# deaths: left: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
}

static void each(const char *path, const char *first,
		 void (*fn)(const char *dir, const char *name))
{
	struct dirent *entry;
	DIR *dir = opendir(path);

	while (dir && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, first, strlen(first)) == 0)
			fn(path, entry->d_name);
	if (dir)
		closedir(dir);
}

static void *load(const char *dir, const char *name, size_t *size)
{
	char path[600];
	struct stat st;
	void *base = NULL;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0) {
		*size = (size_t)st.st_size;
		base = calloc(1, *size + sizeof(struct ptl_shm_registry));
		if (read(fd, base, *size) != (ssize_t)*size)
			*size = 0;
	}
	close(fd);
	return base;
}

/* ---- who is alive -------------------------------------------------- */

static void look_at_process(const char *dir, const char *name)
{
	char path[600], line[256];
	unsigned int pid = 0, n;
	struct stat st;
	FILE *file;

	if (atoi(name) <= 0 || see.nr_alive >= 2 * MAX_IDS)
		return;
	snprintf(path, sizeof(path), "%s/%s/ns/pid", dir, name);
	if (stat(path, &st))
		return;
	snprintf(path, sizeof(path), "%s/%s/status", dir, name);
	file = fopen(path, "r");
	/* Of its numbers the last is that in its own namespace. */
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "NSpid:", 6) == 0)
			for (char *at = line + 6; sscanf(at, "%u", &n) == 1;) {
				pid = n;
				at += strspn(at, " \t");
				at += strcspn(at, " \t\n");
			}
		else if (strncmp(line, "State:\tZ", 8) == 0)
			break;
	if (file)
		fclose(file);
	if (pid)
		see.alive[see.nr_alive++] = (uint64_t)st.st_ino << 32 | pid;
}

static int lives(uint64_t pidns, uint32_t pid)
{
	for (unsigned int i = 0; i < see.nr_alive; i++)
		if (see.alive[i] == (pidns << 32 | pid))
			return 1;
	return 0;
}

/* ---- what is there ------------------------------------------------- */

static void keep_memory(int id)
{
	if (see.nr_shm < MAX_IDS)
		see.shm[see.nr_shm++] = id;
}

static void keep_table(uint64_t id)
{
	if (ptl_apart_is(id))
		keep_memory((int)(id >> 32 & INT32_MAX));
	else if (id && see.nr_table < MAX_IDS)
		see.table[see.nr_table++] = id;
}

static void look_at_registry(const char *dir, const char *name)
{
	struct ptl_shm_registry *reg;
	size_t size;

	reg = load(dir, name, &size);
	if (!reg)
		return;
	keep_table(reg->common.names);
	for (unsigned int i = 0; i < PTL_ENTRIES_MAX; i++) {
		struct ptl_shm_entry *entry = &reg->entry[i];
		uint64_t key = reg->key[i];

		if ((key >> 12 & 0xf) == PTL_KEY_FREE)
			continue;
		keep_table(entry->names);
		if (entry->exec_since + EXEC_NS > dt->used)
			continue;
		if (!lives(entry->ident.pidns, entry->ident.pid))
			left("%s: entry %u, key %#llx, pid %u of %llu, flags "
			     "%u, image %u, active %#llx, exec %d, \"%.40s\"",
			     dir, i, (unsigned long long)key, entry->ident.pid,
			     (unsigned long long)entry->ident.pidns,
			     entry->flags, entry->image,
			     (unsigned long long)entry->active,
			     entry->exec_since != 0, entry->program);
	}
	free(reg);
}

static void look_at_stream(const char *dir, const char *name)
{
	struct ptl_shm_head *head;
	struct ptl_shm_log *log;
	size_t size;

	head = load(dir, name, &size);
	if (!head)
		return;
	log = (void *)((char *)head + head->log_off);
	keep_table(head->names);
	if (!lives(head->creator.pidns, head->creator.pid))
		left("%s/%s: of pid %u of %llu, log status %u, \"%s\"", dir,
		     name, head->creator.pid,
		     (unsigned long long)head->creator.pidns, log->log_status,
		     log->path);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++)
		if (log->bridges.guest[i].word)
			keep_memory(log->bridges.guest[i].id);
	free(head);
}

static void look_at_table(const char *dir, const char *name)
{
	uint64_t id = strtoull(name + 2, NULL, 16);

	for (unsigned int i = 0; i < see.nr_table; i++)
		if (see.table[i] == id)
			return;
	left("%s/%s", dir, name);
}

static void look_at_temporary(const char *dir, const char *name)
{
	left("%s/%s", dir, name);
}

static void look_at_directory(const char *dir, const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	each(path, "r.", look_at_registry);
	each(path, "s.", look_at_stream);
	each(path, "t.", look_at_table);
	each(path, "x.", look_at_temporary);
}

static void look_at_shm(void)
{
	struct shmid_ds ds;
	int most = shmctl(0, SHM_INFO, &ds);

	for (int i = 0; i <= most; i++) {
		int id = shmctl(i, SHM_STAT, &ds);
		unsigned int n = 0;

		while (id >= 0 && n < see.nr_shm && see.shm[n] != id)
			n++;
		if (id >= 0 && n == see.nr_shm)
			left("shared memory %d of user %u, owner %u, used by "
			     "%lu, last by %d, made by %d",
			     id, ds.shm_perm.cuid, ds.shm_perm.uid,
			     (unsigned long)ds.shm_nattch, ds.shm_lpid,
			     ds.shm_cpid);
	}
}

int dt_left(void)
{
	/* Those that live come and go: only what stays is left. */
	for (int n = 0; n < TRIES; n++) {
		memset(&see, 0, sizeof(see));
		say = n == TRIES - 1;
		each("/proc", "", look_at_process);
		each("/dev/shm", "ptrace-", look_at_directory);
		look_at_shm();
		if (see.nr_left == 0)
			return 0;
		usleep(50000);
	}
	return (int)see.nr_left;
}

/* ---- age ------------------------------------------------------------ */

static void make_old(const char *dir, const char *name)
{
	struct timeval long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	utimes(path, long_ago);
}

static void make_old_in(const char *dir, const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	each(path, "x.", make_old);
}

void dt_left_age(void)
{
	each("/dev/shm", "ptrace-", make_old_in);
}
