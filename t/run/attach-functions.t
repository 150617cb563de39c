#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2094 # the log has a name of its own
# --inject with -f, -l and -r: functions and calls of a program that runs are
# recorded, while threads are at work in them, and it does not notice.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/piped.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] ||
	[ "$(id -u)" = 0 ] || skip_all "ptrace is for parents only"
plan 23
unset LD_PRELOAD

cat >victim.c <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int is_over, nr_signals;
static volatile long sink;
static int semaphore;

__attribute__((noinline)) long step(long n)
{
	__asm__ volatile("");
	return n * 7 + 1;
}

/* Its first instructions are where threads are most of the time. */
__attribute__((noinline)) long tight(long n)
{
	while (n-- > 0)
		__asm__ volatile("");
	return n;
}

__attribute__((noinline)) void handle(int signo)
{
	(void)signo;
	nr_signals++;
	for (long i = 0; i < 3; i++)
		sink = step(i);
}

static void *work(void *arg)
{
	long sum = (long)arg;

	while (!is_over) {
		sum = sink = step(sum) % 1000;
		tight(200000);
	}
	return NULL;
}

/* Waits in a system call that is in the bytes a jump would be written over. */
long stuck(long number, long fd, void *to, long size);
__asm__(".text; .globl stuck; .type stuck, @function; stuck: .cfi_startproc;"
	"push %rbp; syscall; nop; nop; nop; nop; pop %rbp; ret; .cfi_endproc;"
	".size stuck, . - stuck");

static int pipes[2];

static void *in_stuck(void *arg)
{
	sigset_t all;
	char byte = 0;
	long got;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	__asm__ volatile("call stuck"
			 : "=a"(got)
			 : "a"(0L), "D"((long)pipes[0]), "S"(&byte), "d"(1L)
			 : "rcx", "r11", "memory");
	printf("%ld %c\n", got, byte);
	return arg;
}

static void *in_semaphore(void *arg)
{
	struct sembuf take = {0, -1, 0};
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	if (semop(semaphore, &take, 1) != 0)
		printf("semop: %s\n", strerror(errno));
	return arg;
}

__attribute__((noinline)) int answer(char *line)
{
	void *library = NULL;
	int (*added)(int);

	if (strcmp(line, "load\n") == 0 &&
	    (library = dlopen("./added.so", RTLD_NOW)) != NULL &&
	    (added = (int (*)(int))dlsym(library, "added")) != NULL)
		return printf("%d\n", added(20));
	if (strcmp(line, "run\n") == 0 && fflush(stdout) == 0)
		return system("./child");
	return fputs(line, stdout);
}

int main(void)
{
	struct itimerval often = {{0, 2000}, {0, 2000}};
	struct sigaction action = {.sa_handler = handle,
				   .sa_flags = SA_RESTART};
	struct sembuf give = {0, 1, 0};
	pthread_t thread[5];
	char line[64];

	semaphore = semget(IPC_PRIVATE, 1, 0600);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	for (long i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	pthread_create(&thread[3], NULL, in_semaphore, NULL);
	if (pipe(pipes) != 0)
		return 1;
	pthread_create(&thread[4], NULL, in_stuck, NULL);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		answer(line);
		fflush(stdout);
	}
	is_over = 1;
	semop(semaphore, &give, 1);
	if (write(pipes[1], "b", 1) != 1)
		return 1;
	for (int i = 0; i < 5; i++)
		pthread_join(thread[i], NULL);
	semctl(semaphore, 0, IPC_RMID);
	puts(nr_signals > 0 ? "end" : "no signals");
	return 3;
}
END
cat >added.c <<'END'
__attribute__((noinline)) int inner(int n)
{
	return n + 1;
}

int added(int n)
{
	return inner(n) * 2;
}
END
cat >child.c <<'END'
#include <stdio.h>
__attribute__((noinline)) int in_child(int n)
{
	return printf("child\n") + n;
}

int main(void)
{
	return in_child(1) != 7;
}
END
${CC:-cc} -O2 -o victim victim.c -pthread -ldl &&
	${CC:-cc} -O1 -fPIC -shared -o added.so added.c &&
	${CC:-cc} -O1 -o child child.c || exit 1

is_hooked() {
	grep -q 'hooked$' err || ! kill -0 "$runner"
}
# attach OPTION...: until all is hooked.
attach() {
	rm -f log err
	"$PTRACE_RUN" -v --inject -o log "$@" -p "$pid" 2>err &
	runner=$!
	wait_for is_hooked
	grep -q 'hooked$' err || diag "$(cat err)"
}
let_go() {
	kill -TERM "$runner"
	wait "$runner"
}

begin ./victim
ask one
attach -b 64M -f '*' -f 'added.so:*' -r '*:fputs'
ask two
is "$got" two "it answers"
ask load
is "$got" 42 "with what it has loaded meanwhile"
ask run
is "$got" child "and what it has started"
let_go
ask three
is "$got" three "let go, too"
finish
is "$got" "1 b
end 3" "it has noticed nothing, nor have its handlers"
dump -f json >json
[ "$(grep -c '"name":"call:exit".*"function":"step"' json)" -gt 100 ]
ok $? "a function in which threads were"
[ "$(grep -c '"name":"call:exit".*"function":"tight"' json)" -gt 100 ]
ok $? "and one in which they loop"
[ "$(grep -c '"name":"call:exit".*"function":"handle"' json)" -gt 0 ]
ok $? "and a handler"
# In the midst of main() it was hooked.
is "$(grep -c '"name":"call:enter".*"function":"main"' json)" 1 \
	"what was in progress has not begun, but that of the child"
is "$(grep '"name":"call:exit".*"function":"answer"' json |
	sed 's/.*"dur":[0-9]*,.*/dur/' | sort | uniq -c | tr -s ' ')" " 3 dur" \
	"what began later has a time"
like "$(grep '"name":"call:unhooked"' json)" \
	'"slots":1,"reason":"threads of it were in them"' \
	"where a thread waits nothing is written"
is "$(grep -c '"name":"call:exit".*"function":"in_stuck"' json)" 0 \
	"what ends behind the trace is not in it"
is "$(grep -c '"name":"call:exit".*"function":"fputs"' json)" 1 \
	"a call of a library"
is "$(grep -c '"name":"call:exit".*"function":"added".*"ret":"0x2a"' json)" 1 \
	"functions of what is loaded later"
is "$(grep -c '"name":"call:exit".*"function":"in_child"' json)" 1 \
	"and of what it starts"

# Once more, in a process that is patched.
begin ./victim
ask one
attach -f answer
let_go
attach -f answer
ask two
let_go
finish
is "$got" "1 b
end 3" "again: it has noticed nothing"
like "$(dump)" 'call:unhooked .*patched before' "again: that is told"
is "$(dump -f json | grep -c '"name":"call:exit".*"function":"answer"')" 1 \
	"again: what was asked for at first is recorded"

is "$(status "$PTRACE_RUN" -p $$ -l '*:read'; head -n 1 err)" "2
ptrace-run: -f, -l and -r need --inject with -p: the program that runs is changed" \
	"without --inject: refused"
is "$(status "$PTRACE_RUN" --inject --suspended -f main -p $$)" 2 \
	"suspended: refused"

# One trace after the other: what the first has summed up is not the second's.
begin ./victim
attach -c -f '*'
ask one
let_go
# Else it would be the first's word that is found.
rm -f err
"$PTRACE_RUN" -v --inject -e process -o log -p "$pid" 2>err &
runner=$!
wait_for grep -q '^ptrace-run: tracing' err
ask two
let_go
attach -c -f '*'
ask three
is "$got" three "it answers after three traces"
let_go
finish
like "$got" '^end 3$' "and has not noticed them"
[ "$(dump -f json | grep -c '"name":"call:summary"')" -gt 3 ]
ok $? "the last has sums, too"
