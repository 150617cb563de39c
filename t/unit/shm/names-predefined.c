/* SPDX-License-Identifier: MIT */
/* The predefined types can be walked, and looked up by id and by name. */
#include "core/format/sysevents.h"
#include "core/shm/names.h"

#include "t/lib/tap.h"

#include <string.h>

int main(void)
{
	uint32_t id, last = 0, nr = 0;
	int bad = 0;

	plan(11);
	for (id = ptl_sysevent_next(0); id; id = ptl_sysevent_next(id)) {
		const char *name = ptl_sysevent_name(id);

		bad += id <= last || id >= PTL_ID_FIRST_USER || !name ||
		       !ptl_sysevent_fields(id) ||
		       strlen(name) >= PTL_NAME_SIZE ||
		       strcmp(ptl_sysevent_name(ptl_sysevent_find(name)), name);
		last = id;
		nr++;
	}
	is_int(bad, 0, "ids ascend, have names, are found by them");
	ok(nr >= 9, "%u types", nr);
	is_int(ptl_sysevent_next(0), PTL_EV_ERROR, "the first");
	is_str(ptl_sysevent_name(PTL_EV_START), "posix_trace_start", "a name");
	is_str(ptl_sysevent_fields(PTL_EV_START), "", "no fields");
	is_str(ptl_sysevent_fields(PTL_EV_PROCESS_FORK), "child:i", "fields");
	is_int(ptl_sysevent_find("posix_trace_stop"), PTL_EV_STOP, "by name");
	is_int(ptl_sysevent_find("process:start"), PTL_EV_PROCESS_BEGIN,
	       "of two the one that is recorded now");
	is_int(ptl_sysevent_find("nonsense"), 0, "a name that is not there");
	ok(!ptl_sysevent_name(0) && !ptl_sysevent_fields(UINT32_MAX),
	   "ids that are not there");
	is_int(ptl_sysevent_next(PTL_ID_FIRST_USER), 0, "none behind the last");
	return done();
}
