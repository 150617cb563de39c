/* SPDX-License-Identifier: MIT */
/* Messages as protocol buffers encode them, put together in memory. */
#ifndef PTL_TOOLS_DUMP_EXPORT_PROTO_H
#define PTL_TOOLS_DUMP_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "tools/dump/export/bytes.h"
#include "tools/lib/out.h"

void ptl_proto_uint(struct ptl_bytes *proto, unsigned int field,
		    uint64_t value);
void ptl_proto_fixed(struct ptl_bytes *proto, unsigned int field,
		     uint64_t value);
void ptl_proto_double(struct ptl_bytes *proto, unsigned int field,
		      double value);
void ptl_proto_bytes(struct ptl_bytes *proto, unsigned int field,
		     const void *bytes, size_t size);

/* What is not valid UTF-8 becomes U+FFFD. */
void ptl_proto_text(struct ptl_bytes *proto, unsigned int field,
		    const char *text, size_t size);

/* What is put between the two is a message inside, or bytes. */
size_t ptl_proto_open(struct ptl_bytes *proto, unsigned int field);
void ptl_proto_close(struct ptl_bytes *proto, size_t opened);

/* Writes it as that field of the whole, and empties it. */
void ptl_proto_write(struct ptl_bytes *proto, unsigned int field,
		     struct ptl_out *out);

#endif
