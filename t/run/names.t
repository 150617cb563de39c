#!/bin/sh
# SPDX-License-Identifier: MIT
# One program has one name, and all that is shown of a log gives it that.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 48

# What each view calls the programs of the log, every name once.  Before a
# process has said its name, there is an exec that it will: text leaves that out.
sorted() {
	sort -u | tr '\n' ' '
}
in_text() {
	"$PTRACE_DUMP" log | sed -n 's/.*  \([^ ]*\)\[[0-9]*\] .*/\1/p' | sorted
}
in_json() {
	"$PTRACE_DUMP" -f json log |
		grep -v -e '"name":"posix_trace_' -e '"name":"process:exec"' |
		sed 's/.*"program":"\([^"]*\)".*/\1/;t
s/.*/?/' | sorted
}
in_chrome() {
	"$PTRACE_DUMP" -f chrome log |
		sed -n 's/.*"process_name".*"name":"\([^"]*\)".*/\1/p' | sorted
}
in_folded() {
	"$PTRACE_DUMP" -f folded log |
		grep -v -e ';posix_trace_' -e ';process:exec ' |
		cut -d ';' -f 1 | sorted
}
# ... which lists processes: what one has become.
in_report() {
	"$PTRACE_REPORT" --processes log |
		sed -n 's/.*[ .]\([^ .]*\)\[[0-9]*\].*/\1/p' | sorted
}
# same NAMES WHAT [OF-PROCESSES]: as all of them say.
same() {
	is "$(in_text)" "$1" "$2: text"
	is "$(in_json)" "$1" "$2: JSON"
	is "$(in_chrome)" "$1" "$2: chrome"
	is "$(in_folded)" "$1" "$2: folded"
	is "$(in_report)" "${3-$1}" "$2: report"
}

# A login shell is called -bash, or whatever else it was executed as.
# shellcheck disable=SC2016
run -e all bash -c 'echo "$$" >pid; exec -a -other cat pid'
same "bash other " "exec -a" "other "

# Without the family process: each says its name itself, a forked child, too.
for family in file io mem; do
	run -e $family bash -c 'cat /dev/null; (exec sort /dev/null); (: </dev/null)'
	same "bash cat sort " "-e $family"
done
is "$("$PTRACE_REPORT" --processes log | grep -c '[^.]\.\.[a-z]')" 3 \
	"... and whose child it is"
is "$("$PTRACE_DUMP" -f json log | grep -c '"module"')" \
	"$("$PTRACE_DUMP" -f json -n 'mem:*' log | wc -l)" \
	"... and its addresses have names"
# By vfork, too, while it still has its parent's memory (the shell of Debian).
run -e file sh -c 'cat /dev/null; :'
is "$("$PTRACE_REPORT" --processes log | grep -c '[^.]\.\.cat')" 1 \
	"... also of a vfork child"
# From its first call on, which does not begin before there is the child; nor is
# what is recorded of its birth a part of that call.
for family in all file; do
	run -e $family "$VICTIMS/victim-vopen" /dev/null
	same "cat victim-vopen " "vfork, -e $family"
done
# No process says it: its file does, which is mapped first.
run -e '!process' bash -c 'exec cat /dev/null'
same "bash cat " "-e !process" "cat "

# By a static program, of which nothing else is known.
cat >static.c <<'C'
#include <unistd.h>
int main(int argc, char *argv[])
{
	execvp(argv[1], argv + 1);
	return argc;
}
C
if ${CC:-cc} -static -o static static.c 2>/dev/null; then
	run ./static cat /dev/null
	is "$(in_text)" "cat static " "through a static program: text"
	is "$(in_folded)" "cat static " "... folded"
	is "$("$PTRACE_REPORT" log | head -1)" "static (not traced)" "... report"
	run -e file ./static cat /dev/null
	is "$(in_json)" "cat " "... -e file: JSON"
	is "$(in_folded)" "cat " "... folded"
else
	for view in text folded report JSON folded; do
		skip "through a static program: $view" "no static libc"
	done
fi

# Killed before the library starts in it: it is what it would have become.
# shellcheck disable=SC2016
run sh -c '(kill -9 "$(exec sh -c "echo \$PPID")"); :'
same "sh " "killed after its fork"
