#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the kernel refuses samples nothing is run, and it is said why and what
# can be done; wrong values are wrong usage.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/refused.sh"
plan 22
refused --sample EPERM 'Operation not permitted.*--cap-add PERFMON.*perf_event_paranoid is [-0-9?]+ .*CAP_PERFMON' \
	"a seccomp filter"
refused --sample EACCES 'Permission denied.*perf_event_paranoid is [-0-9?]+ .*CAP_PERFMON' \
	"no permission"
refused --sample EINVAL 'Invalid argument.*-F.*Linux 5\.13' "attributes of a later kernel"
refused --sample ENOSYS 'not implemented.*no perf_event_open' "another kernel"
is "$(status "$refuse" perf_event_open EPERM "$PTRACE_RUN" -o log true)" 0 \
	"without --sample nobody asks"
is "$(status "$refuse" perf_event_open EPERM "$PTRACE_RUN" -e cpu -o log true)" \
	125 "-e cpu asks"
is "$(status "$refuse" perf_event_open EPERM "$PTRACE_RUN" -e all -o log true)" \
	0 "-e all does not"

for hz in 0 10001 99x -1 ''; do
	is "$(status "$PTRACE_RUN" --sample="$hz" -o log true)" 2 \
		"--sample=$hz: wrong usage"
done
like "$(cat err)" "--sample.*a number from 1 to 10000" "which is said"
like "$("$PTRACE_RUN" --help)" '--sample\[=HZ\]' "the usage text"
