#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of ptrace-report --html in a browser, where there is one: it zooms,
# finds, sorts, and fits on a phone.  With PTL_PICTURES=FOLDER pictures of it
# stay there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need node
for chromium in chromium chromium-browser google-chrome; do
	! command -v $chromium >/dev/null || break
	chromium=
done
[ -n "${chromium-}" ] || skip_all "no chromium"
run -e 'all,!call' sh -c 'ls / | sort; cat /none; (sleep 0.01; true)' \
	>/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
nr=$("$PTRACE_DUMP" -f json log | wc -l)
mkdir "$T/pictures"
node "$abs_top_srcdir/t/lib/chromium.js" "$(command -v "$chromium")" \
	"$T/page.html" "$nr" "$T/pictures" >results 2>why ||
	echo "fail the script ends well" >>results
why=$(sed -n 's/^skip //p' results)
[ -z "$why" ] || skip_all "$chromium does not work here: $why"
plan 26
while IFS= read -r line; do
	case $line in
	pass*) pass "${line#pass }" ;;
	fail*) fail "${line#fail }" ;;
	*) echo "$line" ;;
	esac
done <results
sed 's/^/# /' why
[ -z "${PTL_PICTURES-}" ] || cp pictures/*.png "$PTL_PICTURES"
