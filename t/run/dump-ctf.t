#!/bin/sh
# SPDX-License-Identifier: MIT
# CTF: a directory whose metadata say what is in its packets: each event, as JSON
# shows it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 89

make_logs
ok $? "recorded"
for log in $LOGS; do
	ends ctf "$log"
	check ctf 6 "$log"
done

# What threads say of themselves.
"$PTRACE_RUN" -q -o said -e process,thread,file "$VICTIMS/victim-contexts"
rm -rf export
"$PTRACE_DUMP" -f ctf -o export said
check ctf 6 said
[ "$(grep -c '"context":' events)" -gt 10 ]
ok $? "... contexts, too"

# Of two logs each is a trace of its own.  Together they have one clock, which a
# log alone may know by some nanoseconds differently.
ends ctf two.1 two.2
json two.1 two.2 >both
json two.1 >events
json two.2 >events2
python3 -c '
import json
for log in "events", "events2":
    pids = {json.loads(line)["pid"] for line in open(log)}
    events = [line for line in open("both") if json.loads(line)["pid"] in pids]
    open(log, "w").writelines(events)'
"$abs_top_srcdir/t/run/check-ctf" export events events2 >results
is "$(grep -c ^pass results)" 6 "two logs: all that is true of one" ||
	diag "$(cat results)"

echo 1 10 10 0 18 0 s:/x | "$VICTIMS/victim-mklog" log
rm -rf export
"$PTRACE_DUMP" -f ctf -n nosuch -o export log 2>/dev/null
json -n nosuch log >events
is "$("$abs_top_srcdir/t/run/check-ctf" export events | grep -c ^pass)" 6 \
	"no events"

# Names that would be others' in the metadata.
run "$VICTIMS/victim-fields"
rm -rf export
"$PTRACE_DUMP" -f ctf -n '[ltd]*[a-z]' -o export log 2>/dev/null
json -n '[ltd]*[a-z]' log >events
"$abs_top_srcdir/t/run/check-ctf" export events >results
is "$(grep -c '^pass packets\|^pass as many' results)" 2 "odd names of fields" ||
	diag "$(cat results)"
# declared NAME: the fields of the event.
declared() {
	sed -n "/name = \"$1\"/,/};/s/^\t\t//p" export/metadata | tr '\n' ' '
}
is "$(declared 'length behind')$(declared 'length before')" \
	"u32 _a_len; x8 _a[_a_len]; i64 _1_a_len; i64 _a_len; u32 _1_a_len; \
string _1_a[_1_a_len]; " "... none is the length of another"
is "$(declared twice)$(declared digits)" "string _a; u32 _1_a_len; \
string _1_a[_1_a_len]; string __0; string _1__0; string _string; " \
	"... each is there once"

# With the reader that others use: as many, at the same times.  It prints the
# name of an event as it is, with a newline, if there is one in it.
if ! command -v babeltrace2 >/dev/null 2>&1; then
	skip "babeltrace2: the events and their times" "no babeltrace2" 10
	exit
fi
for log in $LOGS 'two.1 two.2'; do
	rm -rf export
	# shellcheck disable=SC2086 # several
	"$PTRACE_DUMP" -f ctf -o export $log 2>/dev/null
	# shellcheck disable=SC2086
	is "$(babeltrace2 --clock-seconds export 2>err |
		sed -n 's/^\[\([0-9.]*\)\].*/\1/p' | cksum)" \
		"$(json $log | sed 's/^{"ts":"\([0-9.]*\)".*/\1/' | cksum)" \
		"babeltrace2: the events and their times: $log" ||
		diag "$(head -n 3 err)"
done
"$PTRACE_RUN" -q -o none --suspended true
rm -rf export
"$PTRACE_DUMP" -f ctf -o export none
is "$(babeltrace2 export 2>&1; echo $?)" 0 "babeltrace2: no events" ||
	diag "$("$PTRACE_DUMP" none | head -n 3)"
