/* SPDX-License-Identifier: MIT */
/* Pipes and the like; see channels.h. */
#include "tools/report/model/channels.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/lib/say.h"
#include "tools/model/files/uses.h"
#include "tools/report/model/awaited.h"

/* Of a process that ends, descriptors up to that one are looked at. */
#define LAST_FD 15

/* Who waits until nobody writes any more. */
struct eof {
	struct ptl_wait *wait;
	const struct ptl_file *file;
};

struct ptl_channels {
	struct ptl_waits_kept *waits;
	struct ptl_hash awaited; /* CONTENT and SPACE of files */
	struct ptl_files *files;
	struct eof *eof;
	size_t nr_eof, eof_room;
};

struct ptl_channels *ptl_channels_new(struct ptl_waits_kept *waits)
{
	struct ptl_channels *channels = ptl_alloc(sizeof(*channels));

	channels->waits = waits;
	channels->awaited.value_size = sizeof(struct ptl_awaited);
	channels->files = ptl_files_new();
	return channels;
}

void ptl_channels_free(struct ptl_channels *channels)
{
	ptl_hash_clear(&channels->awaited);
	ptl_files_free(channels->files);
	free(channels->eof);
	free(channels);
}

static bool is_channel(const struct ptl_file *file)
{
	return file->kind == PTL_FILE_PIPE || file->kind == PTL_FILE_SOCKET;
}

static struct ptl_awaited *content_of(struct ptl_channels *channels,
				      const struct ptl_file *file)
{
	return ptl_awaited_get(&channels->awaited, PTL_AWAITED_CONTENT,
			       ptl_file_same(file), 0, 0);
}

/* From a pipe; until its writers have gone, and perhaps no data came. */
static void wait_for_data(struct ptl_channels *channels,
			  struct ptl_strand *strand,
			  const struct ptl_step *step,
			  const struct ptl_file *file)
{
	struct ptl_awaited *content = content_of(channels, file);
	struct ptl_wait *wait =
		ptl_wait_add(channels->waits, strand, step, PTL_WAIT_DATA,
			     ptl_file_same(file)->name);
	int64_t ret = ptl_step_number(step, "ret", 0);
	/* One of stdio reads until it has all. */
	bool is_long = step->kind->act == PTL_ACT_FREAD;

	if (wait == NULL)
		return;
	wait->is_first = ret > 0 && !is_long;
	if (ret > 0)
		ptl_awaited_keep(content, wait);
	if (wait->is_first)
		return;
	channels->eof = ptl_grow(channels->eof, channels->nr_eof,
				 &channels->eof_room, sizeof(*channels->eof));
	channels->eof[channels->nr_eof++] = (struct eof){wait, file};
}

static bool may_write(struct ptl_channels *channels,
		      const struct ptl_process *process,
		      const struct ptl_file *file)
{
	struct ptl_descriptors *all = ptl_files_descriptors(channels->files);

	for (uint64_t fd = 0; fd <= LAST_FD; fd++) {
		const struct ptl_file *other =
			ptl_descriptors_get(all, process, PTL_DESCRIPTOR_FD, fd)
				->file;

		if (other != NULL &&
		    ptl_file_same(other) == ptl_file_same(file))
			return true;
	}
	return content_of(channels, file)->writer == process;
}

/* A file is closed, or else the process ends: the last who does that, of those
 * who could write, ends the waiting for the end of the data. */
static void end_data(struct ptl_channels *channels, struct ptl_strand *strand,
		     const struct ptl_file *closed, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < channels->nr_eof; i++) {
		struct eof eof = channels->eof[i];

		if (eof.wait->end < now)
			continue;
		channels->eof[kept++] = eof;
		if (closed != NULL ?
			    ptl_file_same(eof.file) == ptl_file_same(closed) :
			    may_write(channels, strand->process, eof.file))
			ptl_awaited_end(eof.wait, strand, now);
	}
	channels->nr_eof = kept;
}

static void learn_read(struct ptl_channels *channels, struct ptl_strand *strand,
		       const struct ptl_step *step, const struct ptl_file *file)
{
	ptl_awaited_wake(ptl_awaited_get(&channels->awaited, PTL_AWAITED_SPACE,
					 ptl_file_same(file), 0, 0),
			 strand, step->now);
	wait_for_data(channels, strand, step, file);
}

static void learn_write(struct ptl_channels *channels,
			struct ptl_strand *strand, const struct ptl_step *step,
			const struct ptl_file *file)
{
	struct ptl_awaited *content = content_of(channels, file);

	content->writer = strand->process;
	ptl_awaited_wake(content, strand, step->now);
	ptl_awaited_keep(ptl_awaited_get(&channels->awaited, PTL_AWAITED_SPACE,
					 ptl_file_same(file), 0, 0),
			 ptl_wait_add(channels->waits, strand, step,
				      PTL_WAIT_ROOM,
				      ptl_file_same(file)->name));
}

/* For a disk or the network: not for memory, or for the time. */
static bool may_wait(const struct ptl_kind *kind)
{
	return kind->is_call && kind->family != PTL_FAMILY_MEM &&
	       kind->family != PTL_FAMILY_TIME;
}

static bool closes(const struct ptl_step *step)
{
	return step->kind->act == PTL_ACT_CLOSE ||
	       step->kind->act == PTL_ACT_FCLOSE;
}

void ptl_channels_learn(struct ptl_channels *channels,
			struct ptl_strand *strand, const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	unsigned int nr = ptl_uses_learn(channels->files, step, use);
	bool is_channel_used = false;

	for (unsigned int i = 0; i < nr; i++) {
		if (use[i].file == NULL || !is_channel(use[i].file))
			continue;
		if (closes(step))
			end_data(channels, strand, use[i].file, step->now);
		is_channel_used = use[i].is_read || use[i].is_write;
		if (use[i].is_read)
			learn_read(channels, strand, step, use[i].file);
		else if (use[i].is_write)
			learn_write(channels, strand, step, use[i].file);
	}
	if (!is_channel_used && may_wait(step->kind))
		ptl_wait_add(channels->waits, strand, step, PTL_WAIT_CALL,
			     step->kind->name);
}

/* The first descriptor that poll() or select() found ready to be read; -1:
 * there was none, or that is not known, as of epoll_wait(). */
static int64_t first_ready(const struct ptl_step *step)
{
	const struct ptl_arg *fds = ptl_decode_find(&step->view->args, "fds");
	struct pollfd poll;
	uint32_t select;

	if (fds == NULL || fds->bytes == NULL)
		return -1;
	if (strcmp(step->kind->name, "io:select") == 0) {
		for (size_t i = 0; i + sizeof(select) <= fds->size;
		     i += sizeof(select)) {
			memcpy(&select, fds->bytes + i, sizeof(select));
			if (select & PTL_SELECTFD_READY(0) &&
			    select != PTL_SELECTFD_MORE)
				return select & PTL_SELECTFD_NUMBER;
		}
		return -1;
	}
	for (size_t i = 0; i + sizeof(poll) <= fds->size; i += sizeof(poll)) {
		memcpy(&poll, fds->bytes + i, sizeof(poll));
		if (poll.revents & (POLLIN | POLLHUP))
			return poll.fd;
	}
	return -1;
}

void ptl_channels_poll(struct ptl_channels *channels, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	int64_t fd = first_ready(step);
	const struct ptl_file *file = NULL;

	if (step->duration < channels->waits->least)
		return;
	if (fd >= 0)
		file = ptl_files_of_fd(channels->files, step, fd);
	if (file != NULL && is_channel(file))
		wait_for_data(channels, strand, step, file);
	else
		ptl_wait_add(channels->waits, strand, step, PTL_WAIT_CALL,
			     step->kind->name);
}

void ptl_channels_end(struct ptl_channels *channels, struct ptl_strand *strand,
		      int64_t now)
{
	end_data(channels, strand, NULL, now);
}
