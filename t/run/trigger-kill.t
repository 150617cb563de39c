#!/bin/sh
# SPDX-License-Identifier: MIT
# --when, when processes are killed: of the controller the next one goes on, with
# what has fired and what it waits for; without ptrace-trigger the trace goes on,
# and that is told; the program knows nothing of either.  Without privileges, too.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/trigger.sh"
PATH=${PTRACE_CTL%/*}:$PATH
plan 19

# controller: of the only trace.
controller() {
	ptrace-ctl list --json 2>/dev/null |
		sed -n 's/.*"controller":\([0-9]*\).*/\1/p'
}
# other_than PID: is there a controller, and is it another?
other_than() {
	next=$(controller)
	[ -n "$next" ] && [ "$next" != "$1" ]
}
has_fired() {
	[ "$("$PTRACE_DUMP" -f raw -n trace:trigger log 2>err.dump | wc -l)" \
		= "$1" ]
}
# has_begun: then $pid is the program's.
has_begun() {
	pid=$("$PTRACE_DUMP" -f raw -n process:start log 2>err.dump |
		head -n 1 | cut -d ' ' -f 2 | cut -d / -f 1)
	[ -n "$pid" ]
}
# helper_of PID: the ptrace-trigger of that controller, whose number it is told;
# other tests have theirs.
helper_of() {
	grep -lx ptrace-trigger /proc/[0-9]*/comm 2>/dev/null |
		while read -r comm; do
			tr '\0' '\n' <"${comm%comm}cmdline" 2>/dev/null |
				sed -n 5p | grep -qx "$1" &&
				echo "$comm" | cut -d / -f 3
		done
}
no_helper() {
	[ -z "$(helper_of "$first")" ]
}

# --- the controller, after some firings
begin -e file,process --when 'path == "/other"' --do 'mark other' \
	--when 'path == "/child"' --do 'mark child'
tell oo
wait_for has_fired 2
first=$(controller)
kill -9 "$first"
wait_for other_than "$first"
ok $? "the controller was killed, and there is another"
tell of
finish
is "$told" 3 "the status is the program's"
is "$(events mark | sort | uniq -c | sed 's/^ *//')" "1 mark|child
3 mark|other" "nothing fires twice"
is "$(events trace:trigger | cut -d '|' -f 2-3 | tr '\n' ' ')" \
	"1|1 1|2 1|3 2|1 " "the numbers go on"
like "$(cat err)" ', 0 lost, 4 firings, 2 processes,' "so does the count"

# --- while it waits for start
begin -e file,process -f parse --when 'function == "parse"' --do start
tell o
first=$(controller)
kill -9 "$first"
wait_for other_than "$first"
tell o
tell p
wait_for has_fired 2
tell o
finish
is "$told" 3 "while it waits: status"
like "$(events file:open | tr '\n' ' ')" \
	'^(file:open./parse |)file:open./other $' \
	"it goes on waiting, and knows what to record then"

# --- ptrace-trigger
begin -e file --when 'path == "/other"' --do 'mark other'
tell o
wait_for has_fired 1
first=$(controller)
kill -9 "$(helper_of "$first")"
wait_for no_helper
tell o
finish
is "$told" 3 "ptrace-trigger: status"
is "$(events file:open | wc -l) $(events mark | wc -l)" "2 1" \
	"the trace goes on without"
like "$(cat err)" 'ptrace-trigger ended before the trace did' "that is told"

# --- one that does not answer
begin -e file --when 'path == "/other"' --do 'mark other'
tell o
wait_for has_fired 1
first=$(controller)
stopped=$(helper_of "$first")
kill -STOP "$stopped"
tell o
finish
kill -9 "$stopped"
is "$told" 3 "it is stopped: status"
like "$(cat err)" 'ptrace-trigger ended before the trace did' \
	"the end does not wait for ever"
wait_for no_helper
ok $? "nothing is left of it"

# --- the program
begin -e file,process --when 'name == "process:exit" && signal == 9' \
	--do 'mark killed' --do 'exec touch killed.there'
tell o
wait_for has_begun
kill -9 "$pid"
finish 2>/dev/null
is "$told" 137 "the program is killed: status"
is "$(events mark)" "mark|killed" "that fires, too"
wait_for test -e killed.there
ok $? "what it does is done when all is over"

# --- without privileges
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	for name in status mark snapshot; do
		skip "without privileges: $name" "not root, or no setpriv"
	done
	exit
fi
mkdir theirs
chmod 777 theirs
chmod 755 .
cd theirs || exit 1
is "$(status setpriv --reuid=65534 --regid=65534 --clear-groups "$PTRACE_RUN" \
	-o log --snapshot -e file,process --when 'name == "process:exit"' \
	--do 'mark end' --do snapshot true)" 0 "without privileges: status"
is "$(events mark)" "mark|end" "without privileges: mark"
is "$(events process:exit log.1.ptlog | wc -l)" 1 \
	"without privileges: snapshot"
