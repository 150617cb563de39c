#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that brings a C library of its own, which is older than ours, starts
# and is traced: here one that has no version after 2.17.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
command -v "${CC%% *}" >/dev/null 2>&1 || CC=cc
need "${CC%% *}" perl ldd readelf
libc=$(ldd "$LIBPTRACE" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
[ -f "$libc" ] || skip_all "no GNU libc"
case $(uname -m) in
x86_64) first=GLIBC_2.2.5 ;;
*) first=GLIBC_2.17 ;;
esac
plan 11
cd "$T" || exit

# What libc's start-up files need is newer: without them.
cat >program.c <<END
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__asm__(".symver pthread_create, pthread_create@$first");
__asm__(".symver pthread_join, pthread_join@$first");
static void *run(void *arg)
{
	return arg;
}
__attribute__((used)) static void begin(long *stack)
{
	char **argv = (char **)(stack + 1);
	void *result = NULL;
	pthread_t thread;
	int status;

	pthread_create(&thread, NULL, run, argv);
	pthread_join(thread, &result);
	if (fork() == 0)
		_exit(3);
	wait(&status);
	printf("%d %d\n", result == argv, WEXITSTATUS(status));
	fflush(stdout);
	if (argv[1])
		execv(argv[0], (char *[]){argv[0], NULL});
	exit(7);
}
#if defined(__x86_64__)
__asm__(".globl _start; _start: movq %rsp, %rdi; andq \$-16, %rsp; call begin");
#else
__asm__(".globl _start; _start: mov x0, sp; bl begin");
#endif
END
mkdir own
cp "$libc" own/libc.so.6 && cp "$(readelf -lW "$(command -v env)" |
	sed -n 's/.*interpreter: \(.*\)\]/\1/p')" own/ld.so || exit
$CC -O1 -fno-stack-protector -nostartfiles -o program program.c \
	-Wl,--dynamic-linker="$T/own/ld.so" -Wl,-rpath,"$T/own" || exit
./program again >out
is "$? $(cat out)" "7 1 3
1 3" "a program with a libc of its own"

perl -pi -e 's/GLIBC_2\.(1[89]|[2-9][0-9])\0/GLIBC_9.$1\0/g' own/libc.so.6 own/ld.so
cat >newer.c <<END
#include <stdio.h>
int main(void)
{
	return puts("") < 0;
}
END
$CC -o newer newer.c -Wl,--dynamic-linker="$T/own/ld.so" -Wl,-rpath,"$T/own" &&
	./newer >/dev/null 2>err
like "$(cat err)" "version .GLIBC_2\.[0-9]*' not found" \
	"for which programs of today are too new"
for mode in "-e none" "-e process" "-e all -k" "-l *" "-r *"; do
	set -f
	# shellcheck disable=SC2086 # words
	set -- $mode
	set +f
	run_plain ./program again
	"$PTRACE_RUN" -q "$@" -o log ./program again >traced.out 2>traced.err
	echo $? >traced.status
	compare "$mode"
done
"$PTRACE_RUN" -q -o log ./program again >/dev/null 2>&1
is "$(events process:start) $(events process:exec)" "2 2" "its starts are recorded"
is "$(events thread:start)" 2 "its threads"
is "$(events process:fork) $(events process:exit '"status":3')" "2 2" "its children"
is "$(events process:exit '"status":7')" 1 "and its end"
