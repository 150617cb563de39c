/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventtypelist_getnext_id: lists the predefined types and all
 * that were opened, each once; posix_trace_eventtypelist_rewind: begins anew.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static int seen[_PTL_EVENT_ID_LIMIT];

static int list(trace_id_t trid)
{
	trace_event_id_t id = 0;
	int unavailable = 0, n = 0;

	memset(seen, 0, sizeof(seen));
	while (!posix_trace_eventtypelist_getnext_id(trid, &id,
						     &unavailable) &&
	       !unavailable && id < _PTL_EVENT_ID_LIMIT && n < 10000) {
		seen[id]++;
		n++;
	}
	return unavailable ? n : -1;
}

int main(void)
{
	trace_event_id_t mine, others, id;
	trace_id_t trid;
	int n, predefined = 0, twice = 0, unavailable = 0;

	plan(14);
	mine = event_id("mine");
	trid = stream_make(0, NULL);
	posix_trace_trid_eventid_open(trid, "the controller's", &others);
	n = list(trid);
	ok(n >= 11, "[eventtypelist_getnext_id.4] a list with an end");
	for (id = POSIX_TRACE_ERROR; id <= POSIX_TRACE_UNNAMED_USEREVENT; id++)
		predefined += seen[id] == 1;
	is_int(predefined, 9,
	       "[eventtypelist_getnext_id.2] [xsh_2_11_names.2] "
	       "the predefined types are in it");
	is_int(seen[mine], 1, "[xsh_2_11_names.2] the one opened before");
	is_int(seen[others], 1,
	       "[xsh_2_11_names.2] the one opened by the controller");
	for (id = 0; id < _PTL_EVENT_ID_LIMIT; id++)
		twice += seen[id] > 1;
	is_int(twice, 0, "[eventtypelist_getnext_id.2] none is there twice");
	is_int(posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable),
	       0, "[eventtypelist_getnext_id.5] at the end");
	ok(unavailable, "[eventtypelist_getnext_id.4] still at the end");
	id = event_id("later");
	is_int(list(trid), 1, "one more was opened");
	is_int(seen[id], 1, "it is listed");
	is_int(posix_trace_eventtypelist_rewind(trid), 0,
	       "[eventtypelist_rewind.2] rewind");
	is_int(list(trid), n + 1, "[eventtypelist_rewind.1] all again");
	is_int(posix_trace_eventtypelist_getnext_id(trid, NULL, &unavailable),
	       EINVAL, "no place for the id");
	is_int(posix_trace_eventtypelist_getnext_id(trid, &id, NULL), EINVAL,
	       "no place for the end");
	stream_end(trid);
	is_int(posix_trace_eventtypelist_rewind(trid), EINVAL,
	       "[eventtypelist_rewind.3] no stream");
	return done();
}
