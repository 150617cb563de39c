/* SPDX-License-Identifier: MIT */
/* A process killed while it opens names leaves a table others can go on with. */
#include "core/shm/names.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define NR_CHILDREN 8
#define NR_NAMES 500
#define NR_ROUNDS 20

struct shared {
	struct ptl_shm_names names;
	_Atomic int done[NR_CHILDREN];
};

static struct shared *shared;

static int open_names(struct proc *self, void *arg)
{
	int me = *(int *)arg;
	char name[32];
	uint32_t id;

	(void)self;
	for (int i = 0; i < NR_NAMES; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		if (ptl_names_open(&shared->names, name, &id))
			return 1;
		shared->done[me] = i + 1;
	}
	return 0;
}

/* Half of the children are killed, each at another number of names. */
static int run_round(int round)
{
	struct proc p[NR_CHILDREN];
	int who[NR_CHILDREN], bad = 0;

	memset(shared, 0, sizeof(*shared));
	ptl_names_init(&shared->names, 1);
	for (int i = 0; i < NR_CHILDREN; i++) {
		who[i] = i;
		proc_start(&p[i], open_names, &who[i]);
	}
	for (int i = 0; i < NR_CHILDREN / 2; i++) {
		while (shared->done[i] < (round * 31 + i * 97) % NR_NAMES)
			;
		proc_kill(&p[i], SIGKILL);
	}
	for (int i = NR_CHILDREN / 2; i < NR_CHILDREN; i++)
		bad += proc_wait(&p[i]) != 0;
	return bad;
}

static int count_bad_names(void)
{
	char name[32], buf[PTL_NAME_SIZE];
	int bad = 0;

	for (uint32_t i = 0; i < NR_NAMES; i++) {
		uint32_t id;

		snprintf(name, sizeof(name), "name %u", i);
		id = ptl_names_find(&shared->names, name);
		bad += id == 0 || ptl_names_get(&shared->names, id, buf) ||
		       strcmp(buf, name);
	}
	return bad;
}

int main(void)
{
	int bad = 0, lost = 0, twice = 0;

	plan(3);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < NR_ROUNDS; i++) {
		bad += run_round(i);
		lost += count_bad_names();
		twice += ptl_names_count(&shared->names) != NR_NAMES;
	}
	is_int(bad, 0, "the survivors open all their names");
	is_int(lost, 0, "all names are there and whole");
	is_int(twice, 0, "none is there twice");
	return done();
}
