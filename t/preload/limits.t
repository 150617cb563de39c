#!/bin/sh
# SPDX-License-Identifier: MIT
# --min-duration and --depth: which calls are recorded, and that programs do not
# notice, however they leave their functions.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
plan 35
build lazy -Wl,-z,lazy || exit 1

cat >nested.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static jmp_buf out;
static volatile int jumps, sink;
static int compare(const void *a, const void *b)
{
	sink = (int)(strtol(a, NULL, 10) + strtol(b, NULL, 10));
	if (jumps)
		longjmp(out, 1);
	return 0;
}
static void *round(void *arg)
{
	char v[2][2] = {"1", "2"};

	qsort(v, 2, 2, compare);
	return arg;
}
int main(void)
{
	struct timespec ms = {0, 20000000};
	pthread_t thread;

	for (jumps = 0; jumps < 3; jumps++) {
		if (!setjmp(out))
			round(NULL);
		sink = labs(sink);
	}
	jumps = 0;
	pthread_create(&thread, NULL, round, NULL);
	pthread_join(thread, NULL);
	nanosleep(&ms, NULL);
	return 0;
}
END
compile -O1 -fno-builtin -pthread -o nested nested.c 2>cc.out ||
	diag "$(cat cc.out)"
names=qsort,strtol,labs,nanosleep

# counts EVENT: of the functions above.
counts() {
	for name in qsort strtol labs nanosleep; do
		printf '%s ' "$(events "$1" "\"function\":\"$name\"")"
	done
}
# The comparison is called once by each qsort().
run_calls -l $names -- ./nested
is "$(counts call:enter)" "4 8 3 1 " "no limit"
for option in -l -r '-a -r'; do
	# shellcheck disable=SC2086 # words
	run_calls $option $names --depth 1 -- ./nested
	is "$(counts call:enter)" "4 0 3 1 " "$option, depth 1"
	[ "$option" = -l ] && exits="0 0 0 0 " || exits="2 0 3 1 "
	is "$(counts call:exit)" "$exits" "and its returns"
	# shellcheck disable=SC2086
	run_calls $option $names --depth 2 -- ./nested
	is "$(counts call:enter)" "4 8 3 1 " "$option, depth 2"
done

for option in -r '-a -r'; do
	# shellcheck disable=SC2086
	run_calls $option $names --min-duration 1000s -- ./nested
	is "$(counts call:enter)$(counts call:exit)" \
		"0 0 0 0 0 0 0 0 " "$option: nothing takes so long"
	# shellcheck disable=SC2086
	run_calls $option $names --min-duration 20ms -- ./nested
	is "$(events call:exit '"function":"nanosleep"')" 1 \
		"$option: this one does"
	ns=$(sed -n 's/.*"dur[a-z]*":\([0-9]*\).*/\1/p' "$T/found")
	[ "${ns:-0}" -ge 19990000 ] && [ "$ns" -lt 90000000000 ]
	ok $? "$option: how long" || diag "$ns"
	# shellcheck disable=SC2086
	run_calls $option $names --min-duration 1ns -- ./nested
	is "$(counts call:enter)$(counts call:exit)" \
		"0 0 0 0 2 8 3 1 " "$option: each that returns takes some"
done
is "$(events call:exit '"function":"labs"' '"args":\[[0-9]+\],"ret":[0-9]+')" \
	3 "with arguments and results"
run_calls -r 'libcalled.so:*' --min-duration 1ns -- ./lazy tail
is "$(events call:exit '"function":"called_tail"'):$(events call:enter)" 1:0 \
	"what is jumped to returns with the one that jumped"
run_calls -r nanosleep -l labs --min-duration 1000s -- ./nested
is "$(counts call:enter)" "0 0 3 0 " "what -l names is recorded all the same"

for limit in '--depth 1' '--min-duration 1ns'; do
	for how in jumps:500 signal-jumps:200 storm:100 thread-ends:50 \
		contexts:200 vforks:50 forks:20; do
		# shellcheck disable=SC2086
		same_calls "$limit, ${how%:*}: as without" -a -r '*' $limit \
			-- ./lazy "${how%:*}" "${how#*:}"
	done
done
