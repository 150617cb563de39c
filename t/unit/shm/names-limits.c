/* SPDX-License-Identifier: MIT */
/* The longest name is kept whole, a longer one refused, a full table says so. */
#include "core/shm/names.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct ptl_shm_names names;

static void fill_table(void)
{
	char name[PTL_NAME_SIZE];
	uint32_t id = 0;
	int err = 0, i;

	memset(&names, 0, sizeof(names));
	ptl_names_init(&names, 1);
	for (i = 0; i < PTL_NAMES_MAX && !err; i++) {
		snprintf(name, sizeof(name), "event type number %d", i);
		err = ptl_names_open(&names, name, &id);
	}
	is_int(err, 0, "the table takes %d names", PTL_NAMES_MAX);
	is_int(id, PTL_ID_LIMIT - 1, "the last id");
	is_int(ptl_names_open(&names, "more", &id), ENOSPC, "then it is full");
	is_int(id, PTL_ID_LIMIT - 1, "the id is untouched");
	is_int(ptl_names_open(&names, "event type number 9", &id), 0,
	       "what is there is still found");
	is_int(id, PTL_ID_FIRST_USER + 9, "by its id");
	is_int(ptl_names_count(&names), PTL_NAMES_MAX, "all are counted");
}

/* At least TRACE_USER_EVENT_MAX names of full length must fit. */
static void fill_heap(void)
{
	char name[PTL_NAME_SIZE];
	uint32_t id;
	int i = 0;

	memset(&names, 0, sizeof(names));
	ptl_names_init(&names, 1);
	memset(name, 'x', sizeof(name));
	name[PTL_NAME_SIZE - 1] = '\0';
	for (;; i++) {
		name[snprintf(name, sizeof(name), "%d", i)] = ' ';
		if (ptl_names_open(&names, name, &id))
			break;
	}
	ok(i >= 1024, "the heap holds %d of the longest names", i);
	is_int(ptl_names_open(&names, name, &id), ENOSPC, "then it is full");
}

int main(void)
{
	char name[PTL_NAME_SIZE + 1], buf[PTL_NAME_SIZE];
	uint32_t id = 0;

	plan(14);
	ptl_names_init(&names, 1);
	memset(name, 'n', sizeof(name));
	name[PTL_NAME_SIZE] = '\0';
	is_int(ptl_names_open(&names, name, &id), ENAMETOOLONG,
	       "%d characters are too many", PTL_NAME_SIZE);
	is_int(ptl_names_find(&names, name), 0, "and never found");
	name[PTL_NAME_SIZE - 1] = '\0';
	is_int(ptl_names_open(&names, name, &id), 0, "one less will do");
	is_int(ptl_names_get(&names, id, buf), 0, "its name can be asked for");
	is_str(buf, name, "and is whole");
	fill_table();
	fill_heap();
	return done();
}
