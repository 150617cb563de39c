/* SPDX-License-Identifier: MIT */
/* What is told to the controller: tools/monitor/wire/sampled.h. */
#ifndef PTL_TOOLS_SAMPLER_TELL_H
#define PTL_TOOLS_SAMPLER_TELL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/monitor/wire/sampled.h"

struct ptl_tell {
	uint32_t id;
	pid_t pid, tid;
	unsigned int image;
	int error;
	uint64_t when, addr;
	const uint64_t *frame;
	size_t nr;
	const void *data;
	size_t size;
};

/* The socket.  Nobody at its other end: the process ends. */
void ptl_tell_to(int fd);

/* In a while; what is more than fits is cut. */
void ptl_tell(const struct ptl_tell *what);

/* All of it, now. */
void ptl_tell_all(void);

/* Data of an event: integers, strings, and bytes with their number before them.
 */
struct ptl_tell_data {
	size_t size;
	unsigned char bytes[PTL_SAMPLED_DATA_MOST];
};
void ptl_tell_int(struct ptl_tell_data *data, uint64_t value);
void ptl_tell_string(struct ptl_tell_data *data, const char *text);
void ptl_tell_bytes(struct ptl_tell_data *data, const void *bytes,
		    uint8_t size);

#endif
