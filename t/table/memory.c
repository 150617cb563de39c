/* SPDX-License-Identifier: MIT */
/* Programs that arrange their memory, and look at what is there. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static sigjmp_buf back;

static void leap(int sig)
{
	siglongjmp(back, sig);
}

static bool can_write(volatile char *p)
{
	if (sigsetjmp(back, 1) != 0)
		return false;
	*p = 1;
	return true;
}

static char *map(size_t size, int prot)
{
	return mmap(NULL, size, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* How many pages are there now in what was unmapped, after calls of libraries.
 */
static size_t count_filled(char *hole, size_t size)
{
	size_t nr = 0;

	getppid();
	close(open("/", O_RDONLY));
	for (size_t at = 0; at < size; at += PAGE)
		nr += can_write(hole + at);
	return nr;
}

static void look_at_hole(const char *who, size_t size)
{
	char *hole = map(size, PROT_READ | PROT_WRITE);

	munmap(hole, size);
	say("%s: %zu: %zu", who, size, count_filled(hole, size));
}

static void *hole_of_thread(void *arg)
{
	look_at_hole("thread", 1 << 16);
	return arg;
}

/* What is unmapped stays so. */
static int holes(void)
{
	char *hole = map(1 << 20, PROT_READ | PROT_WRITE);
	pthread_t thread;
	pid_t child;

	on_signal(SIGSEGV, leap);
	for (size_t size = PAGE; size <= 1 << 24; size <<= 2)
		look_at_hole("main", size);
	pthread_create(&thread, NULL, hole_of_thread, NULL);
	pthread_join(thread, NULL);
	munmap(hole, 1 << 20);
	child = fork();
	if (child == 0) {
		say("child: %zu", count_filled(hole, 1 << 20));
		look_at_hole("child", 1 << 16);
		child = fork();
		if (child == 0) {
			say("its child: %zu", count_filled(hole, 1 << 20));
			_exit(0);
		}
		waitpid(child, NULL, 0);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}

static int protections(void)
{
	char *page = map(3 * PAGE, PROT_READ | PROT_WRITE);

	on_signal(SIGSEGV, leap);
	say("%d", can_write(page + PAGE));
	said("mprotect", mprotect(page + PAGE, PAGE, PROT_READ));
	say("%d %d %d", can_write(page), can_write(page + PAGE),
	    can_write(page + 2 * PAGE));
	said("none", mprotect(page, 3 * PAGE, PROT_NONE));
	say("%d", can_write(page));
	said("munmap", munmap(page + PAGE, PAGE));
	said("mprotect", mprotect(page, 3 * PAGE, PROT_READ));
	said("bad", mprotect(page + 1, PAGE, PROT_READ));
	said("munmap bad", munmap(page + 1, PAGE));
	return 0;
}

static int moving(void)
{
	char *area = map(4 * PAGE, PROT_READ | PROT_WRITE);
	char *target = map(8 * PAGE, PROT_NONE);

	strcpy(area, "here");
	say("moved: %d",
	    mremap(area, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		   target) == target);
	say("%s", target);
	say("shrunk: %d", mremap(target, 8 * PAGE, PAGE, 0) == target);
	said("gone", mremap(area, PAGE, PAGE, 0) == MAP_FAILED ? -1 : 0);
	say("fixed: %d",
	    mmap(target, PAGE, PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == target);
	say("empty: %d", target[0]);
	said("noreplace",
	     mmap(target, PAGE, PROT_READ,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		  0) == MAP_FAILED ?
		     -1 :
		     0);
	return 0;
}

static int breaks(void)
{
	char *start = sbrk(0);

	say("grown: %d", sbrk(10 * PAGE) == start);
	start[10 * PAGE - 1] = 1;
	say("here: %d", (char *)sbrk(0) == start + 10 * PAGE);
	said("brk", brk(start));
	say("back: %d", sbrk(0) == start);
	/* The heap is libc's and grows behind ours. */
	free(malloc(1 << 20));
	say("malloc: %d", malloc(100) != NULL);
	return 0;
}

static int advice(void)
{
	char *area = map(4 * PAGE, PROT_READ | PROT_WRITE);
	unsigned char in[4] = {0};

	memset(area, 1, 4 * PAGE);
	said("mincore", mincore(area, 4 * PAGE, in));
	say("%d%d%d%d", in[0] & 1, in[1] & 1, in[2] & 1, in[3] & 1);
	said("dontneed", madvise(area, 2 * PAGE, MADV_DONTNEED));
	say("%d %d", area[0], area[2 * PAGE]);
	said("wipeonfork", madvise(area, 4 * PAGE, MADV_WIPEONFORK));
	area[0] = 5;
	if (fork() == 0)
		_exit(area[0]);
	said("child", wait(NULL) > 0);
	said("msync", msync(area, PAGE, MS_SYNC));
	said("nonsense", madvise(area, PAGE, 9999));
	return 0;
}

static int shared(void)
{
	int fd = open("file", O_CREAT | O_RDWR, 0600);
	char *area;

	ftruncate(fd, PAGE);
	area = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (fork() == 0) {
		strcpy(area, "from the child");
		_exit(0);
	}
	wait(NULL);
	say("%s", area);
	on_signal(SIGBUS, leap);
	say("past the end: %d", can_write(area + PAGE));
	truncate("file", 0);
	say("gone: %d", can_write(area));
	return 0;
}

#ifdef __x86_64__
typedef long function(long (*)(void));

static long parent_is_there(void)
{
	return getppid() > 0;
}

/* Code that is made when it runs, without any unwind information. */
static int made_code(void)
{
	/* sub $8,%rsp; call *%rdi; add $8,%rsp; ret */
	static const unsigned char code[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd7,
					     0x48, 0x83, 0xc4, 0x08, 0xc3};
	char *page = map(PAGE, PROT_READ | PROT_WRITE);
	function *fn = (function *)(void *)page;

	memcpy(page, code, sizeof(code));
	said("mprotect", mprotect(page, PAGE, PROT_READ | PROT_EXEC));
	for (int i = 0; i < 10; i++)
		if (fn(parent_is_there) != 1)
			return 1;
	/* A function of libc called from there. */
	say("getppid: %d", fn((long (*)(void))getppid) > 0);
	munmap(page, PAGE);
	/* Another one in its place. */
	page = mmap(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memcpy(page, "\x50\xff\xd7\x5a\xc3", 5);
	say("again: %ld", fn(parent_is_there));
	return 0;
}
#endif

static int heap(void)
{
	void *p = NULL;
	char *q = malloc(0);

	say("zero: %d", q != NULL);
	q = realloc(q, 100);
	say("usable: %d", malloc_usable_size(q) >= 100);
	q = realloc(q, 1 << 20);
	say("realloc: %d", q != NULL);
	free(q);
	say_error("memalign", posix_memalign(&p, 256, 1000));
	say("aligned: %d", (uintptr_t)p % 256 == 0);
	say_error("memalign 3", posix_memalign(&p, 3, 1000));
	say("aligned_alloc: %d", (uintptr_t)aligned_alloc(64, 128) % 64 == 0);
	q = calloc(10, 10);
	say("calloc: %d", q[99]);
	said("absurd", calloc((size_t)1 << 40, (size_t)1 << 40) ? 0 : -1);
	said("reallocarray", reallocarray(q, (size_t)1 << 63, 4) ? 0 : -1);
	said("large", malloc((size_t)1 << 62) ? 0 : -1);
	say("trim: %d", malloc_trim(0) >= 0);
	return 0;
}

static void *allocate(void *arg)
{
	void *all[100];

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 100; i++)
			all[i] = malloc((size_t)(i * 10));
		for (int i = 0; i < 100; i++)
			free(all[i]);
	}
	return arg;
}

/* More than there is between a program and what may be put above it. */
static int grows(void)
{
	int grown = 0;

	while (grown < 1200 && sbrk(1 << 20) != (void *)-1)
		grown++;
	say("grown: %d MiB", grown);
	return 0;
}

static int heap_threads(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, allocate, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	say("done");
	return 0;
}

/* Which files are mapped, ours apart. */
static int maps(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4096], last[4096] = "";

	while (file && fgets(line, sizeof(line), file)) {
		char *path = strchr(line, '/');

		if (!path || strcmp(path, last) == 0 ||
		    strstr(path, "libptrace") || strstr(path, "/ptrace-"))
			continue;
		say("%.*s", (int)strcspn(path, "\n"), path);
		strcpy(last, path);
	}
	if (file)
		fclose(file);
	return 0;
}

/* Nothing is mapped where everybody may write and execute. */
static int maps_protected(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4096];
	int nr = 0;

	while (file && fgets(line, sizeof(line), file)) {
		char *p = strchr(line, ' ');

		nr += p && p[2] == 'w' && p[3] == 'x';
	}
	if (file)
		fclose(file);
	say("writable and executable: %d", nr);
	return 0;
}

static int peeks(void)
{
	static char here[] = "in the parent";
	pid_t pid = fork();

	if (pid == 0) {
		char text[32] = "";
		struct iovec to = {text, sizeof(here)};
		struct iovec from = {here, sizeof(here)};

		here[0] = 'I';
		said("read", process_vm_readv(getppid(), &to, 1, &from, 1, 0));
		say("%s", text);
		said("write",
		     process_vm_writev(getppid(), &from, 1, &from, 1, 0));
		_exit(0);
	}
	say_end("child", pid);
	say("%s", here);
	return 0;
}

static int barriers(void)
{
	said("query", syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) > 0);
	said("global", syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0));
	said("too early",
	     syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
	said("private",
	     syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
		     0, 0));
	said("private",
	     syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
	said("nonsense", syscall(SYS_membarrier, 1 << 30, 0, 0));
	return 0;
}

extern const ptrdiff_t __rseq_offset;
extern const unsigned int __rseq_size;

static int restartable(void)
{
	static char area[32] __attribute__((aligned(32)));

	say("size: %u", __rseq_size);
	said("again", syscall(SYS_rseq, area, 32, 0, 0x53053053));
	return 0;
}

static int growing(void)
{
	char *area = mmap(
		NULL, 16 * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	int fd = memfd_create("table", 0);
	char *twice;

	area[0] = 1;
	ftruncate(fd, PAGE);
	twice = mmap(area, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		     fd, 0);
	mmap(area + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
	     fd, 0);
	twice[5] = 7;
	say("twice: %d", area[PAGE + 5]);
	said("zero size", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0) == MAP_FAILED ?
				  -1 :
				  0);
	said("bad",
	     mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED ?
		     -1 :
		     0);
	return 0;
}

const struct program memory_programs[] = {
	{"protections", protections, false},
	{"holes", holes, false},
	{"moving", moving, false},
	{"breaks", breaks, false},
	{"advice", advice, false},
	{"shared", shared, false},
#ifdef __x86_64__
	{"made-code", made_code, false},
#endif
	{"heap", heap, false},
	{"heap-threads", heap_threads, false},
	{"grows", grows, false},
	{"maps", maps, false},
	{"maps-protected", maps_protected, false},
	{"peeks", peeks, false},
	{"barriers", barriers, false},
	{"restartable", restartable, false},
	{"growing", growing, false},
	{NULL, NULL, false},
};
