#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -p: of what is no process, or none any more, and of what does not
# stay the same, the reason that is told is the right one.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 6
unset LD_PRELOAD

cat >kinds.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(long number)
{
	printf("%ld\n", number);
	fflush(stdout);
}

static void *stay(void *none)
{
	tell(syscall(SYS_gettid));
	pause();
	return none;
}

/* Its number is told by the first one that is executed. */
static int follow(char **argv)
{
	if (strcmp(argv[1], "first") == 0)
		tell(getpid());
	argv[1] = "next";
	execv("/proc/self/exe", argv);
	return 1;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	siginfo_t info;
	pid_t child;

	alarm(100);
	if (argc > 1)
		return follow(argv);
	child = fork();
	if (child == 0)
		_exit(0);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	tell(child);
	pthread_create(&thread, NULL, stay, NULL);
	pause();
	return 0;
}
END
${CC:-cc} -O1 -o kinds kinds.c -pthread || exit 1

# refused NUMBER WHY NAME [OPTION]: of the process.
refused() {
	"$PTRACE_RUN" ${4:+"$4"} -o log -p "$1" 2>err
	is "$? $(cat err)" "125 ptrace-run: $2" "$3"
}

mkfifo output
./kinds >output &
pid=$!
exec 6<output
read -r zombie <&6
read -r thread <&6
refused "$zombie" "cannot trace process $zombie: it has ended" "a zombie"
refused "$zombie" "cannot trace process $zombie: it has ended" \
	"a zombie, with --inject" --inject
why="cannot trace process $thread: it is a thread of process $pid"
refused "$thread" "$why" "a thread"
refused "$thread" "$why" "a thread, with --inject" --inject
[ ! -e log ]
ok $? "no log is left"
kill "$pid"
wait "$pid" 2>/dev/null
exec 6<&-

./kinds first >output &
pid=$!
read -r again <output
"$PTRACE_RUN" --inject -o log -p "$again" 2>err
case "$(cat err)" in
*": it executes one program after another") is same same "an exec a moment" ;;
*": that can be done on x86-64, with GNU libc, only")
	skip "an exec a moment" "not there" ;;
*) is "$(cat err)" "it executes one program after another" "an exec a moment" ;;
esac
kill "$pid"
