/* SPDX-License-Identifier: MIT */
/* Buffered output; see out.h. */
#include "tools/lib/out.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

void ptl_out_init(struct ptl_out *out, int fd, const char *name,
		  void (*fail)(const char *name, const char *why))
{
	out->fd = fd;
	out->name = name;
	out->fail = fail;
	out->take = NULL;
	out->used = 0;
}

static void write_all(struct ptl_out *out, const char *bytes, size_t size)
{
	if (out->take != NULL) {
		out->take(bytes, size);
		return;
	}
	while (size > 0) {
		ssize_t done = write(out->fd, bytes, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EPIPE)
			_exit(0);
		if (done < 0)
			out->fail(out->name, strerror(errno));
		bytes += done;
		size -= (size_t)done;
	}
}

void ptl_out_flush(struct ptl_out *out)
{
	write_all(out, out->buf, out->used);
	out->used = 0;
}

void ptl_out_flood(struct ptl_out *out, const void *bytes, size_t size)
{
	ptl_out_flush(out);
	if (size > sizeof(out->buf)) {
		write_all(out, bytes, size);
		return;
	}
	memcpy(out->buf, bytes, size);
	out->used = size;
}

/* Two decimal digits at a time: half the divisions. */
static const char two_digits[] =
	"00010203040506070809101112131415161718192021222324252627282930313233"
	"34353637383940414243444546474849505152535455565758596061626364656667"
	"6869707172737475767778798081828384858687888990919293949596979899";

static char *put_two(char *to, unsigned int n)
{
	to -= 2;
	memcpy(to, two_digits + (size_t)n * 2, 2);
	return to;
}

char *ptl_out_before(char *end, uint64_t n, unsigned int digits)
{
	const char *least = end - digits;
	char *to = end;
	unsigned int left;

	/* Most of the work is division, of which half is of small numbers. */
	for (; n >= 10000; n /= 10000) {
		left = (unsigned int)(n % 10000);
		to = put_two(to, left % 100);
		to = put_two(to, left / 100);
	}
	left = (unsigned int)n;
	/* The zeros in front, too. */
	for (; left >= 100 || to - least >= 2; left /= 100)
		to = put_two(to, left % 100);
	if (left >= 10)
		to = put_two(to, left);
	else if (left > 0 || to > least || to == end)
		*--to = (char)('0' + left);
	return to;
}

unsigned int ptl_out_digits(uint64_t n)
{
	static const uint64_t powers[] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		UINT64_C(10000000000000000000),
	};
	/* 1233 / 4096 is the logarithm of 2, as far as it matters here. */
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(n | 1);
	unsigned int less = bits * 1233 >> 12;

	return less + (n >= powers[less]);
}

/* Where they stay: what was written byte by byte would have to wait before it
 * could be copied. */
void ptl_out_uint(struct ptl_out *out, uint64_t n)
{
	unsigned int digits = ptl_out_digits(n);

	ptl_out_before(ptl_out_room(out, 20) + digits, n, digits);
	out->used += digits;
}

void ptl_out_int(struct ptl_out *out, int64_t n)
{
	if (n < 0) {
		ptl_out_char(out, '-');
		ptl_out_uint(out, -(uint64_t)n);
	} else {
		ptl_out_uint(out, (uint64_t)n);
	}
}

/* Of each byte. */
static const char hex_digits[] =
	"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	"202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
	"404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"
	"606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
	"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
	"a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
	"c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
	"e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

void ptl_out_hex(struct ptl_out *out, uint64_t n)
{
	char *room = ptl_out_room(out, 18);
	int nr = n == 0 ? 1 : (67 - __builtin_clzll(n)) / 4;

	*room++ = '0';
	*room++ = 'x';
	for (int i = nr - 2; i >= 0; i -= 2, n >>= 8)
		memcpy(room + i, hex_digits + 2 * (n & 255), 2);
	if (nr % 2)
		room[0] = hex_digits[2 * n + 1];
	out->used += (size_t)nr + 2;
}

/* Most times share their second with the last one. */
static size_t put_second(char room[32], time_t second)
{
	static struct {
		time_t second;
		size_t size;
		char text[32];
	} last;

	if (last.size == 0 || last.second != second) {
		bool is_negative = second < 0;
		uint64_t n = is_negative ? -(uint64_t)second : (uint64_t)second;

		last.second = second;
		last.size = is_negative + ptl_out_digits(n);
		last.text[0] = '-';
		ptl_out_before(last.text + last.size, n, 1);
	}
	memcpy(room, last.text, sizeof(last.text));
	return last.size;
}

void ptl_out_time(struct ptl_out *out, const struct timespec *time)
{
	char *room = ptl_out_room(out, 64);
	size_t size = put_second(room, time->tv_sec);

	room[size] = '.';
	out->used += size + 10;
	ptl_out_before(room + size + 10, (uint64_t)time->tv_nsec % 1000000000,
		       9);
}

#define HEXDUMP_PIECE 64u

void ptl_out_hexdump(struct ptl_out *out, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	while (size > 0) {
		size_t piece = size < HEXDUMP_PIECE ? size : HEXDUMP_PIECE;
		char *room = ptl_out_room(out, 2 * piece);

		for (size_t i = 0; i < piece; i++)
			memcpy(room + 2 * i, hex_digits + (size_t)2 * p[i], 2);
		out->used += 2 * piece;
		p += piece;
		size -= piece;
	}
}
