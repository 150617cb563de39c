/* SPDX-License-Identifier: MIT */
/* Letting go of all a thread holds touches no page of streams it is not in. */
#include "core/record/owner.h"
#include "core/record/slots.h"

#include "t/lib/tap.h"

#include <sys/mman.h>
#include <unistd.h>

/* 1 if the page of p is there, 0 if nobody has touched it. */
static int is_there(const void *p)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char there = 0;

	if (mincore((void *)((uintptr_t)p & -page), page, &there) != 0)
		return -1;
	return there & 1;
}

int main(void)
{
	struct ptl_slot *slot = ptl_slot_mine();
	const void *last = &slot->stream[PTL_MAX_STREAMS - 1];

	plan(3);
	is_int(is_there(slot), 1, "the slot is there");
	ptl_owner_uncount(slot);
	is_int(is_there(last), 0, "forgetting counts does not touch the last");
	ptl_owner_release_all(slot);
	is_int(is_there(last), 0, "nor does release");
	return done();
}
