/* SPDX-License-Identifier: MIT */
/*
 * What ptrace-sampler tells the controller, over a socket that preserves
 * message boundaries: in each message one or more of these, one behind the
 * other.  The controller says in messages of one byte that the trace is going
 * to stop, or has started again; it shuts down its side to have the rest, and
 * the sampler ends.
 */
#ifndef PTL_TOOLS_MONITOR_WIRE_SAMPLED_H
#define PTL_TOOLS_MONITOR_WIRE_SAMPLED_H

#include <stdint.h>

/* The most of a message. */
#define PTL_SAMPLED_MOST 32768u
#define PTL_SAMPLED_DATA_MOST 8192u

/* In place of an event's id. */
enum {
	PTL_SAMPLED_READY =
		1000,	       /* the first: COMMAND is going to be sampled */
	PTL_SAMPLED_REFUSED,   /* or not: `error', of opening events */
	PTL_SAMPLED_NO_MEMORY, /* or `error' of their memory */
	PTL_SAMPLED_PAUSED,    /* all of before was told; nothing else is */
	PTL_SAMPLED_END,       /* the last one: how many processes there were */
};

/* What the controller says. */
#define PTL_SAMPLED_PAUSE 'p'
#define PTL_SAMPLED_RESUME 'r'

struct ptl_sampled {
	uint32_t size; /* of all, a multiple of 8 */
	uint32_t id;   /* of a system event */
	int32_t pid, tid;
	uint32_t pidns; /* whose numbers these are; 0: the controller's */
	uint32_t unused;
	uint32_t image;
	uint32_t nr_frames;
	uint32_t data_size;
	int32_t error;
	uint64_t when; /* ns, by CLOCK_MONOTONIC */
	uint64_t addr;
	uint64_t frame[]; /* and then the data */
};

#endif
