/* SPDX-License-Identifier: MIT */
/* Eight processes open the same 500 names: each gets one id, everywhere. */
#include "core/shm/names.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define NR_CHILDREN 8
#define NR_NAMES 500
#define NR_ROUNDS 20

struct shared {
	struct ptl_shm_names names;
	uint32_t id[NR_CHILDREN][NR_NAMES];
	_Atomic unsigned int ready;
};

static struct shared *shared;

/* Each begins somewhere else, so that they meet in all manners. */
static int open_names(struct proc *self, void *arg)
{
	int me = *(int *)arg;
	char name[32];

	(void)self;
	shared->ready++;
	while (shared->ready < NR_CHILDREN)
		;
	for (int i = 0; i < NR_NAMES; i++) {
		int n = (i + me / 2 * 7) % NR_NAMES;

		snprintf(name, sizeof(name), "name %d", n);
		if (ptl_names_open(&shared->names, name, &shared->id[me][n]))
			return 1;
	}
	return 0;
}

static int run_round(void)
{
	struct proc p[NR_CHILDREN];
	int who[NR_CHILDREN], bad = 0;

	memset(shared, 0, sizeof(*shared));
	ptl_names_init(&shared->names, 1);
	for (int i = 0; i < NR_CHILDREN; i++) {
		who[i] = i;
		proc_start(&p[i], open_names, &who[i]);
	}
	for (int i = 0; i < NR_CHILDREN; i++)
		bad += proc_wait(&p[i]) != 0;
	bad += ptl_names_count(&shared->names) != NR_NAMES;
	for (int n = 0; n < NR_NAMES; n++) {
		char name[32], buf[PTL_NAME_SIZE];

		for (int i = 1; i < NR_CHILDREN; i++)
			bad += shared->id[i][n] != shared->id[0][n];
		snprintf(name, sizeof(name), "name %d", n);
		bad += ptl_names_get(&shared->names, shared->id[0][n], buf) ||
		       strcmp(buf, name);
	}
	return bad;
}

int main(void)
{
	plan(NR_ROUNDS);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < NR_ROUNDS; i++)
		is_int(run_round(), 0, "%d names, each once", NR_NAMES);
	return done();
}
