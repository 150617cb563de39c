/* SPDX-License-Identifier: MIT */
/* See events.h. */
#include "tools/sampler/events.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/monitor/wire/sampled.h"

/* So much is each user's without RLIMIT_MEMLOCK (perf_event_mlock_kb); less has
 * to do where there is no more. */
#define RING_MOST (512u * 1024)
/* Threads can be switched a million times in a second. */
#define RING_SWITCHES (2048u * 1024)
/* Of many CPUs not all are as busy as that. */
#define ALL_SWITCHES (32768u * 1024)
#define RING_LEAST (64u * 1024)

/* PERF_FORMAT_LOST, which older headers do not have. */
#define FORMAT_LOST (1u << 4)

static void add_samples(struct perf_event_attr *attr, unsigned int hz)
{
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = 1000000000 / hz;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = PTL_EVENTS_REGS_MASK;
	attr->sample_stack_user = PTL_SAMPLED_STACK;
	/* What stacks are found by, and have their names from. */
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->build_id = 1;
}

static struct perf_event_attr attributes(const struct ptl_events_wanted *wanted)
{
	struct perf_event_attr attr = {
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.read_format = FORMAT_LOST,
		.sample_id_all = 1,
		.context_switch = wanted->wants_switches,
		.disabled = !wanted->is_running,
		.enable_on_exec = !wanted->is_running,
		.inherit = 1,
		.inherit_thread = !wanted->follows,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.exclude_callchain_kernel = 1,
		.task = 1,
		.comm = 1,
		.comm_exec = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		/* Of 0 bytes: where half of the ring is full, whatever its size
		 * is. */
		.watermark = 1,
	};

	if (wanted->hz > 0)
		add_samples(&attr, wanted->hz);
	return attr;
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 || errno != EINVAL)
		return fd;
	/* Since 6.0. */
	if (attr->read_format != 0)
		attr->read_format = 0;
	/* Since 5.12. */
	else if (attr->build_id)
		attr->build_id = 0;
	else
		return fd;
	return open_event(attr, pid, cpu);
}

static bool map_ring(struct ptl_events_ring *ring, int fd, size_t size)
{
	struct perf_event_mmap_page *page =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return false;
	ring->fd = fd;
	ring->page = page;
	ring->bytes = (const unsigned char *)page + page->data_offset;
	ring->size = page->data_size;
	return true;
}

/* All of them, or none. */
static int map_rings(const struct ptl_events *events, size_t size)
{
	unsigned int nr = 0;
	int error;

	while (nr < events->nr &&
	       map_ring(&events->ring[nr], events->fds[nr].fd, size))
		nr++;
	error = errno;
	if (nr == events->nr)
		return 0;
	while (nr-- > 0)
		munmap(events->ring[nr].page, size);
	return error;
}

/* Each CPU has as much as the others. */
static int map_most(const struct ptl_events *events, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int error = map_rings(events, page + size);

	while (error == EPERM && size > RING_LEAST) {
		size /= 2;
		error = map_rings(events, page + size);
	}
	return error;
}

static size_t switches_size(unsigned int cpus)
{
	size_t size = RING_SWITCHES;

	while (size * cpus > ALL_SWITCHES && size > RING_MOST)
		size /= 2;
	return size;
}

int ptl_events_open(struct ptl_events *events,
		    const struct ptl_events_wanted *wanted, bool *of_memory)
{
	struct perf_event_attr attr = attributes(wanted);
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	*of_memory = false;
	events->nr = 0;
	events->fds = ptl_alloc(((size_t)cpus + 1) * sizeof(*events->fds));
	events->ring = ptl_alloc((size_t)cpus * sizeof(*events->ring));
	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = open_event(&attr, wanted->pid, cpu);

		/* A CPU that is not online. */
		if (fd < 0 && errno == ENODEV && cpu > 0)
			continue;
		if (fd < 0)
			return errno;
		events->fds[events->nr++] = (struct pollfd){fd, POLLIN, 0};
	}
	*of_memory = true;
	return map_most(events, wanted->wants_switches ?
					switches_size(events->nr) :
					RING_MOST);
}

uint64_t ptl_events_lost(const struct ptl_events *events)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; i < events->nr; i++) {
		struct {
			uint64_t value, lost;
		} counted = {0, 0};

		if (read(events->ring[i].fd, &counted, sizeof(counted)) ==
		    (ssize_t)sizeof(counted))
			lost += counted.lost;
	}
	return lost;
}

void ptl_events_stop(const struct ptl_events *events)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (events->fds[i].fd >= 0)
			ioctl(events->fds[i].fd, PERF_EVENT_IOC_DISABLE, 0);
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
	for (unsigned int i = 0; i < events->nr; i++)
		drain_ring(&events->ring[i], take, arg);
}

uint64_t ptl_events_time(const struct perf_event_header *record)
{
	/* A sample has it behind its address and thread, others before their
	 * CPU, which is last. */
	size_t at = record->type == PERF_RECORD_SAMPLE ?
			    sizeof(*record) + 16 :
			    (size_t)record->size - 16;
	uint64_t time = 0;

	if (at + sizeof(time) <= record->size)
		memcpy(&time, (const char *)record + at, sizeof(time));
	return time;
}

void ptl_events_origin(const struct perf_event_header *record, pid_t *pid,
		       pid_t *tid, unsigned int *cpu)
{
	/* Behind all else: process, thread, time, CPU, and 4 bytes more. */
	const char *end = (const char *)record + record->size;
	int32_t ids[2] = {0, 0};

	*cpu = 0;
	if (record->size >= sizeof(*record) + 24) {
		memcpy(ids, end - 24, sizeof(ids));
		memcpy(cpu, end - 8, sizeof(*cpu));
	}
	*pid = ids[0];
	*tid = ids[1];
}
