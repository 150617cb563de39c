#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report: places are lines of source code where these are known, all
# calls of a line together; flame graphs have functions.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
grep -q 'define HAVE_LIBDW 1' "$abs_top_builddir/config.h" ||
	skip_all "built without libdw"
plan 8

cat >places.c <<'END'
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept[8];

static void keep(void)
{
	for (int i = 0; i < 4; i++)
		kept[i] = malloc(1000), kept[i + 4] = malloc(1000);
}

static void *waiter(void *arg)
{
	pthread_mutex_lock(&big);
	pthread_mutex_unlock(&big);
	return arg;
}

int main(void)
{
	pthread_t thread;

	keep();
	pthread_mutex_lock(&big);
	pthread_create(&thread, NULL, waiter, NULL);
	while (__atomic_load_n(&big.__data.__lock, __ATOMIC_RELAXED) != 2)
		;
	pthread_mutex_unlock(&big);
	return pthread_join(thread, NULL);
}
END
cc -g -O0 -pthread -o places places.c || exit 1
run -k -e process,thread,mem,sync ./places
report --memory >page
like "$(cat page)" '^ +8 +0 +7\.8K +7\.8K +8 .* places +keep \(places\.c:10\)$' \
	"--memory: two calls of a line together"
like "$(grep -A 1 'keep (' page | tail -n 1)" '<- main \(places\.c:24\)$' \
	"... and where from"
report --locks >page
like "$(cat page)" ' waited at waiter \(places\.c:15\)  1x ' \
	"--locks: where was waited"
like "$(cat page)" ' taken meanwhile at main \(places\.c:25\)  1x ' \
	"... and for whom"
like "$(report --json --locks)" '"site":"waiter \(places\.c:15\)"' "--json"
like "$(report)" ' sync:lock +places +waiter \(places\.c:15\)$' \
	"the first page"
report --flame flame.svg
like "$(cat flame.svg)" 'waiter \(places\)' "--flame: functions"
is "$(grep -c 'places\.c:' flame.svg)" 0 "... alone"
