/* SPDX-License-Identifier: MIT */
/* Threads that can have no slot, for there is no memory, record nothing and go
 * on. */
#include "core/process/children.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/record/slots.h"

#include "t/lib/tap.h"

#include <pthread.h>
#include <sys/resource.h>

#define THREADS 200

static pthread_barrier_t made, limited, counted;
static _Atomic int without, wanted;

static void *run(void *arg)
{
	static const struct ptl_emit_as as;
	static struct ptl_map map;

	pthread_barrier_wait(&made);
	pthread_barrier_wait(&limited);
	if (!ptl_slot_mine()) {
		without++;
		ptl_children_expect(true);
		ptl_emit_long(PTL_ID_FIRST_USER, "", 1, NULL, 1);
		wanted += ptl_emit_wanted(1, PTL_ID_FIRST_USER);
		wanted += ptl_oneshot(&map, &as, PTL_ID_FIRST_USER, "", 1, 1,
				      NULL);
	}
	pthread_barrier_wait(&counted);
	return arg;
}

int main(void)
{
	struct rlimit limit;
	pthread_t id[THREADS];

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip_all("a sanitizer needs the memory");
#endif
	if (under_valgrind())
		skip_all("valgrind needs the memory");
	plan(2);
	ptl_slot_mine();
	pthread_barrier_init(&made, NULL, THREADS + 1);
	pthread_barrier_init(&limited, NULL, THREADS + 1);
	pthread_barrier_init(&counted, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, run, NULL);
	pthread_barrier_wait(&made);
	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_AS, &limit);
	pthread_barrier_wait(&limited);
	pthread_barrier_wait(&counted);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	ok(without > 0, "%d threads without a slot", without);
	is_int(wanted, 0, "they record nothing");
	return done();
}
