/* SPDX-License-Identifier: MIT */
/*
 * A header of 32 bytes and the data into a ring of the thread's own: the
 * clock, the stores, and a bound.  It overwrites the oldest and has no
 * reader, no commit order, no filter.
 */
#include "t/bench/limit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING_SIZE (1u << 20)
#define RECORD_MAX (sizeof(struct limit_record) + 256)

struct ring {
	unsigned char *bytes;
	size_t pos;
	uint32_t pid, tid;
};

static __thread struct ring ring;

static volatile int recording;

void limit_begin(void)
{
	ring.bytes = malloc(RING_SIZE);
	if (!ring.bytes)
		abort();
	memset(ring.bytes, 1, RING_SIZE);
	ring.pos = 0;
	ring.pid = (uint32_t)getpid();
	ring.tid = (uint32_t)syscall(SYS_gettid);
}

void limit_end(void)
{
	free(ring.bytes);
}

static inline __attribute__((always_inline)) void
put(struct ring *r, const void *data, size_t size)
{
	struct limit_record *record = (void *)(r->bytes + r->pos);

	record->counter = limit_counter();
	record->pid = r->pid;
	record->tid = r->tid;
	record->addr = (uintptr_t)__builtin_return_address(0);
	record->id = 1;
	memcpy(record + 1, data, size);
	record->size = (uint32_t)size;
	r->pos += sizeof(*record) + size;
	if (r->pos > RING_SIZE - RECORD_MAX)
		r->pos = 0;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) void limit_loop(unsigned long nr, const void *data,
					  size_t size)
{
	struct ring *r = &ring;

	/* Each size as a constant: that is how little it takes. */
	for (; nr > 0 && size == 0; nr--)
		put(r, data, 0);
	for (; nr > 0 && size == 16; nr--)
		put(r, data, 16);
	for (; nr > 0 && size == 64; nr--)
		put(r, data, 64);
	for (; nr > 0; nr--)
		put(r, data, 256);
}

__attribute__((noinline)) void limit_one(const void *data)
{
	put(&ring, data, 16);
}

void limit_tests(unsigned long nr, const void *data, size_t size)
{
	(void)data;
	(void)size;
	for (; nr > 0; nr--)
		if (recording)
			abort();
}

static __attribute__((noipa)) void call(void)
{
	if (recording)
		abort();
}

void limit_calls(unsigned long nr, const void *data, size_t size)
{
	(void)data;
	(void)size;
	for (; nr > 0; nr--)
		call();
}
