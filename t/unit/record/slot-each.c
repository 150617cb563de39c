/* SPDX-License-Identifier: MIT */
/* Each thread's slot is looked at, the first thread's too. */
#include "core/record/slots.h"

#include "t/lib/tap.h"

#include <pthread.h>

struct seen {
	unsigned int nr;
	bool first;
};

static struct ptl_slot *first;

static void look(struct ptl_slot *slot, void *arg)
{
	struct seen *seen = arg;

	seen->nr++;
	seen->first |= slot == first;
}

static void *second(void *arg)
{
	ptl_slot_mine();
	ptl_slots_each(look, arg);
	return NULL;
}

int main(void)
{
	struct seen seen = {0, false};
	pthread_t id;

	plan(3);
	first = ptl_slot_mine();
	ok(first != NULL, "the first thread has a slot");
	pthread_create(&id, NULL, second, &seen);
	pthread_join(id, NULL);
	is_int(seen.nr, 2, "there are two");
	ok(seen.first, "the first thread's is one of them");
	return done();
}
