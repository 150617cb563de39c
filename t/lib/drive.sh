# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# To be sourced behind run.sh: a page in a browser, driven by a script of t/lib.
need node
browsers=${browsers-chromium chromium-browser google-chrome}
for browser in $browsers; do
	! command -v "$browser" >/dev/null || break
	browser=
done
[ -n "${browser-}" ] || skip_all "none of $browsers"

# drive SCRIPT TESTS [PAGE [WORD]]: runs it on the page, page.html of log; it does so
# many tests.  With PTL_PICTURES=FOLDER the pictures that it made stay there.
drive() {
	nr=$("$PTRACE_DUMP" -f json log | wc -l)
	mkdir "$T/pictures"
	node "$abs_top_srcdir/t/lib/$1" "$(command -v "$browser")" \
		"$T/${3-page.html}" "$nr" "$T/pictures" ${4+"$4"} >results 2>why ||
		echo "fail the script ends well" >>results
	why=$(sed -n 's/^skip //p' results)
	[ -z "$why" ] || skip_all "$browser does not work here: $why"
	plan "$2"
	while IFS= read -r line; do
		case $line in
		pass*) pass "${line#pass }" ;;
		fail*) fail "${line#fail }" ;;
		*) echo "$line" ;;
		esac
	done <results
	sed 's/^/# /' why
	[ -z "${PTL_PICTURES-}" ] || cp pictures/*.png "$PTL_PICTURES"
}
