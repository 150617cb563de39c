#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples by timers in the processes (--sample-by=timer), where perf_event_open(2)
# is refused: by function, of threads and children, each with its weight, so that
# they are as many as the processor time; and programs that use SIGPROF themselves
# are as without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
. "${abs_top_srcdir:-.}/t/lib/refused.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
need_rules

cat >timed.c <<'END_C'
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/run/hot.h"

static volatile int seen;

static void *work(void *arg)
{
	both(50000000);
	return arg;
}

static void see(int signo)
{
	seen += signo == SIGPROF;
}

/* What a handler of the kernel's returns to. */
void come_back(void);
__asm__("come_back: movl $15, %eax; syscall");

/* A profiler of its own. */
static int profile(void)
{
	const struct itimerval often = {{0, 2000}, {0, 2000}};
	struct sigaction own = {.sa_handler = see}, old;

	both(20000000);
	if (sigaction(SIGPROF, NULL, &old) != 0 || old.sa_handler != SIG_DFL ||
	    old.sa_flags != 0)
		return 1;
	sigaction(SIGPROF, &own, &old);
	if (old.sa_handler != SIG_DFL || seen != 0)
		return 2;
	both(20000000);
	if (seen != 0)
		return 3;
	setitimer(ITIMER_PROF, &often, NULL);
	both(30000000);
	return seen > 3 ? 0 : 4;
}

/* Its default action. */
static int killed(void)
{
	const struct itimerval once_in = {{0, 0}, {0, 20000}};

	both(10000000);
	setitimer(ITIMER_PROF, &once_in, NULL);
	both(1000000000);
	return 5;
}

static void *send(void *arg)
{
	both(20000000);
	kill(getpid(), SIGUSR1);
	return arg;
}

/* All signals are blocked and waited for, and one comes. */
static int await(void)
{
	const struct timespec none = {0, 0};
	pthread_t thread;
	sigset_t all;
	int signo;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 40; i++) {
		both(300000);
		if (sigtimedwait(&all, NULL, &none) != -1 || errno != EAGAIN)
			return 6;
	}
	pthread_create(&thread, NULL, send, NULL);
	if (sigwait(&all, &signo) != 0 || signo != SIGUSR1)
		return 7;
	pthread_join(thread, NULL);
	return 0;
}

/* As runtimes do that have no libc: none of ours comes to this handler. */
static int profile_by_number(void)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} own = {.flags = SA_RESTART | 0x04000000, .restorer = come_back}, old;

	own.handler = see;
	both(20000000);
	if (syscall(SYS_rt_sigaction, SIGPROF, &own, &old, 8UL) != 0 ||
	    old.handler != SIG_DFL)
		return 1;
	both(40000000);
	if (seen != 0)
		return 2;
	raise(SIGPROF);
	return seen == 1 ? 0 : 3;
}

/* The signal itself is waited for, and comes when one of ours has, too. */
static int await_own(void)
{
	const struct timespec long_enough = {60, 0};
	sigset_t own;
	siginfo_t info;
	int signo;

	sigemptyset(&own);
	sigaddset(&own, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &own, NULL);
	both(10000000);
	kill(getpid(), SIGPROF);
	if (sigtimedwait(&own, &info, &long_enough) != SIGPROF ||
	    info.si_code != SI_USER)
		return 8;
	both(10000000);
	kill(getpid(), SIGPROF);
	return sigwait(&own, &signo) == 0 && signo == SIGPROF ? 0 : 9;
}

/* A stack for signals that has no room for one, and below it nothing. */
static int small_stack(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *room = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const stack_t stack = {.ss_sp = room + page, .ss_size = 2048};

	if (room == MAP_FAILED || mprotect(room, page, PROT_NONE) != 0 ||
	    sigaltstack(&stack, NULL) != 0)
		return 10;
	both(50000000);
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread[2];

	if (strcmp(how, "profile") == 0)
		return profile();
	if (strcmp(how, "by-number") == 0)
		return profile_by_number();
	if (strcmp(how, "killed") == 0)
		return killed();
	if (strcmp(how, "await") == 0)
		return await();
	if (strcmp(how, "limited") == 0) {
		const struct rlimit no = {0, 0};

		setrlimit(RLIMIT_SIGPENDING, &no);
		execl(argv[0], argv[0], "alone", (char *)NULL);
	}
	if (strcmp(how, "small-stack") == 0)
		return small_stack();
	if (strcmp(how, "await-own") == 0)
		return await_own();
	if (strcmp(how, "later") == 0) {
		const struct rlimit no = {0, 0};

		setrlimit(RLIMIT_SIGPENDING, &no);
		how = "threads";
	}
	if (strcmp(how, "threads") == 0) {
		for (int i = 0; i < 2; i++)
			pthread_create(&thread[i], NULL, work, NULL);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
	} else if (strcmp(how, "children") == 0) {
		if (fork() == 0) {
			work(NULL);
			_exit(0);
		}
		if (fork() == 0)
			execl(argv[0], argv[0], "alone", (char *)NULL);
		while (wait(NULL) > 0)
			;
	} else {
		work(NULL);
	}
	printf("done %s\n", how);
	return 3;
}
END_C
$CC -O1 -g -w -I"$abs_top_srcdir" -o timed timed.c -pthread ||
	skip_all "the program cannot be built"
plan 40

# timed ARG...: where the kernel refuses.
timed() {
	rm -f log
	"$refuse" perf_event_open EPERM "$PTRACE_RUN" -q --sample \
		--sample-by=timer -o log ./timed "$@" >out 2>err
}

# sampled LEAST: "so PROCESSES THREADS": is `twice'"'"' two thirds, the sum near the
# processor time of all, and are 98 of 100 stacks whole?
sampled() {
	"$PTRACE_DUMP" -f json -n cpu:sample -n process:exit log | python3 -c '
import json, sys
share, pids, tids, all, whole, us = {}, set(), set(), 0, 0, 0
for e in map(json.loads, sys.stdin):
	if e["name"] == "process:exit":
		us += e["args"].get("user_us", 0) + e["args"].get("sys_us", 0)
		continue
	weight = e["args"]["weight"]
	function = e.get("sym", "").split("+")[0]
	share[function] = share.get(function, 0) + weight
	all += weight
	whole += 0 if e["args"]["mode"] & 2 else weight
	pids.add(e["pid"])
	tids.add(e["tid"])
t, o = share.get("twice", 0), share.get("once", 0)
print("so" if 0.52 < t / (t + o + 0.001) < 0.8 and whole >= 0.98 * all and
      0.7 * us / 1000 - 20 < all < 1.1 * us / 1000 + 20 else "not",
      len(pids), len(tids), t, o, all, whole, us)'
}

refused --sample EPERM 'perf_event_paranoid is [-0-9?]+ .*--sample-by=timer' \
	"by perf"
timed
is "$?:$(cat out):$(cat err)" "3:done :" "status and output are the program's"
like "$(sampled)" '^so 1 1 ' "by function, each with its weight, as many as the time"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" \
	'hz=999 stack=0 kernel=1 source="cpu-timer" reason=""' "which way is said"
like "$("$PTRACE_DUMP" -f folded log)" \
	'^timed;(\[[^;]*\]|_start);[^ ]*;main;work;both;twice [0-9]+$' "folded stacks"
like "$("$PTRACE_REPORT" --cpu log)" 'samples at 999 Hz: [0-9.ms]+ of processor time$' \
	"the view: also in the kernel"
timed threads
is "$?:$(cat out)" "3:done threads" "threads"
like "$(sampled)" '^so 1 [23] ' "each by itself"
timed children
is "$?:$(sort out | tr '\n' ' ')" "3:done alone done children " "children"
like "$(sampled)" '^so 2 2 ' "a fork and an exec"

timed profile
is "$?" 0 "a program with a profiler of its own sees nothing of ours"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'reason="it uses SIGPROF itself"' \
	"which ends the samples, and is said"
like "$("$PTRACE_DUMP" -n cpu:sample log | wc -l)" '^ *[1-9]' "those before are there"
timed by-number
is "$?" 0 "nor one that sets its handler by syscall()"
timed killed
is "$?" 155 "the signal kills as it would"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'reason="it gets SIGPROF itself"' \
	"which is said"
timed await
is "$?:$(cat err)" "0:" "who waits for all signals gets none of ours"
timed await-own
is "$?:$(cat err)" "0:" "who waits for SIGPROF gets what others send"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'reason="it gets SIGPROF itself"' \
	"the samples end then"
timed small-stack
is "$?:$(cat err)" "0:" "no signal on a stack that has no room for it"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" \
	'reason="its stack for signals is too small"' "there are no more samples, which is said"
timed limited
is "$?:$(cat out)" "3:done alone" "no timers (RLIMIT_SIGPENDING)"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'reason="timer_create\(2\) is refused"' \
	"which is said"
like "$("$PTRACE_REPORT" --cpu log)" \
	'^sampled in part: timed\[[0-9]+\]: timer_create\(2\) is refused' "by the view, too"
timed later
is "$?:$(cat out)" "3:done threads" "no timers for later threads"
like "$("$PTRACE_REPORT" --cpu log)" \
	'^sampled in part: timed\[[0-9]+\]: some of its threads can have no timer$' "which is said"
is "$("$PTRACE_DUMP" -f raw -n cpu:sampling log | grep -c 'no timer')" 1 "once"
is "$(status env --ignore-signal=PROF "$PTRACE_RUN" --sample --sample-by=timer \
	-o log ./timed)" 3 "SIGPROF is ignored from before"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'reason="SIGPROF is in use, or blocked"' \
	"then there are none"

run -F --sample --sample-by=timer ./timed children >out
is "$("$PTRACE_DUMP" -n cpu:sample log | grep -c twice)" 0 "no children with -F"
rm -f log
PTRACE_SAMPLE=500 PTRACE_SAMPLE_BY=timer PTRACE_OUTPUT="$T/log" \
	LD_PRELOAD="$LIBPTRACE" ./timed >out
# shellcheck disable=SC2016 # a command for another shell
wait_for sh -c '"$PTRACE_DUMP" --info log 2>&1 | grep -q "^log-state: *complete"'
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'hz=500 .*source="cpu-timer"' \
	"PTRACE_SAMPLE_BY"
like "$("$PTRACE_DUMP" -f folded log)" ';main;work;both;twice [0-9]+$' "without ptrace-run"
for wrong in "--sample-by=timer" "--sample --sample-by=nobody" \
	"--sample --sample-by=timer --sample-stack=16K"; do
	# shellcheck disable=SC2086 # words
	is "$(status "$PTRACE_RUN" $wrong -o log true)" 2 "$wrong: wrong usage"
done
is "$(status "$PTRACE_RUN" --sample --sample-by=timer -o log -p $$)" 2 \
	"with -p: wrong usage"
like "$(cat err)" 'exclude each other: timers are set where a program begins' \
	"which is said"
# Nothing of it where it is not asked for.
run ./timed >out
is "$("$PTRACE_DUMP" -n 'cpu:*' log | wc -l)" 0 "none without --sample"
