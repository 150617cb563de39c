/* SPDX-License-Identifier: MIT */
/*
 * See events.h.  Of a process that runs each thread has events of its own, and
 * what it begins later inherits them; all those of one CPU write into one ring.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/monitor/wire/sampled.h"
#include "tools/sampler/events.h"
#include "tools/sampler/origins.h"

/* So much is each user's without RLIMIT_MEMLOCK (perf_event_mlock_kb); less has
 * to do where there is no more. */
#define RING_USUAL (512u * 1024)
/* Threads can be switched a million times in a second. */
#define RING_SWITCHES (2048u * 1024)
/* So many samples have room: a reader may not run for some 10 ms. */
#define RING_SAMPLES 40u
/* Of many CPUs not all are as busy as that. */
#define ALL_RINGS (32768u * 1024)
#define RING_LEAST (64u * 1024)

/* PERF_FORMAT_LOST, which older headers do not have. */
#define FORMAT_LOST (1u << 4)

static void add_samples(struct perf_event_attr *attr,
			const struct ptl_events_wanted *wanted)
{
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = 1000000000 / wanted->hz;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = PTL_EVENTS_REGS_MASK;
	attr->sample_stack_user = wanted->stack;
	ptl_events_have_chains = wanted->has_kernel;
	if (wanted->has_kernel)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	/* What stacks have their names from. */
	attr->build_id = 1;
}

static struct perf_event_attr attributes(const struct ptl_events_wanted *wanted)
{
	struct perf_event_attr attr = {
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_CPU,
		.read_format = FORMAT_LOST,
		.sample_id_all = 1,
		.context_switch = wanted->wants_switches,
		.disabled = !wanted->is_running,
		.enable_on_exec = !wanted->is_running,
		.inherit = 1,
		.inherit_thread = !wanted->follows,
		.exclude_kernel = !wanted->has_kernel || wanted->hz == 0,
		.exclude_hv = 1,
		.exclude_callchain_kernel = !wanted->has_kernel,
		.exclude_callchain_user = 1,
		.task = 1,
		/* What stacks are found by; and that the kernel lets us look
		 * into what is executed. */
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		/* Of 0 bytes: where half of the ring is full, whatever its size
		 * is. */
		.watermark = 1,
	};

	if (wanted->hz > 0)
		add_samples(&attr, wanted);
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

	while (nr < events->nr_rings &&
	       map_ring(&events->ring[nr], events->fds[nr].fd, size))
		nr++;
	error = errno;
	if (nr == events->nr_rings)
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

/* A power of 2.  A sample takes as much room as may be copied of a stack. */
static size_t ring_size(const struct ptl_events_wanted *wanted,
			unsigned int cpus)
{
	size_t size = wanted->wants_switches ? RING_SWITCHES : RING_USUAL;

	while (wanted->hz > 0 && size / RING_SAMPLES < wanted->stack)
		size *= 2;
	while (size * cpus > ALL_RINGS && size > RING_USUAL)
		size /= 2;
	return size;
}

/* The first thread's: one for each CPU that is online, with a ring. */
static int open_first(struct ptl_events *events, struct perf_event_attr *attr,
		      pid_t tid)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	events->ring = ptl_alloc((size_t)cpus * sizeof(*events->ring));
	events->fds = ptl_alloc(((size_t)cpus + 1) * sizeof(*events->fds));
	events->room = (size_t)cpus + 1;
	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = open_event(attr, tid, cpu);

		/* A CPU that is not online. */
		if (fd < 0 && errno == ENODEV && cpu > 0)
			continue;
		if (fd < 0)
			return errno;
		events->ring[events->nr].cpu = cpu;
		events->fds[events->nr++] = (struct pollfd){fd, POLLIN, 0};
	}
	events->nr_rings = events->nr;
	return 0;
}

static int map_first(struct ptl_events *events,
		     const struct ptl_events_wanted *wanted)
{
	return map_most(events, ring_size(wanted, events->nr_rings));
}

static void add_event(struct ptl_events *events, int fd)
{
	events->fds = ptl_grow(events->fds, events->nr + 1, &events->room,
			       sizeof(*events->fds));
	events->fds[events->nr++] = (struct pollfd){fd, POLLIN, 0};
}

/* Records have the event's number, and those of who inherited it have it, too.
 */
static uint64_t number_of(int fd)
{
	uint64_t id;

	return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 ? id : 0;
}

/* Into the ring of the CPU; or there is none. */
static void open_page_event(struct ptl_events *events,
			    struct perf_event_attr *attr, pid_t tid,
			    const struct ptl_events_ring *ring, bool is_running)
{
	int fd = open_event(attr, tid, ring->cpu);
	uint64_t id;

	if (fd < 0)
		return;
	id = number_of(fd);
	if (id == 0 || ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0) {
		close(fd);
		return;
	}
	ptl_origins_page(id);
	if (is_running)
		ptl_origins_own(tid, id);
	add_event(events, fd);
}

/* Beside samples.  Records of these have the same parts, without a stack. */
static void open_page_events(struct ptl_events *events,
			     const struct ptl_events_wanted *wanted, pid_t tid)
{
	struct perf_event_attr attr = attributes(wanted);

	if (wanted->hz == 0 || !wanted->wants_switches)
		return;
	attr.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	attr.sample_period = 1;
	attr.sample_stack_user = 0;
	attr.exclude_kernel = 1;
	attr.exclude_callchain_kernel = 1;
	attr.context_switch = attr.task = attr.comm = attr.comm_exec = 0;
	attr.mmap = attr.mmap2 = attr.build_id = 0;
	for (unsigned int i = 0; i < events->nr_rings; i++)
		open_page_event(events, &attr, tid, &events->ring[i],
				wanted->is_running);
}

int ptl_events_open(struct ptl_events *events,
		    const struct ptl_events_wanted *wanted, bool *of_memory)
{
	struct perf_event_attr attr = attributes(wanted);
	int error;

	*of_memory = false;
	error = open_first(events, &attr, wanted->pid);
	if (error != 0)
		return error;
	*of_memory = true;
	error = map_first(events, wanted);
	events->has_samples = wanted->hz > 0;
	if (error == 0)
		open_page_events(events, wanted, wanted->pid);
	return error;
}

/* ---- of a process that runs ---------------------------------------- */

static void own(int fd, pid_t tid)
{
	uint64_t id = number_of(fd);

	if (id != 0)
		ptl_origins_own(tid, id);
}

static int open_next(struct ptl_events *events, struct perf_event_attr *attr,
		     pid_t tid)
{
	for (unsigned int i = 0; i < events->nr_rings; i++) {
		int fd = open_event(attr, tid, events->ring[i].cpu);

		if (fd < 0)
			return errno;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, events->ring[i].fd) !=
		    0) {
			close(fd);
			return errno;
		}
		own(fd, tid);
		add_event(events, fd);
	}
	return 0;
}

static int open_thread(struct ptl_events *events,
		       const struct ptl_events_wanted *wanted,
		       struct perf_event_attr *attr, pid_t tid, bool *of_memory)
{
	int error;

	if (events->nr_rings > 0) {
		error = open_next(events, attr, tid);
		if (error == 0)
			open_page_events(events, wanted, tid);
		return error;
	}
	error = open_first(events, attr, tid);
	if (error == ESRCH) {
		free(events->ring);
		free(events->fds);
		*events = (struct ptl_events){0};
	}
	if (error != 0)
		return error;
	for (unsigned int i = 0; i < events->nr; i++)
		own(events->fds[i].fd, tid);
	error = map_first(events, wanted);
	*of_memory = error != 0;
	if (error == 0)
		open_page_events(events, wanted, tid);
	return error;
}

static unsigned int count_threads(pid_t pid)
{
	char path[64];
	unsigned int nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir != NULL && readdir(dir) != NULL)
		nr++;
	if (dir != NULL)
		closedir(dir);
	return nr > 2 ? nr - 2 : 0;
}

/* Half of what may be open is others'. */
static bool are_too_many(const struct ptl_events_wanted *wanted)
{
	unsigned long long each =
		(unsigned long long)sysconf(_SC_NPROCESSORS_ONLN);
	struct rlimit limit;

	if (wanted->hz > 0 && wanted->wants_switches)
		each *= 2;
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       count_threads(wanted->pid) * each > limit.rlim_max / 2;
}

/* Opens those of the threads that have none as yet; *nr: how many there were.
 * A thread may end meanwhile. */
static int open_threads(struct ptl_events *events,
			const struct ptl_events_wanted *wanted,
			struct perf_event_attr *attr, DIR *threads,
			unsigned int *nr, bool *of_memory)
{
	const struct dirent *entry;

	*nr = 0;
	while ((entry = readdir(threads)) != NULL) {
		pid_t tid = (pid_t)atoi(entry->d_name);
		int error;

		if (tid <= 0 || ptl_origins_is_own(tid))
			continue;
		++*nr;
		error = open_thread(events, wanted, attr, tid, of_memory);
		if (error != 0 && error != ESRCH)
			return error;
	}
	return 0;
}

/* As often as there may be one that was begun by another without events. */
#define LOOKS_MOST 16

int ptl_events_attach(struct ptl_events *events,
		      const struct ptl_events_wanted *wanted, bool *of_memory)
{
	struct perf_event_attr attr = attributes(wanted);
	unsigned int nr = 1;
	char path[64];
	int error = 0;

	*of_memory = false;
	if (are_too_many(wanted))
		return EMFILE;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)wanted->pid);
	for (int i = 0; i < LOOKS_MOST && nr > 0 && error == 0; i++) {
		DIR *threads = opendir(path);

		if (threads == NULL)
			return errno == ENOENT ? ESRCH : errno;
		error = open_threads(events, wanted, &attr, threads, &nr,
				     of_memory);
		closedir(threads);
	}
	events->has_samples = wanted->hz > 0;
	return error == 0 && events->nr == 0 ? ESRCH : error;
}
