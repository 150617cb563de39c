#!/bin/sh
# SPDX-License-Identifier: MIT
# vfork() works as if it were not wrapped, also for shells, compilers and make.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need objdump make python3
plan 8

code=$(objdump -d --no-show-raw-insn "$LIBPTRACE" |
	awk '/^[0-9a-f]+ <(__)?vfork>:/ { on = 1; next } /^$/ { on = 0 } on')
like "$code" 'jmp|br' "the code of vfork was found"
if printf '%s\n' "$code" | grep -Eq '[[:space:]]ret'; then
	fail "no ret in vfork"
else
	pass "no ret in vfork"
fi

same "each kind of vfork" "$VICTIMS/victim-vfork"
is "$(events process:exec '/nonexistent')" 2 "failing execs are recorded"
same "sh -c" sh -c 'ls / | wc -l; (exit 3); echo $?'

mkdir "$T/src"
for i in 1 2 3 4; do
	echo "int f$i(void) { return $i; }" >"$T/src/f$i.c"
done
echo 'int main(void) { return 0; }' >"$T/src/main.c"
cat >"$T/src/Makefile" <<'END'
prog: main.o f1.o f2.o f3.o f4.o
	$(CC) -o $@ $^
END
same "make -j2 and the compiler" sh -c "cd '$T/src' && rm -f prog *.o &&
	make -s -j2 CC='${CC:-cc}' && ./prog && ls"
same "python3 subprocess" python3 -c '
import subprocess
print(subprocess.run(["echo", "a"], capture_output=True))
print(subprocess.run("exit 9", shell=True).returncode)'
same "a shell that becomes another" sh -c 'exec sh -c "exit 4"'
