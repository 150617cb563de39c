/* SPDX-License-Identifier: MIT */
/*
 * Buffered output with fast number formatting: a dump consists of millions of
 * numbers.  A reader that went away ends the program quietly; for any other
 * write error `fail' is called, which ends it.
 */
#ifndef PTL_TOOLS_LIB_OUT_H
#define PTL_TOOLS_LIB_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

struct ptl_out {
	int fd;
	const char *name;				 /* for messages */
	void (*fail)(const char *name, const char *why); /* never returns */
	/* If not NULL, the bytes go there, and nowhere else. */
	void (*take)(const char *bytes, size_t size);
	size_t used;
	char buf[64 * 1024];
};

void ptl_out_init(struct ptl_out *out, int fd, const char *name,
		  void (*fail)(const char *name, const char *why));
void ptl_out_flush(struct ptl_out *out);

/* Room for at least size bytes, size at most a few hundred. */
static inline char *ptl_out_room(struct ptl_out *out, size_t size)
{
	if (sizeof(out->buf) - out->used < size)
		ptl_out_flush(out);
	return out->buf + out->used;
}

static inline void ptl_out_char(struct ptl_out *out, char c)
{
	*ptl_out_room(out, 1) = c;
	out->used++;
}

/* More than there is room for. */
void ptl_out_flood(struct ptl_out *out, const void *bytes, size_t size);

static inline void ptl_out_bytes(struct ptl_out *out, const void *bytes,
				 size_t size)
{
	if (size > sizeof(out->buf) - out->used) {
		ptl_out_flood(out, bytes, size);
		return;
	}
	memcpy(out->buf + out->used, bytes, size);
	out->used += size;
}

/* Of a constant its size is one, too. */
static inline void ptl_out_str(struct ptl_out *out, const char *s)
{
	ptl_out_bytes(out, s, strlen(s));
}

/* How many digits n has. */
unsigned int ptl_out_digits(uint64_t n);

/* Writes n so that it ends before `end', with zeros in front up to so many
 * digits; returns where it begins. */
char *ptl_out_before(char *end, uint64_t n, unsigned int digits);

void ptl_out_uint(struct ptl_out *out, uint64_t n);
void ptl_out_int(struct ptl_out *out, int64_t n);

/* 0x and the digits, no leading zeros. */
void ptl_out_hex(struct ptl_out *out, uint64_t n);

/* SEC.NNNNNNNNN */
void ptl_out_time(struct ptl_out *out, const struct timespec *time);

/* Two digits a byte, no 0x. */
void ptl_out_hexdump(struct ptl_out *out, const void *bytes, size_t size);

#endif
