/* SPDX-License-Identifier: MIT */
/*
 * A controller and the process itself name the same stream in its entry, the
 * one at each instruction of the other: it is there once, and under the bit
 * that was the first.
 */
#include "core/shm/registry.h"

#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <string.h>
#include <sys/ptrace.h>

#define STREAM 4711

static struct ptl_shm_entry *entry;

/* As each of them does: the other may come in between. */
static bool is_there(void)
{
	return ptl_registry_index(entry, STREAM) >= 0;
}

static int add(void)
{
	return ptl_registry_add(entry, ptl_ref(STREAM, true), false, false);
}

static int stepped(struct proc *self, void *arg)
{
	int i = -1;

	(void)self;
	(void)arg;
	if (is_there())
		return 99;
	step_here();
	i = add();
	step_here();
	return i < 0 ? 98 : i;
}

static int nr_refs(void)
{
	int nr = 0;

	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		nr += entry->refs[i] != 0;
	return nr;
}

/* We come at that step of theirs; false: they were through. */
static bool meet(long turn, int *bad)
{
	int ours = -1, theirs, most = 0;
	struct proc p;

	memset(entry, 0, sizeof(*entry));
	/* The first places are taken, and one of them is free again. */
	ptl_registry_add(entry, ptl_ref(1, true), false, false);
	proc_start(&p, stepped, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	for (long n = 0; step_on(&p, PTRACE_SINGLESTEP); n++) {
		if (n == turn) {
			ours = is_there() ? ptl_registry_index(entry, STREAM) :
					    add();
			if (turn % 2)
				ptl_registry_drop(entry, 0, 1);
		}
		most = PTL_MAX(most, __builtin_popcountll(entry->active & ~1u));
	}
	theirs = step_finish(&p);
	if (ours < 0)
		return false;
	if (most != 1 || nr_refs() != 2 - turn % 2 || ours != theirs ||
	    entry->active != ((UINT64_C(1) << ours) | !(turn % 2))) {
		diag("step %ld: ours %d, theirs %d, %d at once, %d there", turn,
		     ours, theirs, most, nr_refs());
		(*bad)++;
	}
	return true;
}

int main(void)
{
	long turn = 0;
	int bad = 0;

	step_needed();
	plan(2);
	entry = proc_shared();
	while (meet(turn, &bad))
		turn++;
	ok(turn > 50, "instructions: %ld", turn);
	is_int(bad, 0, "no matter which of them");
	return done();
}
