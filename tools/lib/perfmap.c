/* SPDX-License-Identifier: MIT */
/* See perfmap.h. */
#include "tools/lib/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/say.h"

#define TEXT_MOST (64u * 1024 * 1024)
#define NAME_MOST 4096u
/* So many pieces of code that begin before an address are looked at. */
#define OVERLAPS_MOST 64
#define MOVES_MOST 65536u

struct ptl_perfmap_text {
	struct ptl_perfmap_text *next;
	size_t size;
	char bytes[]; /* with a null behind them */
};

/* ---- files ----------------------------------------------------------- */

int ptl_perfmap_open_path(int dir, const char *path, uid_t owner)
{
	int fd = openat(dir, path,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
				O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    (status.st_uid == owner || status.st_uid == geteuid()))
		return fd;
	close(fd);
	return -1;
}

int ptl_perfmap_open(int dir, pid_t pid, uid_t owner)
{
	char path[32];

	snprintf(path, sizeof(path), "perf-%d.map", (int)pid);
	return ptl_perfmap_open_path(dir, path, owner);
}

static struct ptl_perfmap_text *read_text(int fd)
{
	struct ptl_perfmap_text *text;
	struct stat status;
	size_t most;

	if (fstat(fd, &status) != 0 || status.st_size <= 0)
		return NULL;
	most = status.st_size < (off_t)TEXT_MOST ? (size_t)status.st_size :
						   TEXT_MOST;
	text = ptl_alloc(sizeof(*text) + most + 1);
	while (text->size < most) {
		ssize_t got = pread(fd, text->bytes + text->size,
				    most - text->size, (off_t)text->size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		text->size += (size_t)got;
	}
	return text;
}

/* ---- names ----------------------------------------------------------- */

static void add(struct ptl_perfmap *map, uint64_t start, uint64_t size,
		const char *name)
{
	if (size == 0 || start > UINT64_MAX - size || *name == '\0')
		return;
	map->name =
		ptl_grow(map->name, map->nr, &map->room, sizeof(*map->name));
	map->name[map->nr] = (struct ptl_perfmap_name){
		.start = start,
		.size = size,
		.name = name,
		.order = map->nr,
	};
	map->nr++;
	map->is_sorted = false;
}

/* Control characters have no business in a name. */
static void clean(char *name)
{
	for (size_t i = 0; name[i] != '\0'; i++) {
		if (i == NAME_MOST)
			name[i] = '\0';
		else if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			name[i] = '?';
	}
}

static void read_line(struct ptl_perfmap *map, char *line)
{
	uint64_t start, size;
	char *end;

	start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return;
	line = end + 1;
	size = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return;
	clean(end + 1);
	add(map, start, size, end + 1);
}

/* A last line without its end is being written, or was never finished. */
static void read_lines(struct ptl_perfmap *map, struct ptl_perfmap_text *text)
{
	char *line = text->bytes, *end = text->bytes + text->size;

	while (line < end) {
		char *stop = memchr(line, '\n', (size_t)(end - line));

		if (stop == NULL)
			return;
		*stop = '\0';
		read_line(map, line);
		line = stop + 1;
	}
}

/* ---- jitdump --------------------------------------------------------- */

#define JITDUMP_MAGIC 0x4a695444u /* in the byte order of who wrote it */
#define JITDUMP_LOAD 0u
#define JITDUMP_MOVE 1u

struct jitdump_head {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t time, flags;
};

struct jitdump_record {
	uint32_t id, size;
	uint64_t time;
};

struct jitdump_load {
	uint32_t pid, tid;
	uint64_t vma, address, size, index;
	/* a name with its null, and the code */
};

struct jitdump_move {
	uint32_t pid, tid;
	uint64_t vma, from, to, size, index;
};

static void read_load(struct ptl_perfmap *map, char *body, size_t size)
{
	struct jitdump_load load;
	char *name = body + sizeof(load);

	if (size <= sizeof(load) ||
	    memchr(name, '\0', size - sizeof(load)) == NULL)
		return;
	memcpy(&load, body, sizeof(load));
	clean(name);
	add(map, load.address, load.size, name);
}

static void read_move(struct ptl_perfmap *map, const char *body, size_t size)
{
	struct jitdump_move move;

	if (size < sizeof(move))
		return;
	memcpy(&move, body, sizeof(move));
	/* The last one that was there; not very long ago. */
	for (size_t i = map->nr; i-- > 0 && map->nr - i < MOVES_MOST;) {
		if (map->name[i].start != move.from)
			continue;
		add(map, move.to, map->name[i].size, map->name[i].name);
		return;
	}
}

static bool is_jitdump(const struct ptl_perfmap_text *text,
		       struct jitdump_head *head)
{
	if (text->size < sizeof(*head))
		return false;
	memcpy(head, text->bytes, sizeof(*head));
	return head->magic == JITDUMP_MAGIC;
}

static void read_records(struct ptl_perfmap *map, struct ptl_perfmap_text *text,
			 const struct jitdump_head *head)
{
	size_t at = head->size;

	while (at < text->size &&
	       text->size - at >= sizeof(struct jitdump_record)) {
		struct jitdump_record record;
		char *body = text->bytes + at + sizeof(record);
		size_t size;

		memcpy(&record, text->bytes + at, sizeof(record));
		if (record.size < sizeof(record) ||
		    record.size > text->size - at)
			return;
		size = record.size - sizeof(record);
		if (record.id == JITDUMP_LOAD)
			read_load(map, body, size);
		else if (record.id == JITDUMP_MOVE)
			read_move(map, body, size);
		at += record.size;
	}
}

void ptl_perfmap_read(struct ptl_perfmap *map, int fd)
{
	struct ptl_perfmap_text *text = read_text(fd);
	struct jitdump_head head;

	if (text == NULL)
		return;
	text->next = map->text;
	map->text = text;
	if (is_jitdump(text, &head))
		read_records(map, text, &head);
	else
		read_lines(map, text);
}

/* ---- by address ------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
	const struct ptl_perfmap_name *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* How many begin at the address, or before it. */
static size_t count_before(const struct ptl_perfmap *map, uint64_t address)
{
	size_t low = 0, high = map->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->name[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct ptl_perfmap_name *ptl_perfmap_find(struct ptl_perfmap *map,
					  uint64_t address)
{
	struct ptl_perfmap_name *found = NULL;
	size_t at;

	if (!map->is_sorted && map->nr > 0)
		qsort(map->name, map->nr, sizeof(*map->name), compare);
	map->is_sorted = true;
	at = count_before(map, address);
	for (size_t looks = 0; at-- > 0 && looks < OVERLAPS_MOST; looks++) {
		struct ptl_perfmap_name *name = &map->name[at];

		if (address - name->start < name->size &&
		    (found == NULL || name->order > found->order))
			found = name;
	}
	return found;
}

void ptl_perfmap_clear(struct ptl_perfmap *map)
{
	while (map->text != NULL) {
		struct ptl_perfmap_text *next = map->text->next;

		free(map->text);
		map->text = next;
	}
	free(map->name);
	*map = (struct ptl_perfmap){0};
}
