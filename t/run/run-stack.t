#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # others' variables
# -k records stacks, as deep as asked for, in programs as they are installed,
# which do not notice.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 26

# deepest: how many frames the largest stack has.
deepest() {
	dump | awk '/^    / { nr++; next } { if (nr > most) most = nr; nr = 0 }
		END { print most + 0 }'
}

# The log is that of bash, which forks and executes.
command='(exit 3); ls / >/dev/null; echo $?'
run -- bash -c "$command" >out
is "$(deepest)" 0 "none by default"
run -k -- bash -c "$command" >out
ok $? "-k"
[ "$(deepest)" -gt 5 ]
ok $? "-k: as deep as can be"
run --stack=3 -- bash -c "$command" >out
is "$(deepest)" 3 "--stack=3"
run --stack=0 -- bash -c "$command" >out
is "$(deepest)" 0 "--stack=0"
for wrong in 65 -1 x 3x ''; do
	is "$(status "$PTRACE_RUN" --stack="$wrong" touch ran)" 2 \
		"--stack=$wrong"
done
[ ! -e ran ]
ok $? "nothing was run"
for value in 1 4 x; do
	rm -f log
	LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=log PTRACE_STACK=$value \
		bash -c "$command" >out
	wait_for sh -c '"$1" -n process:exit log 2>/dev/null | grep -q "exit 0"' sh \
		"$PTRACE_DUMP"
	case $value in
	1) [ "$(deepest)" -gt 5 ] ;;
	4) [ "$(deepest)" = 4 ] ;;
	x) [ "$(deepest)" = 0 ] ;;
	esac
	ok $? "PTRACE_STACK=$value"
done

# try NAME FUNCTION COMMAND...: output and status are the same; some stack
# goes from FUNCTION to the C library's start; no frame is the library's.
try() {
	what=$1
	function=$2
	shift 2
	! lacks "$1" "$what" "the same" "whole stacks" "none of ours" || return 0
	plain=$("$@" 2>&1; echo "status $?")
	is "$("$PTRACE_RUN" -q -k -o log -- "$@" 2>&1; echo "status $?")" \
		"$plain" "$what: the same"
	dump >text
	awk -v function_="$function" '
		!/^    / { seen = 0 }
		$1 ~ "^" function_ "\\+0x" { seen = 1 }
		seen && /^    __libc_start_main\+/ { found = 1 }
		END { exit !found }' text
	ok $? "$what: whole stacks"
	is "$(grep -c '^    .*(libptrace.so)' text)" 0 "$what: none of ours"
}

try bash main bash -c 'for i in 1 2 3; do (exit $i); /bin/true $i; done; echo $?'
try python3 Py_BytesMain python3 -c 'import os, threading
t = threading.Thread(target=lambda: os.system("exit 3"))
t.start()
t.join()
print(os.waitstatus_to_exitcode(os.waitpid(os.spawnlp(os.P_NOWAIT, "sh", "sh", "-c", "exit 4"), 0)[1]))'
try git __libc_start_call_main git -c alias.x='!echo; exit 5' x
try perl main perl -e 'system("exit 6"); print `echo $?`, $? >> 8, "\n"'
