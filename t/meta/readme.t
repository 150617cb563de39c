#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of README do what README shows.  An indented line that begins
# with "$ " is a command, and what follows in its block is all that it prints,
# or up to a line "...".  A block after a line "NAME.c:" is that file.  Numbers,
# addresses, places in stripped programs and directories may differ, and so may
# the order of lines: processes run side by side.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cc=${CC:-cc}
need "${cc%% *}" pkg-config
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"
readme=$abs_top_srcdir/README

# parse DIR: README's files into DIR, the commands into DIR/commands, one a
# line, and what they print into DIR/N.shown.
parse() {
	awk -v dir="$1" '
		/^[a-z]+\.c:$/ { file = dir "/" substr($0, 1, length($0) - 1) }
		/^[^ ]/ && !/^[a-z]+\.c:$/ { file = ""; n_shown = "" }
		/^$/ { n_shown = "" }
		!/^    / && !(/^$/ && file) { next }
		file { print substr($0, 5) >file; next }
		/^    \$ / {
			print substr($0, 7) >(dir "/commands")
			n_shown = dir "/" ++n ".shown"
			printf "" >n_shown
			next
		}
		n_shown { print substr($0, 5) >n_shown }'
}

# page: that of ptrace-report without what may differ.
page() {
	sed -E -e '/^$|^ *WALL +CPU/d; s/├/|/; s/└/`/' \
		-e 's/^[0-9.]+m?s wall .* ([0-9]+ proc.*)   .*/TIME \1/' \
		-e 's/^ *[0-9.]+m?s +[0-9.]+.s +[0-9.]+M  ([0-9]) /ROW \1 /' \
		-e '/^ROW/s/\[[0-9]+\]/[PID]/'
}

# shape: standard input without what may differ.
shape() {
	sed -E -e 's/"ts":"[0-9]{10}\.[0-9]{9}"/"ts":TIME/' \
		-e 's/^ +[0-9]+\.[0-9]{6} /TIME /' \
		-e 's/^TIME +([0-9.]+[mun]?s)? +([^][]*)\[[0-9]+\] +/TIME \2[PID] /' \
		-e 's/^(ptrace-run: )[0-9 ]+ events/\1N events/' \
		-e 's/, [0-9.]+ ([KM]i)?B ->/, SIZE ->/' \
		-e 's/^(log-size|events): +[0-9]+$/\1: N/' \
		-e 's/("addr":")0x[0-9a-f]+/\1ADDRESS/' \
		-e 's/ +at (\+0x[0-9a-f]+|[^ ]+) \((dash|bash|cat|sleep|ptrace-event|[a-z_]+\.c:[0-9]+)\)$/ at PLACE/' \
		-e 's/ +at / at /; s/fork -> [0-9]+/fork -> PID/' \
		-e 's/^ +[^ ]+ \(.*\)$/ FRAME/' \
		-e 's/\(cwd [^)]*\)/(cwd DIR)/; s|exec /[^ ]*/|exec /|' \
		-e 's/(user|sys) ([0-9.]+[mun]?s|0)/\1 T/g; s/rss [0-9.]+M/rss M/' \
		-e 's/(TIME [^ ]* )clock_/\1/' \
		-e 's/"(t|pid|tid|len|dur)":[0-9]+/"\1":N/g' \
		-e 's/"sym":"[^"]*",//'
}

# play DIR: its commands in one shell, standing there; what each prints goes to
# DIR/N.got.  Of the shell's own status nothing is lost from one to the next.
play() {
	awk '{
		print "exec >" NR ".got 2>&1"
		print "(exit $status)"
		print
		print "status=$?"
	}' "$1/commands" >"$1/session"
	(cd "$1" && status=0 && export status && sh ./session) </dev/null
}

# differs DIR N: how the Nth command does, or nothing.
differs() {
	page <"$1/$2.shown" | shape >"$1/shown"
	if [ "$(tail -n 1 "$1/shown")" = ... ]; then
		sed -i '$d' "$1/shown"
		page <"$1/$2.got" | shape | head -n "$(wc -l <"$1/shown")" >"$1/got"
	else
		page <"$1/$2.got" | shape >"$1/got"
	fi
	sort -o "$1/shown" "$1/shown"
	sort -o "$1/got" "$1/got"
	diff "$1/shown" "$1/got"
}

# The top of a clone that was built, where everything is installed, too.
mkdir "$T/top" "$T/bin" "$T/pc"
ln -s "$abs_top_builddir" "$T/top/build"
ln -s "$abs_top_srcdir/include" "$T/top/include"
sed -e "s|^libdir=.*|libdir=$abs_top_builddir/lib|" \
	-e "s|^includedir=.*|includedir=$abs_top_srcdir/include|" \
	"$abs_top_builddir/include/ptrace.pc" >"$T/pc/ptrace.pc"
# Not itself: its own cc may be meant.
printf '#!/bin/sh\nPATH=%s\nexec %s "$@"\n' "'$PATH'" "$cc" >"$T/bin/cc"
chmod +x "$T/bin/cc"
PATH=$T/bin:$PATH
PKG_CONFIG_PATH=$T/pc
LD_RUN_PATH=$abs_top_builddir/lib
export PATH PKG_CONFIG_PATH LD_RUN_PATH

parse "$T/top" <"$readme"
nr=$(wc -l <"$T/top/commands")
plan $((nr + 3))
play "$T/top"
n=0
while IFS= read -r command <&3; do
	n=$((n + 1))
	is "$(differs "$T/top" $n)" "" "$command"
done 3<"$T/top/commands"

# A newcomer sees on the first screen what it is good for.
mkdir "$T/screen"
head -n 40 "$readme" | parse "$T/screen"
[ "$(find "$T/screen" -name '*.shown' -size +0 | wc -l)" -ge 3 ]
ok $? "three recipes with what they print are in the first 40 lines"

# The test of the test.
mkdir "$T/wrong"
parse "$T/wrong" <<'END'
    $ echo '    0.000877            sh[7]    exit 0  user 1.11ms sys 206us rss 2.3M'
        0.001877            sh[9]                     exit 1  user 1us sys 0us rss 2.4M

    $ echo more; false
    $ echo $?
    1
END
play "$T/wrong"
is "$(differs "$T/wrong" 1 | tail -n 1)$(differs "$T/wrong" 3)" \
	"> TIME sh[PID] exit 0  user T sys T rss M" "another output is found"
is "$(differs "$T/wrong" 2 | tail -n 1)" "> more" "and one that is not shown"
