/* SPDX-License-Identifier: MIT */
/*
 * Files that are no honest programs, as any user can run one whose samples root
 * takes: nothing of them is used that is not within what they say of
 * themselves; and many of them do not take all memory.
 */
#include "t/lib/tap.h"
#include "tools/sampler/image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[] = "/tmp/ptrace-images-XXXXXX";

/* What is on the disk: rules at 0x800, and nothing but zeros else. */
#define RULES 0x800u
#define CODE 0x400u
#define SIZE 0x1000u
static struct file {
	Elf64_Ehdr head;
	Elf64_Phdr segment[2], rules;
	unsigned char rest[4 * SIZE];
} file;

static void make(void)
{
	const unsigned char rules[] = {1, 0x1b, 3, 0x3b, 0x10, 0, 0, 0};

	memset(&file, 0, sizeof(file));
	memcpy(file.head.e_ident, ELFMAG "\2\1\1", SELFMAG + 3);
	file.head.e_phoff = offsetof(struct file, segment);
	file.head.e_phentsize = sizeof(Elf64_Phdr);
	file.head.e_phnum = 3;
	file.segment[0] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_filesz = SIZE,
		.p_memsz = SIZE,
	};
	file.segment[1] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R,
		.p_offset = SIZE,
		.p_vaddr = SIZE,
		.p_filesz = SIZE,
		.p_memsz = SIZE,
	};
	file.rules = (Elf64_Phdr){
		.p_type = PT_GNU_EH_FRAME,
		.p_offset = RULES,
		.p_vaddr = RULES,
		.p_filesz = sizeof(rules),
	};
	memcpy((char *)&file + RULES, rules, sizeof(rules));
}

static struct ptl_sampled_file *get(void)
{
	const struct ptl_image_id any = {.inode = 0};
	static unsigned int number;
	struct ptl_sampled_file *image;
	char path[64];
	FILE *to;

	snprintf(path, sizeof(path), "%s/%u", dir, number++);
	to = fopen(path, "w");
	if (!to || fwrite(&file, sizeof(file), 1, to) != 1 || fclose(to) != 0)
		exit(99);
	image = ptl_image_get(getpid(), path, &any);
	unlink(path);
	return image;
}

static bool has_rules(const struct ptl_sampled_file *image)
{
	struct ptl_foreign_object object;

	return ptl_image_object(image, 0, &object);
}

static bool has_code(const struct ptl_sampled_file *image)
{
	uint64_t bias;

	return ptl_image_bias(image, UINT64_C(1) << 32, CODE, &bias);
}

static void is_refused(const char *what)
{
	const struct ptl_sampled_file *image = get();

	ok(!image->is_program && !has_rules(image), "%s: nothing is read",
	   what);
	ok(!has_code(image), "%s: nor has it code", what);
}

static void refuse(void)
{
	/* The first has more in the file than it takes in memory, up to behind
	 * the image. */
	make();
	file.segment[0].p_filesz = 4 * SIZE;
	is_refused("a file that is larger than its image");
	make();
	file.segment[1].p_filesz = 2 * SIZE;
	is_refused("a second segment that is");
	make();
	file.segment[1].p_vaddr = UINT64_MAX - SIZE;
	is_refused("at the end of all addresses");
	make();
	file.segment[1].p_memsz = UINT64_MAX;
	is_refused("of all sizes");
	make();
	file.segment[1].p_memsz = UINT64_C(1) << 40;
	is_refused("a larger image than there are");
}

/* Each a little, but a part of the address space. */
static void reserve(void)
{
	unsigned int with = 0, nr = 400;

	if (under_valgrind() || under_asan()) {
		skip(2, "addresses are few here");
		return;
	}
	make();
	file.segment[1].p_memsz = UINT64_C(60) << 30;
	for (unsigned int i = 0; i < nr; i++)
		with += has_rules(get());
	ok(with > 100 && with < nr, "of %u huge images %u have rules", nr,
	   with);
	make();
	ok(has_rules(get()), "a small one has, after that");
}

static void name_many(void)
{
	const struct ptl_image_id any = {.inode = 1};
	const struct ptl_sampled_file *image, *first = NULL;
	unsigned int nr = 0;
	char path[64];

	do {
		snprintf(path, sizeof(path), "nowhere/%u", nr);
		image = ptl_image_get(getpid(), path, &any);
		first = first ? first : image;
	} while (image && ++nr < 100000);
	ok(nr > 60000 && nr < 70000, "no more than %u files are known", nr);
	ok(ptl_image_get(getpid(), "nowhere/0", &any) == first,
	   "those that are still are");
}

int main(void)
{
	plan(16);
	if (!mkdtemp(dir))
		return 99;
	make();
	ok(has_rules(get()), "an honest file has rules");
	ok(has_code(get()), "and code");
	refuse();
	reserve();
	name_many();
	rmdir(dir);
	return done();
}
