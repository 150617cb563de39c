#!/bin/sh
# SPDX-License-Identifier: MIT
# --live: events are on standard error while the program runs, each once, and
# nothing of the program's changes, however it or its reader ends.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 26

PATH=${PTRACE_EVENT%/*}:$PATH
mkfifo go

# A shell that records an event for each line of the pipe.
each='while read -r word; do ptrace-event "$word"; done; echo out; exit 3'
"$PTRACE_RUN" --live -o log sh -c "$each" <go >out 2>err &
traced=$!
exec 3>go
for word in first second; do
	echo $word >&3
	wait_for grep -q " $word " err
	ok $? "$word is seen while it runs"
done
kill -0 "$traced"
ok $? "it runs"
exec 3>&-
wait "$traced"
is $? 3 "the status is the program's"
is "$(cat out)" out "and so is its output"
"$PTRACE_DUMP" log | sort >whole
is "$(grep -v '^ptrace-run:' err | sort)" "$(cat whole)" \
	"what is in the log was seen, each event once"
like "$(tail -n 1 err)" '^ptrace-run: .* events, 0 lost' \
	"the summary comes last"

# Killed.
"$PTRACE_RUN" --live -q -o log sh -c 'ptrace-event there; kill -9 $$' 2>err
is $? 137 "a program is killed"
like "$(cat err)" ' there ' "what it did is seen"
like "$(cat err)" 'killed by SIGKILL' "and its end"
"$PTRACE_RUN" --live -q -o log no-such-program 2>err
is "$? $(cat err)" "127 ptrace-run: no-such-program: No such file or directory" \
	"a program that is not there"

# Who reads standard error goes away: the program goes on.
piped() {
	"$PTRACE_RUN" --live -q -o log sh -c 'ptrace-event one
		read -r word; ptrace-event "$word"; echo last; exit 4' \
		<go 2>&1 >out
	echo $? >ended
}
piped | head -n 1 >first &
exec 3>go
wait_for test -s first
echo two >&3
exec 3>&-
wait
is "$(cat ended) $(cat out)" "4 last" "a closed pipe ends nothing but the view"
is "$("$PTRACE_DUMP" -n two log | wc -l)" 1 "and the log has it all"

# ^C, for all processes in the group: what the program does then is seen.
cat >interrupt <<'END'
import os, signal, subprocess, sys
child = subprocess.Popen(sys.argv[1:], start_new_session=True,
                         stdout=subprocess.PIPE, stderr=open("err", "w"),
                         preexec_fn=lambda: signal.signal(signal.SIGINT,
                                                          signal.SIG_DFL))
child.stdout.readline()
os.killpg(child.pid, signal.SIGINT)
print(child.wait())
END
if ! lacks python3 "^C" "its status" "what it did then is seen" "its end"; then
	got=$(python3 interrupt "$PTRACE_RUN" --live -q -o log sh -c \
		'trap "ptrace-event caught; trap - INT; kill -INT \$\$" INT
		echo ready; while :; do sleep 0.02; done')
	is "$got" -2 "^C: its status"
	like "$(cat err)" ' caught ' "^C: what it did then is seen"
	like "$(cat err)" 'killed by SIGINT' "^C: its end"
fi

# To a terminal there is colour, and nothing is paged.
if ! lacks script "a terminal" "coloured" "whole"; then
	script -qec "env PAGER=false TERM=xterm '$PTRACE_RUN' --live -q -o log \
		sh -c 'ptrace-event shown'" /dev/null </dev/null >seen
	like "$(cat seen)" "$(printf '\033')" "a terminal: coloured"
	like "$(cat seen)" 'shown' "a terminal: whole"
fi

# A running process.
sh -c "echo \$\$ >pid; exec env LD_PRELOAD='$LIBPTRACE' PTRACE_DISABLE=1 \
	sh -c 'while read -r word; do ptrace-event \"\$word\"; done'" <go &
victim=$!
exec 3>go
wait_for test -s pid
wait_for sh -c "grep -q libptrace /proc/$(cat pid)/maps"
"$PTRACE_RUN" --live -v -o log -p "$(cat pid)" 2>err 3>&- &
traced=$!
wait_for grep -q '^ptrace-run: tracing' err
echo attached >&3
wait_for grep -q attached err
ok $? "with -p, too"
exec 3>&-
wait "$victim"
wait "$traced"
is $? 0 "which ends with it"

# wrong PATTERN OPTION...
wrong() {
	pattern=$1
	shift
	is "$(status "$PTRACE_RUN" --live "$@" true)" 2 "$*: status 2"
	like "$(head -n 1 err)" "$pattern" "$*: what is wrong"
}
wrong 'has to be a file' -o '|cat'
wrong 'nothing is written' --snapshot
wrong 'does not wait' -D
