#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run ends as its command ends.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 17

# The status as a shell sees it, and as waitpid(2) has it.
for code in 0 1 7 125 255; do
	is "$(status run sh -c "exit $code")" $code "status $code"
done
for signal in 2 9 11 15; do
	is "$(status run sh -c "kill -$signal \$\$")" $((128 + signal)) \
		"killed by signal $signal"
done
if command -v python3 >/dev/null; then
	is "$(python3 -c '
import subprocess, sys
print(subprocess.run(sys.argv[1:]).returncode)' \
		"$PTRACE_RUN" -q -o "$T/log" sh -c 'kill -TERM $$')" -15 \
		"ptrace-run dies by the same signal"
else
	skip "ptrace-run dies by the same signal" "no python3"
fi
[ ! -e core ]
ok $? "no core file of ours"

is "$(status run no-such-command)" 127 "not found along PATH"
is "$(status run ./no-such-command)" 127 "no such file"
is "$(wc -l <"$T/err")" 1 "one line says why"
echo 'exit 3' >script
is "$(status run ./script)" 126 "not executable"
is "$(status run "$T")" 126 "a directory"
chmod +x script
is "$(status run ./script)" 3 "a script without #! is one for sh"
