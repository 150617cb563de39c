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
	is_int(posix_trace_attr_init(&attr), 0, "[attr_init.9] init");
	is_int(posix_trace_attr_getgenversion(&attr, text), 0,
	       "[attr_getgenversion.3] version");
	is_str(text, "libptrace 0.1",
	       "[attr_init.1 attr_init.2 attr_getgenversion.1] "
	       "[xsh_2_11_1_attr.1] ours");
	is_int(posix_trace_attr_getname(&attr, text), 0,
	       "[attr_getname.3] name");
	is_str(text, "", "[attr_setname.3] none");
	is_int(posix_trace_attr_getclockres(&attr, &ts), 0,
	       "[attr_getclockres.2] resolution");
	ok(ts.tv_sec == 0 && ts.tv_nsec > 0 && ts.tv_nsec < 1000,
	   "[attr_init.3] %ld ns",
	   ts.tv_nsec);
	is_int(posix_trace_attr_getinherited(&attr, &policy), 0,
	       "[attr_getinherited.3] inheritance");
	is_int(policy, POSIX_TRACE_CLOSE_FOR_CHILD,
	       "[attr_getinherited.2] none");
	is_int(posix_trace_attr_getstreamfullpolicy(&attr, &policy), 0,
	       "[attr_getstreamfullpolicy.4] stream policy");
	is_int(policy, POSIX_TRACE_LOOP,
	       "[attr_getstreamfullpolicy.2] loop");
	is_int(posix_trace_attr_getlogfullpolicy(&attr, &policy), 0,
	       "[attr_getlogfullpolicy.3] log policy");
	is_int(policy, POSIX_TRACE_LOOP, "[attr_getlogfullpolicy.2] loop");
	is_int(posix_trace_attr_getstreamsize(&attr, &size), 0,
	       "[attr_getstreamsize.5] stream size");
	is_int((long long)size, 512 << 10, "[attr_getstreamsize.3] 512 KiB");
	is_int(posix_trace_attr_getlogsize(&attr, &size), 0,
	       "[attr_getlogsize.3] log size");
	is_int((long long)size, 1 << 30, "[attr_getlogsize.2] 1 GiB");
	is_int(posix_trace_attr_getmaxdatasize(&attr, &size), 0,
	       "[attr_getmaxdatasize.3] data size");
	is_int((long long)size, 4096, "[attr_getmaxdatasize.2] 4096");
	is_int(posix_trace_attr_destroy(&attr), 0, "[attr_destroy.1] destroy");
	return done();
}
