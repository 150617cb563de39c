/* SPDX-License-Identifier: MIT */
/*
 * <trace.h>: every function has the page's prototype, and is a function of the
 * library: its address is the one the dynamic linker knows.
 */
#include <trace.h>

#include "t/lib/tap.h"

#include <dlfcn.h>
#include <string.h>

/* The types of the page, without the names; in its order. */
#define A const trace_attr_t *
#define I struct posix_trace_event_info *
#define FUNCTIONS(F)                                                          \
	F(int, attr_destroy, (trace_attr_t *))                                \
	F(int, attr_getclockres, (A, struct timespec *))                      \
	F(int, attr_getcreatetime, (A, struct timespec *))                    \
	F(int, attr_getgenversion, (A, char *))                               \
	F(int, attr_getinherited, (A restrict, int *restrict))                \
	F(int, attr_getlogfullpolicy, (A restrict, int *restrict))            \
	F(int, attr_getlogsize, (A restrict, size_t *restrict))               \
	F(int, attr_getmaxdatasize, (A restrict, size_t *restrict))           \
	F(int, attr_getmaxsystemeventsize, (A restrict, size_t *restrict))    \
	F(int, attr_getmaxusereventsize,                                      \
	  (A restrict, size_t, size_t *restrict))                             \
	F(int, attr_getname, (A, char *))                                     \
	F(int, attr_getstreamfullpolicy, (A restrict, int *restrict))         \
	F(int, attr_getstreamsize, (A restrict, size_t *restrict))            \
	F(int, attr_init, (trace_attr_t *))                                   \
	F(int, attr_setinherited, (trace_attr_t *, int))                      \
	F(int, attr_setlogfullpolicy, (trace_attr_t *, int))                  \
	F(int, attr_setlogsize, (trace_attr_t *, size_t))                     \
	F(int, attr_setmaxdatasize, (trace_attr_t *, size_t))                 \
	F(int, attr_setname, (trace_attr_t *, const char *))                  \
	F(int, attr_setstreamfullpolicy, (trace_attr_t *, int))               \
	F(int, attr_setstreamsize, (trace_attr_t *, size_t))                  \
	F(int, clear, (trace_id_t))                                           \
	F(int, close, (trace_id_t))                                           \
	F(int, create, (pid_t, A restrict, trace_id_t *restrict))             \
	F(int, create_withlog, (pid_t, A restrict, int, trace_id_t *restrict))\
	F(void, event, (trace_event_id_t, const void *restrict, size_t))      \
	F(int, eventid_equal, (trace_id_t, trace_event_id_t,                  \
			       trace_event_id_t))                             \
	F(int, eventid_get_name, (trace_id_t, trace_event_id_t, char *))      \
	F(int, eventid_open, (const char *restrict,                           \
			      trace_event_id_t *restrict))                    \
	F(int, eventset_add, (trace_event_id_t, trace_event_set_t *))         \
	F(int, eventset_del, (trace_event_id_t, trace_event_set_t *))         \
	F(int, eventset_empty, (trace_event_set_t *))                         \
	F(int, eventset_fill, (trace_event_set_t *, int))                     \
	F(int, eventset_ismember,                                             \
	  (trace_event_id_t, const trace_event_set_t *restrict,               \
	   int *restrict))                                                    \
	F(int, eventtypelist_getnext_id,                                      \
	  (trace_id_t, trace_event_id_t *restrict, int *restrict))            \
	F(int, eventtypelist_rewind, (trace_id_t))                            \
	F(int, flush, (trace_id_t))                                           \
	F(int, get_attr, (trace_id_t, trace_attr_t *))                        \
	F(int, get_filter, (trace_id_t, trace_event_set_t *))                 \
	F(int, get_status, (trace_id_t, struct posix_trace_status_info *))    \
	F(int, getnext_event,                                                 \
	  (trace_id_t, I restrict, void *restrict, size_t, size_t *restrict,  \
	   int *restrict))                                                    \
	F(int, open, (int, trace_id_t *))                                     \
	F(int, rewind, (trace_id_t))                                          \
	F(int, set_filter, (trace_id_t, const trace_event_set_t *, int))      \
	F(int, shutdown, (trace_id_t))                                        \
	F(int, start, (trace_id_t))                                           \
	F(int, stop, (trace_id_t))                                            \
	F(int, timedgetnext_event,                                            \
	  (trace_id_t, I restrict, void *restrict, size_t, size_t *restrict,  \
	   int *restrict, const struct timespec *restrict))                   \
	F(int, trid_eventid_open, (trace_id_t, const char *restrict,          \
				   trace_event_id_t *restrict))               \
	F(int, trygetnext_event,                                              \
	  (trace_id_t, I restrict, void *restrict, size_t, size_t *restrict,  \
	   int *restrict))

/* Parentheses keep a macro of the name away; #undef would be right, too. */
#define CHECK(result, name, arguments)                                        \
	_Static_assert(__builtin_types_compatible_p(                          \
			       __typeof__(result(*) arguments),               \
			       __typeof__(&(posix_trace_##name))),            \
		       #name);
FUNCTIONS(CHECK)

typedef void (*function)(void);

static const struct {
	const char *name;
	function address;
} functions[] = {
#define ENTRY(result, name, arguments)                                        \
	{ "posix_trace_" #name, (function)(posix_trace_##name) },
	FUNCTIONS(ENTRY)
};
#define NR (int)(sizeof(functions) / sizeof(functions[0]))

int main(void)
{
	int (*add)(trace_event_id_t, trace_event_set_t *) =
		posix_trace_eventset_add;
	trace_event_set_t set;
	int missing = 0, strange = 0;

	plan(5);
	is_int(NR, 50, "[trace_h.7] all prototypes are as on the page");
	for (int i = 0; i < NR; i++) {
		void *found = dlsym(RTLD_DEFAULT, functions[i].name);

		missing += !found;
		strange += memcmp(&found, &functions[i].address,
				  sizeof(found)) != 0;
		if (!found)
			diag("no %s", functions[i].name);
	}
	is_int(missing, 0, "[trace_h.8] all can be found by name");
	is_int(strange, 0, "[trace_h.8] at their addresses");
	posix_trace_eventset_empty(&set);
	is_int(add(POSIX_TRACE_STOP, &set), 0, "[trace_h.8] through a pointer");
	is_int((posix_trace_eventset_del)(POSIX_TRACE_STOP, &set), 0,
	       "[trace_h.8] in parentheses");
	return done();
}
