/* SPDX-License-Identifier: MIT */
/* What is no log of ours is refused; what a log claims is not believed. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "t/lib/mklog.h"
#include "t/lib/tap.h"

static struct mklog base;

static int open_head(const struct ptl_log_head *head)
{
	struct ptl_log_reader *reader;
	struct mklog log;
	int err;

	mklog_begin(&log);
	memcpy(log.bytes, head, sizeof(*head));
	mklog_check_head(&log);
	err = mklog_read(log.bytes, log.size, &reader);
	mklog_free(&log);
	if (!err)
		ptl_log_reader_close(reader);
	return err;
}

static void heads(void)
{
	const struct ptl_log_head good = *(struct ptl_log_head *)base.bytes;
	struct ptl_log_head head = good;

	is_int(open_head(&head), 0, "a log without packets");
	head.minor++;
	is_int(open_head(&head), 0, "a later minor version");
	head.major++;
	is_int(open_head(&head), EINVAL, "another major version");
	head = good;
	head.magic[0] ^= 0x80;
	is_int(open_head(&head), EINVAL, "another magic");
	head = good;
	head.byte_order = 0x04030201;
	is_int(open_head(&head), EINVAL, "another byte order");
	head = good;
	head.word_size = 4;
	is_int(open_head(&head), EINVAL, "another word size");
	head = good;
	head.head_size = PTL_LOG_HEAD_LEAST - 8;
	is_int(open_head(&head), EINVAL, "a head too small");
	head.head_size = UINT32_MAX & ~7u;
	is_int(open_head(&head), EINVAL, "a head larger than the file");
	head = good;
	memset(head.host, 'x', sizeof(head.host));
	memset(head.attr.name, 'x', sizeof(head.attr.name));
	is_int(open_head(&head), 0, "strings without an end");
}

/* What a log cut short says in its head has no meaning in an older one. */
static uint64_t cut_of(uint32_t minor)
{
	struct ptl_log_reader *reader;
	struct mklog log;
	const struct ptl_log_head *head;
	uint64_t cut;

	mklog_begin(&log);
	((struct ptl_log_head *)log.bytes)->minor = minor;
	((struct ptl_log_head *)log.bytes)->cut_error = ENOSPC;
	((struct ptl_log_head *)log.bytes)->cut_untraced = 3;
	mklog_check_head(&log);
	if (mklog_read(log.bytes, log.size, &reader) != 0)
		exit(99);
	mklog_free(&log);
	head = ptl_log_reader_head(reader);
	cut = head->cut_error + (uint64_t)head->cut_untraced;
	ptl_log_reader_close(reader);
	return cut;
}

static void cuts(void)
{
	is_int((long long)cut_of(2), ENOSPC + 3, "why a log was cut short");
	is_int((long long)cut_of(1), 0,
	       "an older one has something else there");
}

static void descriptors(void)
{
	struct ptl_log_reader *reader;
	int fds[2], fd = open("/tmp", O_RDONLY | O_DIRECTORY);

	is_int(ptl_log_reader_open(fd, &reader), EINVAL, "a directory");
	close(fd);
	is_int(ptl_log_reader_open(fd, &reader), EINVAL, "a closed descriptor");
	if (pipe(fds) == 0) {
		is_int(ptl_log_reader_open(fds[0], &reader), EINVAL, "a pipe");
		close(fds[0]);
		close(fds[1]);
	}
	/* A regular file as it says, with nothing at address 0. */
	fd = open("/proc/self/mem", O_RDONLY);
	is_int(ptl_log_reader_open(fd, &reader), EIO,
	       "a file that has no start");
	close(fd);
	fd = open("/dev/zero", O_RDONLY);
	is_int(ptl_log_reader_open(fd, &reader), EINVAL, "a device");
	close(fd);
	is_int(mklog_read("", 0, &reader), EINVAL, "an empty file");
	is_int(mklog_read("hello\n", 6, &reader), EINVAL, "some text");
}

/* The whole log is an EVENTS packet that claims too much. */
static void claims(void)
{
	struct ptl_log_packet *packet;
	struct ptl_log_reader *reader;
	struct mklog log;
	uint64_t *word;

	mklog_begin(&log);
	mklog_events(&log, 1, 10);
	mklog_record(&log, 10, 256, 0, NULL, 0);
	mklog_record(&log, 11, 256, UINT64_C(1) << 60, NULL, 0);
	mklog_close(&log);
	packet = (void *)(log.bytes + log.packet);
	packet->size = UINT64_MAX - 7;
	packet->nr_events = UINT32_MAX;
	mklog_check_packet(&log, log.packet);
	is_int(mklog_read(log.bytes, log.size, &reader), 0,
	       "a packet of 2^64 bytes");
	is_int((long long)ptl_log_reader_state(reader)->events, 2,
	       "has what is there");
	is_int(mklog_drain(reader, NULL, 0), 2, "and gives it");

	packet->size = log.size - log.packet;
	mklog_check_packet(&log, log.packet);
	word = (void *)(log.bytes + log.size - 8);
	*word |= PTL_EXT_SIZE_MASK - 8;
	is_int(mklog_read(log.bytes, log.size, &reader), 0,
	       "a record of 2^48 bytes");
	ok(ptl_log_reader_state(reader)->events <= log.size / 16,
	   "2^32 events are not believed");
	is_int(mklog_drain(reader, NULL, 0), 1, "is not given");
	mklog_free(&log);
}

/* A packet of a kind of the future; two ends of a bent clock. */
static void oddities(void)
{
	static const struct ptl_shm_anchor anchor[] = {
		{ 0, UINT64_MAX }, { UINT64_MAX, 1 },	  { 5, 5 },
		{ 5, 6 },	   { UINT64_MAX, ~0ull }, { 0, 0 },
	};
	struct ptl_log_reader *reader;
	struct mklog log;

	mklog_begin(&log);
	mklog_open(&log, (enum ptl_packet_kind)99);
	mklog_put(&log, "from the future", 16);
	mklog_close(&log);
	mklog_open(&log, PTL_PACKET_CLOCK);
	mklog_put(&log, anchor, sizeof(anchor));
	mklog_close(&log);
	for (uint32_t i = 0; i < 70; i++) {
		mklog_events(&log, i, UINT64_C(1) << (i % 64));
		mklog_record(&log, UINT64_C(1) << (i % 64), 256, 0, NULL, 0);
		mklog_close(&log);
	}
	((struct ptl_log_head *)log.bytes)->clock = PTL_CLOCK_TSC;
	mklog_check_head(&log);
	mklog_read(log.bytes, log.size, &reader);
	is_int((long long)ptl_log_reader_state(reader)->bad_size, 0,
	       "an unknown kind of packet is not bad");
	is_int(mklog_drain(reader, NULL, 0), 70,
	       "nonsense anchors: time does not go back");
	mklog_free(&log);
}

int main(void)
{
	plan(26);
	mklog_begin(&base);
	heads();
	cuts();
	descriptors();
	oddities();
	claims();
	mklog_free(&base);
	return done();
}
