#!/bin/sh
# SPDX-License-Identifier: MIT
# A container that has a /dev/shm of its own: when all in it have ended the trace
# is complete, and says how each has ended.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need unshare
need mount
# A command in front: a user may make namespaces then, and keeps the uid.
may=
[ "$(id -u)" = 0 ] || may="unshare -Uc --keep-caps"
$may unshare -pfm sh -c 'mount -t tmpfs none /dev/shm' 2>/dev/null ||
	skip_all "no namespaces here"
plan 16

# ends: of each process of the container how it ended, in the order of numbers.
ends() {
	dump -f json -n process:exit | sed -n 's/.*"pid":\([0-9]*\),.*"pidns"'\
'.*"args":{"\([a-z]*\)":\([0-9]*\).*/\1 \2 \3/p' | sort -n | tr '\n' ,
}

# ended WHAT ENDS: it is known when ptrace-run returns.
ended() {
	is "$(sed -n 's/.*\(still traced\).*/\1/p' err)" "" "$1: all have ended"
	is "$(dump --info | sed -n 's/^log-state: *//p')" complete \
		"$1: the log is complete"
	is "$(ends)" "$2" "$1: how each has ended"
}

# contain WHAT STATUS ENDS SCRIPT
contain() {
	# shellcheck disable=SC2086
	"$PTRACE_RUN" -o log $may unshare -pfm sh -c \
		"mount -t tmpfs none /dev/shm; $4" 2>err
	is $? "$2" "$1: the status"
	ended "$1" "$3"
}

contain programs 5 "1 status 5,2 status 0,3 status 3,4 status 4," \
	'sh -c "exit 3"; sh -c "exit 4"; exit 5'
contain "the first process executes another program" 4 \
	"1 status 4,2 status 0,3 status 3," \
	'exec sh -c "sh -c \"exit 3\"; exit 4"'
contain "one is killed" 5 "1 status 5,2 status 0,3 signal 9," \
	'sh -c "kill -KILL \$\$"; exit 5'

if [ "$(stat -Lc %i /proc/self/ns/pid)" != 4026531836 ]; then
	skip "some end with the container" \
		"not the first pid namespace, which sees all others" 4
	exit
fi
# It is not told how, but it is told.
mkfifo begun never
# shellcheck disable=SC2086
"$PTRACE_RUN" -o log $may unshare -pfm sh -c 'mount -t tmpfs none /dev/shm
	sh -c "sh -c \"echo >begun; read -r _ <never\"; exit" &
	read -r _ <begun; exit 5' 2>err
is $? 5 "some end with the container: the status"
is_complete() {
	dump --info 2>/dev/null | grep -q '^log-state: *complete'
}
wait_for is_complete
ok $? "some end with the container: the log is completed"
is "$(ends)" "1 status 5,2 status 0,3 signal 0,4 signal 0," \
	"some end with the container: each is told"
is "$(dump --info | sed -n 's/^lost: *//p')" 0 "nothing is lost"
