#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report: wrong usage, logs that are not there, and logs that are damaged,
# cut or have lost events: what can be shown is shown, in every view, and one
# line says what is missing.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
views=$("$PTRACE_REPORT" --help |
	sed -n '/^Without/,/--sort/s/^      --\([a-z]*\)  .*/\1/p')
nr=$(echo "$views" | wc -w)
[ "$nr" -ge 1 ] || skip_all "no views"
plan $((28 + 4 * nr))

# usage_error NAME PATTERN OPTION...: status 2, two lines, the first like that.
usage_error() {
	name=$1 pattern=$2
	shift 2
	is "$(status "$PTRACE_REPORT" "$@") $(wc -l <err) $(wc -c <out)" "2 2 0" \
		"$name: status 2, two lines"
	like "$(sed -n 1p err)" "$pattern" "$name: says why"
}
: >x
usage_error "unknown option" 'unrecognized|invalid' --none x
usage_error "--sort" "'size' is not one of start, wall, " --processes --sort size x
usage_error "--page-size" "'900K' is not a size from 1M to 512M" \
	--html page.html --page-size 900K x
usage_error "--page-size" "'1024M' is not a size from 1M to 512M" \
	--html page.html --page-size 1024M x
usage_error "--page-size alone" "only with --html" --page-size 2M x
usage_error "--html" 'it has all views, and sorts' --html page.html --json x
usage_error "--top" "'0' is not a number of rows" --top 0 x
usage_error "--color" "'red' is not one of auto, always, never" --color red x
usage_error "--path" 'only with --files' --path '*' x
mkdir empty
cd empty || exit 1
is "$(status "$PTRACE_REPORT") $(wc -l <"$T/err")" "3 1" "no log here: status 3"
cd .. || exit 1
for file in none x; do
	is "$(status "$PTRACE_REPORT" $file) $(wc -l <err) $(wc -c <out)" \
		"3 1 0" "$file is no log: status 3"
done
is "$("$PTRACE_REPORT" --help | awk 'length > 79' | wc -l)" 0 \
	"--help fits on a screen"
like "$("$PTRACE_REPORT" --version)" '^ptrace-report \(libptrace\) [0-9]' \
	"--version"

"$PTRACE_RUN" -q -o log -e 'all,!call' sh -c 'ls / | sort; cat /none' \
	>/dev/null 2>&1
size=$(wc -c <log)
head -c $((size / 2)) log >piece
cp log holed
head -c 64 /dev/urandom |
	dd of=holed bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
for view in $views; do
	is "$(status "$PTRACE_REPORT" "--$view" log) $(wc -l <err)" "0 0" \
		"--$view: status 0"
	is "$(status "$PTRACE_REPORT" "--$view" piece) $(wc -l <err)" "1 1" \
		"--$view of a cut log: status 1, one line"
	[ "$(wc -l <out)" -gt 3 ]
	ok $? "--$view of a cut log: shows something"
	st=$(status "$PTRACE_REPORT" "--$view" holed)
	[ "$st" -le 1 ]
	ok $? "--$view of a damaged log: no crash"
done
is "$(status "$PTRACE_REPORT" piece)" 1 "a cut log: status 1"
like "$(cat out)" '^lost events: not known how many' "says so on the page"
"$PTRACE_REPORT" log none >out 2>err
is "$? $(wc -l <err)" "1 1" "one of two logs is missing: status 1"

# Lost events.
"$PTRACE_RUN" -q -o lost -b 8K --stream-policy until-full \
	"$VICTIMS/victim-ticks" 200000
"$PTRACE_REPORT" lost >out
like "$(cat out)" '^lost [0-9 ]+ events, the first at [0-9.]+s: ' "lost: says so"
like "$(cat out)" '   >=[0-9 ]+ events$' "lost: counts may be more"
