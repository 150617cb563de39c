# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of ptrace-dump's exports, after t/lib/tap.sh: logs of all kinds.
. "${abs_top_srcdir:-.}/t/lib/run.sh"

# What each of them is there for:
#   calls    all families, calls with and without returns, arguments
#   short    calls that are over when they are recorded (--min-duration)
#   stacks   call stacks
#   threads  threads
#   user     user events of odd names and any bytes, cut ones, typed ones
#   lossy    events that were overwritten
#   cut      half of a log
#   holed    damage in the middle
LOGS='calls short stacks threads user lossy cut holed'

# make_logs: in the current directory, and two.1 and two.2 to be merged.
make_logs() {
	PATH=${PTRACE_EVENT%/*}:$PATH
	# The path is cut.
	pipe='ls / | sort >/dev/null; ptrace-event mark a=1 s=x f=2.5
		cat "/$(printf %05000d 0)" 2>/dev/null; true'
	"$PTRACE_RUN" -q -o calls -e all -r 'libc*:str*' -l getenv -a \
		sh -c "$pipe; exec true" && cp calls two.1 &&
	"$PTRACE_RUN" -q -o two.2 -e all sh -c "$pipe" &&
	"$PTRACE_RUN" -q -o short --min-duration 1us -r 'libc*:*' -a \
		-e all ls / >/dev/null &&
	"$PTRACE_RUN" -q -o stacks -k -e all sh -c "$pipe" &&
	"$PTRACE_RUN" -q -o threads -e all "$VICTIMS/victim-tree-threads" \
		>/dev/null &&
	"$PTRACE_RUN" -q -o user -s 1000 sh -c "'$VICTIMS/victim-events'
		ptrace-event text 'a text'; ptrace-event db:query \
		path=/x 'class=y;z' bytes=-3 seconds=0.12" &&
	"$PTRACE_RUN" -q -o lossy -m 64K --log-policy loop \
		"$VICTIMS/victim-ticks" 20000 &&
	head -c $(($(wc -c <calls) / 2)) calls >cut &&
	cp threads holed &&
	yes damaged | head -c 3000 | dd of=holed conv=notrunc bs=1 \
		seek=$(($(wc -c <threads) / 2)) 2>/dev/null
}

# json LOG...: the events as JSON.
json() {
	"$PTRACE_DUMP" -f json "$@" 2>/dev/null
}

# ends FORMAT LOG...: with the status of text, and the same last words?
ends() {
	format=$1
	shift
	rm -rf export
	is "$("$PTRACE_DUMP" -f "$format" -o export "$@" 2>&1; echo $?)" \
		"$("$PTRACE_DUMP" "$@" 2>&1 >/dev/null; echo $?)" \
		"$format of $*: the status and last line of text"
}

# check FORMAT NR LOG...: the export, which is there, says what JSON says; NR
# tests of t/run/check-FORMAT.
check() {
	format=$1 nr=$2
	shift 2
	# shellcheck disable=SC2086 # several
	json $* >events
	"$abs_top_srcdir/t/run/check-$format" export events >results 2>err
	is "$(grep -c -E '^(pass|fail)' results)" "$nr" "$*: all checks were made"
	while read -r result name; do
		case $result in
		pass | fail) "$result" "$*: $name" ;;
		*) diag "$name" ;;
		esac
	done <results
	[ ! -s err ] || diag "$(cat err)"
}
