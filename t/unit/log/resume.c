/* SPDX-License-Identifier: MIT */
/* A log is completed by somebody else, and nothing else is ever cut. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/packet.h"
#include "core/log/rotation.h"
#include "core/log/writer.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

static char path[] = "/tmp/ptl-log-XXXXXX";
static struct mklog trace;
static struct stat st;

/* As root would: nothing but O_PATH before it is known what it is. */
static int resume(uint64_t stream)
{
	int fd = open(path, O_PATH);
	struct ptl_log_writer writer;
	int err = ptl_log_resume(&writer, fd, st.st_dev, st.st_ino, stream);

	if (!err)
		ptl_log_close(&writer);
	close(fd);
	return err;
}

static void refused(int fd)
{
	char other[] = "/tmp/ptl-other-XXXXXX";
	struct ptl_log_writer writer;
	size_t size = trace.size;
	int fd_other = mkstemp(other);

	is_int(resume(78), EINVAL, "another stream");
	is_int(ptl_log_resume(&writer, fd_other, st.st_dev, st.st_ino, 77),
	       ESTALE, "another file");
	close(fd_other);
	unlink(other);
	is_int(ptl_log_resume(&writer, -1, 0, 0, 77), EBADF, "no file");
	st.st_ino++;
	is_int(resume(77), ESTALE, "another inode");
	st.st_ino--;
	if (geteuid() == 0) {
		if (seteuid(65534) != 0)
			exit(99);
		is_int(ptl_log_resume(&writer, fd, st.st_dev, st.st_ino, 77),
		       EACCES, "no permission");
		if (seteuid(0) != 0)
			exit(99);
	} else {
		chmod(path, 0400);
		is_int(resume(77), EACCES, "no permission");
		chmod(path, 0600);
	}
	is_int(lseek(fd, 0, SEEK_END), (long long)size + 20, "nothing was cut");
}

/* What is in it is not known: not that it is another's, or empty. */
static void unreadable(void)
{
	struct ptl_log_head head = {
		.head_size = sizeof(head),
		.ring_slots = 2,
		.ring_slot = 4096,
	};
	/* A regular file as it says, with nothing at the lowest addresses. */
	int fd = open("/proc/self/mem", O_RDWR);
	struct ptl_log_writer writer = {.fd = fd};
	struct ptl_rotation ring;
	struct stat mem;

	fstat(fd, &mem);
	is_int(ptl_rotation_resume(&ring, &writer, &head, 0, 1), EIO,
	       "a ring that cannot be read");
	is_int(ptl_log_resume(&writer, fd, mem.st_dev, mem.st_ino, 77), EIO,
	       "nor its head");
	close(fd);
}

static void completed(int fd)
{
	struct ptl_log_writer writer;
	struct ptl_log_reader *reader;
	struct ptl_log_end end = { .processes = 3 };
	_Alignas(8) char buf[PTL_LOG_PACK_END_SIZE];
	size_t size = ptl_packet_end(buf, &end);

	is_int(ptl_log_resume(&writer, fd, st.st_dev, st.st_ino, 77), 0,
	       "resumed by a descriptor for reading");
	is_int(ptl_log_cut(&writer, trace.size), 0, "cut where it ends");
	is_int(ptl_log_append(&writer, buf, size), 0, "completed");
	ptl_log_close(&writer);
	is_int(ptl_log_reader_open(fd, &reader), 0, "read");
	ok(ptl_log_reader_state(reader)->complete &&
		   ptl_log_reader_state(reader)->end.processes == 3 &&
		   ptl_log_reader_state(reader)->bad_size == 0,
	   "it is whole");
	is_int((long long)ptl_log_reader_chunk_end(reader, 5, 2), 300,
	       "so far a chunk was copied");
	is_int((long long)ptl_log_reader_chunk_end(reader, 5, 3), 0,
	       "in another life not yet");
	is_int(mklog_drain(reader, NULL, 0), 2, "all events");
	is_int(lseek(fd, 0, SEEK_END), (long long)(trace.size + size),
	       "and nothing but that");
	is_int(resume(77), 0, "and resumed by path");
}

static void add_packet(uint64_t counter, uint64_t chunk_end)
{
	struct ptl_log_packet *packet;

	mklog_events(&trace, 1, counter);
	mklog_record(&trace, counter, 256, 0, NULL, 0);
	packet = (void *)(trace.bytes + trace.packet);
	packet->chunk = 5;
	packet->chunk_life = 2;
	packet->chunk_end = chunk_end;
	mklog_close(&trace);
}

int main(void)
{
	int fd = mkstemp(path);

	plan(18);
	mklog_begin(&trace);
	add_packet(10, 300);
	add_packet(20, 200);
	if (write(fd, trace.bytes, trace.size) != (ssize_t)trace.size ||
	    write(fd, "half a packet, say 20", 20) != 20)
		return 99;
	close(fd);
	fd = open(path, O_RDONLY);
	fstat(fd, &st);
	refused(fd);
	unreadable();
	completed(fd);
	unlink(path);
	mklog_free(&trace);
	return done();
}
