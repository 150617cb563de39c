/* SPDX-License-Identifier: MIT */
/*
 * The data of a system event, built in a buffer of limited size: integers
 * first, then strings (core/format/sysevents.h).  What does not fit is cut; a
 * cut string keeps its null.
 */
#ifndef PTL_PRELOAD_LIBC_PAYLOAD_H
#define PTL_PRELOAD_LIBC_PAYLOAD_H

#include "core/base.h"

struct ptl_payload {
	unsigned char *data;
	size_t room; /* bytes of the buffer */
	size_t size; /* bytes of it in use */
};

PTL_INLINE void ptl_put_byte(struct ptl_payload *p, unsigned char byte)
{
	if (p->size < p->room)
		p->data[p->size++] = byte;
}

PTL_INLINE void ptl_put_int(struct ptl_payload *p, int64_t value)
{
	if (p->room - p->size < sizeof(value))
		return;
	__builtin_memcpy(p->data + p->size, &value, sizeof(value));
	p->size += sizeof(value);
}

/* The caller knows that there is room. */
PTL_INLINE void ptl_put_bytes(struct ptl_payload *p, const void *bytes,
			      size_t size)
{
	__builtin_memcpy(p->data + p->size, bytes, size);
	p->size += size;
}

PTL_INLINE void ptl_put_string(struct ptl_payload *p, const char *s)
{
	while (*s && p->size + 1 < p->room)
		p->data[p->size++] = (unsigned char)*s++;
	ptl_put_byte(p, '\0');
}

#endif
