/* SPDX-License-Identifier: MIT */
/*
 * What a log says of its host; damaged, or of an older version, it says nothing,
 * and what else is in the log is read all the same.  What a writer puts there is
 * what the machine says.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/writer.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

static void make(struct mklog *log)
{
	struct ptl_log_host *host;

	mklog_begin(log);
	mklog_events(log, 1, 5);
	mklog_record(log, 5, 256, 0, "abc", 4);
	mklog_close(log);
	mklog_end(log);
	host = &((struct ptl_log_head *)(void *)log->bytes)->where;
	strcpy(host->machine, "0123456789abcdef0123456789abcdef");
	strcpy(host->zone, "Europe/Berlin");
	host->clock_offset = 17;
	host->check = ptl_log_check(host, offsetof(struct ptl_log_host, check));
}

/* Reads it; what it says of its host, and that its event is there. */
static struct ptl_log_host read_host(const struct mklog *log, const char *what)
{
	struct ptl_log_reader *reader;
	struct ptl_log_host host = {.clock_sync = 99};
	const struct ptl_event *event;

	if (mklog_read(log->bytes, log->size, &reader) != 0) {
		ok(0, "%s: not read", what);
		return host;
	}
	host = ptl_log_reader_head(reader)->where;
	event = ptl_log_reader_next(reader);
	ok(event && event->data_size == 4 &&
		   ptl_log_reader_state(reader)->bad_size == 0,
	   "%s: its event is there", what);
	ptl_log_reader_close(reader);
	return host;
}

static int is_unknown(const struct ptl_log_host *host)
{
	static const struct ptl_log_host none;

	return memcmp(host, &none, sizeof(none)) == 0;
}

static void foreign(void)
{
	const size_t at = offsetof(struct ptl_log_head, where);
	struct ptl_log_host host;
	struct ptl_log_head *head;
	struct mklog log;

	make(&log);
	head = (void *)log.bytes;
	host = read_host(&log, "whole");
	ok(strcmp(host.zone, "Europe/Berlin") == 0 && host.clock_offset == 17,
	   "whole: what it says");
	log.bytes[at + 3] ^= 1;
	host = read_host(&log, "damaged");
	ok(is_unknown(&host), "damaged: nothing is known");
	head->head_size = PTL_LOG_HEAD_LEAST;
	head->minor = 5;
	mklog_check_head(&log);
	memmove(log.bytes + at, log.bytes + at + sizeof(host),
		log.size - at - sizeof(host));
	log.size -= sizeof(host);
	host = read_host(&log, "old");
	ok(is_unknown(&host), "old: nothing is known");
	mklog_free(&log);
}

/* Of the file's first line, "" if there is none. */
static void first_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "r");

	*line = '\0';
	if (file && fgets(line, size, file))
		line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
}

static void written(void)
{
	struct ptl_log_head head = {.clock = PTL_CLOCK_MONOTONIC,
				    .where.clock_offset = 99};
	char path[] = "/tmp/ptl-log-XXXXXX", machine[64];
	const struct ptl_log_head *got;
	struct timex timex = {.modes = 0};
	struct ptl_log_writer writer;
	struct ptl_log_reader *reader;
	int fd = mkstemp(path), state = adjtimex(&timex);

	unlink(path);
	if (ptl_log_create(&writer, fd, &head) != 0)
		exit(99);
	ptl_log_close(&writer);
	if (ptl_log_reader_open(fd, &reader) != 0)
		exit(99);
	got = ptl_log_reader_head(reader);
	first_line("/etc/machine-id", machine, sizeof(machine));
	is_str(got->where.machine, strlen(machine) == 32 ? machine : "",
	       "the machine's id, or nothing");
	ok(got->where.clock_sync ==
		   (state < 0			 ? 0u :
		    timex.status & STA_UNSYNC	 ? PTL_SYNC_ALONE :
						   PTL_SYNC_KEPT),
	   "whether its clock is kept right");
	if (access("/etc/localtime", F_OK) != 0)
		is_str(got->where.zone, "UTC", "no time zone is UTC");
	else
		ok(got->where.zone[0] > ' ', "its time zone: %s",
		   got->where.zone);
	ptl_log_reader_close(reader);
	close(fd);
}

int main(void)
{
	plan(9);
	foreign();
	written();
	return done();
}
