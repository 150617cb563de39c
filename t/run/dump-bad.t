#!/bin/sh
# SPDX-License-Identifier: MIT
# Bad input: what can be read is printed, what is wrong is said.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 34

# no_log NAME FILE: status 3, one line on stderr, nothing on stdout.
no_log() {
	is "$(status "$PTRACE_DUMP" "$2")" 3 "$1: status 3"
	is "$(wc -c <out) $(wc -l <err)" "0 1" "$1: one line says why"
}
# starts BYTES: the first 16 of a log: magic, and byte order, major, minor.
starts() {
	printf '\211PTLOG\r\n'
	printf '%b' "$1"
}
"$PTRACE_RUN" -q --symbols=none -o log -b 4M "$VICTIMS/victim-ticks" 2000
is "$(count tick)" 2000 "a good log"
is "$(status dump)" 0 "a good log: status 0"
size=$(wc -c <log)

no_log "no file" none
no_log "directory" .
: >empty
no_log "empty" empty
no_log "empty device" /dev/null
no_log "device without end" /dev/zero
head -c 100000 /dev/urandom >random
no_log "random" random
echo 'some text' >text
no_log "text" text
starts '\04\03\02\01\0143\0\0\0' >version
head -c 1000 /dev/zero >>version
no_log "other version" version
like "$(cat err)" 'version 99' "other version: which"
starts '\01\02\03\04\0\01\0\0' >order
head -c 1000 /dev/zero >>order
no_log "other byte order" order
like "$(cat err)" 'byte order' "other byte order: says so"
is "$(echo text | "$PTRACE_DUMP" - 2>/dev/null || echo $?)" 3 \
	"text by a pipe: status 3"

# Cut anywhere: a prefix of the events, status 1, one line.
dump >all
for part in 12 300 700 $((size / 3)) $((size - 1)); do
	head -c "$part" log >piece
	is "$(status "$PTRACE_DUMP" piece)" 1 "cut at $part: status 1"
done
is "$(wc -l <err)" 1 "cut: one line says so"
head -c $((size / 2)) log >piece
# But for their times: the clock is known less well without the end; and for
# the STOP, which is in the same place as the START.
"$PTRACE_DUMP" -f raw piece 2>err | grep -v posix_trace_stop | cut -d ' ' -f 2- >some
[ -s some ] && [ "$(wc -l <some)" -lt "$(wc -l <all)" ] &&
	head -n "$(wc -l <some)" all | cut -d ' ' -f 2- | cmp -s - some
ok $? "cut in the middle: the first events are there"
like "$(cat err)" 'incomplete|damaged' "cut in the middle: says so"
# Damage inside.
cp log holed
head -c 64 /dev/urandom |
	dd of=holed bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
st=$(status "$PTRACE_DUMP" holed)
[ "$st" = 0 ] || [ "$st" = 1 ]
ok $? "damage in the middle: no crash"
printf '\377%.0s' $(seq 64) |
	dd of=holed bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
"$PTRACE_DUMP" -f raw holed >out 2>err
is "$(sed 's/.*; \(.*\) events salvaged/\1/' err)" "$(wc -l <out)" \
	"... how many events could be read, not how many there were"
"$PTRACE_DUMP" -f raw log none >out 2>err
is "$? $(wc -l <err)" "1 1" "one of two is missing: status 1"
