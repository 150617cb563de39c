/* SPDX-License-Identifier: MIT */
/* A fresh attributes object has the defaults that libptrace(7) promises. */
#include <trace.h>

#include "t/lib/tap.h"

#include <string.h>

int main(void)
{
	char text[TRACE_NAME_MAX + 1];
	struct timespec ts = { -1, -1 };
	trace_attr_t attr;
	size_t size;
	int policy;

	plan(20);
	memset(&attr, 0x5a, sizeof(attr));
	is_int(posix_trace_attr_init(&attr), 0, "init");
	is_int(posix_trace_attr_getgenversion(&attr, text), 0, "version");
	is_str(text, "libptrace 0.1", "ours");
	is_int(posix_trace_attr_getname(&attr, text), 0, "name");
	is_str(text, "", "none");
	is_int(posix_trace_attr_getclockres(&attr, &ts), 0, "resolution");
	ok(ts.tv_sec == 0 && ts.tv_nsec > 0 && ts.tv_nsec < 1000, "%ld ns",
	   ts.tv_nsec);
	is_int(posix_trace_attr_getinherited(&attr, &policy), 0, "inheritance");
	is_int(policy, POSIX_TRACE_CLOSE_FOR_CHILD, "none");
	is_int(posix_trace_attr_getstreamfullpolicy(&attr, &policy), 0,
	       "stream policy");
	is_int(policy, POSIX_TRACE_LOOP, "loop");
	is_int(posix_trace_attr_getlogfullpolicy(&attr, &policy), 0,
	       "log policy");
	is_int(policy, POSIX_TRACE_LOOP, "loop");
	is_int(posix_trace_attr_getstreamsize(&attr, &size), 0, "stream size");
	is_int((long long)size, 512 << 10, "512 KiB");
	is_int(posix_trace_attr_getlogsize(&attr, &size), 0, "log size");
	is_int((long long)size, 1 << 30, "1 GiB");
	is_int(posix_trace_attr_getmaxdatasize(&attr, &size), 0, "data size");
	is_int((long long)size, 4096, "4096");
	is_int(posix_trace_attr_destroy(&attr), 0, "destroy");
	return done();
}
