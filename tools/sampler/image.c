/* SPDX-License-Identifier: MIT */
/*
 * See image.h.  The whole size of an image is reserved, so that no two have an
 * address in common, which the cache of rules would mix up.
 */
#include "tools/sampler/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/notes.h"
#include "tools/lib/say.h"

#define HEADERS_MOST 128u
#define IMAGE_MOST (UINT64_C(1) << 36)
#define RULES_MOST (UINT64_C(1) << 28)
#define NOTES_MOST 4096u

/* Of all files together: memory for rules, and address space that is reserved
 * for them; files with rules, and files. */
#define RULES_ALL (UINT64_C(1) << 30)
#define RESERVED_ALL (UINT64_C(1) << 44)
#define RULED_MOST 16384u
#define IMAGES_MOST 65536u

/* By their paths. */
#define BUCKETS 4096u
static struct ptl_sampled_file *buckets[BUCKETS];

static uint64_t rules_all, reserved_all;
static unsigned int ruled, images;

static uint64_t page_size(void)
{
	static uint64_t size;

	if (size == 0)
		size = (uint64_t)sysconf(_SC_PAGESIZE);
	return size;
}

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, (char *)to + done, size - done,
				    (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static bool is_file(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static int open_file(pid_t pid, const char *path)
{
	const int flags =
		O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	char there[PATH_MAX + 32];
	int fd;

	snprintf(there, sizeof(there), "/proc/%d/root%s", (int)pid, path);
	fd = open(there, flags);
	if (fd < 0)
		fd = open(path, flags);
	if (fd >= 0 && !is_file(fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void read_notes(int fd, const Elf64_Phdr *header,
		       struct ptl_image_id *id)
{
	unsigned char notes[NOTES_MOST];
	size_t size = header->p_filesz < sizeof(notes) ? header->p_filesz :
							 sizeof(notes);

	if (id->build_id_size == 0 &&
	    read_at(fd, notes, size, header->p_offset))
		id->build_id_size = (uint8_t)ptl_notes_build_id(
			notes, size, id->build_id, sizeof(id->build_id));
}

struct headers {
	Elf64_Phdr at[HEADERS_MOST];
	unsigned int nr;
};

static bool read_headers(int fd, struct headers *headers)
{
	Elf64_Ehdr head;

	if (!read_at(fd, &head, sizeof(head), 0) ||
	    memcmp(head.e_ident, ELFMAG "\2\1", SELFMAG + 2) != 0 ||
	    head.e_phentsize != sizeof(Elf64_Phdr) ||
	    head.e_phnum > HEADERS_MOST)
		return false;
	headers->nr = head.e_phnum;
	return read_at(fd, headers->at, headers->nr * sizeof(Elf64_Phdr),
		       head.e_phoff);
}

/* Would the kernel map it?  What is in the file is then within the image. */
static bool is_sound(const Elf64_Phdr *header)
{
	return header->p_vaddr <= INT64_MAX && header->p_memsz <= INT64_MAX &&
	       header->p_filesz <= header->p_memsz;
}

static void add_code(struct ptl_sampled_file *image, const Elf64_Phdr *header)
{
	uint64_t down = header->p_vaddr % page_size();

	if (!(header->p_flags & PF_X) ||
	    image->nr == PTL_ARRAY_SIZE(image->code))
		return;
	image->code[image->nr].offset = header->p_offset - down;
	image->code[image->nr].vaddr = header->p_vaddr - down;
	image->code[image->nr++].size = header->p_filesz + down;
}

/* The size of the image, and its code.  False: it makes no sense, and has no
 * code. */
static bool measure(struct ptl_sampled_file *image,
		    const struct headers *headers)
{
	uint64_t low = UINT64_MAX, high = 0;
	bool is_good = true;

	for (unsigned int i = 0; i < headers->nr; i++) {
		const Elf64_Phdr *header = &headers->at[i];

		if (header->p_type != PT_LOAD)
			continue;
		is_good &= is_sound(header);
		low = PTL_MIN(low,
			      header->p_vaddr - header->p_vaddr % page_size());
		high = PTL_MAX(high, header->p_vaddr + header->p_memsz);
		add_code(image, header);
	}
	image->low = low;
	image->size = high > low ? high - low : 0;
	is_good &= image->size > 0 && image->size < IMAGE_MOST;
	if (!is_good)
		image->nr = 0;
	return is_good;
}

static const Elf64_Phdr *find_segment(const struct headers *headers,
				      uint64_t vaddr)
{
	for (unsigned int i = 0; i < headers->nr; i++) {
		const Elf64_Phdr *header = &headers->at[i];

		if (header->p_type == PT_LOAD &&
		    vaddr - header->p_vaddr < header->p_filesz)
			return header;
	}
	return NULL;
}

/* .eh_frame_hdr begins with where .eh_frame is; 0: it is not known. */
static uint64_t find_frames(int fd, const Elf64_Phdr *segment, uint64_t table)
{
	unsigned char head[8];
	int32_t to;

	if (!read_at(fd, head, sizeof(head),
		     segment->p_offset + (table - segment->p_vaddr)) ||
	    head[0] != 1 || head[1] != 0x1b)
		return 0;
	memcpy(&to, head + 4, sizeof(to));
	return table + 4 + (uint64_t)(int64_t)to;
}

/* A machine with very many programs, or a hostile one, must not have us take
 * all memory: what comes later has no rules. */
static bool is_room(uint64_t reserved, uint64_t rules)
{
	return ruled < RULED_MOST && rules <= RULES_MOST &&
	       rules <= RULES_ALL - rules_all &&
	       reserved <= RESERVED_ALL - reserved_all;
}

/* From the table and its entries on, all that the segment has. */
static void copy_rules(int fd, struct ptl_sampled_file *image,
		       const struct headers *headers, uint64_t table)
{
	const Elf64_Phdr *segment = find_segment(headers, table);
	uint64_t frames = segment ? find_frames(fd, segment, table) : 0;
	uint64_t from = table < frames ? table : frames, size, first;
	unsigned char *base;

	if (!segment || frames - segment->p_vaddr >= segment->p_filesz)
		return;
	size = segment->p_vaddr + segment->p_filesz - from;
	if (!is_room(image->size + page_size(), size))
		return;
	base = mmap(NULL, image->size + page_size(), PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base == MAP_FAILED)
		return;
	first = (from - image->low) / page_size() * page_size();
	if (mprotect(base + first, from - image->low + size - first,
		     PROT_READ | PROT_WRITE) != 0 ||
	    !read_at(fd, base + (from - image->low), size,
		     segment->p_offset + (from - segment->p_vaddr))) {
		munmap(base, image->size + page_size());
		return;
	}
	ruled++;
	rules_all += size;
	reserved_all += image->size + page_size();
	image->object = (struct ptl_foreign_object){
		.begin = base,
		.end = base + image->size,
		.bytes = base + (from - image->low),
		.bytes_end = base + (from - image->low) + size,
		.table = (uintptr_t)base + (table - image->low),
	};
}

static bool is_same(const struct ptl_image_id *a, const struct ptl_image_id *b)
{
	if (a->build_id_size > 0 && b->build_id_size > 0)
		return a->build_id_size == b->build_id_size &&
		       memcmp(a->build_id, b->build_id, a->build_id_size) == 0;
	return a->inode == b->inode || a->inode == 0 || b->inode == 0;
}

static void read_file(int fd, struct ptl_sampled_file *image)
{
	static struct headers headers;
	struct ptl_image_id found = {0};
	struct stat status;
	uint64_t table = 0;

	if (!read_headers(fd, &headers) || fstat(fd, &status) != 0)
		return;
	found.inode = (uint64_t)status.st_ino;
	for (unsigned int i = 0; i < headers.nr; i++) {
		if (headers.at[i].p_type == PT_NOTE)
			read_notes(fd, &headers.at[i], &found);
		if (headers.at[i].p_type == PT_GNU_EH_FRAME)
			table = headers.at[i].p_vaddr;
	}
	if (!is_same(&image->id, &found) || !measure(image, &headers))
		return;
	image->id = found;
	image->is_program = true;
	if (table != 0)
		copy_rules(fd, image, &headers, table);
}

/* Ours: of one kernel all are the same. */
static void take_vdso(struct ptl_sampled_file *image)
{
	const unsigned char *base =
		(const unsigned char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *head = (const void *)base;
	static struct headers headers;
	uint64_t table = 0;

	if (base == NULL || head->e_phnum > HEADERS_MOST)
		return;
	headers.nr = head->e_phnum;
	memcpy(headers.at, base + head->e_phoff,
	       headers.nr * sizeof(Elf64_Phdr));
	for (unsigned int i = 0; i < headers.nr; i++)
		if (headers.at[i].p_type == PT_GNU_EH_FRAME)
			table = headers.at[i].p_vaddr;
	if (!measure(image, &headers) || table - image->low >= image->size)
		return;
	image->is_program = true;
	image->object = (struct ptl_foreign_object){
		.begin = base,
		.end = base + image->size,
		.bytes = base,
		.bytes_end = base + image->size,
		.table =
			table != 0 ? (uintptr_t)base + (table - image->low) : 0,
	};
}

/* One that was not read is not there for another of its name. */
static bool is_that(const struct ptl_sampled_file *image, const char *path,
		    const struct ptl_image_id *id)
{
	if (strcmp(image->path, path) != 0)
		return false;
	return image->is_program ? is_same(&image->id, id) :
				   memcmp(&image->id, id, sizeof(*id)) == 0;
}

static struct ptl_sampled_file **bucket_of(const char *path)
{
	uint32_t hash = 5381;

	for (; *path != '\0'; path++)
		hash = hash * 33 + (unsigned char)*path;
	return &buckets[hash % BUCKETS];
}

static struct ptl_sampled_file *find_image(const char *path,
					   const struct ptl_image_id *id)
{
	struct ptl_sampled_file *image = *bucket_of(path);

	while (image != NULL && !is_that(image, path, id))
		image = image->next;
	return image;
}

struct ptl_sampled_file *ptl_image_get(pid_t pid, const char *path,
				       const struct ptl_image_id *id)
{
	struct ptl_sampled_file *image = find_image(path, id), **bucket;
	int fd;

	if (image != NULL || images == IMAGES_MOST)
		return image;
	images++;
	image = ptl_alloc(sizeof(*image));
	image->path = ptl_alloc(strlen(path) + 1);
	strcpy(image->path, path);
	image->id = *id;
	bucket = bucket_of(path);
	image->next = *bucket;
	*bucket = image;
	if (strcmp(path, "[vdso]") == 0) {
		take_vdso(image);
		return image;
	}
	fd = path[0] == '/' ? open_file(pid, path) : -1;
	if (fd >= 0) {
		read_file(fd, image);
		close(fd);
	}
	return image;
}

static uint64_t round_up(uint64_t size)
{
	return (size + page_size() - 1) & ~(page_size() - 1);
}

bool ptl_image_bias(const struct ptl_sampled_file *image, uint64_t start,
		    uint64_t offset, uint64_t *bias)
{
	/* Two segments may share a page of the file. */
	for (unsigned int i = 0; i < image->nr; i++) {
		uint64_t into = offset - image->code[i].offset;

		if (into >= round_up(image->code[i].size))
			continue;
		*bias = start - (image->code[i].vaddr + into);
		return true;
	}
	return false;
}

bool ptl_image_object(const struct ptl_sampled_file *image, uint64_t bias,
		      struct ptl_foreign_object *object)
{
	if (image->object.table == 0)
		return false;
	*object = image->object;
	object->bias = bias + image->low - (uintptr_t)image->object.begin;
	return true;
}
