/* SPDX-License-Identifier: MIT */
/* posix_trace_trid_event_as_np: what a controller knows of a thread that it
 * traces, and that the thread could not record itself. */
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/stream/stream.h"
#include "core/sys/clock.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"

#include <errno.h>
#include <trace.h>

#define NS_PER_S UINT64_C(1000000000)

/*
 * The stream's clock at a time of CLOCK_MONOTONIC that has passed: on the line
 * through a pair of now, taken anew where need be, and one of before.
 */
static uint64_t counter_at(struct ptl_stream *stream, uint64_t ns)
{
	const struct ptl_map *map = stream->map;
	struct ptl_shm_anchor *from = &stream->told[0], *to = &stream->told[1];
	uint64_t ticks, span;

	if (map->clock != PTL_CLOCK_TSC)
		return ns;
	if (ns > to->ns) {
		if (to->ns - from->ns > NS_PER_S || !from->ns)
			*from = *to;
		ptl_clock_anchor(map->clock, 0, to->ns ? to : NULL, to);
	}
	/* At first there is the one from when the stream was made. */
	if (!from->ns) {
		*from = map->log->anchor[0];
		from->ns -= map->log->clock_offset;
	}
	ticks = to->counter - from->counter;
	span = to->ns - from->ns;
	if (!span || ns > to->ns)
		return to->counter;
	ns = to->ns - ns;
	/* An hour without events is a span, too: no product is too large. */
	for (; span >> 30; span >>= 1)
		ticks >>= 1;
	return to->counter - (ns / span * ticks + ns % span * ticks / span);
}

/* That of a process of our own pid namespace; 0 of one that is not known. */
static uint32_t image_of(const struct ptl_map *map, pid_t pid)
{
	const struct ptl_shm_ident who = {
		.pid = (uint32_t)pid,
		.pidns = ptl_pidns(),
	};
	int dir = ptl_rundir_open(map->uid, false);
	const struct ptl_shm_entry *entry = NULL;
	struct ptl_registry reg;
	uint32_t image = 0;
	uint64_t key;

	if (dir < 0)
		return 0;
	if (ptl_registry_open(dir, map->uid, false, &reg) == 0) {
		entry = ptl_registry_find(&reg, &who, 0, &key);
		if (entry)
			image = atomic_load_explicit(&entry->image,
						     memory_order_relaxed);
		ptl_registry_close(&reg);
	}
	ptl_sys_close(dir);
	return image;
}

static int record(struct ptl_stream *stream,
		  const struct posix_trace_event_info *event, const void *data,
		  size_t size, struct ptl_oneshot_past *past)
{
	const struct timespec *at = &event->posix_timestamp;
	struct ptl_map *map = stream->map;
	struct ptl_emit_as as;

	if (ptl_map_filters(map, event->posix_event_id))
		return 0;
	if (ptl_map_state(map) != PTL_STATE_RUNNING)
		return EAGAIN;
	ptl_owner_self(&as);
	as.pid = (uint32_t)event->posix_pid;
	as.tid = (uint32_t)event->posix_tid_np;
	as.image = event->posix_image_np;
	if (as.image == POSIX_TRACE_IMAGE_NOW_NP)
		as.image = image_of(map, event->posix_pid);
	if (event->posix_pidns_np != 0)
		as.pidns = event->posix_pidns_np;
	as.thread = 0;
	past->when = counter_at(stream, (uint64_t)at->tv_sec * NS_PER_S +
						(uint64_t)at->tv_nsec);
	if (ptl_oneshot_at(map, &as, past, event->posix_event_id, data, size))
		return 0;
	ptl_emit_lose(map);
	return EAGAIN;
}

PTL_EXPORT int posix_trace_trid_event_as_np(
	trace_id_t trid, const struct posix_trace_event_info *event,
	const void *data, size_t size, void *const *frames, size_t nr)
{
	uint64_t frame[PTL_STACK_MAX];
	struct ptl_oneshot_past past = {frame, nr, 0, 0};
	struct ptl_stream *stream;
	struct ptl_lock_mask mask;
	int err;

	static_assert(POSIX_TRACE_STACK_MAX_NP <= PTL_STACK_MAX, "frames");
	if (!event || event->posix_event_id < 1 ||
	    event->posix_event_id >= PTL_ID_FIRST_CALL || (!data && size > 0) ||
	    nr > POSIX_TRACE_STACK_MAX_NP || (!frames && nr > 0))
		return EINVAL;
	for (size_t i = 0; i < nr; i++)
		frame[i] = (uintptr_t)frames[i];
	past.addr = (uintptr_t)event->posix_prog_address;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	err = record(stream, event, data, size, &past);
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return err;
}
