/* SPDX-License-Identifier: MIT */
/* Records user events of all kinds of data, from a function with a name. */
#include <trace.h>

#include <string.h>

/* Not inlined, and not a tail call: the address is to be in here. */
void here(const char *name, const void *data, size_t size);

__attribute__((noinline)) void here(const char *name, const void *data,
				    size_t size)
{
	trace_event_id_t id;

	if (posix_trace_eventid_open(name, &id) == 0)
		posix_trace_event(id, data, size);
	__asm__ volatile("");
}

int main(void)
{
	static char large[3000];

	memset(large, 'x', sizeof(large));
	here("text", "hello \"world\"\n", 14);
	here("null", "hello", 6);
	here("binary", "\x00\x01\xff", 3);
	here("utf8", "gr\xc3\xbc\xc3\x9f", 6);
	here("latin", "gr\xfc\xdf", 4);
	here("bell", "ring\a \x1b[1mtwice", 15);
	here("control", "\a", 1);
	here("empty", "", 0);
	here("large", large, sizeof(large));
	here("odd \"name\"\n\xff", "", 0);
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, "unnamed", 7);
	__asm__ volatile("");
	return 0;
}
