#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl snapshot writes a complete log of what the memory of a trace holds;
# ptrace-run --snapshot writes its log when a process is killed and at the end,
# with the newest events.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/ctl.sh"
plan 56

# of FILE NAME...: which of these events it has.
of() {
	file=$1
	shift
	"$PTRACE_DUMP" -f raw "$file" 2>err.dump | cut -d ' ' -f 3 |
		grep -x -E "$(echo "$*" | tr ' ' '|')" | tr '\n' ' '
}
# in_file NAME: is it in the log itself, which is not complete yet?  A copy is
# nobody's.
in_file() {
	cp log copy
	[ -n "$(of copy "$1")" ]
}
is_complete() {
	"$PTRACE_DUMP" --info "$1" | grep -q '^log-state: *complete'
}

begin "$PTRACE_RUN" -q --snapshot -o log sh -c "$obey; exit 7" 2>err.run
is "$(column policy) $(column events)" "loop 0" "nothing is in its log"
order 'ptrace-event one'
is "$(ctl snapshot first)$(cat out err)" 0 "snapshot"
is "$(stat -c %a first)" 600 "a file of mode 600"
is "$(of first one)$(is_complete first; echo $?)" "one 0" "a complete log"
order 'ptrace-event two'
is "$(ctl mark three)" 0 "mark"
is "$(ctl snapshot first)$(cat out err)" 0 "again, in the same file"
is "$(of first one two mark)" "one two mark " "all that there is"
is "$(ctl snapshot - log)$(of out two)" "0two " "to standard output"
is "$(column events)" 0 "nothing is in its log yet"
! in_file one
ok $? "nor in the file"
echo text >text
is "$(ctl snapshot text)" 1 "a file that is no log: status 1"
is "$(cat err text)" "ptrace-ctl: cannot write text: it exists, and is not a \
trace log
text" "it is kept"
is "$(ctl snapshot log)" 1 "its own log: status 1"
is "$(cat err)" "ptrace-ctl: cannot write log: another trace is being written \
to it" "it is said"
is "$(ctl snapshot no/such/file)" 1 "no such directory: status 1"
mkfifo pipe
is "$(ctl snapshot pipe)" 1 "a pipe: status 1"
is "$(ctl snapshot new none.ptlog)" 3 "no such trace: status 3"
[ ! -e new ]
ok $? "no file is made for it"
is "$(ctl flush)" 0 "flush"
in_file one
ok $? "then it is in the log"
order 'ptrace-event four'
is "$(ctl snapshot second)" 0 "a snapshot has the rest"
is "$(of second one two four)" "four " "and that alone"
end
is $? 7 "the program's status"
is "$(cat err.run)" "" "it says nothing"
is "$(of log one two mark four)" "one two mark four " "at the end all is there"
is_complete log
ok $? "the log is complete"

# shellcheck disable=SC2016 # for another shell
fill='i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); : >file; done'
# shellcheck disable=SC2016
suicide='ptrace-event mine; kill -SEGV $$'

# What is killed is in the log before what follows comes over it.
for signal in SEGV KILL; do
	begin "$PTRACE_RUN" -q --snapshot -b 64K -e process,file -o log \
		sh -c "$obey; exit 7" 2>err.run
	order "sh -c 'ptrace-event mine; kill -$signal \$\$'"
	wait_for in_file mine
	ok $? "a child that SIG$signal ends: what it did is in the log"
	is "$(of copy mine process:exit | wc -w)" 3 "with its end"
	order "$fill"
	order 'ptrace-event after'
	! in_file after
	ok $? "what follows is not"
	end
	is $? 7 "the program's status"
	is "$(of log mine after)" "mine after " "in the end both are there"
	like "$(dump --info | grep ^lost:)" '^lost: *[1-9]' "what is not is counted"
	like "$(of log posix_trace_overflow)" posix_trace_overflow "and told"
done

# The command itself.
run --snapshot sh -c "$suicide" 2>err
is $? 139 "a command that is killed: its status"
is "$(of log mine)$(is_complete log; echo $?)" "mine 0" "its log"
run --snapshot -b 64K -e file sh -c "ptrace-event first; $fill; ptrace-event last"
is "$(of log first last)" "last " "the newest events"

# If the controller is killed, they are not lost.
begin "$PTRACE_RUN" -q --snapshot -o log sh -c "$obey; exit 7" 2>err.run
order 'ptrace-event mine'
kill -KILL "$(column controller)"
end
is $? 7 "the controller is killed: the program's status"
is "$(of log mine)" "mine " "ptrace-dump finds what memory held"

# Without ptrace-run.
begin env PTRACE_SNAPSHOT=1 PTRACE_OUTPUT=log LD_PRELOAD="$LIBPTRACE" \
	sh -c "$obey; exit 7"
order 'ptrace-event one'
is "$(column policy) $(column events)" "loop 0" "preloaded: PTRACE_SNAPSHOT"
is "$(ctl snapshot first)$(cat out err)" 0 "snapshot"
is "$(of first one)" "one " "it has it"
order "sh -c 'ptrace-event mine; kill -KILL \$\$'"
wait_for in_file mine
ok $? "a child that is killed is in the log"
end
is $? 7 "the program's status"
wait_for is_complete log
is "$(of log one mine)" "one mine " "at the end all is there"
begin env PTRACE_SUSPENDED=1 PTRACE_OUTPUT=log LD_PRELOAD="$LIBPTRACE" \
	sh -c "$obey; exit 7"
order 'ptrace-event one'
is "$(column state)" suspended "PTRACE_SUSPENDED"
is "$(ctl start)" 0 "start"
order 'ptrace-event two'
end
is $? 7 "the program's status"
wait_for is_complete log
is "$(of log one two)" "two " "what came after that"
is "$(status "$PTRACE_RUN" --snapshot --stream-policy flush true)" 2 \
	"another policy: status 2"
