/* SPDX-License-Identifier: MIT */
/*
 * What a user can do to root who traces him; as that user
 *
 *	victim-hostile scribble SEED N	N words of all segments are changed
 *	victim-hostile bridge SEED N	the same of all bridges of that user
 *	victim-hostile append		all logs may grow
 *	victim-hostile churn		what others wait for never comes to rest
 *	victim-hostile cut SIZE		all segments get that size
 *	victim-hostile pipe		a pipe where the registry was
 *	victim-hostile crowd N		N files more
 */
#include "core/format/layout.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#define MAX_SEGMENTS 64

struct segment {
	uint64_t *word;
	size_t nr;
};

static char dir_path[64];
static struct segment segment[MAX_SEGMENTS];
static unsigned int nr_segments;
static uint64_t state;

/* xorshift64*: the same on every machine. */
static uint64_t next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static void each(void (*fn)(int dir, const char *name))
{
	DIR *dir = opendir(dir_path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		if (entry->d_name[1] == '.' && entry->d_name[0] != '.')
			fn(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

static void map(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR);
	struct stat st;
	void *at;

	if (fd < 0 || nr_segments == MAX_SEGMENTS || fstat(fd, &st))
		return;
	at = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		  fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	segment[nr_segments].word = at;
	segment[nr_segments++].nr = (size_t)st.st_size / 8;
}

static uint64_t value(uint64_t old)
{
	uint64_t random = next();

	switch (random >> 60) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return random & 0xffff;
	case 3:
		return old + (random & 0xff) - 128;
	case 4:
		return old ^ UINT64_C(0xffffffff) << (random & 32);
	case 5:
	case 6:
		return random;
	case 7: /* a word that somebody else has */
	case 8:
		return segment[random % nr_segments].word[random / 64 % 512];
	default:
		return old ^ UINT64_C(1) << (random & 63);
	}
}

static void map_bridges(void)
{
	struct shmid_ds ds;
	int last = shmctl(0, SHM_INFO, &ds);

	for (int i = 0; i <= last && nr_segments < MAX_SEGMENTS; i++) {
		int id = shmctl(i, SHM_STAT, &ds);
		void *at;

		if (id < 0 || ds.shm_perm.cuid != getuid())
			continue;
		at = shmat(id, NULL, 0);
		if (at == (void *)-1)
			continue;
		segment[nr_segments].word = at;
		segment[nr_segments++].nr = ds.shm_segsz / 8;
	}
}

/* Where it begins, each segment is denser: heads, tables, states. */
static int scribble(uint64_t seed, unsigned long nr)
{
	state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	if (nr_segments == 0)
		return 1;
	for (unsigned long i = 0; i < nr; i++) {
		struct segment *s = &segment[next() % nr_segments];
		static const size_t reach[] = {32, 128, 512, 2048, SIZE_MAX};
		size_t limit = reach[next() % 5];
		uint64_t *word =
			&s->word[next() % (limit < s->nr ? limit : s->nr)];

		__atomic_store_n(word, value(*word), __ATOMIC_RELAXED);
		if (i % 1024 == 0)
			usleep(0);
	}
	return 0;
}

/* A chunk is used again all the time, and always has an event. */
static void churn_chunk(struct ptl_shm_head *head, struct ptl_shm_chunk *chunk,
			uint64_t index, uint32_t gen)
{
	uint64_t *word = (void *)((char *)head + head->chunks_off +
				  index * head->chunk_size);

	word[0] = (uint64_t)PTL_RECORD_COMMITTED |
		  (uint64_t)PTL_ID_FIRST_USER << PTL_RECORD_ID_SHIFT;
	chunk->used = 16;
	chunk->read = (uint64_t)gen << 48;
	chunk->own = (uint64_t)gen << 16 | PTL_CHUNK_CLOSED;
	chunk->life++;
}

static void churn(struct ptl_shm_head *head)
{
	struct ptl_shm_chunk *table = (void *)((char *)head + head->table_off);
	struct ptl_shm_log *log = (void *)((char *)head + head->log_off);

	for (uint32_t gen = 1;; gen = gen % 0xffff + 1) {
		head->processes++;
		head->lost_since = gen;
		log->nr_anchors = gen % 2 ? 64 : UINT32_MAX;
		for (uint32_t i = 0; i < 8; i++)
			churn_chunk(head, &table[i], i, gen);
	}
}

/* Of a trace with a limit. */
static void append(struct ptl_shm_head *head)
{
	head->attr.log_policy = POSIX_TRACE_APPEND;
	head->attr.log_size = UINT64_MAX;
}

/* Returns how many there are. */
static unsigned int each_stream(void (*fn)(struct ptl_shm_head *head))
{
	unsigned int nr = 0;

	each(map);
	for (unsigned int i = 0; i < nr_segments; i++) {
		if ((uint32_t)segment[i].word[0] != PTL_SHM_MAGIC_STREAM)
			continue;
		fn((void *)segment[i].word);
		nr++;
	}
	return nr;
}

static off_t cut_size;

static void cut(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR);

	if (fd >= 0 && ftruncate(fd, cut_size) == 0)
		close(fd);
}

static void make_pipe(int dir, const char *name)
{
	if (name[0] == 'r' && unlinkat(dir, name, 0) == 0)
		mkfifoat(dir, name, 0600);
}

static int crowd(unsigned long nr)
{
	char path[128];

	for (unsigned long i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/p.1.%lu", dir_path, i);
		close(open(path, O_CREAT | O_RDWR, 0600));
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long one = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	unsigned long two = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;

	snprintf(dir_path, sizeof(dir_path), "/dev/shm/ptrace-%u", getuid());
	if (strcmp(what, "scribble") == 0)
		each(map);
	else if (strcmp(what, "bridge") == 0)
		map_bridges();
	if (strcmp(what, "scribble") == 0 || strcmp(what, "bridge") == 0)
		return scribble(one, two);
	if (strcmp(what, "churn") == 0)
		return each_stream(churn) == 0;
	if (strcmp(what, "append") == 0)
		return each_stream(append) == 0;
	if (strcmp(what, "crowd") == 0)
		return crowd(one);
	cut_size = (off_t)one;
	if (strcmp(what, "cut") == 0)
		each(cut);
	else if (strcmp(what, "pipe") == 0)
		each(make_pipe);
	else
		return 2;
	return 0;
}
