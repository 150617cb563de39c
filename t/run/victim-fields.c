/* SPDX-License-Identifier: MIT */
/* Records typed user events whose fields have names that other formats may not
 * like. */
#include <trace.h>

#include <stddef.h>

static void record(const char *name, const char *fields, const void *data,
		   size_t size)
{
	trace_event_id_t id;

	if (posix_trace_eventid_open_fields_np(name, fields, &id) == 0)
		posix_trace_event(id, data, size);
}

int main(void)
{
	static const char bytes[] = "\2\x10\x20"
				    "\1\0\0\0\0\0\0\0";
	static const char words[] = "\2\0\0\0\0\0\0\0"
				    "a\0b";

	/* The length of a sequence has a name, too. */
	record("length behind", "a:b a_len:i", bytes, sizeof(bytes) - 1);
	record("length before", "a_len:i a:v", words, sizeof(words));
	record("twice", "a:s a:v", words + 8, 4);
	record("digits", "0:s _0:s string:s", "x\0y\0z", 6);
	return 0;
}
