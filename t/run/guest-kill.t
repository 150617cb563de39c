#!/bin/sh
# SPDX-License-Identifier: MIT
# Guests that are killed, and guests whose controller is killed: the log has
# all, and no shared memory is left.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/guest.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 11

run -- setpriv --reuid=65534 --clear-groups \
	sh -c 'sh -c "kill -9 \$\$"; kill -9 $$' >/dev/null 2>&1
is $? 137 "the status is the killed command's"
is "$(dump -n process:exit | grep -c 'signal=9')" 2 "two are told as killed"
is "$(bridges)" 0 "no shared memory is left"

mkfifo go
chmod 666 go
run -- setpriv --reuid=65534 --clear-groups \
	sh -c '/bin/true; echo ready; read -r _ <go; /bin/true; exit 4' \
	>out 2>err &
front=$!
wait_for grep -q ready out
is "$(bridges)" 1 "there is a bridge"
for comm in /proc/[0-9]*/comm; do
	pid=${comm%/comm}
	pid=${pid#/proc/}
	# Of its processes the controller alone has two threads.
	set -- "/proc/$pid/task/"*
	if [ $# -gt 1 ] && grep -qx ptrace-monitor "$comm" 2>/dev/null &&
		grep -qaF "$T/log" "/proc/$pid/cmdline" 2>/dev/null; then
		# shellcheck disable=SC2046 # two processes
		kill -9 $(guarded "$pid")
		killed=$pid
	fi
done
wait_for is_ended "${killed:?no controller}"
echo >go
wait $front
is $? 4 "the guest goes on without its controller"
unshare -i "$PTRACE_DUMP" -f raw log >out 2>err
is "$?, $(bridges)" "1, 1" "what it recorded is kept, also by one who cannot see it"
is "$(count process:start)" 4 "and completes the log: programs"
is "$(dump -n process:exit | grep -c 'status=[04]')" 3 "and their ends"
is "$(bridges)" 0 "no shared memory is left"

# Of another pid namespace: their numbers are those of living processes here.
if ! unshare -pf true 2>/dev/null; then
	skip "another pid namespace" "unshare does not work here" 2
	exit 0
fi
is_complete() {
	dump >/dev/null 2>&1
}
# What is in it is of another process, until that one begins.
rm -f out
# shellcheck disable=SC2016 # for the guest's shell
run -- unshare -pf setpriv --reuid=65534 --clear-groups \
	sh -c 'read -r pid _ </proc/self/stat
		sh -c "echo pid $pid; read -r _ <go; exit 5"; exit 4' \
	>out 2>err &
front=$!
wait_for grep -q pid out
read -r _ pid <out
kill -9 "$pid"
wait $front
# A program that starts is waited for as long.
wait_for is_complete || wait_for is_complete
ok $? "another pid namespace: the log is completed"
is "$(bridges)" 0 "no shared memory is left"
