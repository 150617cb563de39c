/* SPDX-License-Identifier: MIT */
/* Pipes and the like; see channels.h. */
#include "tools/report/model/channels.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "core/format/values.h"
#include "tools/lib/say.h"
#include "tools/model/files/uses.h"
#include "tools/report/model/awaited.h"
#include "tools/report/model/peers.h"

/* Of a process that ends, descriptors up to that one are looked at. */
#define LAST_FD 15

/* Of more descriptors of epoll it is not known which one was ready. */
#define MAX_POLLED (1 << 20)

/* Who waits until nobody writes any more. */
struct eof {
	struct ptl_wait *wait;
	const struct ptl_file *file;
};

struct ptl_channels {
	struct ptl_waits_kept *waits;
	struct ptl_hash awaited; /* CONTENT and SPACE of files */
	struct ptl_files *files;
	struct ptl_peers_all *peers;
	struct ptl_hash polled; /* descriptors, by what epoll_wait() tells */
	struct eof *eof;
	size_t nr_eof, eof_room;
};

struct ptl_channels *ptl_channels_new(struct ptl_waits_kept *waits)
{
	struct ptl_channels *channels = ptl_alloc(sizeof(*channels));

	channels->waits = waits;
	channels->awaited.value_size = sizeof(struct ptl_awaited);
	channels->files = ptl_files_new();
	channels->peers = ptl_peers_new();
	channels->polled.value_size = sizeof(int64_t);
	return channels;
}

void ptl_channels_free(struct ptl_channels *channels)
{
	ptl_hash_clear(&channels->awaited);
	ptl_files_free(channels->files);
	ptl_peers_free(channels->peers);
	ptl_hash_clear(&channels->polled);
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

/* Who waits at a side of sockets that have addresses: for one connection, for
 * the first of many, or until the other end of one is closed. */
enum for_what { FOR_ONE, FOR_MANY, FOR_END };

static struct ptl_awaited *content_at(struct ptl_channels *channels,
				      const struct ptl_peers *peers,
				      enum ptl_peer_side side,
				      enum for_what for_what)
{
	return ptl_awaited_get(&channels->awaited, PTL_AWAITED_CONTENT, peers,
			       side, for_what);
}

static struct ptl_awaited *space_at(struct ptl_channels *channels,
				    const struct ptl_peers *peers,
				    enum ptl_peer_side side)
{
	return ptl_awaited_get(&channels->awaited, PTL_AWAITED_SPACE, peers,
			       side, 0);
}

static enum ptl_peer_side other_side(enum ptl_peer_side side)
{
	return side == PTL_PEER_CLIENT ? PTL_PEER_SERVER : PTL_PEER_CLIENT;
}

/* Of one connection it is the last that may have sent data before they came; of
 * many the first that has. */
static void wait_for_peer(struct ptl_channels *channels,
			  struct ptl_strand *strand,
			  const struct ptl_step *step, enum ptl_wait_kind kind,
			  const char *what, struct ptl_awaited *content,
			  bool is_of_many)
{
	struct ptl_wait *wait =
		ptl_wait_add(channels->waits, strand, step, kind, what);

	if (wait == NULL || ptl_step_number(step, "ret", -1) < 0)
		return;
	wait->is_first = is_of_many;
	ptl_awaited_keep(content, wait);
}

/* Of several processes at this side it is not known whose connection another
 * one waits for. */
static void wake_peer(struct ptl_channels *channels, struct ptl_strand *strand,
		      const struct ptl_peers *peers, enum ptl_peer_side side,
		      enum for_what for_what, int64_t now)
{
	if (for_what == FOR_MANY || !peers->are_several[side])
		ptl_awaited_wake(
			content_at(channels, peers, other_side(side), for_what),
			strand, now);
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
	enum ptl_peer_side side;
	struct ptl_peers *peers =
		closed != NULL ? ptl_peers_of(channels->peers, closed, &side) :
				 NULL;
	size_t kept = 0;

	if (peers != NULL && side != PTL_PEER_LISTENER)
		wake_peer(channels, strand, peers, side, FOR_END, now);
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
	enum ptl_peer_side side;
	struct ptl_peers *peers = ptl_peers_of(channels->peers, file, &side);

	if (peers != NULL) {
		ptl_peers_note(peers, side, strand->process);
		if (!peers->are_several[side])
			ptl_awaited_wake(
				space_at(channels, peers, other_side(side)),
				strand, step->now);
		wait_for_peer(channels, strand, step, PTL_WAIT_DATA,
			      ptl_file_same(file)->name,
			      content_at(channels, peers, side,
					 ptl_step_number(step, "ret", 0) > 0 ?
						 FOR_ONE :
						 FOR_END),
			      false);
		return;
	}
	ptl_awaited_wake(ptl_awaited_get(&channels->awaited, PTL_AWAITED_SPACE,
					 ptl_file_same(file), 0, 0),
			 strand, step->now);
	wait_for_data(channels, strand, step, file);
}

static void learn_write(struct ptl_channels *channels,
			struct ptl_strand *strand, const struct ptl_step *step,
			const struct ptl_file *file)
{
	struct ptl_awaited *content, *space;
	enum ptl_peer_side side;
	struct ptl_peers *peers = ptl_peers_of(channels->peers, file, &side);

	if (peers != NULL) {
		ptl_peers_note(peers, side, strand->process);
		wake_peer(channels, strand, peers, side, FOR_MANY, step->now);
		wake_peer(channels, strand, peers, side, FOR_ONE, step->now);
		space = space_at(channels, peers, side);
	} else {
		content = content_of(channels, file);
		content->writer = strand->process;
		ptl_awaited_wake(content, strand, step->now);
		space = ptl_awaited_get(&channels->awaited, PTL_AWAITED_SPACE,
					ptl_file_same(file), 0, 0);
	}
	ptl_awaited_keep(space, ptl_wait_add(channels->waits, strand, step,
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

/* accept(), or that a listening socket is ready for it. */
static void wait_for_connection(struct ptl_channels *channels,
				struct ptl_strand *strand,
				const struct ptl_step *step,
				struct ptl_peers *peers,
				const struct ptl_file *listener)
{
	char what[1024];

	snprintf(what, sizeof(what), "a connection to %.900s",
		 ptl_file_same(listener)->name);
	wait_for_peer(channels, strand, step, PTL_WAIT_CALL,
		      ptl_intern(what, sizeof(what)),
		      content_at(channels, peers, PTL_PEER_LISTENER, FOR_MANY),
		      true);
}

static void learn_connect(struct ptl_channels *channels,
			  struct ptl_strand *strand,
			  const struct ptl_step *step,
			  const struct ptl_file *file)
{
	struct ptl_peers *peers;

	if (strcmp(step->kind->name, "net:bind") == 0) {
		ptl_peers_bind(channels->peers, step, file);
		return;
	}
	if (step->error != NULL &&
	    ptl_step_number(step, "errno", 0) != EINPROGRESS)
		return;
	peers = ptl_peers_connect(channels->peers, step, file);
	ptl_awaited_wake(
		content_at(channels, peers, PTL_PEER_LISTENER, FOR_MANY),
		strand, step->now);
}

static void learn_accept(struct ptl_channels *channels,
			 struct ptl_strand *strand, const struct ptl_step *step,
			 const struct ptl_file *file)
{
	const struct ptl_file *listener = ptl_files_of_fd(
		channels->files, step, ptl_step_number(step, "fd", -1));

	if (listener == NULL || step->error != NULL)
		return;
	wait_for_connection(channels, strand, step,
			    ptl_peers_accept(channels->peers, listener, file),
			    listener);
}

struct polled {
	const struct ptl_process *process;
	int64_t epoll, data;
};

static void learn_epoll(struct ptl_channels *channels,
			const struct ptl_step *step)
{
	struct polled key = {step->process, ptl_step_number(step, "epoll", -1),
			     ptl_step_number(step, "data", -1)};

	if (step->error == NULL && channels->polled.nr < MAX_POLLED &&
	    ptl_decode_find(&step->view->args, "data") != NULL)
		*(int64_t *)ptl_hash_get(&channels->polled, &key, sizeof(key)) =
			ptl_step_number(step, "fd", -1);
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
		if (step->kind->act == PTL_ACT_CONNECT)
			learn_connect(channels, strand, step, use[i].file);
		if (step->kind->act == PTL_ACT_ACCEPT)
			learn_accept(channels, strand, step, use[i].file);
		is_channel_used = use[i].is_read || use[i].is_write ||
				  (step->kind->act == PTL_ACT_ACCEPT &&
				   step->error == NULL);
		if (use[i].is_read)
			learn_read(channels, strand, step, use[i].file);
		else if (use[i].is_write)
			learn_write(channels, strand, step, use[i].file);
	}
	if (strcmp(step->kind->name, "io:epoll_ctl") == 0)
		learn_epoll(channels, step);
	if (!is_channel_used && may_wait(step->kind))
		ptl_wait_add(channels->waits, strand, step, PTL_WAIT_CALL,
			     step->kind->name);
}

/* By what the program has told epoll_ctl(). */
static int64_t first_epolled(const struct ptl_channels *channels,
			     const struct ptl_step *step)
{
	const struct ptl_arg *events =
		ptl_decode_find(&step->view->args, "events");
	struct polled key = {step->process, ptl_step_number(step, "epoll", -1),
			     0};

	if (events == NULL || events->bytes == NULL)
		return -1;
	for (size_t i = 0; i + PTL_EPOLLFD_SIZE <= events->size;
	     i += PTL_EPOLLFD_SIZE) {
		const int64_t *fd;
		uint32_t what;

		memcpy(&what, events->bytes + i, sizeof(what));
		memcpy(&key.data, events->bytes + i + sizeof(what),
		       sizeof(key.data));
		fd = ptl_hash_find(&channels->polled, &key, sizeof(key));
		if (fd != NULL && what & (EPOLLIN | EPOLLHUP))
			return *fd;
	}
	return -1;
}

/* The first descriptor that poll() or select() found ready to be read; -1:
 * there was none, or that is not known. */
static int64_t first_ready(const struct ptl_channels *channels,
			   const struct ptl_step *step)
{
	const struct ptl_arg *fds = ptl_decode_find(&step->view->args, "fds");
	struct pollfd poll;
	uint32_t select;

	if (fds == NULL || fds->bytes == NULL)
		return first_epolled(channels, step);
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

/* poll() of a single descriptor. */
static bool is_of_one(const struct ptl_step *step)
{
	return ptl_decode_find(&step->view->args, "epoll") == NULL &&
	       ptl_step_number(step, "count", 0) == 1;
}

void ptl_channels_poll(struct ptl_channels *channels, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	int64_t fd = first_ready(channels, step);
	const struct ptl_file *file = NULL;
	struct ptl_peers *peers = NULL;
	enum ptl_peer_side side;

	if (step->duration < channels->waits->least)
		return;
	if (fd >= 0)
		file = ptl_files_of_fd(channels->files, step, fd);
	if (file != NULL && is_channel(file))
		peers = ptl_peers_of(channels->peers, file, &side);
	if (peers != NULL && side == PTL_PEER_LISTENER)
		wait_for_connection(channels, strand, step, peers, file);
	else if (peers != NULL)
		wait_for_peer(channels, strand, step, PTL_WAIT_DATA,
			      ptl_file_same(file)->name,
			      content_at(channels, peers, side,
					 is_of_one(step) ? FOR_ONE : FOR_MANY),
			      !is_of_one(step));
	else if (file != NULL && is_channel(file))
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
