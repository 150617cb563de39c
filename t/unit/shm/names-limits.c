/* SPDX-License-Identifier: MIT */
/* The longest name is kept whole, a longer one refused, a full table says so. */
#include "core/shm/family.h"
#include "core/shm/names.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct ptl_shm_names names;

/* As the API does. */
static int open_name(const char *name, uint32_t *id)
{
	int err = ptl_names_open(&names, name, id);

	while (err == ENOMEM && ptl_family_grow(&names) == 0)
		err = ptl_names_open(&names, name, id);
	return err;
}

static void fill_table(void)
{
	char name[PTL_NAME_SIZE];
	uint32_t id = 0;
	int err = 0, i;

	memset(&names, 0, sizeof(names));
	ptl_names_init(&names, 1);
	for (i = 0; i < 16384 && !err; i++) {
		snprintf(name, sizeof(name), "event type number %d", i);
		err = open_name(name, &id);
	}
	is_int(err, 0, "the table takes 16384 names");
	is_int(id, PTL_ID_LIMIT - 1, "the last id");
	is_int(open_name("more", &id), ENOSPC, "then it is full");
	is_int(id, PTL_ID_LIMIT - 1, "the id is untouched");
	is_int(open_name("event type number 9", &id), 0,
	       "what is there is still found");
	is_int(id, PTL_ID_FIRST_USER + 9, "by its id");
	is_int(ptl_names_count(&names), PTL_NAMES_MAX, "all are counted");
}

/* The same of the greatest length. */
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
		if (open_name(name, &id))
			break;
	}
	is_int(i, 16384, "as many of the longest names");
	ok(names.heap_ready >= 16384 * PTL_NAME_SIZE, "for which it has grown");
}

/* What has no memory yet is not touched before it has. */
static void grow(void)
{
	char name[PTL_NAME_SIZE];
	uint32_t id;
	int n = 0;

	memset(&names, 0, sizeof(names));
	ptl_names_init(&names, 1);
	memset(name, 'x', sizeof(name));
	name[PTL_NAME_SIZE - 1] = '\0';
	do
		name[snprintf(name, sizeof(name), "%d", n++)] = ' ';
	while (ptl_names_open(&names, name, &id) == 0);
	is_int(ptl_names_open(&names, name, &id), ENOMEM, "it must grow first");
	is_int(ptl_names_open(&names, "", &id), 0, "a shorter one has room");
	is_int(ptl_family_grow(&names), 0, "it does");
	is_int(ptl_names_open(&names, name, &id), 0, "then it takes the name");
	is_int(ptl_names_count(&names), (unsigned int)n + 1, "in its turn");
}

int main(void)
{
	char name[PTL_NAME_SIZE + 1], buf[PTL_NAME_SIZE];
	uint32_t id = 0;

	plan(19);
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
	grow();
	return done();
}
