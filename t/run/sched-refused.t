#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # for another shell
# Where the kernel refuses to tell of threads that do not run, nothing is run, and
# it is said why and what can be done; wrong values are wrong usage.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/refused.sh"
plan 21
refused --sched EPERM '--sched.*Operation not permitted.*--cap-add PERFMON.*perf_event_paranoid is [-0-9?]+ .*CAP_PERFMON' \
	"a seccomp filter"
refused --sched EACCES '--sched.*Permission denied.*perf_event_paranoid is [-0-9?]+ .*CAP_PERFMON' \
	"no permission"
refused --sched ENOSYS 'not implemented.*no perf_event_open' "another kernel"
is "$(status "$refuse" perf_event_open EPERM "$PTRACE_RUN" -e sched -o log true)" \
	125 "-e sched asks"
is "$(status "$refuse" perf_event_open EPERM "$PTRACE_RUN" -e all -o log true)" \
	0 "-e all does not"
# A monitor without a sampler beside it.
mkdir -p few/libexec/libptrace
ln -s "${LIBPTRACE%/*}" few/lib
cp "$TAP_MONITOR" few/libexec/libptrace/ptrace-monitor
rm -f log
is "$(status env PTRACE_SCHED=1ms PTRACE_OUTPUT="$T/log" \
	PTRACE_MONITOR="$T/few/libexec/libptrace/ptrace-monitor" \
	LD_PRELOAD="$LIBPTRACE" true)" 0 "by the variable it runs without"
wait_for sh -c '"$PTRACE_DUMP" --info log | grep -q "^log-state: *complete"'
like "$("$PTRACE_DUMP" -f raw -n sched:recording log)" 'reason="?Exec format' \
	"which the trace says"

for min in 0 5 99x -1ms 1h ''; do
	is "$(status "$PTRACE_RUN" --sched="$min" -o log true)" 2 \
		"--sched=$min: wrong usage"
done
like "$(cat err)" "--sched.*a time, as 10us" "which is said"
like "$("$PTRACE_RUN" --help)" '--sched\[=MIN\]' "the usage text"
