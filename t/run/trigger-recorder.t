#!/bin/sh
# SPDX-License-Identifier: MIT
# A flight recorder, --snapshot with --do snapshot: when a request took longer than
# it may there is a log of what came before it, complete; and not when others did
# not.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/trigger.sh"
plan 27

slow='name == "span:end" && dur > 500ms'

# paths [LOG]: of what was opened.
paths() {
	events file:open "$1" | cut -d '|' -f 2 | tr '\n' ' '
}
state() {
	"$PTRACE_DUMP" --info "$1" | sed -n 's/^log-state: *//p'
}

# --- a span that was slow
begin --snapshot -e file,process --when "$slow" --do snapshot
tell oqp
is "$(ls ./*.ptlog 2>/dev/null)" "" "a quick one: nothing is written"
tell s
wait_for test -s log.1.ptlog
ok $? "a slow one: a snapshot by the log's name"
wait_for "$PTRACE_DUMP" -f raw log.1.ptlog
tell o
finish
is "$told" 3 "the status is the program's"
is "$(paths log.1.ptlog)" "/other /quick /parse /slow " "all that came before"
is "$(state log.1.ptlog)" "$(state log)" "it is complete"
is "$(events process:start log.1.ptlog | wc -l)" 1 "its program has a name"
is "$(events trace:trigger log.1.ptlog)" \
	"trace:trigger|1|1|span:end|snapshot|$slow" "it has why it was written"
is "$(paths log)" "/other /quick /parse /slow /other " "the log has the rest"
is "$(stat -c %a log.1.ptlog)" 600 "a file for its user"
like "$(cat err)" ', 0 lost, 1 firing, ' "the summary counts it"
like "$(cat err)" "ptrace-run: 1 snapshot, the last one .*/log.1.ptlog" \
	"and tells where it is"

# --- names, and one after the other, a second apart
# shellcheck disable=SC2016 # of the command's
begin --snapshot -e file --when "$slow" --do 'snapshot=slow-%n.ptlog' \
	--do 'exec echo "$PTRACE_SNAPSHOT" >>names' \
	--when 'path == "/other"' --do 'snapshot seen.ptlog'
tell s
wait_for test -s names
tell oo
finish
is "$told" 3 "names: status"
is "$(ls ./*.ptlog)" "./seen.ptlog
./slow-1.ptlog" "names: with a number, and without"
is "$(cat names)" "$PWD/slow-1.ptlog" "names: a command is told"
is "$(paths slow-1.ptlog | cut -c 1-6)" "/slow " "names: what was slow"
like "$(paths seen.ptlog)" "^/slow /other " "names: and what was seen"
like "$(cat err)" ', 3 firings,' "names: all are counted"

# --- not more often than once a second
begin --snapshot -e file --when 'path == "/other"' --do snapshot \
	--do 'exec echo x >>often'
began=$(date +%s)
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	tell oooooooooo
done
finish
seconds=$(($(date +%s) - began + 1))
wait_for test -s often
[ "$(wc -l <often)" -le $((seconds + 1)) ]
ok $? "what fires 200 times at once does not write 200 logs"
[ "$(find . -name 'log.*.ptlog' | wc -l)" = "$(wc -l <often)" ]
ok $? "nor run 200 commands"
like "$(cat err)" ', 200 firings,' "all are counted"

# --- what is no log is kept
echo text >text
begin --snapshot -e file --when 'path == "/other"' --do snapshot=text
tell o
finish
is "$told $(cat text)" "3 text" "a file that is no log is not overwritten"
like "$(cat err)" "--do snapshot: cannot write it: it exists, and is not a trace" \
	"which is told"

# --- what was overwritten before it was looked at
begin --snapshot -b 64K -e file --when 'path == "/none"' --do snapshot
tell o
head -c 60000 /dev/zero | tr '\0' o >&5
finish
is "$told" 3 "much more than memory holds: status"
like "$(cat err)" '--when has not seen [0-9]* events: they were overwritten' "which is told"

# --- in a child; into a pipe
begin --snapshot -e file,process --when 'path == "/child"' --do snapshot
tell of
finish
is "$told $(paths log.1.ptlog)" "3 /other /child " "a child's, at the end"
is "$(status "$PTRACE_RUN" -q -o '|cat >piped' --snapshot -e process \
	--when 'name == "process:exit"' --do snapshot=of-pipe.ptlog true)" 0 \
	"the log can be a pipe"
is "$(events process:exit of-pipe.ptlog | wc -l)" 1 "the snapshot is there"
