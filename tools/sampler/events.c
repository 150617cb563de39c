/* SPDX-License-Identifier: MIT */
/* See events.h.  How they are opened: open.c. */
#include "tools/sampler/events.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/sampler/origins.h"

/* One that is over is no longer looked at by poll(2). */
static int fd_of(const struct pollfd *event)
{
	return event->fd < 0 ? ~event->fd : event->fd;
}

void ptl_events_over(const struct ptl_events *events)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (events->fds[i].fd >= 0 && events->fds[i].revents & POLLHUP)
			events->fds[i].fd = ~events->fds[i].fd;
}

bool ptl_events_are_over(const struct ptl_events *events)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (events->fds[i].fd >= 0)
			return false;
	return true;
}

uint64_t ptl_events_lost(const struct ptl_events *events)
{
	uint64_t lost = 0;

	/* Each event has its own count. */
	for (unsigned int i = 0; i < events->nr; i++) {
		struct {
			uint64_t value, lost;
		} counted = {0, 0};

		if (read(fd_of(&events->fds[i]), &counted, sizeof(counted)) ==
		    (ssize_t)sizeof(counted))
			lost += counted.lost;
	}
	return lost;
}

void ptl_events_stop(const struct ptl_events *events)
{
	for (unsigned int i = 0; i < events->nr; i++)
		ioctl(fd_of(&events->fds[i]), PERF_EVENT_IOC_DISABLE, 0);
}

static void drain_ring(const struct ptl_events_ring *ring,
		       ptl_events_take *take, void *arg)
{
	static _Alignas(8) unsigned char whole[UINT16_MAX + 1];
	uint64_t head, tail = ring->page->data_tail;

	/* Pairs with the kernel's store of it, behind the records. */
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	while (tail < head) {
		uint64_t at = tail & (ring->size - 1), left = ring->size - at;
		const struct perf_event_header *record =
			(const void *)(ring->bytes + at);
		uint64_t size = record->size;

		if (size < sizeof(*record) || size > head - tail)
			break;
		if (size > left) {
			memcpy(whole, ring->bytes + at, left);
			memcpy(whole + left, ring->bytes, size - left);
			record = (const void *)whole;
		}
		take(arg, record);
		tail += size;
	}
	/* Pairs with the kernel's load, before it writes there. */
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void ptl_events_drain(const struct ptl_events *events, ptl_events_take *take,
		      void *arg)
{
	for (unsigned int i = 0; i < events->nr_rings; i++)
		drain_ring(&events->ring[i], take, arg);
}

bool ptl_events_have_chains;

/* Of the kernel's functions in a sample, in bytes. */
static size_t chain_size(const struct perf_event_header *record)
{
	const size_t at = sizeof(*record) + 40;
	uint64_t nr = 0;

	if (!ptl_events_have_chains)
		return 0;
	if (record->size >= at + sizeof(nr))
		memcpy(&nr, (const char *)record + at, sizeof(nr));
	return sizeof(nr) + (nr < record->size ? nr : record->size) * 8;
}

/* Where in a sample the size of the stack is; 0: it has none. */
static size_t stack_at(const struct perf_event_header *record)
{
	/* Address, thread, time, the event's number, CPU; whether there are
	 * registers, and these. */
	const size_t abi_at = sizeof(*record) + 40 + chain_size(record);
	size_t at = abi_at + 8 + PTL_EVENTS_REGS * sizeof(uint64_t);
	uint64_t abi = PERF_SAMPLE_REGS_ABI_NONE;

	if (record->type == PERF_RECORD_SAMPLE &&
	    record->size >= at + 2 * sizeof(uint64_t))
		memcpy(&abi, (const char *)record + abi_at, sizeof(abi));
	return abi == PERF_SAMPLE_REGS_ABI_NONE ? 0 : at;
}

/* The room for it is followed by how much of that is used. */
size_t ptl_events_copy(void *to, const struct perf_event_header *record)
{
	const char *from = (const char *)record;
	size_t at = stack_at(record), size;
	uint64_t room = 0, used = 0;
	struct perf_event_header *copy = to;

	if (at != 0)
		memcpy(&room, from + at, sizeof(room));
	if (room % 8 == 0 && room > 0 && room <= record->size - at - 16)
		memcpy(&used, from + at + 8 + room, sizeof(used));
	used &= ~UINT64_C(7);
	if (used == 0 || used >= room) {
		memcpy(to, record, record->size);
		return record->size;
	}
	size = at + 8 + used;
	memcpy(to, record, size);
	memcpy((char *)to + at, &used, sizeof(used));
	memcpy((char *)to + size, &used, sizeof(used));
	copy->size = (uint16_t)(size + 8);
	return copy->size;
}

uint64_t ptl_events_time(const struct perf_event_header *record)
{
	/* A sample has it behind its address and thread, others before the
	 * event's number and their CPU, which is last. */
	size_t at = record->type == PERF_RECORD_SAMPLE ?
			    sizeof(*record) + 16 :
			    (size_t)record->size - 24;
	uint64_t time = 0;

	if (at + sizeof(time) <= record->size)
		memcpy(&time, (const char *)record + at, sizeof(time));
	return time;
}

void ptl_events_origin(const struct perf_event_header *record, pid_t *pid,
		       pid_t *tid, unsigned int *cpu)
{
	/* Behind all else: process, thread, time, the event's number, CPU, and
	 * 4 bytes more. */
	const char *end = (const char *)record + record->size;
	int32_t ids[2] = {0, 0};

	*cpu = 0;
	if (record->size >= sizeof(*record) + 32) {
		memcpy(ids, end - 32, sizeof(ids));
		memcpy(cpu, end - 8, sizeof(*cpu));
	}
	*pid = ids[0];
	*tid = ids[1];
}

uint64_t ptl_events_id(const struct perf_event_header *record)
{
	/* In a sample, too, it is behind the time. */
	size_t at = record->type == PERF_RECORD_SAMPLE ?
			    sizeof(*record) + 24 :
			    (size_t)record->size - 16;
	uint64_t id = 0;

	if (at + sizeof(id) <= record->size)
		memcpy(&id, (const char *)record + at, sizeof(id));
	return id;
}

bool ptl_events_is_page(const struct ptl_events *events,
			const struct perf_event_header *record)
{
	return record->type == PERF_RECORD_SAMPLE &&
	       (!events->has_samples ||
		ptl_origins_is_page(ptl_events_id(record)));
}

pid_t ptl_events_sampled(const struct perf_event_header *record)
{
	int32_t tid = 0;

	if (record->size >= sizeof(*record) + 16)
		memcpy(&tid, (const char *)record + sizeof(*record) + 12,
		       sizeof(tid));
	return tid;
}
