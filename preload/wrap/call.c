/* SPDX-License-Identifier: MIT */
/*
 * What the wrappers have in common.
 *
 * Which of the program's pointers may be read?  If the call succeeded, those
 * that the kernel or libc had to read.  If it failed, any may be bad, whatever
 * the error is: the kernel checks flags before paths, and the first path before
 * the second.  Then we ask the kernel; where that is forbidden (seccomp),
 * nothing is read.
 */
#include "preload/wrap/call.h"

#include "preload/hook/pages.h"
#include "preload/hook/site.h"
#include "preload/libc/own.h"
#include "preload/libc/payload.h"

/* On the stack, which may be as small as 16 KiB.  A longer path is cut. */
#define DATA_SIZE 512
#define PAGE 4096

bool ptl_call_readable(const void *at, size_t size)
{
	uintptr_t first = (uintptr_t)at, last = first + size - 1;

	return size && ptl_pages_ask(first) &&
	       (first / PAGE == last / PAGE || ptl_pages_ask(last));
}

/* False if the string was cut or cannot be read: it is the last one then, and
 * is shown as cut. */
static bool put_string(struct ptl_payload *data, const char *s, bool check)
{
	if (!s && !check)
		s = "";
	if (check && !ptl_call_readable(s, 1))
		return false;
	for (; data->size < data->room; s++) {
		if (check && (uintptr_t)s % PAGE == 0 &&
		    !ptl_call_readable(s, 1))
			return false;
		data->data[data->size++] = (unsigned char)*s;
		if (!*s)
			return true;
	}
	return false;
}

static bool put_bytes(struct ptl_payload *data, const struct ptl_call *call)
{
	size_t size = PTL_MIN(call->bytes.size, (size_t)UINT8_MAX);

	if (!call->bytes.at ||
	    (call->failed && !ptl_call_readable(call->bytes.at, size)))
		size = 0;
	ptl_put_byte(data, (unsigned char)size);
	for (size_t i = 0; i < size; i++)
		ptl_put_byte(data, ((const unsigned char *)call->bytes.at)[i]);
	return true;
}

/* The call in the program; NULL: it is one of ours. */
static const void *place(const void *addr)
{
	/* Calls that we make ourselves, as a controller, are not the program's;
	 * those that return to a site are. */
	if (PTL_LIKELY(!ptl_own_has(addr)))
		return addr;
	addr = (const void *)ptl_site_plain((uintptr_t)addr);
	return ptl_own_has(addr) ? NULL : addr;
}

void ptl_call_values(enum ptl_sysevent id, int64_t *value, size_t size,
		     const void *addr)
{
	addr = place(addr);
	if (PTL_LIKELY(addr))
		ptl_core_call(id, value, size, addr);
}

void ptl_call_record(enum ptl_sysevent id, const struct ptl_call *call,
		     const void *addr)
{
	unsigned char buf[DATA_SIZE];
	/* When it began is last, and is not cut. */
	struct ptl_payload data = {buf, sizeof(buf) - sizeof(int64_t), 0};

	addr = place(addr);
	if (!addr)
		return;
	for (unsigned int i = 0; i < call->nr_values; i++)
		ptl_put_int(&data, call->value[i]);
	if (call->has_bytes)
		put_bytes(&data, call);
	for (unsigned int i = 0; i < call->nr_strings; i++)
		if (!put_string(&data, call->string[i], call->failed))
			break;
	data.room = sizeof(buf);
	ptl_put_int(&data, call->value[call->nr_values]);
	ptl_core_call(id, buf, data.size, addr);
}
