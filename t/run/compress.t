#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --compress: what zstd makes of the file is the log byte for byte, and
# every tool reads it; what cannot be compressed is refused.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
grep -q 'define HAVE_ZSTD 1' "$abs_top_builddir/config.h" || {
	plan 1
	is "$(status "$PTRACE_RUN" --compress true) $(head -n 1 err)" \
		"2 ptrace-run: --compress: this was built without zstd (libzstd-dev)" \
		"built without zstd"
	exit
}
need zstd
plan 32

# The log that would have been written: the part beside it, by another name.
run --compress sh -c 'ln log.part plain; ls / | sort; exit 3' >/dev/null
is $? 3 "the command's status"
zstd -dqc <log | cmp - plain
is "$? $(ls log*)" "0 log" "byte for byte, and nothing else is left"
is "$(dump)" "$("$PTRACE_DUMP" -f raw plain)" "ptrace-dump"
is "$(dump --info | sed 1d)" "$("$PTRACE_DUMP" --info plain | sed 1d)" "--info"
is "$("$PTRACE_REPORT" --json log)" "$("$PTRACE_REPORT" --json plain)" \
	"ptrace-report"
# shellcheck disable=SC2002 # not a file
is "$(cat log | "$PTRACE_DUMP" -f raw -)" "$(dump)" "of a pipe"
is "$("$PTRACE_RUN" --compress -o log true 2>&1)" \
	"ptrace-run: $(dump --info | sed -n 's/^events: *//p') events, 0 lost, 1 process, $(
	wc -c <log | awk '{ printf "%.1f", $1 / 1024 }') KiB -> log" \
	"the summary has the size of the file"

# Many frames.
run --compress -e none "$VICTIMS/victim-ticks" 300000
ls log* >names
is "$(cat names) $(count tick) $(dump --info | sed -n 's/^log-state: *//p')" \
	"log 300000 complete" "of many frames"
zstd -tq <log
ok $? "... with their checksums"
zstd -dqc <log >plain
is "$("$PTRACE_DUMP" -f raw plain | cksum)" "$(dump | cksum)" "... the log"
[ $(($(wc -c <log) * 3)) -lt "$(wc -c <plain)" ]
ok $? "... smaller"
head -c $(($(wc -c <log) / 2)) log >./cut
st=$(status "$PTRACE_DUMP" -f raw cut)
# Without times, which are bent by what comes later.
cut -d ' ' -f 2- out | sort >some
dump | cut -d ' ' -f 2- | sort >all
is "$(comm -23 some all | wc -l) $st $(($(wc -l <out) > 100000))" "0 1 1" \
	"... cut: its first half"

# Of some time only the frames that have it are read: another is damaged here.
dump >out
since=$(awk 'NR == 270001 { print "@" $1 }' out)
dump --since "$since" >some
"$PTRACE_DUMP" -f raw --since "$since" plain | cmp - some
is "$? $(($(wc -l <some) >= 30000))" "0 1" "--since: as of the plain log"
dump --until "$since" >some
"$PTRACE_DUMP" -f raw --until "$since" plain | cmp - some
ok $? "--until"
cp log holed
head -c 100 /dev/urandom | dd of=holed bs=1 conv=notrunc 2>/dev/null \
	seek=$(($(wc -c <log) / 2))
is "$(status "$PTRACE_DUMP" -f raw holed) $(
	status "$PTRACE_DUMP" -f raw --since "$since" holed)" "1 0" \
	"... which reads no more than it needs"

# Likewise in SQL: of a time that a query asks for, and then of all.
if grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h"; then
	late="SELECT count(*) AS n, min(ts) AS t, max(ts) AS u FROM event
		WHERE ts >= $(echo "$since" | tr -d '@.')"
	all='SELECT count(*) AS n, count(DISTINCT pid) AS t, max(id) AS u FROM event'
	is "$("$PTRACE_REPORT" --csv --sql "$late" log)" \
		"$("$PTRACE_REPORT" --csv --sql "$late" plain)" "SQL, of some time"
	is "$("$PTRACE_REPORT" --csv --sql "$late UNION ALL $all" log)" \
		"$("$PTRACE_REPORT" --csv --sql "$late UNION ALL $all" plain)" \
		"... and then of all"
	is "$(status "$PTRACE_REPORT" --csv --sql "$all" holed) $(
		status "$PTRACE_REPORT" --csv --sql "$late" holed) $(
		"$PTRACE_REPORT" --csv --sql "$late" log | cmp - out)" "1 0 " \
		"... which reads no more than it needs"
else
	skip "SQL" "built without SQLite" 3
fi

# While it is written.
mkfifo go
"$PTRACE_RUN" -q -o log --compress -e none sh -c '"$@" && : >ready && read -r _ <go' \
	- "$VICTIMS/victim-ticks" 200000 &
wait_for test -e ready
"$PTRACE_CTL" flush log
is "$("$PTRACE_DUMP" -f raw log 2>err | grep -c ' tick ') $(sed 's/20000./N/' err)" \
	"200000 ptrace-dump: log: incomplete: still being written; N events so far" \
	"while it is written"
is "$(status "$PTRACE_RUN" --compress -o log true) $(cat err)" \
	"125 ptrace-run: cannot write log: another trace is being written to it" \
	"it is not overwritten"
is "$(status "$PTRACE_RUN" -o log true) $(cat err)" \
	"125 ptrace-run: cannot write log: another trace is being written to it" \
	"nor by a log that is not compressed"
echo >go
wait

# Names, and other ways.
rm -f log*
"$PTRACE_RUN" -q -o log.zst true
zstd -tq log.zst
is "$? $(ls log*)" "0 log.zst" "a name that ends in .zst"
mkdir new
(
	cd new && "$PTRACE_RUN" -q --compress true && zstd -dqc -- * >/dev/null &&
		"$PTRACE_DUMP" -f raw 2>/dev/null | grep -q process:exit
)
is "$? $(cd new && echo * | sed 's/[0-9][0-9]*/N/')" "0 true.N.ptlog" \
	"without a name"
(
	cd / && PTRACE_COMPRESS=1 PTRACE_OUTPUT=$T/log LD_PRELOAD=$LIBPTRACE \
		sh -c ':'
)
wait_for test ! -e log.part
zstd -tq <log
is "$? $(status "$PTRACE_DUMP" log)" "0 0" "LD_PRELOAD and PTRACE_COMPRESS"
rm -f log*
"$PTRACE_RUN" -D -q --compress -o log true
wait_for test ! -e log.part
zstd -tq <log
is "$? $(status "$PTRACE_DUMP" log)" "0 0" "-D"
echo mine >log
is "$(status "$PTRACE_RUN" --compress -o log true) $(cat err log) $(ls log*)" \
	"125 ptrace-run: cannot write log: it exists, and is not a trace log
mine log" "what is no log is kept"
echo mine >log.part
rm log
is "$(status "$PTRACE_RUN" --compress -o log true) $(cat log.part)" "125 mine" \
	"nor is what would be in the way"
rm log.part

# refused WHY OPTION...
refused() {
	why=$1
	shift
	is "$(status "$PTRACE_RUN" "$@" true) $(head -n 1 err)" \
		"2 ptrace-run: --compress: $why" "refused: $*"
}
refused "the log has to be a file (--output; or '|zstd >FILE')" \
	--compress -o '|cat >log'
refused "the log has to be a file (--output; or '|zstd >FILE')" --compress -o -
refused "not with --log-policy loop, which overwrites" -o log.zst \
	--log-policy loop
refused "not with --snapshot, which writes at the end" --compress --snapshot
refused "not with --live, which reads the log meanwhile" --compress --live
