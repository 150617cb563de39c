/* SPDX-License-Identifier: MIT */
/* Of a process to which events were attached, which records are told twice. */
#include "tools/sampler/origins.h"

#include "t/lib/tap.h"

/* Two threads with events on two CPUs each: 10, 11 are the first one's. */
static void attach(void)
{
	ptl_origins_own(1, 10);
	ptl_origins_own(1, 11);
	ptl_origins_own(2, 20);
	ptl_origins_own(2, 21);
}

static void check_owned(void)
{
	ok(ptl_origins_is_own(1) && ptl_origins_is_own(2) &&
		   !ptl_origins_is_own(3),
	   "which threads have events of their own");
	ok(!ptl_origins_is_double(1, 10) && !ptl_origins_is_double(2, 21),
	   "their own count");
	ok(ptl_origins_is_double(2, 10),
	   "one that was inherited beside them does not");
}

/* The child of a thread that has two of each. */
static void check_child(void)
{
	ptl_origins_fork(2, 3);
	ok(!ptl_origins_is_double(3, 20) && !ptl_origins_is_double(3, 21),
	   "of its child its own count");
	ok(ptl_origins_is_double(3, 11), "and not those of another");
	ptl_origins_fork(3, 4);
	ok(ptl_origins_is_double(4, 10) && !ptl_origins_is_double(4, 20),
	   "nor of the child's child");
	ok(!ptl_origins_is_double(5, 10) && ptl_origins_is_double(5, 20),
	   "of one whose begin was lost those that come first");
}

static void check_end(void)
{
	ptl_origins_fork(1, 2);
	ok(!ptl_origins_is_double(2, 20), "a fork changes nothing of its own");
	ptl_origins_end(2);
	ok(!ptl_origins_is_own(2), "a thread that ended has none");
	ok(!ptl_origins_is_double(2, 10) && ptl_origins_is_double(2, 20),
	   "the next with its number has another's");
}

int main(void)
{
	plan(11);
	ok(!ptl_origins_is_double(1, 10) && !ptl_origins_is_double(2, 10),
	   "without events of threads none is told twice");
	attach();
	check_owned();
	check_child();
	check_end();
	return done();
}
