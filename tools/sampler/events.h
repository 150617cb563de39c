/* SPDX-License-Identifier: MIT */
/*
 * The kernel's events: one for each CPU, which goes off each so many
 * nanoseconds that a process, or one that it made, computes there; and tells of
 * what these processes map and execute, and when they begin and end.  Where
 * switches are wanted one goes off when a page was waited for: it is that one,
 * unless there are samples.
 */
#ifndef PTL_TOOLS_SAMPLER_EVENTS_H
#define PTL_TOOLS_SAMPLER_EVENTS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The registers of a sample: of PERF_REG_X86_*, without segments; or all of
 * PERF_REG_ARM64_*. */
#if defined(__x86_64__)
#define PTL_EVENTS_REGS_MASK UINT64_C(0xff0fff)
#define PTL_EVENTS_REGS 20
#else
#define PTL_EVENTS_REGS_MASK UINT64_C(0x1ffffffff)
#define PTL_EVENTS_REGS 33
#endif

struct ptl_events {
	unsigned int nr;
	struct pollfd *fds; /* room for one more */
	size_t room;
	unsigned int nr_rings; /* the first events'; others write there, too */
	struct ptl_events_ring {
		struct perf_event_mmap_page *page;
		const unsigned char *bytes;
		uint64_t size; /* a power of 2 */
		int fd, cpu;
	} * ring;
	bool has_samples;
};

/* What to look at, and how often in a second of computing. */
struct ptl_events_wanted {
	pid_t pid;
	unsigned int hz;     /* 0: there are no samples */
	unsigned int stack;  /* bytes of it, with each */
	bool wants_switches; /* when threads leave the processor, and return */
	bool follows;	     /* what it forks, too; else its threads alone */
	bool is_running;     /* from now on; else from when it calls exec */
	bool has_kernel;     /* what they do in the kernel, too */
};

/* Of a process that is going to call exec.  0, or the error number; *of_memory:
 * it is that of the memory for the events. */
int ptl_events_open(struct ptl_events *events,
		    const struct ptl_events_wanted *wanted, bool *of_memory);

/*
 * Of one that runs, of which all threads have events, and origins.h knows them.
 * ESRCH: it has ended; EMFILE: there are too many threads for so many CPUs.
 */
int ptl_events_attach(struct ptl_events *events,
		      const struct ptl_events_wanted *wanted, bool *of_memory);

/* poll(2) of all of them has returned: which have nothing more to tell.  Does
 * anything run that is looked at? */
void ptl_events_over(const struct ptl_events *events);
bool ptl_events_are_over(const struct ptl_events *events);

/* How many records had no room, since the beginning; 0: none, or the kernel
 * does not count them (before Linux 6.0). */
uint64_t ptl_events_lost(const struct ptl_events *events);

/* No more of them. */
void ptl_events_stop(const struct ptl_events *events);

typedef void ptl_events_take(void *arg, const struct perf_event_header *record);

/* Takes what there is out of all rings; the record is whole, and the callee's
 * until it returns. */
void ptl_events_drain(const struct ptl_events *events, ptl_events_take *take,
		      void *arg);

/*
 * Copies a record, without the room of a sample that has nothing of the stack:
 * the kernel gives each as much as may be copied.  Returns the copy's size, not
 * more than the record's.
 */
size_t ptl_events_copy(void *to, const struct perf_event_header *record);

/* CLOCK_MONOTONIC in ns, when a record was made. */
uint64_t ptl_events_time(const struct perf_event_header *record);

/* Of whom a record is that is no sample, and on which CPU it was made. */
void ptl_events_origin(const struct perf_event_header *record, pid_t *pid,
		       pid_t *tid, unsigned int *cpu);

/* Have samples the kernel's functions before the registers?  A number, and so
 * many addresses. */
extern bool ptl_events_have_chains;

/* Is a sample none, but told after a page was waited for?  Its address is that
 * of the instruction. */
bool ptl_events_is_page(const struct ptl_events *events,
			const struct perf_event_header *record);

/* Of which thread a sample is. */
pid_t ptl_events_sampled(const struct perf_event_header *record);

/* The number of the event that was opened, of which this record, or the event
 * that it was inherited from, is. */
uint64_t ptl_events_id(const struct perf_event_header *record);

#endif
