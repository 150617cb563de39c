/* SPDX-License-Identifier: MIT */
/* Buffered output; see out.h. */
#include "tools/lib/out.h"

#include <errno.h>
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

void ptl_out_bytes(struct ptl_out *out, const void *bytes, size_t size)
{
	if (size > sizeof(out->buf) - out->used) {
		ptl_out_flush(out);
		if (size > sizeof(out->buf)) {
			write_all(out, bytes, size);
			return;
		}
	}
	memcpy(out->buf + out->used, bytes, size);
	out->used += size;
}

void ptl_out_str(struct ptl_out *out, const char *s)
{
	ptl_out_bytes(out, s, strlen(s));
}

/* Two decimal digits at a time: half the divisions. */
static const char two_digits[] =
	"00010203040506070809101112131415161718192021222324252627282930313233"
	"34353637383940414243444546474849505152535455565758596061626364656667"
	"6869707172737475767778798081828384858687888990919293949596979899";

/* Writes n so that it ends before `end'; returns where it begins. */
static char *digits_before(char *end, uint64_t n)
{
	while (n >= 100) {
		end -= 2;
		memcpy(end, two_digits + n % 100 * 2, 2);
		n /= 100;
	}
	if (n >= 10) {
		end -= 2;
		memcpy(end, two_digits + n * 2, 2);
	} else {
		*--end = (char)('0' + n);
	}
	return end;
}

void ptl_out_uint(struct ptl_out *out, uint64_t n)
{
	char buf[20];
	char *start = digits_before(buf + sizeof(buf), n);
	size_t size = (size_t)(buf + sizeof(buf) - start);

	memcpy(ptl_out_room(out, sizeof(buf)), start, size);
	out->used += size;
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

static const char hex_digits[] = "0123456789abcdef";

void ptl_out_hex(struct ptl_out *out, uint64_t n)
{
	char *room = ptl_out_room(out, 18);
	int nr = n == 0 ? 1 : (67 - __builtin_clzll(n)) / 4;

	*room++ = '0';
	*room++ = 'x';
	for (int i = nr - 1; i >= 0; i--, n >>= 4)
		room[i] = hex_digits[n & 15];
	out->used += (size_t)nr + 2;
}

void ptl_out_time(struct ptl_out *out, const struct timespec *time)
{
	uint64_t ns = (uint64_t)time->tv_nsec;
	char *room;

	ptl_out_int(out, time->tv_sec);
	room = ptl_out_room(out, 10);
	*room = '.';
	for (int i = 8; i > 0; i -= 2, ns /= 100)
		memcpy(room + i, two_digits + ns % 100 * 2, 2);
	room[1] = (char)('0' + ns % 10);
	out->used += 10;
}

#define HEXDUMP_PIECE 64u

void ptl_out_hexdump(struct ptl_out *out, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	while (size > 0) {
		size_t piece = size < HEXDUMP_PIECE ? size : HEXDUMP_PIECE;
		char *room = ptl_out_room(out, 2 * piece);

		for (size_t i = 0; i < piece; i++) {
			room[2 * i] = hex_digits[p[i] >> 4];
			room[2 * i + 1] = hex_digits[p[i] & 15];
		}
		out->used += 2 * piece;
		p += piece;
		size -= piece;
	}
}
