/* SPDX-License-Identifier: MIT */
/* A name gets the next id once, keeps it, and is found by either. */
#include "core/shm/names.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static struct ptl_shm_names names;

int main(void)
{
	char buf[PTL_NAME_SIZE];
	uint32_t id = 0, again = 0;

	plan(19);
	ptl_names_init(&names, 77);
	is_int(names.prefix.magic, PTL_SHM_MAGIC_NAMES, "the table is marked");
	is_int((long long)names.prefix.id, 77, "the table has its id");
	is_int(ptl_names_count(&names), 0, "a fresh table is empty");
	is_int(ptl_names_find(&names, "one"), 0, "what is not there is 0");

	is_int(ptl_names_open(&names, "one", &id), 0, "a name is taken in");
	is_int(id, PTL_ID_FIRST_USER, "the first id");
	is_int(ptl_names_open(&names, "one", &again), 0, "once more");
	is_int(again, id, "the same id");
	ptl_names_open(&names, "two", &id);
	is_int(id, PTL_ID_FIRST_USER + 1, "another name, another id");
	ptl_names_open(&names, "", &id);
	is_int(id, PTL_ID_FIRST_USER + 2, "the empty name is a name");
	is_int(ptl_names_count(&names), 3, "they are counted");

	is_int(ptl_names_find(&names, "two"), PTL_ID_FIRST_USER + 1, "found");
	is_int(ptl_names_get(&names, PTL_ID_FIRST_USER + 1, buf), 0, "told");
	is_str(buf, "two", "the name of an id");
	is_int(ptl_names_get(&names, PTL_ID_FIRST_USER + 3, buf), EINVAL,
	       "an id that is not taken");

	is_int(ptl_names_give(&names, "given", &id), 0, "a controller's name");
	ok(ptl_names_given(&names, id), "is marked");
	ok(ptl_names_open(&names, "given", &again) == 0 && again == id,
	   "and found like any other");
	ptl_names_give(&names, "one", &again);
	ok(!ptl_names_given(&names, again) && !ptl_names_given(&names, 0) &&
	   !ptl_names_given(&names, PTL_ID_LIMIT), "others are not");
	return done();
}
