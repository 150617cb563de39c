/* SPDX-License-Identifier: MIT */
/*
 * The Common Trace Format, version 1.8, which babeltrace2 and Trace Compass
 * read: a directory with the events in packets, and "metadata" that say what is
 * where.  Of several logs each is a trace of its own, in a directory with its
 * number: its clock and its host are its own, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/dump/export/ctf_class.h"
#include "tools/dump/export/ctf_packet.h"
#include "tools/dump/parts/json.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/model/view.h"

/* One for each log. */
struct trace {
	char directory[24];
	struct ptl_ctf_packets packets;
	struct ptl_ctf_classes *classes;
	bool is_begun;
	uint64_t start;	      /* s: times count from here */
	uint64_t first, last; /* of its events */
	uint64_t overflow, resume;
};

static struct ptl_tracks *tracks;
static struct trace *traces;

static struct trace *trace_of(const struct ptl_merge *merge,
			      const struct ptl_source *source)
{
	return &traces[source - merge->source];
}

/* One log gives one trace, however often. */
static void make_uuid(unsigned char uuid[PTL_CTF_UUID],
		      const struct ptl_source *source)
{
	struct posix_trace_info_np info;
	struct timespec created = {0};
	trace_attr_t attr;
	uint64_t hash[2];

	memset(&info, 0, sizeof(info));
	posix_trace_get_info_np(source->trid, &info);
	if (posix_trace_get_attr(source->trid, &attr) == 0)
		posix_trace_attr_getcreatetime(&attr, &created);
	hash[0] = ptl_ns(&created);
	hash[1] = UINT64_C(0xcbf29ce484222325) ^ info.events;
	for (const char *c = info.host; *c != '\0'; c++)
		hash[1] =
			(hash[1] ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	for (const char *c = source->path; *c != '\0'; c++)
		hash[1] =
			(hash[1] ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	memcpy(uuid, hash, PTL_CTF_UUID);
	/* Version 8: made as its maker likes. */
	uuid[6] = (unsigned char)((uuid[6] & 0x0f) | 0x80);
	uuid[8] = (unsigned char)((uuid[8] & 0x3f) | 0x80);
}

static void begin(struct ptl_sink *sink)
{
	const struct ptl_merge *merge = sink->merge;

	tracks = ptl_tracks_new(merge);
	traces = ptl_alloc(merge->nr_sources * sizeof(*traces));
	for (size_t i = 0; i < merge->nr_sources; i++) {
		struct trace *trace = &traces[i];

		if (merge->nr_sources > 1) {
			snprintf(trace->directory, sizeof(trace->directory),
				 "%zu/", i + 1);
			ptl_sink_mkdir(sink, trace->directory);
		}
		trace->packets.sink = sink;
		trace->packets.directory = trace->directory;
		make_uuid(trace->packets.uuid, &merge->source[i]);
		trace->classes = ptl_ctf_class_new();
	}
}

static void learn(struct ptl_sink *sink, const struct ptl_step *step)
{
	uint64_t flow;

	(void)sink;
	ptl_tracks_learn(tracks, step, &flow);
}

static uint64_t time_of(struct trace *trace, const struct ptl_view *view)
{
	const struct timespec *time = &view->event->posix_timestamp;
	uint64_t now;

	if (!trace->is_begun) {
		trace->is_begun = true;
		trace->start = (uint64_t)time->tv_sec;
		trace->first = (uint64_t)time->tv_nsec;
	}
	now = ((uint64_t)time->tv_sec - trace->start) * 1000000000 +
	      (uint64_t)time->tv_nsec;
	trace->last = now;
	if (view->type->kind->act == PTL_ACT_OVERFLOW && trace->overflow == 0)
		trace->overflow = now;
	if (view->type->kind->act == PTL_ACT_RESUME)
		trace->resume = now;
	return now;
}

/* Where take() puts what is written. */
static struct ptl_bytes *text;

static void take(const char *bytes, size_t size)
{
	ptl_bytes_put(text, bytes, size);
}

/* What the thread has said of itself, an object of JSON; "": nothing. */
static void put_said(struct ptl_bytes *bytes, const struct ptl_view *view)
{
	static struct ptl_out out = {.take = take};

	text = bytes;
	if (view->context != NULL) {
		ptl_json_context(&out, "", view);
		ptl_out_flush(&out);
	}
	ptl_bytes_put(bytes, "", 1);
}

static void put_context(struct ptl_bytes *bytes, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;
	uint64_t address = (uintptr_t)view->event->posix_prog_address;
	unsigned char small[2] = {0, (unsigned char)source->nr_stack};

	if (view->event->posix_truncation_status == POSIX_TRACE_TRUNCATED_READ)
		small[0] = 2;
	else if (ptl_view_is_cut(view))
		small[0] = 1;
	ptl_bytes_put(bytes, &address, 8);
	ptl_bytes_put(bytes, &view->duration, 8);
	ptl_bytes_put(bytes, small, 2);
	for (size_t i = 0; i < source->nr_stack; i++) {
		address = (uintptr_t)source->stack[i];
		ptl_bytes_put(bytes, &address, 8);
	}
	put_said(bytes, view);
}

/* Packets have the name that the program had when they were begun. */
static void cut_packets(struct trace *trace, struct ptl_track_group *group)
{
	const char *program = ptl_tracks_program(group);

	if (group->told == program)
		return;
	for (struct ptl_track *track = group->tracks; track != NULL;
	     track = track->sibling)
		ptl_ctf_packet_cut(&trace->packets, track);
	group->told = program;
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	struct trace *trace = trace_of(sink->merge, view->source);
	uint64_t now = time_of(trace, view), flow;
	struct ptl_track *track;
	struct ptl_bytes *bytes;
	uint32_t id = 0;
	size_t at;

	track = ptl_tracks_learn(tracks, step, &flow);
	cut_packets(trace, track->group);
	bytes = ptl_ctf_packet_get(&trace->packets, track, now);
	ptl_bytes_put(bytes, &now, 8);
	at = bytes->used;
	ptl_bytes_put(bytes, &id, 4);
	put_context(bytes, view);
	id = ptl_ctf_class_put(trace->classes, bytes, view);
	memcpy(bytes->bytes + at, &id, 4);
}

/* When it was is known only where events say so. */
static void put_lost(struct trace *trace, const struct ptl_source *source)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(source->trid, &info) != 0 ||
	    info.lost_unknown || info.lost == 0)
		return;
	ptl_ctf_packet_lost(
		&trace->packets, info.lost,
		trace->overflow > 0 ? trace->overflow : trace->first,
		trace->resume > trace->overflow ? trace->resume : trace->last);
}

static void put_metadata(struct ptl_sink *sink, struct trace *trace,
			 struct ptl_source *source)
{
	static struct ptl_out out;
	char path[64];

	snprintf(path, sizeof(path), "%smetadata", trace->directory);
	ptl_sink_create(sink, path, &out);
	ptl_ctf_text_begin(&out, source, trace->packets.uuid, trace->start,
			   ptl_ctf_class_any(trace->classes));
	ptl_ctf_class_write(trace->classes, &out);
	ptl_out_flush(&out);
	close(out.fd);
}

static void end(struct ptl_sink *sink)
{
	struct ptl_merge *merge = sink->merge;

	for (size_t i = 0; i < merge->nr_sources; i++) {
		struct trace *trace = &traces[i];

		ptl_ctf_packet_close(&trace->packets);
		put_lost(trace, &merge->source[i]);
		put_metadata(sink, trace, &merge->source[i]);
		ptl_ctf_class_free(trace->classes);
	}
	free(traces);
	ptl_tracks_free(tracks);
}

const struct ptl_format ptl_format_ctf = {
	.name = "ctf",
	.wants_processes = true,
	.wants_directory = true,
	.begin = begin,
	.event = put_event,
	.learn = learn,
	.end = end,
};
