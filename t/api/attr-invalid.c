/* SPDX-License-Identifier: MIT */
/* No object, one not initialised or destroyed, or no result: EINVAL. */
#include <trace.h>

#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static trace_attr_t good;

#define REFUSES(call, name) is_int(call, EINVAL, name " of %s", what)

/* All functions but init: 20. */
static void getters_refuse(const trace_attr_t *attr, const char *what)
{
	char text[TRACE_NAME_MAX + 1];
	struct timespec ts;
	size_t size;
	int i;

	REFUSES(posix_trace_attr_getclockres(attr, &ts),
		"[attr_getclockres.3] getclockres");
	REFUSES(posix_trace_attr_getcreatetime(attr, &ts),
		"[attr_getcreatetime.4] getcreatetime");
	REFUSES(posix_trace_attr_getgenversion(attr, text),
		"[attr_getgenversion.4] getgenversion");
	REFUSES(posix_trace_attr_getinherited(attr, &i),
		"[attr_getinherited.4] getinherited");
	REFUSES(posix_trace_attr_getlogfullpolicy(attr, &i),
		"[attr_getlogfullpolicy.4] getlogfullpolicy");
	REFUSES(posix_trace_attr_getlogsize(attr, &size),
		"[attr_getlogsize.4] getlogsize");
	REFUSES(posix_trace_attr_getmaxdatasize(attr, &size),
		"[attr_getmaxdatasize.4] getmaxdatasize");
	REFUSES(posix_trace_attr_getmaxsystemeventsize(attr, &size),
		"[attr_getmaxsystemeventsize.5] getmaxsystemeventsize");
	REFUSES(posix_trace_attr_getmaxusereventsize(attr, 1, &size),
		"[attr_getmaxusereventsize.9] getmaxusereventsize");
	REFUSES(posix_trace_attr_getname(attr, text),
		"[attr_getname.4] getname");
	REFUSES(posix_trace_attr_getstreamfullpolicy(attr, &i),
		"[attr_getstreamfullpolicy.5] getstreamfullpolicy");
	REFUSES(posix_trace_attr_getstreamsize(attr, &size),
		"[attr_getstreamsize.6] getstreamsize");
}

static void setters_refuse(trace_attr_t *attr, const char *what)
{
	REFUSES(posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED),
		"[attr_setinherited.3] setinherited");
	REFUSES(posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_LOOP),
		"[attr_setlogfullpolicy.3] setlogfullpolicy");
	REFUSES(posix_trace_attr_setlogsize(attr, 1),
		"[attr_setlogsize.3] setlogsize");
	REFUSES(posix_trace_attr_setmaxdatasize(attr, 1),
		"[attr_setmaxdatasize.5] setmaxdatasize");
	REFUSES(posix_trace_attr_setname(attr, "x"), "setname");
	REFUSES(posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_LOOP),
		"[attr_setstreamfullpolicy.3] setstreamfullpolicy");
	REFUSES(posix_trace_attr_setstreamsize(attr, 1),
		"[attr_setstreamsize.3] setstreamsize");
	REFUSES(posix_trace_attr_destroy(attr), "[attr_destroy.2] destroy");
}

static void all_refuse(trace_attr_t *attr, const char *what)
{
	getters_refuse(attr, what);
	setters_refuse(attr, what);
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

/* The object is of no use to a stream either. */
static void create_refuses(const trace_attr_t *attr, const char *what)
{
	trace_id_t trid;

	REFUSES(posix_trace_create(0, attr, &trid), "create");
	REFUSES(posix_trace_create_withlog(0, attr, 1, &trid),
		"create_withlog");
}

int main(void)
{
	trace_attr_t attr;

	plan(3 + 4 * 20 + 3 * 2);
	errno = 0;
	is_int(posix_trace_attr_init(NULL), EINVAL, "init of no object");
	all_refuse(NULL, "no object");
	memset(&attr, 0, sizeof(attr));
	all_refuse(&attr, "an object of zeros");
	create_refuses(&attr, "an object of zeros");
	memset(&attr, 0xff, sizeof(attr));
	all_refuse(&attr, "an object of ones");
	create_refuses(&attr, "an object of ones");
	posix_trace_attr_init(&attr);
	posix_trace_attr_destroy(&attr);
	all_refuse(&attr, "a destroyed object");
	create_refuses(&attr, "a destroyed object");
	posix_trace_attr_init(&good);
	is_int(count_null_results(), 13, "no place for the result");
	is_int(errno, 0, "errno is left alone");
	return done();
}
