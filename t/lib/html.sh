# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of ptrace-report --html, after t/lib/tap.sh and run.sh.
need node python3
node -e 'new DecompressionStream("gzip")' 2>/dev/null ||
	skip_all "node is too old"

# page LOG: its page, and what ptrace-dump says.
page() {
	"$PTRACE_REPORT" --html page.html "$1" 2>err
	echo $? >code
	"$PTRACE_DUMP" -f json "$1" >events.json 2>/dev/null
	"$PTRACE_REPORT" --calls --json "$1" >calls.json 2>/dev/null
}

# checks WHAT ARGUMENT...: the tests of t/lib/page.js.
checks() {
	checks_what=$1
	shift
	node "${abs_top_srcdir:-.}/t/lib/page.js" "$@" >results 2>why || {
		echo "fail the script ends well" >>results
		sed 's/^/# /' why >>results
	}
	while IFS= read -r line; do
		case $line in
		pass*) pass "$checks_what: ${line#pass }" ;;
		fail*) fail "$checks_what: ${line#fail }" ;;
		*) echo "$line" ;;
		esac
	done <results
}

# notes: the line that says what is missing.
notes() {
	node "${abs_top_srcdir:-.}/t/lib/page.js" --notes page.html
}

# markup PAGE: what is wrong in it.
markup() {
	python3 "${abs_top_srcdir:-.}/t/lib/markup.py" "$1"
}
