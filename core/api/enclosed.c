/* SPDX-License-Identifier: MIT */
/* What is enclosed in a log beside its events: posix_trace_enclose_np,
 * posix_trace_get_enclosed_np. */
#include "core/core.h"
#include "core/log/reader.h"
#include "core/log/writer.h"
#include "core/stream/stream.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>
#include <sys/mman.h>
#include <trace.h>

/* Memory has to hold it, twice. */
#define SIZE_MOST (UINT64_C(1) << 31)

static uint64_t padded(uint64_t size)
{
	return (size + 7) & ~UINT64_C(7);
}

/* The packet; NULL: no memory. */
static struct ptl_log_packet *make(const char *name, const void *data,
				   size_t size)
{
	struct ptl_log_enclosed head = {
		.size = size,
		.name_size = (uint32_t)ptl_strlen(name) + 1,
	};
	uint64_t whole = sizeof(struct ptl_log_packet) + sizeof(head) +
			 padded(head.name_size) + padded(size);
	struct ptl_log_packet *packet =
		ptl_sys_mmap(NULL, whole, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *at;

	if (packet == MAP_FAILED)
		return NULL;
	at = (char *)(packet + 1);
	packet->magic = PTL_PACKET_MAGIC;
	packet->kind = PTL_PACKET_ENCLOSED;
	packet->size = whole;
	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	memcpy(at, name, head.name_size);
	if (size > 0)
		memcpy(at + padded(head.name_size), data, size);
	return packet;
}

/* The log in that file, to be gone on with behind all that it has. */
static int resume(int fd, struct ptl_log_writer *log)
{
	struct ptl_log_head head;
	struct ptl_kstat st;
	int err = ptl_sys_fstat(fd, &st);
	long n;

	if (err)
		return -err;
	do
		n = ptl_sys_pread(fd, &head, sizeof(head), 0);
	while (n == -EINTR);
	if (n == -EBADF)
		return EBADF;
	if (n < PTL_LOG_HEAD_LEAST || st.st_size % 8 != 0)
		return EINVAL;
	err = ptl_log_resume(log, fd, st.st_dev, st.st_ino, head.stream);
	if (!err)
		log->size = log->end = (uint64_t)st.st_size;
	return err;
}

PTL_EXPORT int posix_trace_enclose_np(int file_desc, const char *name,
				      const void *data, size_t size)
{
	struct ptl_log_writer log;
	struct ptl_log_packet *packet;
	int err;

	if (!name || !*name || (!data && size > 0) || size > SIZE_MOST)
		return EINVAL;
	if (ptl_strnlen(name, PTL_ENCLOSED_NAME) == PTL_ENCLOSED_NAME)
		return ENAMETOOLONG;
	err = resume(file_desc, &log);
	if (err)
		return err;
	packet = make(name, data, size);
	err = packet ? ptl_log_append(&log, packet, packet->size) : ENOMEM;
	if (packet)
		ptl_sys_munmap(packet, packet->size);
	ptl_log_close(&log);
	return err;
}

PTL_EXPORT int posix_trace_get_enclosed_np(trace_id_t trid, unsigned int number,
					   char *name, size_t name_size,
					   void *data, size_t data_size,
					   size_t *size)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_LOG);
	struct ptl_lock_mask mask;
	uint64_t whole;
	int err;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	err = ptl_log_reader_enclosed(stream->opened.reader, number, name,
				      name ? name_size : 0, data,
				      data ? data_size : 0, &whole);
	if (!err && size)
		*size = whole;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return err;
}
