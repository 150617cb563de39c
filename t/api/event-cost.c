/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: what it costs, in instructions, is no more than it was.
 * Callgrind counts them, the same ones in every run; time is for benchmarks.
 */
#include "t/lib/clock.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 100
#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t id, filtered;
static char data[64];

/* Each case is a function of its own, which the tool tells by its name (the
 * comment keeps a compiler from making one of them all).  The calls are of the
 * function, not of the macro. */
#define CASE(name, event, size) \
	static NOINLINE void count_##name(void) \
	{ \
		__asm__ volatile("# " #name); \
		for (int i = 0; i < CALLS; i++) \
			(posix_trace_event)(event, data, size); \
	}

CASE(none, id, 16)
CASE(stopped, id, 16)
CASE(recorded_0, id, 0)
CASE(recorded_4, id, 4)
CASE(recorded_16, id, 16)
CASE(recorded_64, id, 64)
CASE(filtered, filtered, 16)
CASE(passed_16, id, 16)
CASE(twice_16, id, 16)

static const struct {
	const char *name;
	int most; /* instructions for a call, the loop's own included */
} limit[] = {
	{"none", 14},
	{"stopped", 35},
	{"recorded_0", 107},
	{"recorded_4", 109},
	{"recorded_16", 105},
	{"recorded_64", 117},
	{"filtered", 43},
	{"passed_16", 117},
	/* Of which one reads the clock, which takes as long as all others. */
	{"twice_16", 336},
};
/* They are those of gcc 12; other compilers make some more. */
#if __GNUC__ == 12
#define LIMIT(most) (most)
#else
#define LIMIT(most) ((most)*5 / 4)
#endif
#define NR_CASES (int)(sizeof(limit) / sizeof(limit[0]))

/* A chunk with room for all, and all of the code seen once. */
static void warm_up(trace_id_t trid)
{
	stream_start(trid);
	(posix_trace_event)(id, data, 16);
}

static int measured(void)
{
	trace_event_set_t set;
	trace_id_t trid, second;

	id = event_id("cost");
	filtered = event_id("cost:filtered");
	/* The dynamic linker finds the function at the first call. */
	(posix_trace_event)(id, data, 16);
	count_none();
	trid = stream_make(0, stream_attr(16 << 20, 0, 0));
	warm_up(trid);
	count_recorded_0();
	count_recorded_4();
	count_recorded_16();
	count_recorded_64();
	stream_stop(trid);
	count_stopped();
	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(filtered, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	warm_up(trid);
	count_filtered();
	count_passed_16();
	second = stream_make(0, stream_attr(16 << 20, 0, 0));
	warm_up(second);
	count_twice_16();
	stream_end(second);
	stream_end(trid);
	return 0;
}

/* Of one case, counted in a run of its own; -1 if it cannot be told. */
static long profiled(const char *self, const char *dir, const char *name)
{
	char command[512], line[512];
	long number = -1;
	FILE *file;

	snprintf(command, sizeof(command),
		 "valgrind -q --tool=callgrind --callgrind-out-file=%s/%s "
		 "--collect-atstart=no --toggle-collect=count_%s "
		 "%s measured >%s/out 2>&1 && cat %s/%s || "
		 "{ cat %s/out >&2; false; }",
		 dir, name, name, self, dir, dir, name, dir);
	file = popen(command, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "summary: %ld", &number);
	return file && pclose(file) == 0 && number > 0 ? number / CALLS : -1;
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/ptl-cost-XXXXXX", command[64];
	long got;

	if (argc > 1)
		return measured();
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || \
	defined(__SANITIZE_THREAD__)
	skip_all("not what is shipped");
#endif
	if (under_coverage())
		skip_all("not what is shipped");
	if (getenv("TAP_SLOW"))
		skip_all("under valgrind already");
	if (system("valgrind --version >/dev/null 2>&1") != 0)
		skip_all("no valgrind");
	if (!clock_is_counter())
		skip_all("the kernel does not trust the counter");
	plan(NR_CASES);
	mkdtemp(dir);
	for (int i = 0; i < NR_CASES; i++) {
		got = profiled(argv[0], dir, limit[i].name);
		ok(got > 0 && got <= LIMIT(limit[i].most),
		   "%s: %ld instructions, at most %d", limit[i].name, got,
		   LIMIT(limit[i].most));
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) || done();
}
