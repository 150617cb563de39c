#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --compress: kill -9 of anyone, or a full disk, loses no more than of
# a log that is not compressed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
grep -q 'define HAVE_ZSTD 1' "$abs_top_builddir/config.h" ||
	skip_all "built without zstd"
. "${abs_top_srcdir:-.}/t/lib/kill.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"
need zstd
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
plan 45

# judge NAME
judge() {
	all_there
	ok $? "$1: all is there" || diag "$(cat wrong)"
	is "$(cat dump.status) $(dump --info | sed -n 's/^lost: *//p')" '0 0' \
		"$1: nothing is lost, the log is complete" ||
		diag "$(cat dump.err)"
}

# The controller, at any moment, and at the end: another goes on.
for when in "$(moment)" "$(moment)" 90000; do
	begin_with -b 16M --compress
	"$victim" kill "$T/shared" "$when" "$monitor"
	"$victim" kill "$T/shared" $((when + 2000)) 0
	ended "$monitor"
	is "$told $(cat err)" '137 ' "the controller: ptrace-run says nothing"
	judge "the controller, after $when"
	zstd -tq <log
	is "$? $(ls log*)" "0 log" "... and compressed, all of it"
done
begin_with -b 16M --compress
"$victim" kill "$T/shared" 60000 0 "$monitor"
ended "$monitor"
judge "at the end"

# Its guardian, too, and all of us.
for round in 1 2 3 4; do
	begin_with -b 16M --compress
	case $round in
	1) set -- "$guardian" "$monitor" 0 ;;
	*) set -- "$front" "$guardian" "$monitor" 0 ;;
	esac
	"$victim" kill "$T/shared" "$(moment)" "$@"
	ended "$monitor"
	judge "all, $round"
	is "$(ls log*)" "log
log.part" "... in two files"
done
is "$("$PTRACE_REPORT" --json log | wc -l)" \
	"$(cp log a && cp log.part a.part && "$PTRACE_REPORT" --json a | wc -l)" \
	"... that can be copied"
is "$("$PTRACE_RUN" -q --compress -o log true 2>&1; ls log*)" log \
	"... and are overwritten"
is "$("$PTRACE_RUN" -q -o a true 2>&1; ls a*)" a \
	"... also by a log that is not compressed"
# Before the first frame, or of what is left of it.
run --compress true
: >empty
cp "$T/log" whole
zstd -dqc <whole >empty.part
is "$("$PTRACE_DUMP" -f raw empty)" "$("$PTRACE_DUMP" -f raw whole)" \
	"only the part is there"
head -c 1000 whole >first
cp empty.part first.part
is "$("$PTRACE_DUMP" -f raw first)" "$("$PTRACE_DUMP" -f raw whole)" \
	"and a frame that is cut"
"$PTRACE_RUN" -q -o other.part sh -c 'ls /' >/dev/null
cp whole other
is "$("$PTRACE_DUMP" -f raw other)" "$("$PTRACE_DUMP" -f raw whole)" \
	"the part of another log is none"

# When most of the log is in frames, and the part is holes.
mkfifo go
halves() {
	rm -f log* ready
	# shellcheck disable=SC2016 # its arguments
	"$PTRACE_RUN" -q --compress -o "$T/log" -b 16M -e none sh -c \
		'"$@" && : >ready && read -r _ <go && "$@"' - \
		"$VICTIMS/victim-ticks" 300000 2>err &
	front=$!
	wait_for test -e ready
	wait_for has_frames
	monitor=$(monitor_of "$T/log" $front)
}
has_frames() {
	[ "$(wc -c <log)" -gt 200000 ] && [ "$(du -k log.part | cut -f 1)" -lt 4000 ]
}
halves
kill -9 "$monitor"
echo >go
wait $front
is "$? $(count tick) $(info log events) $(info log log-state) $(ls log*)" \
	"0 600000 600002 complete log" "another controller goes on" ||
	diag "$(cat err)"
zstd -tq <log
ok $? "... compressed, all of it"
halves
# shellcheck disable=SC2046 # two processes
kill -9 $(guarded "$monitor") $front
: >go
wait
wait_for is_ended "$monitor"
is "$(count tick) $(info log log-state)" "300000 complete" "all are killed"

# A full disk.
mkdir disk
for size in 64k 800k 1500k; do
	mount -t tmpfs -o size=$size none disk || exit 1
	offer "$T/disk/log" --compress
	sums "a disk of $size" 'No space left on device'
	holds "$T/disk/log" "a disk of $size"
	mount -o remount,size=16m disk
	holds "$T/disk/log" "a disk of $size, room made"
	umount disk
done
mount -t tmpfs -o size=64k none disk || exit 1
kill_controller "$T/disk/log" --compress
holds "$T/disk/log" "killed on a full disk"
umount disk
