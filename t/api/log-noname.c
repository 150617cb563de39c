/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: a name of no characters is a name; a log with
 * events of that type is whole, and has it in its list.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

int main(void)
{
	char name[TRACE_EVENT_NAME_MAX + 1] = "x";
	struct posix_trace_info_np info;
	trace_event_id_t id, listed = 0;
	int fd = file_make(), none = 0;
	trace_id_t trid;

	plan(4);
	trid = stream_make_log(0, NULL, fd);
	id = event_id("");
	stream_start(trid);
	event_put(id, 1);
	stream_end(trid);
	trid = log_open(fd);
	posix_trace_get_info_np(trid, &info);
	is_int(info.log_state, POSIX_TRACE_LOG_COMPLETE_NP,
	       "the log is whole");
	is_int(posix_trace_eventid_get_name(trid, id, name), 0,
	       "[eventid_get_name.2] the type has its name");
	is_str(name, "", "[eventid_get_name.2] which is empty");
	while (listed != id && !none)
		if (posix_trace_eventtypelist_getnext_id(trid, &listed, &none))
			break;
	is_int(listed, id, "[xsh_2_11_names.3] and is in the list");
	posix_trace_close(trid);
	return done();
}
