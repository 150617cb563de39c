#!/bin/sh
# SPDX-License-Identifier: MIT
# Logs of several hosts in ptrace-report: each process and file says of which; a
# file of one path on two hosts is two files, and a number is another process's.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 13

patch_log=$abs_top_srcdir/t/run/patch-log
m1=11111111111111111111111111111111 m2=22222222222222222222222222222222
echo 12345 >in
"$PTRACE_RUN" -q -e process,file,io -o log sh -c \
	'cat in >out; cat in >old; mv old new'
"$patch_log" log alpha host=alpha boot=1 "machine=$m1"
"$patch_log" log beta host=beta boot=2 "machine=$m2"
report() {
	"$PTRACE_REPORT" "$@" 2>/dev/null
}
# members VIEW EXPRESSION: its values, of each row, sorted.
members() {
	report --json "--$1" alpha beta | python3 -c 'import json, os, sys
print(*sorted(str('"$2"') for row in json.load(sys.stdin)["rows"]), sep="\n")'
}
report alpha beta >page
like "$(sed -n 2p page)" ' 8 processes of 2 hosts ' "the title says how many"
is "$(grep -c '  \(alpha\|beta\): sh\[' page)" 2 "the roots of the tree"
is "$(grep -c '\(alpha\|beta\): cat' page)" 0 "... and nothing below them"
is "$(report --processes alpha beta | grep -c '  alpha: \.\.\(cat\|mv\)\[')" 3 \
	"--processes"
is "$(members processes 'row["host"] + " " + row["program"]' | tr '\n' '|')" \
	"alpha cat|alpha cat|alpha mv|alpha sh|beta cat|beta cat|beta mv|beta sh|" \
	"... in JSON"
is "$(members files '"%s %d %d %s" % (row["host"], row["read"], row["written"],
	row["path"].replace(os.getcwd() + "/", ""))' | grep -w -e in -e out -e new)" \
	"alpha 0 6 alpha:new (was old)
alpha 0 6 alpha:out
alpha 12 0 alpha:in
beta 0 6 beta:new (was old)
beta 0 6 beta:out
beta 12 0 beta:in" "--files: one of each host"
is "$(report --files --path "$PWD/out" alpha beta | grep -c ":$PWD/out$")" 2 \
	"... --path is without the host"
report --dot graph alpha beta
is "$(grep -c '\\n\(alpha\|beta\)  pid ' graph)" 8 "--dot"
"$PTRACE_RUN" -q -k -e process -o log sh -c :
"$patch_log" log alpha host=alpha boot=1 "machine=$m1"
"$patch_log" log beta host=beta boot=2 "machine=$m2"
report --flame graph.svg alpha beta
is "$(grep -c '<title>\(alpha\|beta\)[^a-z]' graph.svg)" 2 "--flame"
is "$(report --json alpha beta | grep -o '"hosts":[^]]*')" '"hosts":["alpha","beta"' \
	"JSON has their names"
report alpha >page
is "$(grep -c -e alpha -e ' host' page)" 0 "one host: nothing is said"
is "$(report --json --processes alpha | grep -c '"host":')" 0 "... nor in JSON"
is "$(report --json alpha | grep -o '"hosts":[^]]*')" '"hosts":["alpha"' \
	"... but what it is"
