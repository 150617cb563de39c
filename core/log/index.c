/* SPDX-License-Identifier: MIT */
/*
 * The index of a log.  A header is believed if its magic and check are right;
 * then its size says where the next one is.  If there is none, the bytes up to
 * the next good header are noted as bad.  Memory is bounded by the size of the
 * file: a slot is smaller than a header, an anchor is as large as one in the
 * file, an event type needs no more than its entry.
 */
#include "core/log/index.h"

#include <stdlib.h>
#include <string.h>

#include "core/log/writer.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

size_t ptl_log_index_pread(struct ptl_log_index *index, void *buf, size_t size,
			   uint64_t offset)
{
	int fd = ptl_log_file_get(&index->file);
	size_t done = 0;

	if (fd < 0) {
		index->state.error = -fd;
		return 0;
	}
	while (done < size) {
		long n = ptl_sys_pread(fd, (char *)buf + done, size - done,
				       (int64_t)(offset + done));

		if (n == -EINTR)
			continue;
		if (n < 0)
			index->state.error = (int)-n;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	ptl_log_file_put(&index->file);
	return done;
}

/*
 * Size bytes (at most a window) of the file, valid until the next call; NULL
 * if they are not all there.
 */
static const void *bytes_at(struct ptl_log_index *index, uint64_t offset,
			    size_t size)
{
	uint64_t skip = offset - index->window_offset;

	if (offset < index->window_offset || skip > index->window_size ||
	    index->window_size - skip < size) {
		index->window_offset = offset;
		index->window_size = ptl_log_index_pread(
			index, index->window, PTL_LOG_INDEX_WINDOW, offset);
		skip = 0;
		if (index->window_size < size)
			return NULL;
	}
	return index->window + skip;
}

/* Room for one more element. */
static int grow(void **array, size_t *room, size_t nr, size_t size)
{
	size_t want = *room ? *room * 2 : 16;
	void *more;

	if (nr < *room)
		return 0;
	if (want > SIZE_MAX / size)
		return ENOMEM;
	more = realloc(*array, want * size);
	if (!more)
		return ENOMEM;
	*array = more;
	*room = want;
	return 0;
}

void ptl_log_index_bad(struct ptl_log_index *index, uint64_t offset,
		       uint64_t size)
{
	struct ptl_log_reader_state *state = &index->state;

	if (size == 0)
		return;
	if (state->bad_size == 0 || offset < state->bad_offset)
		state->bad_offset = offset;
	state->bad_size += size;
}

bool ptl_log_index_header_ok(const struct ptl_log_packet *packet)
{
	return packet->magic == PTL_PACKET_MAGIC &&
	       packet->size >= sizeof(*packet) && packet->size % 8 == 0 &&
	       packet->check ==
		       ptl_log_check(packet,
				     offsetof(struct ptl_log_packet, check));
}

static bool header_at(struct ptl_log_index *index, uint64_t offset,
		      struct ptl_log_packet *packet)
{
	const void *p = bytes_at(index, offset, sizeof(*packet));

	if (!p)
		return false;
	memcpy(packet, p, sizeof(*packet));
	return ptl_log_index_header_ok(packet);
}

/* The next offset where there is a header again, or the end of the file. */
static uint64_t resync(struct ptl_log_index *index, uint64_t offset)
{
	struct ptl_log_packet packet;

	for (offset += 8; offset < index->state.size; offset += 8) {
		const uint32_t *word;

		offset = ptl_log_index_skip(index, offset, index->state.size);
		word = bytes_at(index, offset, sizeof(packet));
		if (!word)
			break;
		if (*word == PTL_PACKET_MAGIC &&
		    header_at(index, offset, &packet))
			return offset;
	}
	return index->state.size;
}

/* Could these be the first bytes of a header, the rest not yet written? */
static bool header_begins(struct ptl_log_index *index, uint64_t offset)
{
	const uint32_t magic = PTL_PACKET_MAGIC;
	uint64_t rest = index->state.size - offset;
	size_t size = PTL_MIN(rest, sizeof(magic));
	const void *p = bytes_at(index, offset, size);

	return rest < sizeof(struct ptl_log_packet) && p &&
	       memcmp(p, &magic, size) == 0;
}

/* From here on `size' is what the file has of a packet, header included. */

static int take_events(struct ptl_log_index *index, uint64_t offset,
		       uint64_t size, const struct ptl_log_packet *packet)
{
	uint32_t rank = packet->rank & PTL_RANK_BITS;
	/* Of a cut one it is not known yet: see ptl_log_reader_open(). */
	uint64_t nr = size < packet->size ? 0 :
					    PTL_MIN(packet->nr_events,
						    size / PTL_RECORD_HEADER);
	void *slots = index->slot;
	int err = grow(&slots, &index->room_slots, index->nr_slots,
		       sizeof(*index->slot));

	index->slot = slots;
	if (err)
		return err;
	index->slot[index->nr_slots++] = (struct ptl_log_slot){
		.offset = offset,
		.size = size & ~UINT64_C(7),
		.first = packet->first,
		.last = packet->last >= packet->first ? packet->last :
							UINT64_MAX,
		.chunk = packet->chunk,
		.chunk_life = packet->chunk_life,
		.chunk_end = packet->chunk_end,
		.rank = rank <= PTL_RANK_AFTER ? rank : PTL_RANK_EVENT,
		.cut = size < packet->size,
		.plain = packet->rank & PTL_PACKET_PLAIN,
		.nr = (uint32_t)nr,
	};
	index->state.event_bytes += size;
	if (index->state.first == 0 || packet->first < index->state.first)
		index->state.first = packet->first;
	index->state.last = PTL_MAX(index->state.last, packet->last);
	index->state.events += nr;
	return 0;
}

/* Name and fields of an entry are terminated inside it, the name no longer
 * than the API's buffers. */
static bool type_ok(const struct ptl_log_type *type)
{
	const char *name = (const char *)(type + 1);
	size_t room = type->size - sizeof(*type);
	size_t name_len = ptl_strnlen(name, room);

	return type->id > 0 && type->id < PTL_ID_LIMIT &&
	       name_len < PTL_NAME_SIZE && name_len < room &&
	       ptl_strnlen(name + name_len + 1, room - name_len - 1) <
		       room - name_len - 1;
}

/* Is it the first of its id?  Then there is room for it, but not if *err. */
static bool is_new_type(struct ptl_log_index *index, uint32_t id, int *err)
{
	uint32_t room = index->room_types;
	char **more;

	if (id >= room) {
		for (room = PTL_MAX(room, 64); room <= id;)
			room *= 2;
		more = realloc(index->type, room * sizeof(*more));
		if (!more) {
			*err = ENOMEM;
			return false;
		}
		memset(more + index->room_types, 0,
		       (room - index->room_types) * sizeof(*more));
		index->type = more;
		index->room_types = room;
	}
	return !index->type[id];
}

static int take_types(struct ptl_log_index *index, uint64_t offset,
		      uint64_t size, const struct ptl_log_packet *packet)
{
	uint64_t end = offset + size;
	int err = 0;

	for (offset += sizeof(*packet); offset < end && !err;) {
		const struct ptl_log_type *type =
			bytes_at(index, offset, sizeof(*type));
		uint32_t bytes = type ? type->size : 0;

		if (bytes < sizeof(*type) || bytes % 8 ||
		    bytes > end - offset) {
			if (size == packet->size)
				ptl_log_index_bad(index, offset, end - offset);
			return 0;
		}
		type = bytes > PTL_LOG_INDEX_WINDOW ?
			       NULL :
			       bytes_at(index, offset, bytes);
		if (!type || !type_ok(type)) {
			ptl_log_index_bad(index, offset, bytes);
		} else if (is_new_type(index, type->id, &err)) {
			char *copy = malloc(bytes - sizeof(*type));

			if (!copy)
				return ENOMEM;
			memcpy(copy, type + 1, bytes - sizeof(*type));
			index->type[type->id] = copy;
			index->types_end =
				PTL_MAX(index->types_end, type->id + 1);
		}
		offset += bytes;
	}
	return err;
}

static int add_anchor(struct ptl_log_index *index,
		      const struct ptl_shm_anchor *anchor)
{
	void *anchors = index->anchor;
	int err;

	if (anchor->ns == 0)
		return 0; /* not filled in */
	err = grow(&anchors, &index->room_anchors, index->nr_anchors,
		   sizeof(*anchor));
	index->anchor = anchors;
	if (!err)
		index->anchor[index->nr_anchors++] = *anchor;
	return err;
}

static int take_clock(struct ptl_log_index *index, uint64_t offset,
		      uint64_t size)
{
	const struct ptl_shm_anchor *anchor;
	uint64_t end = offset + size;
	int err;

	offset += sizeof(struct ptl_log_packet);
	for (; end - offset >= sizeof(*anchor); offset += sizeof(*anchor)) {
		uint64_t hole = ptl_log_index_skip(index, offset, end) - offset;

		hole &= ~(sizeof(*anchor) - 1);
		ptl_log_index_bad(index, offset, hole);
		offset += hole;
		anchor = bytes_at(index, offset, sizeof(*anchor));
		if (!anchor)
			return 0;
		err = add_anchor(index, anchor);
		if (err)
			return err;
	}
	return 0;
}

static void take_end(struct ptl_log_index *index, uint64_t offset,
		     uint64_t size)
{
	struct ptl_log_reader_state *state = &index->state;
	const void *p;

	size = PTL_MIN(size - sizeof(struct ptl_log_packet),
		       sizeof(state->end));
	/* Minor version 0 had no more. */
	if (size < offsetof(struct ptl_log_end, discarded))
		return;
	p = bytes_at(index, offset + sizeof(struct ptl_log_packet), size);
	if (!p)
		return;
	memset(&state->end, 0, sizeof(state->end));
	memcpy(&state->end, p, size);
	state->complete = true;
}

static void take_loss(struct ptl_log_index *index, uint64_t offset,
		      uint64_t size)
{
	const struct ptl_log_loss *loss;

	if (size < sizeof(struct ptl_log_packet) + sizeof(*loss))
		return;
	loss = bytes_at(index, offset + sizeof(struct ptl_log_packet),
			sizeof(*loss));
	if (!loss)
		return;
	index->state.lost_since = loss->since;
	index->state.quiet = loss->quiet;
}

static void take_untraced(struct ptl_log_index *index, uint64_t offset,
			  uint64_t size)
{
	struct ptl_untraced *untraced = &index->state.untraced;
	const void *p = NULL;

	if (size >= sizeof(struct ptl_log_packet) + sizeof(*untraced))
		p = bytes_at(index, offset + sizeof(struct ptl_log_packet),
			     sizeof(*untraced));
	if (p)
		memcpy(untraced, p, sizeof(*untraced));
}

static int take_enclosed(struct ptl_log_index *index, uint64_t offset,
			 uint64_t size)
{
	const struct ptl_log_enclosed *head;
	void *enclosures = index->enclosure;
	struct ptl_log_enclosure found;
	uint64_t room, before;
	int err;

	if (size < sizeof(struct ptl_log_packet) + sizeof(*head))
		return 0;
	offset += sizeof(struct ptl_log_packet);
	head = bytes_at(index, offset, sizeof(*head));
	if (!head)
		return 0;
	found = (struct ptl_log_enclosure){offset + sizeof(*head), head->size,
					   head->name_size};
	room = size - sizeof(struct ptl_log_packet) - sizeof(*head);
	before = ((uint64_t)found.name_size + 7) & ~UINT64_C(7);
	if (found.name_size == 0 || found.name_size > PTL_ENCLOSED_NAME ||
	    before > room || found.size > room - before)
		return 0;
	err = grow(&enclosures, &index->room_enclosures, index->nr_enclosures,
		   sizeof(*index->enclosure));
	index->enclosure = enclosures;
	if (!err)
		index->enclosure[index->nr_enclosures++] = found;
	return err;
}

static int take_packet(struct ptl_log_index *index, uint64_t offset,
		       uint64_t size, const struct ptl_log_packet *packet)
{
	switch (packet->kind) {
	case PTL_PACKET_EVENTS:
		return take_events(index, offset, size, packet);
	case PTL_PACKET_TYPES:
		return take_types(index, offset, size, packet);
	case PTL_PACKET_CLOCK:
		return take_clock(index, offset, size);
	case PTL_PACKET_END:
		if (size == packet->size)
			take_end(index, offset, size);
		return 0;
	case PTL_PACKET_LOSS:
		take_loss(index, offset, size);
		return 0;
	case PTL_PACKET_UNTRACED:
		take_untraced(index, offset, size);
		return 0;
	case PTL_PACKET_ENCLOSED:
		if (size == packet->size)
			return take_enclosed(index, offset, size);
		/* Nobody goes on with it: the log has its end. */
		ptl_log_index_bad(index, offset, size);
		return 0;
	case PTL_PACKET_VOID:
		return 0;
	default:
		return 0; /* of a later minor version */
	}
}

static int by_first(const void *va, const void *vb)
{
	const struct ptl_log_slot *a = va, *b = vb;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return ptl_log_order(a) < ptl_log_order(b) ? -1 : 1;
}

static int by_counter(const void *va, const void *vb)
{
	const struct ptl_shm_anchor *a = va, *b = vb;

	if (a->counter != b->counter)
		return a->counter < b->counter ? -1 : 1;
	return a->ns < b->ns ? -1 : a->ns > b->ns;
}

/* Drops the anchors that would make time stand or go back. */
static void order_anchors(struct ptl_log_index *index)
{
	struct ptl_shm_anchor *anchor = index->anchor;
	size_t kept = 0;

	if (index->nr_anchors)
		qsort(anchor, index->nr_anchors, sizeof(*anchor), by_counter);
	for (size_t i = 0; i < index->nr_anchors; i++)
		if (kept == 0 ||
		    (anchor[i].counter > anchor[kept - 1].counter &&
		     anchor[i].ns > anchor[kept - 1].ns))
			anchor[kept++] = anchor[i];
	index->nr_anchors = kept;
}

static void order_slots(struct ptl_log_index *index, size_t from)
{
	for (size_t i = from + 1; i < index->nr_slots; i++) {
		if (index->slot[i - 1].first <= index->slot[i].first)
			continue;
		qsort(index->slot + from, index->nr_slots - from,
		      sizeof(*index->slot), by_first);
		return;
	}
}

/* All that follow; one that the file ends inside only if it may be cut.  Behind
 * a log's end nothing is to be gone on with. */
static int take_packets(struct ptl_log_index *index, bool may_be_cut)
{
	struct ptl_log_reader_state *state = &index->state;
	struct ptl_log_packet packet;
	uint64_t offset = index->next, next;
	int err = 0;

	for (; offset < state->size && !err; offset = next) {
		if (header_at(index, offset, &packet)) {
			next = packet.size < state->size - offset ?
				       offset + packet.size :
				       state->size;
			if (next - offset == packet.size)
				state->good_end = index->next = next;
			else if (!may_be_cut)
				break;
			err = take_packet(index, offset, next - offset,
					  &packet);
		} else if (header_begins(index, offset) &&
			   !(may_be_cut && state->complete)) {
			break;
		} else {
			next = resync(index, offset);
			ptl_log_index_bad(index, offset, next - offset);
			index->next = next;
		}
	}
	return err;
}

/* The window is there only while it is needed: there may be many logs. */
static int open_window(struct ptl_log_index *index)
{
	index->window_size = 0;
	index->window = malloc(PTL_LOG_INDEX_WINDOW);
	return index->window ? 0 : ENOMEM;
}

static void close_window(struct ptl_log_index *index)
{
	free(index->window);
	index->window = NULL;
}

int ptl_log_index_build(struct ptl_log_index *index,
			const struct ptl_log_head *head)
{
	int err = open_window(index);

	index->state.good_end = index->next = head->head_size;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(head->anchor) && !err; i++)
		err = add_anchor(index, &head->anchor[i]);
	if (!err)
		err = take_packets(index, true);
	close_window(index);
	order_anchors(index);
	if (index->nr_anchors)
		index->origin = index->anchor[0].counter;
	index->timed = head->minor >= 5;
	index->clock = head->clock;
	order_slots(index, 0);
	return err;
}

bool ptl_log_index_whole(struct ptl_log_index *index, uint64_t size)
{
	struct ptl_log_packet packet;
	bool whole;

	if (open_window(index))
		return false;
	index->state.size = size;
	ptl_holes_forget(&index->holes);
	if (header_at(index, index->next, &packet))
		whole = packet.size <= size - index->next;
	else
		whole = !header_begins(index, index->next);
	close_window(index);
	return whole;
}

int ptl_log_index_grow(struct ptl_log_index *index, uint64_t size,
		       uint64_t given)
{
	size_t old = index->nr_slots;
	uint64_t cut = index->next;
	int err = open_window(index);

	if (err)
		return err;
	index->state.size = size;
	ptl_holes_forget(&index->holes);
	err = take_packets(index, false);
	close_window(index);
	for (size_t i = old; i < index->nr_slots; i++)
		if (index->slot[i].offset == cut)
			index->slot[i].skip = given;
	order_anchors(index);
	order_slots(index, old);
	return err;
}

void ptl_log_index_free(struct ptl_log_index *index)
{
	for (size_t i = 0; i < index->types_end; i++)
		free(index->type[i]);
	free(index->type);
	free(index->anchor);
	free(index->enclosure);
	free(index->slot);
}
