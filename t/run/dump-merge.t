#!/bin/sh
# SPDX-License-Identifier: MIT
# Several logs are one, by time.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 6

PATH=${PTRACE_EVENT%/*}:$PATH
for i in 1 2; do
	"$PTRACE_RUN" -q -o "log$i" sh -c "ptrace-event from$i;
		while ! [ -e go$i ]; do sleep 0.01; done; ptrace-event to$i" &
done
# has LOG NAME
has() {
	"$PTRACE_DUMP" -f raw -n "$2" "$1" | grep -q .
}
wait_for has log1 from1
wait_for has log2 from2
touch go1
wait_for has log1 to1
touch go2
wait
"$PTRACE_DUMP" -f raw log2 log1 >both
ok $? "status"
is "$(cut -d ' ' -f 3 both | grep '^to')" "to1
to2" "by time, not by file"
is "$(sort -c -s -n both 2>&1)" "" "all in order"
# Without times: the second log's are corrected by what its clock's offset differs
# from the first's, by some nanoseconds.
is "$(cut -d ' ' -f 2- both | sort)" "$({
	"$PTRACE_DUMP" -f raw log1
	"$PTRACE_DUMP" -f raw log2
} | cut -d ' ' -f 2- | sort)" "nothing is lost, addresses have their names"
"$PTRACE_DUMP" -f raw log2 - <log1 | cmp -s - both
ok $? "standard input among them"
# A type of one name can have its fields in another order elsewhere.
"$PTRACE_RUN" -q -o job1 ptrace-event job status=1 number=0
"$PTRACE_RUN" -q -o job2 ptrace-event job number=0 status=1
is "$("$PTRACE_DUMP" -f json job1 job2 | grep -c '"name":"job".*"failed":true')" \
	2 "fields of one name in each log's order"
