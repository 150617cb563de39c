/* SPDX-License-Identifier: MIT */
#include "t/fuzz/fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct fuzz_text fuzz_out, fuzz_err;

static bool is_running;
static jmp_buf back;
static const char *allowed;
static _Thread_local bool hurries;
static _Thread_local uint64_t gone;

/* What is allocated during a run: blocks, and files of libelf's. */
static struct kept {
	void **item;
	size_t nr, room;
} blocks, elfs;

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t nr, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t size);
void __real_free(void *p);
void __real_exit(int status) __attribute__((noreturn));
void __real__exit(int status) __attribute__((noreturn));
ssize_t __real_write(int fd, const void *bytes, size_t size);
int __real_open(const char *path, int flags, ...);
int __real_open64(const char *path, int flags, ...);
Elf *__real_elf_begin(int fd, Elf_Cmd cmd, Elf *ref);
Elf *__real_elf_memory(char *image, size_t size);
int __real_elf_end(Elf *elf);
uint64_t __real_ptl_clock_ns(int id);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t size);
int __wrap_asprintf(char **p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void __wrap_free(void *p);
void __wrap_exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
Elf *__wrap_elf_begin(int fd, Elf_Cmd cmd, Elf *ref);
Elf *__wrap_elf_memory(char *image, size_t size);
int __wrap_elf_end(Elf *elf);
uint64_t __wrap_ptl_clock_ns(int id);

static void *keep(struct kept *kept, void *item)
{
	if (!is_running || !item)
		return item;
	if (kept->nr == kept->room) {
		kept->room = kept->room ? 2 * kept->room : 1024;
		kept->item = __real_realloc(kept->item,
					    kept->room * sizeof(*kept->item));
		if (!kept->item)
			abort();
	}
	return kept->item[kept->nr++] = item;
}

static void forget(struct kept *kept, void *item)
{
	for (size_t i = kept->nr; item && i > 0; i--) {
		if (kept->item[i - 1] == item) {
			kept->item[i - 1] = kept->item[--kept->nr];
			return;
		}
	}
}

void *__wrap_malloc(size_t size)
{
	return keep(&blocks, __real_malloc(size));
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return keep(&blocks, __real_calloc(nr, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	void *grown = __real_realloc(p, size);

	if (grown)
		forget(&blocks, p);
	return keep(&blocks, grown);
}

void *__wrap_reallocarray(void *p, size_t nr, size_t size)
{
	void *grown = __real_reallocarray(p, nr, size);

	if (grown)
		forget(&blocks, p);
	return keep(&blocks, grown);
}

char *__wrap_strdup(const char *s)
{
	return keep(&blocks, __real_strdup(s));
}

char *__wrap_strndup(const char *s, size_t size)
{
	return keep(&blocks, __real_strndup(s, size));
}

int __wrap_asprintf(char **p, const char *format, ...)
{
	va_list args;
	int size;

	va_start(args, format);
	size = vasprintf(p, format, args);
	va_end(args);
	if (size >= 0)
		keep(&blocks, *p);
	return size;
}

void __wrap_free(void *p)
{
	if (!p)
		return;
	forget(&blocks, p);
	__real_free(p);
}

Elf *__wrap_elf_begin(int fd, Elf_Cmd cmd, Elf *ref)
{
	return keep(&elfs, __real_elf_begin(fd, cmd, ref));
}

Elf *__wrap_elf_memory(char *image, size_t size)
{
	return keep(&elfs, __real_elf_memory(image, size));
}

int __wrap_elf_end(Elf *elf)
{
	forget(&elfs, elf);
	return __real_elf_end(elf);
}

void __wrap_exit(int status)
{
	if (is_running)
		longjmp(back, status + 1);
	__real_exit(status);
}

void __wrap__exit(int status)
{
	if (is_running)
		longjmp(back, status + 1);
	__real__exit(status);
}

static void append(struct fuzz_text *text, const void *bytes, size_t size)
{
	if (text->room - text->size <= size) {
		text->room = 2 * (text->size + size) + 4096;
		text->bytes = __real_realloc(text->bytes, text->room);
		if (!text->bytes)
			abort();
	}
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	if (!is_running || fd < 1 || fd > 2)
		return __real_write(fd, bytes, size);
	append(fd == 1 ? &fuzz_out : &fuzz_err, bytes, size);
	return (ssize_t)size;
}

void fuzz_hurry(void)
{
	hurries = true;
}

uint64_t __wrap_ptl_clock_ns(int id)
{
	if (hurries)
		gone += 1000000;
	return __real_ptl_clock_ns(id) + gone;
}

void fuzz_allow(const char *path)
{
	allowed = path;
}

/* The mode is needed by nobody: what is allowed is there. */
int __wrap_open(const char *path, int flags, ...)
{
	if (!is_running)
		return __real_open(path, flags, 0600);
	if (allowed && strcmp(path, allowed) == 0)
		return __real_open(path, flags, 0600);
	errno = ENOENT;
	return -1;
}

int __wrap_open64(const char *path, int flags, ...)
{
	return __wrap_open(path, flags);
}

int fuzz_call(int (*function)(void *), void *arg)
{
	int status;

	fuzz_out.size = fuzz_err.size = 0;
	append(&fuzz_out, "", 0);
	append(&fuzz_err, "", 0);
	status = setjmp(back);
	if (status == 0) {
		is_running = true;
		status = function(arg) + 1;
	}
	is_running = false;
	while (elfs.nr > 0)
		__real_elf_end(elfs.item[--elfs.nr]);
	while (blocks.nr > 0)
		__real_free(blocks.item[--blocks.nr]);
	return status - 1;
}

void fuzz_file(const void *bytes, size_t size, char *path)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) != 0 ||
	    pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", fd);
}
