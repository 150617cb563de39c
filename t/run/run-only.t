#!/bin/sh
# SPDX-License-Identifier: MIT
# --only and --skip: programs are chosen by their names; what the others start
# is traced all the same, and how these began and ended is known.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need env
plan 31

PATH=${PTRACE_EVENT%/*}:$PATH
# A program with a name of its own, and one by another name than its file's.
ln -s "$(command -v cat)" kitty

# seen OPTION...: the programs that were started in a tree of several.
seen() {
	run "$@" sh -c 'env -i "$0" /dev/null; ./kitty /dev/null; ls -d /; :' \
		"$(command -v cat)" >/dev/null
	"$PTRACE_DUMP" -f json -n process:start log |
		sed 's/.*"argv":\["\([^"]*\)".*/\1/; s|.*/||' | tr '\n' ' '
}
is "$(seen)" "sh env cat kitty ls " "all of them"
is "$(seen --only cat)" "cat kitty " "one, by the name of its file"
is "$(seen --only kitty)" "kitty " "by the name it was called by"
is "$(seen --only 'k*' --only ls)" "kitty ls " "patterns, and several of them"
is "$(seen --skip sh)" "env cat kitty ls " "all but the first"
is "$(seen --skip env --skip 'kit*')" "sh cat ls " \
	"all but two: what was in the environment is not lost in between"
is "$(seen --only '[ek]*' --only cat --skip env)" "cat kitty " "both"
is "$(seen --only none 2>&1)" "" "none"
"$PTRACE_RUN" -o none --only none true 2>err
like "$(cat err)" '--only none: no program has such a name' "... which is said"
"$PTRACE_RUN" -o none --only sh sh -c : 2>err
is "$(grep -c -- --only err)" 0 "and else is not"
"$PTRACE_RUN" -o none --skip none,nil sh -c 'env ls; none; : | cat' >/dev/null \
	2>err
like "$(cat err)" '--skip none,nil: no program has such a name' \
	"the same of --skip"
for list in ls env sh,none 'none,[cl]*'; do
	"$PTRACE_RUN" -o none --skip "$list" sh -c 'env ls; : | cat' \
		>/dev/null 2>err
	is "$(grep -c -- --skip err)" 0 "not of $list"
done

# What is skipped records nothing, whatever it calls.
run --skip ptrace-event -e all sh -c 'ptrace-event here; (ptrace-event there) & wait'
is "$(names | grep -c here)" 0 "no events of its own"
is "$(dump -n 'file:*' | grep -c 'here')" 0 "nor of the library"
# $1: pid, $2: name; the tree as it is known.
run --skip sh sh -c 'cat /dev/null; exec sh -c "exit 5"' >/dev/null
is "$("$PTRACE_DUMP" -f json -n process:exit log | grep -c '"status":5')" 1 \
	"its end is told"
is "$("$PTRACE_DUMP" -f json -n process:fork log | wc -l)" 1 \
	"and its children are"
run --skip sh sh -c 'cat /dev/null; kill -9 $$' 2>/dev/null
is "$("$PTRACE_DUMP" -f json -n process:exit log | grep -c '"signal":9')" 1 \
	"if it is killed, too"

# The image before, and the one behind.
run --skip env sh -c 'exec env sh -c "exit 4"'
is "$("$PTRACE_DUMP" -f json -n process:start log | wc -l)" 2 \
	"one image of three stands aside"
is "$("$PTRACE_DUMP" --info log | grep -E '^(lost|not-traced|processes):' |
	tr -s ' ' | tr '\n' ' ')" "lost: 0 processes: 1 not-traced: 0 " \
	"which is no loss"

# By the environment alone.
rm -f log
LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log PTRACE_ONLY=cat \
	sh -c 'cat /dev/null; :'
wait_for sh -c "'$PTRACE_DUMP' --info '$T/log' | grep -q complete"
is "$("$PTRACE_DUMP" -f json -n process:start log | grep -c '"argv":."cat"')" \
	1 "PTRACE_ONLY"
is "$("$PTRACE_DUMP" -f json -n process:start log | wc -l)" 1 "and nothing else"

# The child of a program that forks without another program.
run --only sh sh -c '(exit 3); :'
is "$("$PTRACE_DUMP" -f json -n process:exit log | wc -l)" 2 "a child's copy, too"
# ... and the copy of one that stands aside.
run --only cat sh -c '(exec cat /dev/null); (exit 3); :'
is "$("$PTRACE_DUMP" -f json -n process:start log | wc -l)" 1 \
	"what the copy of one that is skipped executes"
is "$("$PTRACE_DUMP" -f json -n process:exit log | wc -l)" 3 \
	"and the end of a copy that executes nothing"

# A skipped program that has cleared its environment, in every way to start one.
if ! lacks python3 "a cleared environment" "vfork and exec" "system()"; then
	python=$(python_itself)
	run --skip 'python*' "$python" -c 'import os, subprocess
os.environ.clear()
subprocess.run(["/bin/cat", "/dev/null"])
os.system("exec /bin/ls /dev/null")' >/dev/null
	"$PTRACE_DUMP" -f json -n process:start log >starts
	is "$(grep -c '/bin/cat"' starts)" 1 \
		"a cleared environment: vfork and exec"
	is "$(grep -c '/bin/ls"' starts)" 1 "a cleared environment: system()"
fi

is "$(status "$PTRACE_RUN" -p $$ --only x)" 2 "not with -p"
like "$(cat err)" 'looked at when it starts' "... since it would be too late"
