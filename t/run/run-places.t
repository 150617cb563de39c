#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever another user puts where the run directory goes: one can trace, and if
# no place is left, it is said who has each.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need nsenter
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
mount -t tmpfs -o mode=755 none /run 2>/dev/null || skip_all "no /run"
plan 25
shm=/dev/shm
cd "$T/home" || exit 1

# clean: nobody has been here.
clean() {
	rm -rf "${shm:?}"/*
}

# traces NAME COMMAND...: that ptrace-run, with a child in the log.
traces() {
	name=$1
	shift
	rm -f log
	"$@" "$PTRACE_RUN" -o log sh -c '/bin/true; exit 3' >out 2>err
	is "$? $(cut -d ' ' -f 4-7 err)" "3 0 lost, 2 processes," "$name" ||
		diag "$(cat err)"
}

# is_place PATH OWNER NAME
is_place() {
	is "$(stat -c '%u %a %F' "$1" 2>&1)" "$2 700 directory" "$3"
}

as_user mkdir $shm/ptrace-0
traces "a user has root's name: root traces"
is_place $shm/ptrace-0.1 0 "in the next place"
# Preloaded, to be traced later; then the name is free again.
LD_PRELOAD=$LIBPTRACE PTRACE_DISABLE=1 sleep 60 &
pid=$!
wait_for grep -q "$shm/ptrace-0[.]1/r[.]" /proc/$pid/maps
as_user rmdir $shm/ptrace-0
"$PTRACE_RUN" -v -o log -p $pid 2>err &
tracer=$!
wait_for grep -q "tracing process" err
ok $? "the name is free again: who is in the next place is found"
kill $pid
wait $tracer
ok $? "and its end is seen"
[ ! -e $shm/ptrace-0 ]
ok $? "no other place is taken"

clean
mkdir -m 700 $shm/ptrace-65534
traces "root has a user's name: the user traces" as_user
is_place $shm/ptrace-65534.1 65534 "in the next place"
clean
traces "root comes first"
if as_user unshare -r true 2>/dev/null; then
	traces "a user who is root in a namespace of that user's traces" \
		as_user unshare -r
	is_place $shm/ptrace-0.1 65534 "in the next place"
	traces "root again"
	clean
	traces "such a user comes first" as_user unshare -r
	is_place $shm/ptrace-0 65534 "in the first place"
	traces "root traces then"
	is_place $shm/ptrace-0.1 0 "in the next place"
else
	skip "users who are root in a namespace" "no user namespaces" 7
fi

# taken WHO...: all names in /dev/shm.
taken() {
	clean
	for name in ptrace-0 ptrace-0.3 ptrace-0.4 ptrace-0.5 ptrace-0.6; do
		"$@" mkdir $shm/$name
	done
	"$@" touch $shm/ptrace-0.1
	"$@" ln -s /tmp $shm/ptrace-0.2
	"$@" mkfifo $shm/ptrace-0.7
}

taken as_user
traces "all names are taken: root traces"
is_place /run/ptrace 0 "in the last place"
unshare -m sh -c 'mount -o remount,bind,ro /run && exec sleep 60' &
pid=$!
wait_for grep -q sleep /proc/$pid/comm
"$PTRACE_RUN" -o log nsenter -m -t $pid /bin/true 2>err
kill $pid
is "$(sed 1d err)$("$PTRACE_DUMP" -f raw log | grep -c 'process:start.*exe="[^"]*/true"')" 1 \
	"what is started where it cannot be written is reached by a bridge"
wait_for mount -o remount,ro /run
why='no access to /dev/shm/ptrace-0 to .7 (user 65534'\''s), /run/ptrace (read-only)'
rm -f ran
is "$(status "$PTRACE_RUN" -o "$T/none" touch ran)" 125 "nowhere: status 125"
is "$(sed 's/process [0-9]*/process N/' "$T/err")" \
	"ptrace-run: cannot trace process N: $why" "each place is named"
[ ! -e ran ]
ok $? "nothing was run"
is "$(status env LD_PRELOAD="$LIBPTRACE" sh -c 'echo ran; exit 3') $(cat "$T/out")" \
	"3 ran" "preloaded: the program is untraced"
is "$(cat "$T/err")" "" "and nothing is said"
status env LD_PRELOAD="$LIBPTRACE" PTRACE_DEBUG=1 /bin/true >/dev/null
is "$(cat "$T/err")" "libptrace: cannot trace true: $why" "PTRACE_DEBUG says why"
taken env
"$PTRACE_RUN" -o "$T/none" true 2>err
is "$(sed 's/.*no access to //' err)" \
	"$shm/ptrace-0 (its mode is not 0700), $shm/ptrace-0.1 (no directory), $shm/ptrace-0.2 (a link), $shm/ptrace-0.3 to .6 (its mode is not 0700), $shm/ptrace-0.7 (no directory), /run/ptrace (read-only)" \
	"what is one's own is told, too"
