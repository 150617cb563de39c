/* SPDX-License-Identifier: MIT */
/* The kernel's records, put in order and taken one after the other. */
#ifndef PTL_TOOLS_SAMPLER_RECORDS_H
#define PTL_TOOLS_SAMPLER_RECORDS_H

#include "tools/sampler/events.h"

struct ptl_records_item {
	uint64_t when;
	size_t at; /* in the bytes: in the order in which they came */
};

/* Records that wait for older ones of another CPU. */
struct ptl_records {
	unsigned char *bytes;
	size_t used, room;
	struct ptl_records_item *item;
	size_t nr, items;
};

/* Keeps a copy; ptl_events_take, of struct ptl_records. */
ptl_events_take ptl_records_put;

/* Hands out those from before that time, the oldest first. */
void ptl_records_take(struct ptl_records *records, uint64_t until,
		      ptl_events_take *take, void *arg);

#endif
