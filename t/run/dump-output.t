#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the output goes.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 36

run "$VICTIMS/victim-ticks" 5000
dump >all
is "$(status dump -o file)" 0 "-o"
is "$(cat out)" "" "nothing on standard output"
cmp -s all file
ok $? "all of it in the file"
is "$(status dump -o no/such/dir)" 1 "a file that cannot be written"
is "$(stat -c %a file)" 600 "its mode: it is made from a log"
is "$(status dump -o file --info)" 0 "a file that is there is overwritten"
[ "$(head -c 4 file)" != "$(head -c 4 all)" ]
ok $? "and has nothing of the old"
cp log before
ln -s log link
for file in log ./log link "$T/log"; do
	is "$(status dump -o "$file") $(head -n 1 err)" \
		"2 ptrace-dump: $file is a trace log: this would overwrite it" \
		"-o $file: not into the log"
done
cp log second
is "$(status "$PTRACE_DUMP" -o log second) $(wc -c <out)" "2 0" "nor another"
exec 5<log
is "$(status "$PTRACE_DUMP" -o log - <&5) $(wc -l <err)" "2 2" "nor by <"
exec 5<&-
cmp -s log before
ok $? "it is as it was"
dump -o - | cmp -s - all
ok $? "-o - is standard output"
is "$( (dump; echo $? >&2) 2>err | head -n 1 >/dev/null; cat err)" 0 \
	"a reader that goes away: no complaint"
if [ -c /dev/full ]; then
	"$PTRACE_DUMP" log >/dev/full 2>err
	is "$? $(cat err)" "1 ptrace-dump: cannot write standard output: No space \
left on device" "a disk that is full"
	is "$(status "$PTRACE_DUMP" -o /dev/full log) $(cat err)" "1 ptrace-dump: \
cannot write /dev/full: No space left on device" "one by -o"
else
	skip "a disk that is full" "no /dev/full" 2
fi
is "$(status "$PTRACE_DUMP" -V)" 0 "-V"
mkdir empty
is "$(cd empty && "$PTRACE_DUMP" 2>&1; echo $?)" \
	"ptrace-dump: which log?  There is no *.ptlog here
3" "no log: none here"
cp log empty/b.ptlog
cp log empty/new.ptlog
touch -d 2001-01-01 empty/b.ptlog
cp log empty/.hidden.ptlog
mkdir empty/directory.ptlog
mkfifo empty/fifo.ptlog
(cd empty && "$PTRACE_DUMP" -f json >../newest 2>../newest.err)
is "$? $(cat newest.err)" "0 ptrace-dump: reading new.ptlog" \
	"no log: the newest here, by name on stderr"
is "$("$PTRACE_DUMP" -f json log | cmp - newest 2>&1)" "" "... is shown"
# wrong PATTERN OPTION...
wrong() {
	pattern=$1
	shift
	is "$(status dump "$@") $(wc -l <err)" "2 2" "$*: two lines"
	like "$(cat err)" "$pattern" "$*: what is right"
}
wrong 'one of text, json' -f no-such-format
wrong 'a process id' -p x
wrong 'a thread id' -t 0
wrong '@SEC' --since x
wrong '@SEC' --until x
wrong 'no-such-option' --no-such-option
is "$(status dump -n proces:start -n 'tic?' -n file:open -n nosuch)" 0 \
	"-n of types that are and that are not"
is "$(cat err)" "ptrace-dump: --name: no event type is called 'proces:start'; close is process:start
ptrace-dump: --name: no event type is called 'nosuch' (--info --types lists them; calls of a function: -w 'function == nosuch')" "the latter are told"
