/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: a byte copy of a log is a log; one that was cut is EINVAL
 * or has the first events as they were; one with bytes changed never harms.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NR 3000

static unsigned char *bytes;
static size_t size;
static trace_event_id_t id;

static void make_log(void)
{
	int fd = file_make();
	trace_id_t trid = stream_make_log(0, stream_attr(1 << 20, 64, 0), fd);
	ssize_t n;

	stream_begin(trid);
	for (unsigned long i = 0; i < NR; i++) {
		event_put(id, i);
		if (i % 100 == 0)
			posix_trace_flush(trid);
	}
	stream_end(trid);
	size = (size_t)lseek(fd, 0, SEEK_END);
	bytes = malloc(size);
	n = pread(fd, bytes, size, 0);
	if (n != (ssize_t)size)
		exit(1);
}

static int copy(size_t kept, const void *more, size_t more_size)
{
	int fd = memfd_create("copy", 0);

	if (write(fd, bytes, kept) != (ssize_t)kept ||
	    write(fd, more, more_size) != (ssize_t)more_size)
		exit(1);
	return fd;
}

/* How many events come in order from the first; -1: it is no log;
 * -2: something that never was. */
static int read_copy(int fd)
{
	unsigned long next = 0;
	trace_id_t log;
	struct event ev;
	int strange = 0, err = posix_trace_open(fd, &log);

	close(fd);
	if (err)
		return err == EINVAL ? -1 : -2;
	while (event_next(log, &ev)) {
		if (ev.info.posix_event_id < id)
			continue;
		strange += ev.info.posix_event_id != id ||
			   ev.size != sizeof(long) || ev.word != next++;
	}
	posix_trace_close(log);
	return strange ? -2 : (int)next;
}

static void check_cut(void)
{
	int refused = 0, strange = 0, back = 0, last = 0;

	for (size_t kept = 0; kept < size; kept += 1 + size / 1000) {
		int n = read_copy(copy(kept, NULL, 0));

		refused += n == -1;
		strange += n == -2;
		if (n < 0)
			continue;
		back += n < last;
		last = n;
	}
	is_int(strange, 0, "[open.17] what is left is as it was");
	is_int(back, 0, "[open.17] and more of it if more is left");
	ok(last > NR / 2, "[open.17] most of it at last: %d", last);
	diag("%d copies were EINVAL", refused);
}

static void check_damaged(void)
{
	int refused = 0;

	srand(1);
	for (int i = 0; i < 1000; i++) {
		size_t at = (size_t)rand() % size;
		unsigned char was = bytes[at];
		struct event ev;
		trace_id_t log;
		int fd, n = 0;

		bytes[at] ^= (unsigned char)(1 << rand() % 8);
		fd = copy(size, NULL, 0);
		bytes[at] = was;
		if (posix_trace_open(fd, &log)) {
			refused++;
		} else {
			while (n++ < 10 * NR && event_next(log, &ev))
				;
			posix_trace_close(log);
		}
		close(fd);
	}
	ok(refused < 1000, "[open.17] one bit wrong harms nobody");
	diag("%d of 1000 were refused", refused);
}

int main(void)
{
	plan(7);
	id = event_id("an event");
	make_log();
	is_int(read_copy(copy(size, NULL, 0)), NR, "[open.16] a copy");
	is_int(read_copy(copy(size, NULL, 0)), NR, "[open.16] another");
	ok(read_copy(copy(size, "more", 4)) != -2, "with something behind it");
	check_cut();
	check_damaged();
	return done();
}
