/* SPDX-License-Identifier: MIT */
/* Messages as protocol buffers encode them, put together in memory. */
#ifndef PTL_TOOLS_DUMP_PROTO_H
#define PTL_TOOLS_DUMP_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/out.h"

/* All zero: empty. */
struct ptl_proto {
	unsigned char *bytes;
	size_t used, room;
};

void ptl_proto_uint(struct ptl_proto *proto, unsigned int field,
		    uint64_t value);
void ptl_proto_fixed(struct ptl_proto *proto, unsigned int field,
		     uint64_t value);
void ptl_proto_double(struct ptl_proto *proto, unsigned int field,
		      double value);
void ptl_proto_bytes(struct ptl_proto *proto, unsigned int field,
		     const void *bytes, size_t size);

/* What is not valid UTF-8 becomes U+FFFD. */
void ptl_proto_text(struct ptl_proto *proto, unsigned int field,
		    const char *text, size_t size);

/* Of a field that was opened. */
void ptl_proto_raw(struct ptl_proto *proto, const void *bytes, size_t size);

/* What is put between the two is a message inside, or bytes. */
size_t ptl_proto_open(struct ptl_proto *proto, unsigned int field);
void ptl_proto_close(struct ptl_proto *proto, size_t opened);

/* Writes it as that field of the whole, and empties it. */
void ptl_proto_write(struct ptl_proto *proto, unsigned int field,
		     struct ptl_out *out);

void ptl_proto_free(struct ptl_proto *proto);

#endif
