/* SPDX-License-Identifier: MIT */
/* A table full of garbage is asked without harm. */
#include "core/shm/names.h"

#include "t/lib/tap.h"

#include <errno.h>
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

int main(void)
{
	char buf[PTL_NAME_SIZE];
	uint32_t id;
	int bad = 0;

	plan(6);
	for (unsigned int seed = 0; seed < 5; seed++) {
		fill_randomly(seed);
		for (id = 0; id < PTL_ID_LIMIT + 10; id++)
			if (ptl_names_get(&names, id, buf) == 0 &&
			    strnlen(buf, sizeof(buf)) == sizeof(buf))
				bad++;
		ptl_names_find(&names, "x");
		ptl_names_open(&names, "x", &id);
		ptl_names_count(&names);
	}
	is_int(bad, 0, "no name is longer than names are");

	memset(&names, 0, sizeof(names));
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
	return done();
}
