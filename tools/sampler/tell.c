/* SPDX-License-Identifier: MIT */
/* See tell.h. */
#include "tools/sampler/tell.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/sampler/numbers.h"

static int socket_fd;
static _Alignas(8) unsigned char message[PTL_SAMPLED_MOST];
static size_t used;

void ptl_tell_to(int fd)
{
	socket_fd = fd;
}

void ptl_tell_all(void)
{
	ssize_t sent;

	if (used == 0)
		return;
	do
		sent = send(socket_fd, message, used, MSG_NOSIGNAL);
	while (sent < 0 && (errno == EINTR || errno == ENOBUFS));
	if (sent < 0)
		_exit(1);
	used = 0;
}

void ptl_tell(const struct ptl_tell *what)
{
	size_t data = what->size < PTL_SAMPLED_DATA_MOST ?
			      what->size :
			      PTL_SAMPLED_DATA_MOST;
	size_t frames = what->nr * sizeof(*what->frame);
	const struct ptl_numbers numbers = ptl_numbers_of(what->pid, what->tid);
	struct ptl_sampled head = {
		.size = (uint32_t)((sizeof(head) + frames + data + 7) &
				   ~(size_t)7),
		.id = what->id,
		.pid = numbers.pid,
		.tid = numbers.tid,
		.pidns = numbers.pidns,
		.image = what->image,
		.nr_frames = (uint32_t)what->nr,
		.data_size = (uint32_t)data,
		.error = what->error,
		.when = what->when,
		.addr = what->addr,
	};
	unsigned char *to;

	if (head.size > sizeof(message) - used)
		ptl_tell_all();
	to = message + used;
	memset(to + head.size - 8, 0, 8);
	memcpy(to, &head, sizeof(head));
	if (frames > 0)
		memcpy(to + sizeof(head), what->frame, frames);
	if (data > 0)
		memcpy(to + sizeof(head) + frames, what->data, data);
	used += head.size;
}

static void put(struct ptl_tell_data *data, const void *bytes, size_t size)
{
	if (size > sizeof(data->bytes) - data->size)
		size = sizeof(data->bytes) - data->size;
	memcpy(data->bytes + data->size, bytes, size);
	data->size += size;
}

void ptl_tell_int(struct ptl_tell_data *data, uint64_t value)
{
	put(data, &value, sizeof(value));
}

void ptl_tell_string(struct ptl_tell_data *data, const char *text)
{
	put(data, text, strlen(text) + 1);
}

void ptl_tell_bytes(struct ptl_tell_data *data, const void *bytes, uint8_t size)
{
	put(data, &size, 1);
	put(data, bytes, size);
}
