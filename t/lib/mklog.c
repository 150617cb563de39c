/* SPDX-License-Identifier: MIT */
#include "t/lib/mklog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/writer.h"

static void die(const char *what)
{
	perror(what);
	exit(99);
}

static void *extend(struct mklog *log, size_t size)
{
	void *end;

	if (log->room - log->size < size) {
		log->room = 2 * (log->size + size);
		log->bytes = realloc(log->bytes, log->room);
		if (!log->bytes)
			die("mklog");
	}
	end = log->bytes + log->size;
	memset(end, 0, size);
	log->size += size;
	return end;
}

void mklog_begin(struct mklog *log)
{
	struct ptl_log_head head = {
		.magic = PTL_LOG_MAGIC,
		.byte_order = PTL_BYTE_ORDER_MARK,
		.major = PTL_LOG_MAJOR,
		.minor = PTL_LOG_MINOR,
		.head_size = sizeof(head),
		.word_size = sizeof(long),
		.stream = 77,
		.host = "here",
		.clock = PTL_CLOCK_MONOTONIC,
		.anchor = {{0, 1000}, {1000000, 1001000}},
	};

	*log = (struct mklog){0};
	memcpy(extend(log, sizeof(head)), &head, sizeof(head));
	mklog_check_head(log);
}

void mklog_free(struct mklog *log)
{
	free(log->bytes);
}

static struct ptl_log_packet *packet_at(struct mklog *log, size_t offset)
{
	return (void *)(log->bytes + offset);
}

void mklog_check_head(struct mklog *log)
{
	struct ptl_log_head *head = (void *)log->bytes;

	head->check = ptl_log_check(head, offsetof(struct ptl_log_head, check));
}

void mklog_check_packet(struct mklog *log, size_t offset)
{
	struct ptl_log_packet *packet = packet_at(log, offset);

	packet->check =
		ptl_log_check(packet, offsetof(struct ptl_log_packet, check));
}

void mklog_check_all(struct mklog *log)
{
	size_t at = sizeof(struct ptl_log_head);

	if (log->size < at)
		return;
	mklog_check_head(log);
	while (log->size - at >= sizeof(struct ptl_log_packet)) {
		const struct ptl_log_packet *packet = packet_at(log, at);

		mklog_check_packet(log, at);
		if (packet->size < sizeof(*packet) || packet->size % 8 ||
		    packet->size > log->size - at)
			return;
		at += packet->size;
	}
}

void mklog_open(struct mklog *log, enum ptl_packet_kind kind)
{
	struct ptl_log_packet packet = {
		.magic = PTL_PACKET_MAGIC,
		.kind = kind,
	};

	log->packet = log->size;
	memcpy(extend(log, sizeof(packet)), &packet, sizeof(packet));
}

void mklog_put(struct mklog *log, const void *data, size_t size)
{
	memcpy(extend(log, ptl_align8(size)), data, size);
}

void mklog_close(struct mklog *log)
{
	packet_at(log, log->packet)->size = log->size - log->packet;
	mklog_check_packet(log, log->packet);
}

void mklog_events(struct mklog *log, uint32_t tid, uint64_t counter)
{
	mklog_span(log, 1000, tid, 1, counter);
}

void mklog_span(struct mklog *log, uint32_t pid, uint32_t tid, uint32_t image,
		uint64_t counter)
{
	struct ptl_log_packet *packet;

	mklog_open(log, PTL_PACKET_EVENTS);
	packet = packet_at(log, log->packet);
	packet->first = packet->last = counter;
	packet->rank = PTL_PACKET_PLAIN;
	packet->span = (struct ptl_shm_span){
		.pid = pid,
		.tid = tid,
		.thread = tid + UINT64_C(0x7f0000000000),
		.counter = counter,
		.image = image,
	};
}

void mklog_record(struct mklog *log, uint64_t counter, uint32_t id,
		  uint64_t addr, const void *data, size_t size)
{
	bool extended = ptl_record_extended(id, size, addr);
	uint32_t flags =
		PTL_RECORD_COMMITTED | (extended ? PTL_RECORD_EXTENDED : 0);
	uint64_t *word = extend(log, ptl_record_bytes(size, extended));
	struct ptl_log_packet *packet = packet_at(log, log->packet);

	word[0] = ptl_record_word0(counter, id, flags, size);
	word[1] = ptl_record_word1(counter & PTL_TIME_MASK, addr);
	if (extended)
		word[2] = ptl_record_word2(size, addr);
	if (size)
		memcpy(word + (extended ? 3 : 2), data, size);
	packet->last = PTL_MAX(packet->last, counter);
	packet->nr_events++;
	if (!ptl_record_is_plain(id))
		packet->rank &= ~PTL_PACKET_PLAIN;
}

void mklog_call(struct mklog *log, uint64_t counter, uint64_t since,
		uint32_t id, const void *data, size_t size)
{
	struct ptl_log_packet *packet = packet_at(log, log->packet);
	uint64_t last = packet->last;
	unsigned char all[256];

	if (size > sizeof(all) - sizeof(since))
		die("mklog_call");
	if (size)
		memcpy(all, data, size);
	memcpy(all + size, &since, sizeof(since));
	mklog_record(log, counter, id, 0, all, size + sizeof(since));
	packet = packet_at(log, log->packet);
	if (since && since < last)
		packet->rank |= PTL_PACKET_NESTED;
	if (since)
		packet->first = PTL_MIN(packet->first, since);
}

void mklog_type(struct mklog *log, uint32_t id, const char *name,
		const char *fields)
{
	size_t name_size = strlen(name) + 1, fields_size = strlen(fields) + 1;
	struct ptl_log_type type = {.id = id};
	char *to;

	type.size =
		(uint32_t)ptl_align8(sizeof(type) + name_size + fields_size);
	mklog_open(log, PTL_PACKET_TYPES);
	to = extend(log, type.size);
	memcpy(to, &type, sizeof(type));
	memcpy(to + sizeof(type), name, name_size);
	memcpy(to + sizeof(type) + name_size, fields, fields_size);
	mklog_close(log);
}

void mklog_end(struct mklog *log)
{
	struct ptl_log_end end = {.processes = 1, .lost = 7};

	mklog_open(log, PTL_PACKET_END);
	mklog_put(log, &end, sizeof(end));
	mklog_close(log);
}

int mklog_file(const void *bytes, size_t size)
{
	int fd = memfd_create("mklog", MFD_CLOEXEC);

	if (fd < 0)
		die("memfd_create");
	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, (const char *)bytes + done, size - done);

		if (n <= 0)
			die("write");
		done += (size_t)n;
	}
	return fd;
}

int mklog_read(const void *bytes, size_t size, struct ptl_log_reader **reader)
{
	int fd = mklog_file(bytes, size);
	int err = ptl_log_reader_open(fd, reader);

	close(fd);
	return err;
}

long mklog_drain(struct ptl_log_reader *reader, uint64_t *counters, size_t room)
{
	const struct ptl_event *event;
	uint64_t last = 0;
	size_t nr = 0;
	volatile unsigned char sink;
	bool back = false;

	while ((event = ptl_log_reader_next(reader))) {
		for (size_t i = 0; i < event->data_size; i++)
			sink = ((const unsigned char *)event->data)[i];
		(void)sink;
		back |= event->ns < last;
		last = event->ns;
		if (nr < room)
			counters[nr] = event->counter;
		nr++;
	}
	ptl_log_reader_close(reader);
	return back ? -1 : (long)nr;
}
