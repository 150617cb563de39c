/* SPDX-License-Identifier: MIT */
/* A table full of garbage is asked without harm. */
#include "core/shm/family.h"
#include "core/shm/names.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ptl_shm_names names;

static void fill_randomly(unsigned int seed)
{
	unsigned char *p = (unsigned char *)&names;

	srandom(seed);
	for (size_t i = 0; i < sizeof(names); i++)
		p[i] = (unsigned char)random();
}

/* An index that is full of an entry that is none, or is said to be whole. */
static void fool_index(void)
{
	char buf[PTL_NAME_SIZE];
	uint32_t id;

	memset(&names, 0, sizeof(names));
	ptl_names_init(&names, 1);
	for (uint32_t i = 0; i < PTL_NAMES_FEW; i++) {
		snprintf(buf, sizeof(buf), "%u", i);
		ptl_names_open(&names, buf, &id);
	}
	ptl_names_open(&names, "one", &id);
	for (uint32_t i = 0; i < PTL_NAMES_INDEX; i++)
		names.index[i] = i % 2 ? UINT16_MAX : 7;
	is_int(ptl_names_find(&names, "one"), 0, "an index without an end");
	ok(ptl_names_open(&names, "two", &id) == 0 &&
	   ptl_names_get(&names, id, buf) == 0 && strcmp(buf, "two") == 0,
	   "takes names all the same");
	names.indexed = UINT32_MAX;
	is_int(ptl_names_open(&names, "x", &id), ENOSPC, "more than there are");
	is_int(ptl_names_count(&names), PTL_NAMES_MAX, "are not so many");
	names.heap_ready = 1;
	is_int(ptl_family_grow(&names), ENOMEM, "pages that are none");
}

int main(void)
{
	char buf[PTL_NAME_SIZE];
	uint32_t id;
	int bad = 0;

	plan(11);
	for (unsigned int seed = 0; seed < 5; seed++) {
		fill_randomly(seed);
		for (id = 0; id < PTL_ID_LIMIT + 10; id++)
			if (ptl_names_get(&names, id, buf) == 0 &&
			    strnlen(buf, sizeof(buf)) == sizeof(buf))
				bad++;
		ptl_names_find(&names, "x");
		ptl_names_open(&names, "x", &id);
		ptl_names_count(&names);
		ptl_family_grow(&names);
	}
	is_int(bad, 0, "no name is longer than names are");

	memset(&names, 0, sizeof(names));
	names.heap_ready = UINT32_MAX;
	names.entry[0] = UINT64_C(1) << 32 | (PTL_NAMES_HEAP - 1);
	names.heap[PTL_NAMES_HEAP - 1] = 'x';
	is_int(ptl_names_get(&names, PTL_ID_FIRST_USER, buf), EINVAL,
	       "a string without end");
	names.entry[0] = UINT64_C(1) << 32 | PTL_NAMES_HEAP;
	is_int(ptl_names_get(&names, PTL_ID_FIRST_USER, buf), EINVAL,
	       "a string outside");
	names.heap_used = UINT32_MAX;
	is_int(ptl_names_open(&names, "y", &id), ENOSPC, "an absurd heap");
	is_int(names.heap_used, UINT32_MAX, "which does not grow");
	is_int(ptl_names_get(&names, UINT32_MAX, buf), EINVAL, "an absurd id");
	fool_index();
	return done();
}
