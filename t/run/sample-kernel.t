#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples in the kernel (--sample-kernel), where they are permitted: the kernel's
# functions, by their names, inside of the call that the program made.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
need python3
need_rules
"$PTRACE_RUN" -q --sample --sample-kernel -o log true 2>why ||
	skip_all "the kernel gives no samples of itself: $(cat why)"
grep -q '^ffff' /proc/kallsyms || skip_all "the kernel's names are not shown"
plan 11

# in_kernel: of the samples, are most in the kernel, with names, and whole?
in_kernel() {
	"$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
inside = [e for e in events if e["args"]["mode"] & 1]
named = [e for e in inside if e.get("module") == "kernel"]
whole = [e for e in inside if not e["args"]["mode"] & 2]
print(len(inside) > 20 and len(inside) > len(events) / 2,
      len(named) > 0.9 * len(inside), len(whole) > 0.9 * len(inside),
      len(events), len(inside), len(named), len(whole))'
}

# Of the kernel mostly.
copy() {
	run "$@" dd if=/dev/zero of=/dev/null bs=256k count=20000 2>/dev/null
}

copy --sample --sample-kernel
like "$(in_kernel)" '^True True True' "samples in the kernel, with names"
like "$("$PTRACE_DUMP" -f folded log)" \
	'^dd;.*;(__)?read;[^ ]*(syscall|SYSCALL)[^ ]*;[^ ]*read[^ ]* [0-9]+$' \
	"inside of the call that the program made"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'kernel=1' "it is said that they are there"
like "$("$PTRACE_REPORT" --cpu log)" 'samples at 999 Hz: [0-9.ms]+ of processor time$' \
	"and of the time, which is all"
like "$("$PTRACE_REPORT" --cpu log)" '\(kernel\)$' "in the report"
"$PTRACE_DUMP" -f perf-script log >script
like "$(cat script)" '^	 *ffff[0-9a-f]* [^ ]*read[^ ]* \(\[kernel\.kallsyms\]\)$' \
	"as perf script prints them"
is "$(grep -c 'cpu-clock:u' script)" 0 "with perf's name of such samples"
copy --sample
is "$("$PTRACE_DUMP" -f json -n cpu:sample log | grep -c '"kernel"')" 0 \
	"none unless they are asked for"
is "$(status "$PTRACE_RUN" --sample-kernel -o log true)" 2 "alone: wrong usage"

if [ "$(id -u)" = 0 ] && command -v setpriv >other &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ]; then
	is "$(status setpriv --reuid 64733 --clear-groups "$PTRACE_RUN" --sample \
		--sample-kernel -o /dev/null true)" 125 "refused to a user"
	like "$(cat err)" 'perf_event_paranoid is [2-9] \(1 or less, root or CAP_PERFMON allow samples in the kernel, --sample-kernel\)' \
		"which is said"
else
	skip "refused to a user" "it takes root, and perf_event_paranoid above 1" 2
fi
