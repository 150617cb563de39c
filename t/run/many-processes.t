#!/bin/sh
# SPDX-License-Identifier: MIT
# Many processes, or threads, that are there at once: by default each has room of
# its own in the stream, and nothing is lost.  Where memory is limited there is
# less, and nothing is lost either.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
case $(uname -r) in
[1-4].* | 5.[0-9].* | 5.1[0-3].*) skip_all "streams do not grow before Linux 5.14" ;;
esac
# A 64th of less memory is not enough for all of them.
for file in /sys/fs/cgroup/memory.max \
	/sys/fs/cgroup/memory/memory.limit_in_bytes; do
	limit=$(cat "$file" 2>/dev/null) || continue
	[ "$limit" = max ] || [ "$limit" -gt 1073741824 ] ||
		skip_all "little memory"
done
[ "$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -gt 1048576 ] ||
	skip_all "little memory"
# shellcheck disable=SC3045 # where there is one
case $(ulimit -u 2>/dev/null) in
unlimited | '') ;;
*) [ "$(ulimit -u)" -gt 1000 ] || skip_all "too few processes (ulimit -u)" ;;
esac
# Who may lock more has less of the stream.
# shellcheck disable=SC3045
ulimit -l 8192 2>/dev/null || :
plan 11

MANY=700

# many HOW OPTION...: all of them, and then sets grown to what the stream takes.
many() {
	how=$1
	shift
	rm -f in out log
	mkfifo in out
	"$PTRACE_RUN" "$@" -e io -o log \
		"$VICTIMS/victim-many" "$how" $MANY 0 0 <in >out 2>err &
	front=$!
	exec 3>in 4<out
	read -r said <&4
	is "$said" all "$how, $*: they are all there"
	grown=$(du -k /dev/shm/ptrace-"$(id -u)"/s.* | sort -n |
		sed -n '$s/[^0-9].*//p')
	exec 3>&- 4<&-
	wait $front
	is "$? $(sed -n 's/.* events, \([0-9]* lost\),.*/\1/p' err)" "0 0 lost" \
		"$how, $*: nothing is lost" || diag "$(cat err)"
	is "$("$PTRACE_DUMP" -f raw log | grep -c ' io:write.* size=1 ')" \
		$MANY "$how, $*: each call is there"
}

many threads
# Chunks of 16 KiB and more; that of a stream that grows 16 times is less.
[ "$grown" -gt $((MANY * 16)) ]
ok $? "each has memory of its own ($grown KiB)"
many processes
[ "$grown" -gt $((MANY * 16)) ]
ok $? "each has memory of its own ($grown KiB)"
# Of a size that was asked for it is 16 times as much.
many threads -b 64K
