/* SPDX-License-Identifier: MIT */
/* No object, one not initialised or destroyed, or no result: EINVAL. */
#include <trace.h>

#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static trace_attr_t good;

#define NR_FUNCTIONS 20

/* How many of the functions but init say EINVAL of this object. */
static int count_refusals(trace_attr_t *attr)
{
	char text[TRACE_NAME_MAX + 1];
	struct timespec ts;
	size_t size;
	int i, n = 0;

	n += posix_trace_attr_getclockres(attr, &ts) == EINVAL;
	n += posix_trace_attr_getcreatetime(attr, &ts) == EINVAL;
	n += posix_trace_attr_getgenversion(attr, text) == EINVAL;
	n += posix_trace_attr_getinherited(attr, &i) == EINVAL;
	n += posix_trace_attr_getlogfullpolicy(attr, &i) == EINVAL;
	n += posix_trace_attr_getlogsize(attr, &size) == EINVAL;
	n += posix_trace_attr_getmaxdatasize(attr, &size) == EINVAL;
	n += posix_trace_attr_getmaxsystemeventsize(attr, &size) == EINVAL;
	n += posix_trace_attr_getmaxusereventsize(attr, 1, &size) == EINVAL;
	n += posix_trace_attr_getname(attr, text) == EINVAL;
	n += posix_trace_attr_getstreamfullpolicy(attr, &i) == EINVAL;
	n += posix_trace_attr_getstreamsize(attr, &size) == EINVAL;
	n += posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED) ==
	     EINVAL;
	n += posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_LOOP) ==
	     EINVAL;
	n += posix_trace_attr_setlogsize(attr, 1) == EINVAL;
	n += posix_trace_attr_setmaxdatasize(attr, 1) == EINVAL;
	n += posix_trace_attr_setname(attr, "x") == EINVAL;
	n += posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_LOOP) ==
	     EINVAL;
	n += posix_trace_attr_setstreamsize(attr, 1) == EINVAL;
	n += posix_trace_attr_destroy(attr) == EINVAL;
	return n;
}

static int count_null_results(void)
{
	int n = 0;

	n += posix_trace_attr_getclockres(&good, NULL) == EINVAL;
	n += posix_trace_attr_getcreatetime(&good, NULL) == EINVAL;
	n += posix_trace_attr_getgenversion(&good, NULL) == EINVAL;
	n += posix_trace_attr_getinherited(&good, NULL) == EINVAL;
	n += posix_trace_attr_getlogfullpolicy(&good, NULL) == EINVAL;
	n += posix_trace_attr_getlogsize(&good, NULL) == EINVAL;
	n += posix_trace_attr_getmaxdatasize(&good, NULL) == EINVAL;
	n += posix_trace_attr_getmaxsystemeventsize(&good, NULL) == EINVAL;
	n += posix_trace_attr_getmaxusereventsize(&good, 1, NULL) == EINVAL;
	n += posix_trace_attr_getname(&good, NULL) == EINVAL;
	n += posix_trace_attr_getstreamfullpolicy(&good, NULL) == EINVAL;
	n += posix_trace_attr_getstreamsize(&good, NULL) == EINVAL;
	n += posix_trace_attr_setname(&good, NULL) == EINVAL;
	return n;
}

int main(void)
{
	trace_attr_t attr;

	plan(7);
	errno = 0;
	is_int(posix_trace_attr_init(NULL), EINVAL, "init of no object");
	is_int(count_refusals(NULL), NR_FUNCTIONS, "no object");
	memset(&attr, 0, sizeof(attr));
	is_int(count_refusals(&attr), NR_FUNCTIONS, "an object of zeros");
	memset(&attr, 0xff, sizeof(attr));
	is_int(count_refusals(&attr), NR_FUNCTIONS, "an object of ones");
	posix_trace_attr_init(&attr);
	posix_trace_attr_destroy(&attr);
	is_int(count_refusals(&attr), NR_FUNCTIONS, "a destroyed object");
	posix_trace_attr_init(&good);
	is_int(count_null_results(), 13, "no place for the result");
	is_int(errno, 0, "errno is left alone");
	return done();
}
