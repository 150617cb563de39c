/* SPDX-License-Identifier: MIT */
/* Names of code that is made at run time, in files that others write. */
#include "tools/lib/perfmap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "t/lib/tap.h"

static struct ptl_perfmap map;

static int file_of(const void *bytes, size_t size)
{
	int fd = memfd_create("map", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		return -1;
	return fd;
}

static void take(const void *bytes, size_t size)
{
	int fd = file_of(bytes, size);

	ptl_perfmap_clear(&map);
	ptl_perfmap_read(&map, fd);
	close(fd);
}

static const char *name_at(uint64_t address)
{
	const struct ptl_perfmap_name *name = ptl_perfmap_find(&map, address);

	return name != NULL ? name->name : "none";
}

static void check_lines(void)
{
	static const char text[] = "7f00 10 py::f:/tmp/a b.py\n"
				   "0x7f20 0x8 LazyCompile:*g\n"
				   "nonsense\n"
				   " 7f30\n"
				   "7f40 0 empty\n"
				   "ffffffffffffff00 fff beyond\n"
				   "7f50 10 \n"
				   "7f60 10 tab\there\n"
				   "7f00 20 later\n"
				   "7f70 10 not finished";

	take(text, sizeof(text) - 1);
	is_str(name_at(0x7f08), "later", "the later one holds");
	is_str(name_at(0x7f20), "LazyCompile:*g", "its first byte");
	is_str(name_at(0x7f27), "LazyCompile:*g", "its last byte");
	is_str(name_at(0x7f28), "none", "and not the one behind it");
	is_str(name_at(0x7eff), "none", "nor before all");
	is_str(name_at(0x7f40), "none", "what has no size has no name");
	is_str(name_at(0xffffffffffffff80), "none", "nor what has no end");
	is_str(name_at(0x7f50), "none", "nor what has none");
	is_str(name_at(0x7f60), "tab?here", "no control characters");
	is_str(name_at(0x7f70), "none", "a line that is being written");
}

static size_t put(char *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return size;
}

/* A function at 0x1000, which moves to 0x3000. */
static size_t make_dump(char *to)
{
	const uint32_t head[] = {0x4a695444, 1, 40, 62, 0, 1, 0, 0, 0, 0};
	const char name[] = "add:1", code[] = {1, 2, 3, 4};
	const uint64_t load[] = {0, 0x1000, 0x1000, 0x40, 7};
	const uint64_t move[] = {0, 0, 0x1000, 0x3000, 0x40, 7};
	uint32_t size = 16 + sizeof(load) + sizeof(name) + sizeof(code);
	size_t at = put(to, head, sizeof(head));

	at += put(to + at, (uint32_t[]){0, size, 0, 0}, 16);
	at += put(to + at, load, sizeof(load));
	at += put(to + at, name, sizeof(name));
	at += put(to + at, code, sizeof(code));
	size = 16 + sizeof(move);
	at += put(to + at, (uint32_t[]){1, size, 0, 0}, 16);
	at += put(to + at, move, sizeof(move));
	/* Of a kind that is not known. */
	at += put(to + at, (uint32_t[]){99, 16, 0, 0}, 16);
	return at;
}

static void check_dump(void)
{
	char dump[256];
	size_t size = make_dump(dump), nr = 0;

	take(dump, size);
	is_str(name_at(0x1010), "add:1", "a jitdump: a function");
	is_str(name_at(0x303f), "add:1", "where it is moved to");
	is_str(name_at(0x3040), "none", "and not behind it");
	for (size_t cut = 0; cut < size; cut++) {
		take(dump, cut);
		nr += ptl_perfmap_find(&map, 0x3000) == NULL;
	}
	ok(nr >= size - 16, "cut anywhere: less is known");
	memset(dump + 44, 0xff, 4);
	take(dump, size);
	is_str(name_at(0x1010), "none", "sizes that make no sense");
	memset(dump + 44, 0, 4);
	take(dump, size);
	is_str(name_at(0x1010), "none", "or are none");
}

static void check_files(const char *dir)
{
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	fd = openat(at, "perf-7.map", O_CREAT | O_WRONLY, 0600);
	close(fd);
	fd = ptl_perfmap_open(at, 7, geteuid());
	ok(fd >= 0, "a file of a process");
	close(fd);
	is_int(ptl_perfmap_open(at, 8, geteuid()), -1, "none of another");
	if (symlinkat("perf-7.map", at, "perf-8.map") != 0 ||
	    mkfifoat(at, "perf-9.map", 0600) != 0)
		diag("no links here");
	is_int(ptl_perfmap_open(at, 8, geteuid()), -1, "no link");
	is_int(ptl_perfmap_open(at, 9, geteuid()), -1, "no pipe");
	for (int i = 7; i < 10; i++) {
		char name[32];

		snprintf(name, sizeof(name), "perf-%d.map", i);
		unlinkat(at, name, 0);
	}
	close(at);
}

int main(void)
{
	char dir[] = "/tmp/ptrace-test.XXXXXX";

	plan(20);
	check_lines();
	check_dump();
	if (mkdtemp(dir) != NULL)
		check_files(dir);
	else
		skip(4, "no directory");
	rmdir(dir);
	ptl_perfmap_clear(&map);
	return done();
}
