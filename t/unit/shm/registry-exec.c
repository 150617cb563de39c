/* SPDX-License-Identifier: MIT */
/* An entry of our pid is ours if it began an exec a moment ago; else /proc
 * decides, for which this one is a dead namesake's. */
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <unistd.h>

static struct ptl_registry registry;
static struct ptl_shm_entry start;

static struct ptl_shm_entry *make(void)
{
	struct ptl_shm_entry *entry =
		ptl_registry_claim(&registry, NULL, &start, 0, PTL_KEY_LISTED);

	ok(entry != NULL, "an entry");
	return entry;
}

static bool is_found(void)
{
	uint64_t key;

	return ptl_registry_find(&registry, &start.ident, &key);
}

static void give_back(struct ptl_shm_entry *entry)
{
	ptl_registry_free(&registry, entry,
			  *ptl_registry_key(&registry, entry));
}

/* With no more known of the namespace than what we were told. */
static bool is_mine(uint64_t pidns)
{
	struct ptl_shm_ident guess = start.ident;

	guess.pidns = pidns;
	return ptl_registry_mine(&registry, &guess);
}

static void told(void)
{
	uint64_t pidns = start.ident.pidns;
	struct ptl_shm_entry *entry = make();

	entry->parent.pid = (uint32_t)getppid();
	ok(!is_mine(pidns), "it did not call exec");
	ptl_registry_exec(entry, true);
	ok(!is_mine(0), "no namespace was told");
	ok(!is_mine(pidns + 1), "the wrong one was");
	entry->parent.pid++;
	ok(!is_mine(pidns), "it has another parent");
	entry->parent.pid--;
	ok(is_mine(pidns), "after all that it is still there, ours");
	give_back(entry);
	ok(!is_mine(pidns), "until it is given back");
}

int main(void)
{
	struct ptl_shm_entry *entry;
	int dir;

	plan(13);
	ptl_clock_init();
	ptl_ident_self(&start.ident);
	start.ident.born = 1;
	dir = ptl_rundir_open(start.ident.uid, true);
	is_int(ptl_registry_open(dir, start.ident.uid, true, &registry), 0,
	       "the registry");

	entry = make();
	ok(!is_found(), "of one that began before us");
	ptl_registry_exec(entry, true);
	ok(is_found(), "it called exec just now: we are what it became");
	ptl_registry_exec(entry, false);
	ok(!is_found(), "its exec failed");
	entry->exec_since = ptl_boottime() - 1000000000;
	ok(!is_found(), "it is long ago");
	give_back(entry);
	told();
	return done();
}
