/* SPDX-License-Identifier: MIT */
/*
 * What the controller and ptrace-trigger say to each other, over a socket that
 * preserves message boundaries: "look", when there is more to be read, answered
 * by as many firings as there are, and by DONE.
 */
#ifndef PTL_TOOLS_MONITOR_WIRE_LOOKED_H
#define PTL_TOOLS_MONITOR_WIRE_LOOKED_H

#include <stdint.h>

/* As many expressions there can be. */
#define PTL_TRIGGERS_MAX 16

/* More firings of one trigger in one look are counted, and not told. */
#define PTL_LOOKED_MOST 32

enum {
	PTL_LOOKED_FIRED,
	PTL_LOOKED_DONE,
};

struct ptl_looked {
	uint32_t kind;
	uint32_t trigger; /* FIRED: from 0 on */
	/* FIRED: the event. */
	int32_t pid, tid;
	uint32_t image;
	uint32_t pidns;
	uint64_t when; /* ns, by CLOCK_REALTIME; DONE: of the newest event */
	char event[64];
	/* DONE: how often each has fired since the last one. */
	uint64_t fired[PTL_TRIGGERS_MAX];
	/* DONE: so many were overwritten before they could be looked at. */
	uint64_t missed;
	uint64_t has_more; /* DONE: it has not come to the end */
};

#endif
