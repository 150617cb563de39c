#!/bin/sh
# SPDX-License-Identifier: MIT
# A user who cuts short the memory that he shares with root, who traces him, or
# puts something else in its place, ends the trace of himself and nothing else.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"
plan 17

other=$T/other.log
"$PTRACE_RUN" -q -o "$other" -e all cat </dev/zero >/dev/null 2>&1 &
bystander=$!

# some: how many events, if it is more than there are without the victim.
some() {
	dump -n 'file:*' | head -n 1 | wc -l
}

begin -e all
wait_for sh -c "$PTRACE_DUMP -f raw -n 'file:*' log 2>/dev/null | grep -q file"
hostile cut 0
wait "$tracer"
is $? 0 "cut to nothing: the trace ends"
like "$(cat say)" 'log ends early: the traced user cut short the memory' \
	"... with a line that says why"
is "$(grep -c 'ends early' say)" 1 "... one line"
finish
is "$(reads), $(valid), $(some)" "ok, ok, 1" "... and its log is whole"
is "$("$PTRACE_DUMP" --info log | sed -n 's/^log-state: *//p')" complete \
	"... and complete"

begin -e all
hostile cut $((64 << 30))
used=$(df --output=used -k /dev/shm | tail -n 1)
reads >/dev/null
finish
now=$(df --output=used -k /dev/shm | tail -n 1)
[ "$now" -le $((used + 4096)) ]
ok $? "64 GiB of nothing: the memory is not taken"
is "$(reads), $(valid)" "ok, ok" "... the log is whole"

begin
hostile pipe
finish
is "$finished, $(reads), $(valid)" "0, ok, ok" "pipes where blocks were"

begin
hostile crowd 20000
finish
is "$finished, $(reads), $(valid)" "0, ok, ok" "20000 files like blocks"

# controllers: of all traces here, which are the children of their guardians.
controllers() {
	ps -o pid= -o ppid= -o comm= | awk '
		{ parent[$1] = $2; name[$1] = $3 }
		END { for (pid in parent)
			if (name[parent[pid]] == "ptrace-guardian") print pid }' |
		sort
}

# The controller is killed: whoever reads finds the log, and what is cut.
for size in 0 4096 $((64 << 30)); do
	controllers >others
	begin -e all
	wait_for sh -c "$PTRACE_DUMP -f raw -n 'file:*' log 2>/dev/null | grep -q file"
	controller=$(controllers | comm -13 others -)
	# shellcheck disable=SC2046 # two processes
	kill -9 $(guarded "$controller")
	wait_for is_ended "$controller"
	cp log before
	hostile cut "$size"
	is "$(reads)" ok "killed, and cut to $size: root reads the log"
	cmp log before
	ok $? "... which nobody writes to"
	finish
done

kill -0 $bystander
ok $? "root's other trace goes on"
kill "$(ps -o pid= -o args= | awk '$2 == "cat" { print $1; exit }')"
wait $bystander
is "$("$PTRACE_DUMP" --info "$other" | sed -n 's/^log-state: *//p')" complete \
	"... to its end"
