/* SPDX-License-Identifier: MIT */
/*
 * usage: read LOG PTRACE-DUMP, or read PROGRAM ONE LOG...
 * What processor time it takes to read an event of a log: by
 * posix_trace_getnext_event(), and as a line of text and of json.  The limit
 * walks the packets in memory, and writes the same kind of line of text with
 * digits made by hand.
 * The other way: an event of many logs by that program, beside one of a log
 * that has as many.
 */
#include <trace.h>

#include "core/format/logfile.h"
#include "core/format/record.h"
#include "t/bench/measure.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 5

static const unsigned char *bytes; /* the log in memory */
static size_t log_size;
static volatile uint64_t sink;

static unsigned long getnext_all(int fd)
{
	struct posix_trace_event_info info;
	unsigned long nr = 0;
	char data[4096];
	trace_id_t trid;
	int unavailable;
	size_t size;

	if (posix_trace_open(fd, &trid) != 0)
		exit(1);
	while (posix_trace_getnext_event(trid, &info, data, sizeof(data), &size,
					 &unavailable) == 0 &&
	       !unavailable)
		nr++;
	posix_trace_close(trid);
	return nr;
}

/* Calls fn for each record of the log in the order of the file. */
static void walk(void (*fn)(const struct ptl_log_packet *packet,
			    const struct ptl_record *rec))
{
	size_t at = sizeof(struct ptl_log_head);

	while (at < log_size) {
		const struct ptl_log_packet *packet =
			(const void *)(bytes + at);
		size_t pos = sizeof(*packet);
		struct ptl_record rec;

		for (; packet->kind == PTL_PACKET_EVENTS && pos < packet->size;
		     pos += rec.bytes) {
			if (!ptl_record_parse(bytes + at + pos,
					      packet->size - pos, &rec))
				break;
			fn(packet, &rec);
		}
		at += packet->size;
	}
}

static uint64_t last;
static unsigned long out_of_order;

static inline void check_order(const struct ptl_log_packet *packet,
			       const struct ptl_record *rec)
{
	uint64_t counter = ptl_record_counter(rec->time, packet->span.counter);

	out_of_order += counter < last;
	last = counter;
	sink += rec->id;
}

static char text[1 << 16];
static size_t text_size;
static int null_fd;

static void put_decimal(uint64_t value, unsigned int width)
{
	char digits[24];
	unsigned int nr = 0;

	do
		digits[nr++] = (char)('0' + value % 10);
	while ((value /= 10) != 0 || nr < width);
	while (nr > 0)
		text[text_size++] = digits[--nr];
}

static void put_hex(uint64_t value, unsigned int width)
{
	while (width < 16 && value >> (4 * width))
		width++;
	while (width-- > 0)
		text[text_size++] =
			"0123456789abcdef"[value >> (4 * width) & 15];
}

static void put_text(const char *s)
{
	while (*s)
		text[text_size++] = *s++;
}

static void print(const struct ptl_log_packet *packet,
		  const struct ptl_record *rec)
{
	uint64_t counter = ptl_record_counter(rec->time, packet->span.counter);
	const unsigned char *data = rec->data;

	if (text_size > sizeof(text) - 16384) {
		sink += (uint64_t)write(null_fd, text, text_size);
		text_size = 0;
	}
	put_decimal(counter / 1000000000, 1);
	put_text(".");
	put_decimal(counter % 1000000000, 9);
	put_text(" ");
	put_decimal(packet->span.pid, 1);
	put_text("/");
	put_decimal(packet->span.tid, 1);
	put_text(" bench data=0x");
	for (size_t i = 0; i < rec->data_size && i < 4096; i++)
		put_hex(data[i], 2);
	put_text(" @ 0x");
	put_hex(rec->addr, 1);
	put_text("\n");
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* What a program takes of processor time, ns.  Nobody reads what it prints. */
static double run(char **argv)
{
	struct rusage use;
	pid_t pid = fork();

	if (pid == 0) {
		dup2(null_fd, STDOUT_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	wait4(pid, NULL, 0, &use);
	return (seconds(&use.ru_utime) + seconds(&use.ru_stime)) * 1e9;
}

static double dump(char *program, const char *format, char *log)
{
	char option[16];

	snprintf(option, sizeof(option), "-f%s", format);
	return run((char *[]){program, option, log, NULL});
}

static double nr_events(const char *log)
{
	int fd = open(log, O_RDONLY);
	unsigned long nr = fd >= 0 ? getnext_all(fd) : 0;

	if (nr == 0) {
		fprintf(stderr, "%s: no events\n", log);
		exit(1);
	}
	close(fd);
	return (double)nr;
}

/* argv: this, the program, one log, the others, NULL. */
static int compare_many(int argc, char **argv)
{
	const char *name = strrchr(argv[1], '/');
	char *log = argv[2];
	double one = nr_events(log), all = 0;
	struct measure many = {0};

	for (int i = 3; i < argc; i++)
		all += nr_events(argv[i]);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		double limit = run((char *[]){argv[1], log, NULL}) / one;

		/* The many stand behind the program. */
		argv[2] = argv[1];
		measure_add(&many, run(argv + 2) / all, limit);
	}
	measure_tell(&many, name ? name + 1 : argv[1]);
	return 0;
}

static double timed(void (*fn)(const struct ptl_log_packet *packet,
			       const struct ptl_record *rec))
{
	double start = measure_cpu();

	walk(fn);
	return measure_cpu() - start;
}

int main(int argc, char **argv)
{
	struct measure getnext = {0}, text_lines = {0}, json_lines = {0};
	struct stat st;
	int fd;

	null_fd = open("/dev/null", O_WRONLY);
	if (argc > 3)
		return compare_many(argc, argv);
	if (argc != 3)
		return 2;
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &st) != 0)
		return 1;
	log_size = (size_t)st.st_size;
	bytes = mmap(NULL, log_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd,
		     0);
	if (bytes == MAP_FAILED || null_fd < 0)
		return 1;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		double floor = timed(check_order), start = measure_cpu();
		double nr = (double)getnext_all(fd);

		if (nr < 1) {
			fprintf(stderr, "%s: no events\n", argv[1]);
			return 1;
		}
		measure_add(&getnext, (measure_cpu() - start) / nr, floor / nr);
		floor = timed(print);
		measure_add(&text_lines, dump(argv[2], "text", argv[1]) / nr,
			    floor / nr);
		measure_add(&json_lines, dump(argv[2], "json", argv[1]) / nr,
			    floor / nr);
	}
	measure_tell(&getnext, "posix_trace_getnext_event");
	measure_tell(&text_lines, "ptrace-dump, a line of text");
	measure_tell(&json_lines, "ptrace-dump, a line of json");
	return 0;
}
