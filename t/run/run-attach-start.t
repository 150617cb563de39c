#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -p traces a process that is only just starting: the library is there,
# but none of its code has run yet.
# shellcheck disable=SC2016 # for eval
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"

# ld.so tells an auditor when all is mapped and nothing is initialised.
cat >auditor.c <<'EOF'
#define _GNU_SOURCE
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

unsigned int la_version(unsigned int version)
{
	return version;
}

void la_activity(uintptr_t *cookie, unsigned int flag)
{
	while (flag == LA_ACT_CONSISTENT && access(getenv("GO"), F_OK) != 0)
		sched_yield();
}
EOF
${CC:-cc} -shared -fPIC -o auditor.so auditor.c || skip_all "no LD_AUDIT here"
plan 3

start() {
	rm -f go log
	env LD_AUDIT="$T/auditor.so" GO="$T/go" PTRACE_DISABLE=1 \
		LD_PRELOAD="$LIBPTRACE" sleep 1000 &
	pid=$!
	wait_for eval '[ "$(cat /proc/$pid/comm)" = sleep ] &&
		grep -q libptrace.so /proc/$pid/maps'
}

start
"$PTRACE_RUN" -q -p $pid -o log 2>err &
runner=$!
wait_for test -e log
touch go
wait_for eval 'dump | grep -q trace_start'
ok $? "it is waited for" || diag "$(cat err)"
kill $pid
wait $runner
is "$? $(cat err)" "0 " "and traced"

start
"$PTRACE_RUN" -q -p $pid -o log 2>err &
runner=$!
wait_for test -e log
kill -KILL $pid
wait $runner
# The shell may have waited for it by now.
like "$? $(cat err)" \
	"^125 ptrace-run: cannot trace process $pid: (it has ended|no such process)\$" \
	"unless it ends"
