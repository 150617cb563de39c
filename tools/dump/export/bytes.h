/* SPDX-License-Identifier: MIT */
/* Bytes that are put together in memory. */
#ifndef PTL_TOOLS_DUMP_EXPORT_BYTES_H
#define PTL_TOOLS_DUMP_EXPORT_BYTES_H

#include <stddef.h>

/* All zero: empty. */
struct ptl_bytes {
	unsigned char *bytes;
	size_t used, room;
};

/* Room for that many behind those that are used. */
unsigned char *ptl_bytes_room(struct ptl_bytes *bytes, size_t size);
void ptl_bytes_put(struct ptl_bytes *bytes, const void *from, size_t size);

/* What is not valid UTF-8 becomes U+FFFD. */
void ptl_bytes_text(struct ptl_bytes *bytes, const char *text, size_t size);
void ptl_bytes_free(struct ptl_bytes *bytes);

#endif
