#!/bin/sh
# SPDX-License-Identifier: MIT
# A call by number, of syscall(2), does what it does untraced, and is recorded as
# the function of the same name; no number of which there is a function is
# forgotten.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 12

mkdir "$T/dir"
cd "$T/dir" || exit
families=file,io,mem,net,time,sync
same "by number" "$VICTIMS/victim-numbers"
is "$(tail -n 1 "$T/traced.out")" "wrong: 0" "the same results and errors"

# The pairs, without where and when: of each kind as many of one form.
"$PTRACE_DUMP" -f raw "$T/log" | sed -E -n \
	's/^[^ ]+ [^ ]+ ((file|io|mem|net|time):[a-z]+ .*)( dur=[0-9]+)? @ main\+.*/\1/p
	s/^[^ ]+ [^ ]+ ((file|io|mem|net|time):[a-z]+ .*)( dur=[0-9]+)? @ (files|others)\+.*/\1/p' |
	sed 's/ dur=[0-9]*//' >"$T/lines"
grep -v -e '^io:printf' -e 'O_CREAT mode=0600' -e 'addr=0x0' "$T/lines" \
	>"$T/calls"
is "$(wc -l <"$T/calls")" 42 "each is recorded, twice"
awk 'NR % 2 { one = $0; next } $0 != one { print one; print }' "$T/calls" \
	>"$T/odd"
is "$(cat "$T/odd")" "" "alike"
is "$(events sync:futex '"op":"FUTEX_WAIT\|FUTEX_PRIVATE_FLAG"' \
	'"errno":"ETIMEDOUT"' '"dur":[0-9]')" 1 "what only numbers have"

# What is written out: who waits, and handlers.
families=process,signal,sync
same "written out" "$VICTIMS/victim-numbers" hand
is "$("$PTRACE_DUMP" -n signal:sigaction "$T/log" |
	sed -E 's/.* (rt_)?(sigaction)/\2/; s/ +at main.*| +at by_hand.*//')" \
	"sigaction(SIGUSR1) = 0 {new {sa_handler=SIG_IGN, sa_mask=[USR2], sa_flags=SA_RESTART}}
sigaction(SIGUSR1) = 0 {old {sa_handler=SIG_IGN, sa_mask=[USR2], sa_flags=SA_RESTART}}
sigaction(SIGKILL) = -1 EINVAL (Invalid argument)
sigaction(SIGUSR1) = -1 EFAULT (Bad address)" "handlers"
is "$("$PTRACE_DUMP" -f json -n sync:waitpid "$T/log" | python3 -c '
import json, sys
for line in sys.stdin:
    a = json.loads(line)["args"]
    print(a["ret"] > 0, a.get("status"), a.get("errno"))')" \
	"True killed SIGKILL None
True exited 3 None
True exited 4 None
False None ECHILD" "who waits"

is "$("$PTRACE_DUMP" -f raw -n process:exit "$T/log" |
	grep -c 'signal=9 user_us=[0-9]* sys_us=[0-9]')" 1 \
	"and what the killed child took"

# Numbers that this kernel's headers have, and functions that are only recorded.
echo '#include <sys/syscall.h>' | ${CC:-cc} -E -dM - 2>/dev/null |
	sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/\1/p' | sort >"$T/numbers"
[ "$(wc -l <"$T/numbers")" -gt 200 ] || {
	skip "no numbers" "no compiler"
	skip "no numbers" "no compiler"
	skip "no numbers" "no compiler"
	exit
}
cd "$abs_top_srcdir" || exit
calls=preload/calls
made() {
	what=$1
	shift
	awk -v make="$what" -f "$calls/calls.awk" core/format/sysevents.h \
		"$calls"/[!h]*.tbl "$@"
}
made names | sort >"$T/functions"
made numbers $calls/numbers |
	sed -n 's/.* CASE(SYS_\([a-z0-9_]*\),.*/\1/p' | sort >"$T/made"
sed -n 's/^- \([a-z0-9_]*\): .*/\1/p' $calls/numbers | sort >"$T/left"
comm -12 "$T/numbers" "$T/functions" | comm -23 - "$T/made" |
	comm -23 - "$T/left" >"$T/forgotten"
is "$(cat "$T/forgotten")" "" "none that has a function is forgotten"
[ "$(comm -12 "$T/numbers" "$T/made" | wc -l)" -gt 100 ]
ok $? "more than a hundred"
# These have no frame of ours.
printf '%s\n' clone clone3 execve execveat exit exit_group fork prctl \
	rt_sigreturn seccomp vfork >"$T/never"
is "$(comm -12 "$T/never" "$T/made")" "" "and none that returns twice, or never"
