/* SPDX-License-Identifier: MIT */
/* The packets of a CTF trace; see ctf_packet.h. */
#include "tools/dump/export/ctf_packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"

#define PACKETS_OPEN 256
#define PACKET_SIZE (32u * 1024)

struct ptl_ctf_packet {
	struct ptl_ctf_packet *newer, *older;
	struct ptl_track *track;
	size_t file; /* the last one of the thread's, 1 + its number */
	uint64_t begin, end;
	struct ptl_bytes name;	 /* of the program then, with a null */
	struct ptl_bytes events; /* none: it is not begun */
};

/* What is written at the head of a packet, in this order. */
struct head {
	uint64_t begin, end, lost;
	int32_t pid, tid;
	uint32_t pidns;
	const char *name; /* of the program */
	size_t content;	  /* bytes of the events */
};

static void put_head(struct ptl_bytes *bytes,
		     const unsigned char uuid[PTL_CTF_UUID],
		     const struct head *head)
{
	const uint32_t magic = 0xc1fc1fc1, stream = 0;
	size_t name = strlen(head->name) + 1;
	uint64_t size = 8 * (24 + 5 * 8 + 12 + name + head->content);

	ptl_bytes_put(bytes, &magic, sizeof(magic));
	ptl_bytes_put(bytes, uuid, PTL_CTF_UUID);
	ptl_bytes_put(bytes, &stream, sizeof(stream));
	ptl_bytes_put(bytes, &head->begin, 8);
	ptl_bytes_put(bytes, &head->end, 8);
	ptl_bytes_put(bytes, &size, 8);
	ptl_bytes_put(bytes, &size, 8);
	ptl_bytes_put(bytes, &head->lost, 8);
	ptl_bytes_put(bytes, &head->pid, 4);
	ptl_bytes_put(bytes, &head->tid, 4);
	ptl_bytes_put(bytes, &head->pidns, 4);
	ptl_bytes_put(bytes, head->name, name);
}

/* The file is open for as long as it takes: there may be many. */
static void append(const struct ptl_ctf_packets *packets, const char *name,
		   bool is_new, const struct head *head,
		   const struct ptl_bytes *events)
{
	static struct ptl_out out;
	struct ptl_bytes bytes = {0};
	char path[64];

	snprintf(path, sizeof(path), "%s%s", packets->directory, name);
	put_head(&bytes, packets->uuid, head);
	if (is_new)
		ptl_sink_create(packets->sink, path, &out);
	else
		ptl_sink_append(packets->sink, path, &out);
	ptl_out_bytes(&out, bytes.bytes, bytes.used);
	if (events != NULL)
		ptl_out_bytes(&out, events->bytes, events->used);
	ptl_out_flush(&out);
	close(out.fd);
	ptl_bytes_free(&bytes);
}

/* The thread's own, if no other has gone on with it; else the first that has
 * ended; else a new one. */
static size_t choose_file(struct ptl_ctf_packets *packets,
			  const struct ptl_ctf_packet *packet)
{
	size_t file = packet->file > 0 ? packet->file - 1 : 0;

	if (packet->file == 0 || packets->file_end[file] > packet->begin)
		for (file = 0; file < packets->nr_files; file++)
			if (packets->file_end[file] <= packet->begin)
				break;
	if (file == packets->nr_files) {
		packets->file_end =
			ptl_grow(packets->file_end, packets->nr_files,
				 &packets->files_room, sizeof(uint64_t));
		packets->nr_files++;
	}
	return file;
}

static void write_packet(struct ptl_ctf_packets *packets,
			 struct ptl_ctf_packet *packet)
{
	const struct ptl_track_group *group = packet->track->group;
	size_t nr_files = packets->nr_files, file;
	struct head head = {
		.begin = packet->begin,
		.end = packet->end,
		.pid = group->pid,
		.tid = packet->track->tid,
		.pidns = group->pidns,
		.name = (const char *)packet->name.bytes,
		.content = packet->events.used,
	};
	char path[32];

	if (packet->events.used == 0)
		return;
	file = choose_file(packets, packet);
	packets->file_end[file] = packet->end;
	packet->file = file + 1;
	snprintf(path, sizeof(path), "stream_%zu", file);
	append(packets, path, file == nr_files, &head, &packet->events);
	packet->events.used = 0;
}

static void unlink_packet(struct ptl_ctf_packets *packets,
			  struct ptl_ctf_packet *packet)
{
	*(packet->newer != NULL ? &packet->newer->older : &packets->newest) =
		packet->older;
	*(packet->older != NULL ? &packet->older->newer : &packets->oldest) =
		packet->newer;
}

static void link_packet(struct ptl_ctf_packets *packets,
			struct ptl_ctf_packet *packet)
{
	packet->newer = NULL;
	packet->older = packets->newest;
	*(packets->newest != NULL ? &packets->newest->newer :
				    &packets->oldest) = packet;
	packets->newest = packet;
}

static void close_packet(struct ptl_ctf_packets *packets,
			 struct ptl_ctf_packet *packet)
{
	write_packet(packets, packet);
	unlink_packet(packets, packet);
	packets->nr_open--;
	packet->track->extra = NULL;
	ptl_bytes_free(&packet->name);
	ptl_bytes_free(&packet->events);
	free(packet);
}

static struct ptl_ctf_packet *open_packet(struct ptl_ctf_packets *packets,
					  struct ptl_track *track)
{
	struct ptl_ctf_packet *packet = track->extra;

	if (packet != NULL) {
		unlink_packet(packets, packet);
		link_packet(packets, packet);
		return packet;
	}
	if (packets->nr_open == PACKETS_OPEN)
		close_packet(packets, packets->oldest);
	packet = ptl_alloc(sizeof(*packet));
	packet->track = track;
	track->extra = packet;
	link_packet(packets, packet);
	packets->nr_open++;
	return packet;
}

static void set_name(struct ptl_bytes *to, const char *name)
{
	to->used = 0;
	ptl_ctf_field_string(to, name, name != NULL ? strlen(name) : 0);
}

struct ptl_bytes *ptl_ctf_packet_get(struct ptl_ctf_packets *packets,
				     struct ptl_track *track, uint64_t now)
{
	struct ptl_ctf_packet *packet = open_packet(packets, track);

	if (packet->events.used >= PACKET_SIZE)
		write_packet(packets, packet);
	if (packet->events.used == 0) {
		packet->begin = now;
		set_name(&packet->name, ptl_tracks_program(track->group));
	}
	packet->end = now;
	return &packet->events;
}

void ptl_ctf_packet_cut(struct ptl_ctf_packets *packets,
			struct ptl_track *track)
{
	if (track->extra != NULL)
		write_packet(packets, track->extra);
}

void ptl_ctf_packet_close(struct ptl_ctf_packets *packets)
{
	while (packets->oldest != NULL)
		close_packet(packets, packets->oldest);
	free(packets->file_end);
}

/*
 * Readers take the difference between the numbers of two packets that follow
 * each other in a file for what was lost between their ends.
 */
void ptl_ctf_packet_lost(struct ptl_ctf_packets *packets, uint64_t lost,
			 uint64_t from, uint64_t until)
{
	struct head head = {.begin = from, .end = from, .name = ""};

	append(packets, "lost", true, &head, NULL);
	head.end = until;
	head.lost = lost;
	append(packets, "lost", false, &head, NULL);
}
