#!/bin/sh
# SPDX-License-Identifier: MIT
# A controller goes on whatever its clients do: they hang, send nonsense, leave
# early, ask without end; and a client does not wait for a controller that is
# stopped, or killed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/ctl.sh"
plan 29

talk=$VICTIMS/victim-talk
begin "$PTRACE_RUN" -q -o log sh -c "$obey; exit 7"
pid=$(column controller)
socket=$(ls /dev/shm/ptrace-*/ctl."$pid")
is "$(stat -c %a "$socket")" 600 "the socket is its user's"
fds() {
	find "/proc/$pid/fd" 2>/dev/null | wc -l
}
# One more, if the last request is not closed yet.
before=$(fds)
same_fds() {
	[ "$(fds)" -le "$before" ]
}

is "$("$talk" ask "$socket" 1 mark text)" "1 ok" "a request"
is "$("$talk" ask "$socket" 2 mark text)" \
	"1 failed not a request of this version" "another version"
is "$("$talk" ask "$socket" 1 nonsense)" "1 failed no such command" "nonsense"
is "$("$talk" ask "$socket" 1 snapshot "$T/file")" \
	"1 failed a snapshot needs a file" "a file that is not opened"
"$talk" garbage "$socket"
ok $? "garbage"
is "$(ctl mark text)$(cat out err)" 0 "it answers"
"$talk" early "$socket" 1000 >out
ok $? "clients that do not wait"
is "$(ctl mark text)$(cat out err)" 0 "it answers"
is "$("$talk" flood "$socket" 3000)" 3000 "many requests"
is "$(ctl mark text)$(cat out err)" 0 "it answers"
mkfifo hold
"$talk" hang "$socket" 50 <hold >hanging &
hang=$!
exec 5>hold
wait_for grep -q hanging hanging
is "$(ctl mark text)$(cat out err)" 0 "it answers beside clients that hang"
exec 5>&-
wait $hang
is "$(ctl mark text)$(cat out err)" 0 "it answers"
wait_for same_fds
ok $? "no descriptor is left"
order 'ptrace-event mine'

kill -STOP "$pid"
is "$(ctl mark text)" 1 "a controller that is stopped: status 1"
is "$(cat err)" "ptrace-ctl: mark: trace $pid: its controller is stopped \
(SIGCONT lets it go on)" "it is said"
is "$(ctl list)" 1 "list: status 1"
like "$(cat err)" "^ptrace-ctl: controller $pid: its controller is stopped" \
	"it is said"
is "$(ctl stop log)" 1 "by its log: status 1"
is "$(cat err)" "ptrace-ctl: log: it is not known whose it is: controller $pid: \
its controller is stopped (SIGCONT lets it go on)" "it is said"
is "$(ctl stop "$pid")" 1 "by its controller: status 1"
is "$(ctl stop $$)" 3 "by another process: status 3"
kill -CONT "$pid"
is "$(ctl mark last)$(cat out err)" 0 "it goes on"
end
is $? 7 "the program's status"
is "$(dump -n mark | sed 's/.*data=//; s/ @.*//' | sort | uniq -c | tr -s ' ')" \
	' 1 "last"
 6 "text"' "the marks that were answered are there, and no others"
is "$(count mine)" 1 "the program was traced"

begin "$PTRACE_RUN" -q -o log sh -c "$obey; exit 7" 2>err.run
pid=$(column controller)
# shellcheck disable=SC2046 # two processes
kill -KILL $(guarded "$pid")
wait_for is_ended "$pid"
is "$(ctl stop "$pid")" 3 "one that was killed: status 3"
is "$(ls /dev/shm/ptrace-*/ctl.* 2>/dev/null)" "" "its socket is gone"
end
is $? 7 "the program's status"
