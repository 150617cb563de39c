/* SPDX-License-Identifier: MIT */
/*
 * A name of TRACE_NAME_MAX characters is kept whole, a longer one cut to one
 * less.
 */
#include <trace.h>

#include "t/lib/tap.h"

#include <string.h>

int main(void)
{
	char name[2 * TRACE_NAME_MAX], got[TRACE_NAME_MAX + 2];
	trace_attr_t attr;

	plan(9);
	posix_trace_attr_init(&attr);
	is_int(posix_trace_attr_setname(&attr, "a name"), 0,
	       "[attr_setname.4] set");
	is_int(posix_trace_attr_getname(&attr, got), 0, "[attr_getname.3] get");
	is_str(got, "a name",
	       "[attr_setname.1 attr_getname.1 xsh_2_11_1_attr.2] the name");

	memset(name, 'n', sizeof(name));
	name[TRACE_NAME_MAX] = '\0';
	posix_trace_attr_setname(&attr, name);
	memset(got, 'x', sizeof(got));
	posix_trace_attr_getname(&attr, got);
	is_str(got, name, "[attr_getname.2] the longest");
	is_int(got[TRACE_NAME_MAX + 1], 'x',
	       "[attr_getname.2] nothing behind it is touched");

	name[TRACE_NAME_MAX] = 'n';
	name[sizeof(name) - 1] = '\0';
	is_int(posix_trace_attr_setname(&attr, name), 0,
	       "[attr_setname.4] one too long");
	posix_trace_attr_getname(&attr, got);
	is_int((long long)strlen(got), TRACE_NAME_MAX - 1,
	       "[attr_setname.2] is cut");
	is_int(strncmp(got, name, TRACE_NAME_MAX - 1), 0, "at its end");
	posix_trace_attr_setname(&attr, "");
	posix_trace_attr_getname(&attr, got);
	is_str(got, "", "an empty name");
	return done();
}
