/* SPDX-License-Identifier: MIT */
/*
 * An image finds its process's entry by what PTRACE_STREAMS says of it, if that
 * is what the entry says; else /proc decides, for which an entry of our pid
 * from before we began is a dead namesake's.
 */
#include "core/core.h"
#include "core/process/token.h"
#include "core/record/attached.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <unistd.h>

static struct ptl_registry *const reg = &ptl_attached.registry;
static struct ptl_shm_entry start;
static char streams[256] = "0:";

static struct ptl_shm_entry *make(void)
{
	struct ptl_shm_entry *entry =
		ptl_registry_claim(reg, NULL, &start, 0, PTL_KEY_LIST);

	ok(entry != NULL, "an entry");
	return entry;
}

static void give_back(struct ptl_shm_entry *entry)
{
	ptl_registry_free(reg, entry, *ptl_registry_key(reg, entry));
}

/* As what came before the exec says it. */
static void tell(struct ptl_shm_entry *entry)
{
	ptl_attached_set_entry(entry);
	ptl_token_exec(streams + 2, start.ident.pid);
}

static struct ptl_shm_entry *found(void)
{
	uint64_t key;

	return ptl_token_find(streams, &key);
}

/* Ours, and of three that were killed the one that /proc takes for us, too. */
static void among_namesakes(void)
{
	struct ptl_shm_entry *entry[3];

	for (int i = 0; i < 3; i++) {
		entry[i] = make();
		entry[i]->parent.pid = (uint32_t)getppid();
		entry[i]->ident.born += (uint64_t)i;
		ptl_registry_exec(entry[i], true);
	}
	for (int i = 0; i < 3; i++) {
		tell(entry[i]);
		ok(found() == entry[i], "a moment ago: the one that is told");
		entry[i]->exec_since = 1;
		ok(found() == entry[i], "long ago, too");
		entry[i]->parent.pid++;
		ok(found() == entry[i], "and if the parent has ended");
	}
	for (int i = 0; i < 3; i++)
		give_back(entry[i]);
	ok(!found(), "until it is given back");
}

/* Just now: the machine may be slow. */
static bool is_fresh(struct ptl_shm_entry *entry)
{
	bool is = false;

	for (int tries = 0; !is && tries < 1000; tries++) {
		ptl_registry_exec(entry, true);
		is = found() == entry;
	}
	return is;
}

static void not_ours(void)
{
	struct ptl_shm_entry *entry;

	start.ident.born = 1;
	entry = make();
	entry->parent.pid = (uint32_t)getppid();
	tell(entry);
	ok(!found(), "one that began before us");
	ok(is_fresh(entry), "it called exec just now: it is");
	entry->parent.pid++;
	ok(!found(), "by another parent's child");
	entry->parent.pid--;
	entry->image++;
	ok(!found(), "there was another image since");
	entry->image--;
	entry->ident.born++;
	ok(!found(), "the entry is another process's by now");
	give_back(entry);
}

static void spawned(void)
{
	struct ptl_shm_entry *entry;

	ptl_ident_self(&start.ident);
	entry = make();
	streams[2] = '\0';
	ok(found() == entry, "nothing is told: /proc takes it for ours");
	ptl_token_spawn(streams + 2);
	ok(!found(), "we were spawned later");
	entry->ident.born = ptl_boottime();
	ok(found() == entry, "but it is later still");
	give_back(entry);
}

int main(void)
{
	int dir;

	plan(24);
	ptl_clock_init();
	ptl_ident_self(&start.ident);
	ptl_attached.ident = start.ident;
	dir = ptl_rundir_open(start.ident.uid, true);
	is_int(ptl_registry_open(dir, start.ident.uid, true, reg), 0,
	       "the registry");
	among_namesakes();
	not_ours();
	spawned();
	return done();
}
