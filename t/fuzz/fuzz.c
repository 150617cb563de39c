/* SPDX-License-Identifier: MIT */
#include "t/fuzz/fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef PTL_FUZZER
/* Ours is not the tool's: state.h. */
#pragma clang section bss = "" data = ""
#endif

/* __cxa_demangle() keeps 16 bytes of some names that are none. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libstdc++.so";
}

struct fuzz_text fuzz_out, fuzz_err;

static bool is_running;
static jmp_buf back;
static const char *allowed;
static _Thread_local bool hurries;
static _Thread_local uint64_t gone;

/* What is allocated during a run: blocks, files of libelf's, and the roots of
 * trees, whose nodes are libc's. */
static struct kept {
	void **item;
	size_t nr, room;
} blocks, elfs, trees;

/* Variables of the tool's files (state.h), and a copy as they were at first;
 * NULL: none, since there is no fuzzer. */
struct state {
	char *from, *to;
	char *copy;
};
extern char __start_ptl_bss[] __attribute__((weak));
extern char __stop_ptl_bss[] __attribute__((weak));
extern char __start_ptl_data[] __attribute__((weak));
extern char __stop_ptl_data[] __attribute__((weak));
static struct state states[] = {{__start_ptl_bss, __stop_ptl_bss, NULL},
				{__start_ptl_data, __stop_ptl_data, NULL}};
#define NR_STATES (sizeof(states) / sizeof(*states))

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
void *__real_tsearch(const void *key, void **root,
		     int (*compare)(const void *, const void *));
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
void *__wrap_tsearch(const void *key, void **root,
		     int (*compare)(const void *, const void *));
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

static bool is_state(const void *place)
{
	for (size_t i = 0; i < NR_STATES; i++)
		if ((const char *)place >= states[i].from &&
		    (const char *)place < states[i].to)
			return true;
	return false;
}

/* Who has a root in memory of its own takes the tree down. */
void *__wrap_tsearch(const void *key, void **root,
		     int (*compare)(const void *, const void *))
{
	if (*root == NULL && is_state(root))
		keep(&trees, root);
	return __real_tsearch(key, root, compare);
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

/* By words, and none of them a call that looks at what is between variables. */
#ifdef PTL_FUZZER
__attribute__((no_sanitize("address", "coverage", "undefined")))
#endif
static void
copy_state(char *to, const char *from, const struct state *state)
{
	const size_t size = (size_t)(state->to - state->from);
	volatile char *byte = to;
	size_t at = 0;

	for (; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
		if (*(uint64_t *)(to + at) != *(const uint64_t *)(from + at))
			*(volatile uint64_t *)(to + at) =
				*(const uint64_t *)(from + at);
	for (; at < size; at++)
		byte[at] = from[at];
}

static void remember(void)
{
	for (struct state *state = states; state < states + NR_STATES;
	     state++) {
		if (state->copy || state->from == state->to)
			continue;
		state->copy =
			__real_calloc(1, (size_t)(state->to - state->from));
		if (!state->copy)
			abort();
		copy_state(state->copy, state->from, state);
	}
}

static void do_nothing(void *node)
{
	(void)node;
}

static void forget_all(void)
{
	while (elfs.nr > 0)
		__real_elf_end(elfs.item[--elfs.nr]);
	while (trees.nr > 0)
		tdestroy(*(void **)trees.item[--trees.nr], do_nothing);
	while (blocks.nr > 0)
		__real_free(blocks.item[--blocks.nr]);
	for (struct state *state = states; state < states + NR_STATES; state++)
		if (state->copy)
			copy_state(state->from, state->copy, state);
}

int fuzz_call(int (*function)(void *), void *arg)
{
	int status;

	remember();
	fuzz_out.size = fuzz_err.size = 0;
	append(&fuzz_out, "", 0);
	append(&fuzz_err, "", 0);
	status = setjmp(back);
	if (status == 0) {
		is_running = true;
		status = function(arg) + 1;
	}
	is_running = false;
	forget_all();
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
