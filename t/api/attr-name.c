/* SPDX-License-Identifier: MIT */
/* A name of TRACE_NAME_MAX characters is kept whole, a longer one cut to it. */
#include <trace.h>

#include "t/lib/tap.h"

#include <string.h>

int main(void)
{
	char name[2 * TRACE_NAME_MAX], got[TRACE_NAME_MAX + 2];
	trace_attr_t attr;

	plan(9);
	posix_trace_attr_init(&attr);
	is_int(posix_trace_attr_setname(&attr, "a name"), 0, "set");
	is_int(posix_trace_attr_getname(&attr, got), 0, "get");
	is_str(got, "a name", "the name");

	memset(name, 'n', sizeof(name));
	name[TRACE_NAME_MAX] = '\0';
	posix_trace_attr_setname(&attr, name);
	memset(got, 'x', sizeof(got));
	posix_trace_attr_getname(&attr, got);
	is_str(got, name, "the longest");
	is_int(got[TRACE_NAME_MAX + 1], 'x', "nothing behind it is touched");

	name[TRACE_NAME_MAX] = 'n';
	name[sizeof(name) - 1] = '\0';
	is_int(posix_trace_attr_setname(&attr, name), 0, "one too long");
	posix_trace_attr_getname(&attr, got);
	is_int((long long)strlen(got), TRACE_NAME_MAX, "is cut");
	is_int(strncmp(got, name, TRACE_NAME_MAX), 0, "at its end");
	posix_trace_attr_setname(&attr, "");
	posix_trace_attr_getname(&attr, got);
	is_str(got, "", "an empty name");
	return done();
}
