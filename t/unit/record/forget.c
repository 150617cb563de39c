/* SPDX-License-Identifier: MIT */
/* A process that ends gives back its entry, and not that of another process,
 * which has it if the first was taken for dead. */
#include "core/record/attached.h"
#include "core/shm/rundir.h"
#include "core/sys/ident.h"

#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <unistd.h>

static const struct ptl_registry *const registry = &ptl_attached.registry;

static struct ptl_shm_entry *claim(void)
{
	struct ptl_shm_entry start = {.ident = ptl_attached.ident}, *entry;

	entry = ptl_registry_claim(registry, NULL, &start, PTL_LIFE_OVER,
				   PTL_KEY_LIST);
	ptl_attached_set_entry(entry);
	return entry;
}

static uint64_t key_of(const struct ptl_shm_entry *entry)
{
	return *ptl_registry_key(registry, entry);
}

/* It is listed with that pid. */
static uint64_t give(struct ptl_shm_entry *entry, uint32_t pid)
{
	uint64_t key = key_of(entry);

	ptl_registry_change(registry, entry, &key, PTL_KEY_KEEP, pid,
			    ptl_key_life(key));
	return key;
}

int main(int argc, char **argv)
{
	struct ptl_shm_entry *entry;
	uint64_t key;

	(void)argc;
	private_shm(argv);
	plan(4);
	ptl_ident_self(&ptl_attached.ident);
	ptl_registry_open(ptl_rundir_open(geteuid(), true), geteuid(), true,
			  &ptl_attached.registry);
	entry = claim();
	ptl_attached_forget();
	is_int(ptl_key_state(key_of(entry)), PTL_KEY_FREE, "it is given back");
	ok(ptl_attached_is_unlisted(), "events go on in private memory");
	entry = claim();
	key = give(entry, ptl_attached.ident.pid + 1);
	ptl_attached_forget();
	ok(key_of(entry) == key, "one that has another pid is not");
	entry = claim();
	entry->ident.pidns++;
	key = key_of(entry);
	ptl_attached_forget();
	ok(key_of(entry) == key, "nor one that has it in another namespace");
	return done();
}
