#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2094 # the log has a name of its own
# One trace of a process after the other (-p): each records what it asks for
# itself, and what an earlier one has hooked is off, or told.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 15
unset LD_PRELOAD

cat >victim.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) int work(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n * 3 + 1;
}

__attribute__((noinline)) int other(int n)
{
	__asm__ volatile("" : "+r"(n));
	return work(n) + 1;
}

/* A line of input, and one round. */
int main(void)
{
	char line[16];
	int n = 0;

	setvbuf(stdout, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		n += other(n) + atoi(line);
		close(open("/dev/null", O_RDONLY));
		getppid();
		fputs(line, stdout);
	}
	return 3;
}
END
${CC:-cc} -g -O1 -fno-ipa-ra -o victim victim.c || exit 1

# traces TEXT: it has said so, or ended.
traces() {
	grep -q "$1" err || ! kill -0 "$runner"
}
# begin OPTION...: the victim, with such an environment.
begin() {
	rm -f input output
	mkfifo input output
	env "$@" ./victim <input >output &
	pid=$!
	exec 5>input 6<output
}
# round: it does its work once.
round() {
	echo 12 >&5
	read -r _ <&6
}
# attach OPTION...: a trace, and three rounds once it has said so.
attach() {
	rm -f log err
	"$PTRACE_RUN" -v "$@" -o log -p "$pid" 2>err &
	runner=$!
	wait_for traces "$said"
	round
	round
	round
	kill -INT "$runner"
	wait "$runner"
}
end() {
	exec 5>&-
	wait "$pid"
	exec 6<&-
}
# calls NAME: how often the log has it.
calls() {
	dump -f json | grep '"name":"call:enter"' |
		grep -c "\"function\":\"$1\""
}

said="tracing process"
begin LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1
attach -e net
is "$(count file:open)" 0 "a trace that records nothing"
attach -e file
is "$(count file:open)" 3 "... and the next one does"
attach -e file --failed
like "$(grep -o '[0-9] left out' err)" '[45]' "one that leaves out all"
attach -e file
is "$(count file:open)" 3 "... and the next one does not"
end

if [ "$(uname -m)" != x86_64 ] || {
	[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" != 0 ] &&
		[ "$(id -u)" != 0 ]
}; then
	for name in 1 2 3 4 5 6 7 8 9 10 11; do
		skip "$name" "nothing is injected here"
	done
	exit
fi

# Functions.
begin A=B
said='hooked$'
attach --inject -f '*'
is "$(calls other) $(calls work)" "3 3" "-f: functions"
said='hooked is off$'
attach --inject -e +call,file
is "$(calls other) $(calls work) $(count file:open)" "0 0 3" \
	"a trace without -f has none of them"
said='hooked$'
attach --inject -f other
is "$(calls other) $(calls work)" "3 3" "again: what was hooked at first"
like "$(dump)" 'call:unhooked .*patched before' "... which is told"
attach --inject -l getppid
is "$(calls getppid)" 3 "-l behind -f"
end

# Calls.
begin A=B
attach --inject -l getppid
is "$(calls getppid) $(calls atoi)" "3 0" "-l: calls"
attach --inject -l getppid
is "$(calls getppid) $(grep -c getppid: err)" "3 0" "the same choice again"
like "$(dump)" 'call:hooks .*getppid' "... is told"
attach --inject -l atoi
is "$(calls getppid) $(calls atoi)" "3 0" "another choice: the first is kept"
is "$(grep -e '-l' err)" "ptrace-run: -l atoi: a program was hooked before, \
and records what was asked for then" "... which is told"
said='hooked is off$'
attach --inject -e +call,file
is "$(calls getppid) $(count file:open)" "0 3" "a trace without -l has none"
end
