#!/bin/sh
# SPDX-License-Identifier: MIT
# Logs that zstd has compressed are read as the logs that they are: files and
# pipes, whole, cut and damaged; and one that claims to be large fills no disk.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
grep -q 'define HAVE_ZSTD 1' "$abs_top_builddir/config.h" ||
	skip_all "built without zstd"
need zstd
plan 24

run -e all sh -c 'ls / | sort; cat /none; ls -l /usr/bin' >/dev/null 2>&1
zstd -q log -o log.zst
raw() {
	"$PTRACE_DUMP" -f raw "$@" 2>&1
}
raw log >want
raw log.zst >got
cmp got want
ok $? "as the log"
raw - <log.zst >got
cmp got want
ok $? "on standard input"
# shellcheck disable=SC2002 # not a file
cat log.zst | raw - >got
cmp got want
ok $? "of a pipe"
mkfifo fifo
cat log.zst >fifo &
raw fifo >got
cmp got want
ok $? "of a fifo"
is "$("$PTRACE_REPORT" --json log.zst)" "$("$PTRACE_REPORT" --json log)" \
	"ptrace-report, too"
is "$(raw --info log.zst | sed 's/log\.zst/log/')" "$(raw --info log)" "--info"

# Other ways in which it may be compressed.
"$PTRACE_RUN" -q -o '|zstd -q >piped' -e all ls / >/dev/null
is "$(status "$PTRACE_DUMP" -f raw piped) $(grep -c process:exit out)" "0 1" \
	"ptrace-run -o '|zstd'"
zstd -q -19 --no-check log -o best
raw best >got
cmp got want
ok $? "by another level, without checks"
size=$(wc -c <log)
{
	printf 'P*M\030\003\000\000\000any'
	head -c $((size / 3)) log | zstd -q
	tail -c +$((size / 3 + 1)) log | zstd -q
} >frames
raw frames >got
cmp got want
ok $? "in frames, some of them to be passed over"
: >none
zstd -q none -o none.zst
is "$(status "$PTRACE_DUMP" none.zst) $(cat err)" \
	"3 ptrace-dump: none.zst: empty, not a log" "of nothing"
head -c 100000 /dev/zero | zstd -q >zeros
is "$(status "$PTRACE_DUMP" zeros) $(cat err)" \
	"3 ptrace-dump: zeros: not a trace log" "of what is no log"

# untimed: without times, which are bent by what comes later.
untimed() {
	sed 's/^[0-9.]* //; s/ dur=[0-9]*//'
}

# Not whole.
packed=$(wc -c <log.zst)
salvaged=0
for part in 1 2 3 4 5 6 7; do
	head -c $((packed * part / 8)) log.zst >./cut
	st=$(status "$PTRACE_DUMP" -f raw cut)
	n=$(wc -l <out)
	untimed <out >some
	# In their order; of calls that ended later the cut log knows nothing.
	untimed <want | diff - some | grep -q '^>' && st=wrong
	[ "$n" -ge "$salvaged" ] || st=less
	salvaged=$n
	case $st$(cat err) in
	1*"cut: incomplete: no end mark up to byte"*) ;;
	1*"cut: damaged or cut inside its head"*) [ "$n" = 0 ] ;;
	*) false ;;
	esac || echo "part $part: $st $n $(cat err)"
done >parts
cp out cut.out
is "$(cat parts)" "" "a cut one: its beginning, status 1"
[ "$salvaged" -gt 0 ]
ok $? "some events were salvaged"
is "$(status "$PTRACE_REPORT" cut) $(wc -l <err)" "1 1" "ptrace-report, too"
# shellcheck disable=SC2002 # not a file
cat cut | "$PTRACE_DUMP" -f raw - >piped.out 2>err
is "$? $(cmp cut.out piped.out 2>&1)" "1 " "of a pipe"
{
	cat log.zst
	echo no more of this
} >longer
st=$(status "$PTRACE_DUMP" -f raw longer)
cmp out want
is "$? $st $(grep -c 'longer: compressed: .*: not read on' err)" "0 1 1" \
	"something is behind it: status 1"
for try in 1 2 3 4 5 6; do
	cp log.zst holed
	head -c 40 /dev/urandom | dd of=holed bs=1 conv=notrunc 2>/dev/null \
		seek=$((packed * try / 7))
	st=$(status "$PTRACE_DUMP" -f raw holed)
	[ "$st" = 1 ] || echo "$try: $st"
done >tries
is "$(cat tries)" "" "damaged ones: status 1"
head -c 20 /dev/urandom >bytes
printf '(\265/\375' | cat - bytes >nonsense
st=$(status "$PTRACE_DUMP" nonsense)
[ "$st" = 1 ] || [ "$st" = 3 ]
ok $? "nonsense of the right beginning"
is "$(wc -l <err)" 1 "... one line"

# Bombs.
mkdir tmp
TMPDIR=$T/tmp
export TMPDIR
{
	cat log
	head -c 2000000000 /dev/zero
} | zstd -q >bomb
st=$(status "$PTRACE_DUMP" -f raw bomb)
head -n "$(wc -l <want)" out | cmp -s - want
is "$? $st $(grep -c 'bomb: compressed: it is a small file' err)" "0 1 1" \
	"a bomb: what is before it, and status 1"
zstd -q --ultra -22 --long=31 --no-check -c - <log 2>/dev/null >window ||
	cp log.zst window
st=$(status "$PTRACE_DUMP" -f raw window)
[ "$st" = 0 ] || grep -q 'memory' err
ok $? "a window of 2 GiB: refused, or not needed"
(
	ulimit -f 8
	"$PTRACE_DUMP" -f raw log.zst >/dev/null 2>err
)
is "$? $(grep -c 'too large' err)" "1 1" "no room for it: what there is room for"
is "$(ls tmp)" "" "nothing is left"
is "$(status "$PTRACE_REPORT" --sql 'SELECT count(*) = (SELECT count(*) FROM event)
	FROM event' log.zst) $(tail -n 1 out | tr -d ' ')" \
	"$(grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h" &&
		echo 0 1 || echo '2 ')" "and in SQL"
