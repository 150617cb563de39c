#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # a command for another shell
# Samples of a process that runs (ptrace-run -p --sample): of all its threads and
# what it begins later, each once, with whole stacks; whether it has the library
# or not.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
need_rules
need_samples

# Says what it used of the processor, in ms, when the file `go' is there, and
# from when on; until then its threads compute.
cat >busy.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int is_over;
static _Thread_local volatile unsigned long sum;

static long used(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

__attribute__((noinline)) static void burn(long ms)
{
	for (long end = used(CLOCK_THREAD_CPUTIME_ID) + ms;
	     used(CLOCK_THREAD_CPUTIME_ID) < end;)
		for (int i = 0; i < 20000; i++)
			sum += i ^ sum << 1;
}

__attribute__((noinline)) static void until_over(void)
{
	while (!is_over)
		burn(1);
}

static void *older(void *arg)
{
	until_over();
	return arg;
}

static void *brief(void *arg)
{
	burn(30);
	return arg;
}

/* Each begins the next. */
static void *chain(void *arg)
{
	pthread_t next;

	burn(1);
	if (!is_over && pthread_create(&next, NULL, chain, NULL) == 0)
		pthread_detach(next);
	return arg;
}

static void later(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, brief, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		burn(60);
		_exit(0);
	}
	wait(NULL);
}

static void *idle(void *arg)
{
	pause();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread[3];
	long ms;

	pthread_create(&thread[0], NULL, older, NULL);
	if (argc > 1 && strcmp(argv[1], "chain") == 0)
		pthread_create(&thread[1], NULL, chain, NULL);
	for (int i = 0; argc > 1 && strcmp(argv[1], "many") == 0 && i < 150;
	     i++)
		pthread_create(&thread[2], NULL, idle, NULL);
	printf("%d\n", getpid());
	fflush(stdout);
	while (access("go", F_OK) != 0)
		burn(1);
	ms = used(CLOCK_PROCESS_CPUTIME_ID);
	later();
	burn(100);
	is_over = 1;
	pthread_join(thread[0], NULL);
	ms = used(CLOCK_PROCESS_CPUTIME_ID) - ms;
	printf("%ld\n", ms);
	return 0;
}
END
$CC -O1 -g -w -o busy busy.c -pthread || skip_all "the program cannot be built"
plan 18

# begin COMMAND...: in the background, as $victim.
begin() {
	rm -f go log out
	"$@" >out &
	victim=$!
	wait_for grep -q . out
}

# attach OPTION...: traces it until it ends; what it does after `go' is in the
# log.
attach() {
	"$PTRACE_RUN" -o log -p "$victim" "$@" 2>err &
	run=$!
	wait_for sh -c '"$PTRACE_CTL" list | grep -q log || grep -q cannot err'
	touch go
	wait "$victim"
	wait $run
	status=$?
	# What it began may end a moment later.
	wait_for sh -c '"$PTRACE_DUMP" --info log | grep -q "^log-state: *complete"'
	return $status
}

# sampled: is the number of samples of the
# process that of the ms which it said, or more, and not twice as many?
sampled() {
	"$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
ms = int(open("out").read().split()[1])
pid = int(open("out").read().split()[0])
good = sum(e["args"]["mode"] == 0 for e in events)
threads = {}
for e in events:
	threads.setdefault((e["pid"], e["tid"]), []).append(e["t"])
# One thread cannot compute longer than there is time.
most = max(len(at) / ((max(at) - min(at)) * 999e-9 + 3)
	   for at in threads.values())
own = sum(e["pid"] == pid for e in events)
print("times", own >= ms * 0.8 - 5, most < 1.25,
      "threads", len(threads) >= 4, "processes", len({e["pid"] for e in events}),
      "whole", good >= 0.98 * len(events), own, ms, most, len(threads))'
}

for how in LD_PRELOAD="$LIBPTRACE" without=; do
	begin env PTRACE_DISABLE=1 "$how" ./busy
	attach --sample
	like "$(sampled)" \
		'^times True True threads True processes 2 whole True' \
		"${how%%=*}: all of its threads, and a child, each once"
	is "$("$PTRACE_DUMP" -f folded log | sed -n \
		's/^busy;.*;\(older;until_over;burn\|main;burn\|brief;burn\|main;later;burn\) [0-9]*$/\1/p' |
		sort | tr '\n' ' ')" \
		"brief;burn main;burn main;later;burn older;until_over;burn " \
		"${how%%=*}: with names"
	like "$("$PTRACE_REPORT" --cpu log)" 'burn \(busy\)' "${how%%=*}: in the report"
	case $how in
	without=)
		like "$(cat err)" 'records nothing itself .*without libptrace\.so: see --inject.*--sample is all' \
			"which is said"
		like "$(cat err)" ' 0 lost, 0 processes, 2 sampled, ' \
			"and how many were looked at"
		;;
	*)
		is "$(grep -vc '^ptrace-run: [0-9]* events, 0 lost, \|is still traced' err)" 0 \
			"nothing else is said"
		like "$("$PTRACE_DUMP" -f raw log)" 'process:fork' "it has its events, too"
		;;
	esac
done
begin ./busy
attach -q --strict --sample
is "$?:$(tail -n 1 err)" "125:ptrace-run: --strict: no process could be traced" \
	"--strict: samples alone are not enough"

# Threads that begin others all the time: none is told of twice.
begin ./busy chain
attach --sample
like "$(sampled)" '^times True True threads True' \
	"threads that are begun meanwhile count once"

begin env PTRACE_DISABLE=1 LD_PRELOAD="$LIBPTRACE" ./busy
attach -F -e none --sample
like "$(sampled)" '^times True True threads .* processes 1 ' "no children with -F"

# A thread that waits does so from the beginning on; sums are of each thread.
mkfifo gate
cat >idle.py <<'END'
import threading
def wait():
    open("gate").read()
thread = threading.Thread(target=wait)
thread.start()
print("begun", flush=True)
thread.join()
END
begin python3 idle.py
"$PTRACE_RUN" -q -o log --sched -p "$victim" 2>err &
run=$!
wait_for sh -c '"$PTRACE_CTL" list | grep -q log'
# The time that they wait is what is looked at: longer than their own at the end.
sleep 0.5
echo >gate
wait "$victim"
wait $run
"$PTRACE_DUMP" -f json log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
off = [e for e in events if e["name"] == "sched:off"]
sums = [e["args"] for e in events if e["name"] == "sched:sum"]
print(len({e["tid"] for e in off}), len(sums),
      all(s["on"] + s["off"] > 0 for s in sums), any(s["off"] > s["on"] for s in sums))' >told
is "$(cat told)" "2 2 True True" "--sched: waiting is told from the beginning on"

# What cannot be.
is "$(status "$PTRACE_RUN" --sample -o log -p 2147483646)" 125 "no such process"
if [ "$(id -u)" = 0 ] && command -v setpriv >other; then
	begin ./busy
	is "$(status setpriv --reuid 64733 --clear-groups "$PTRACE_RUN" --sample \
		-o /dev/null -p "$victim")" 125 "another user's"
	like "$(cat err)" "process $victim: no permission: it is user 0's" \
		"which is said"
	touch go
	wait "$victim"
else
	skip "another user's" "it takes root, and setpriv" 2
fi
begin ./busy many
# shellcheck disable=SC3045 # dash has it
like "$(ulimit -n 200
	"$PTRACE_RUN" --sample -o log -p "$victim" 2>&1; echo "$?")" \
	'process [0-9]* has 15[0-9] threads, .* than half of the 200 files.*ulimit -Hn.*
125$' "more threads than may have events"
touch go
wait "$victim"
