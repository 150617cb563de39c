#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # for another shell
# Samples of processes in a PID namespace of their own, as in containers: they are
# those of the processes that tell of themselves there, by the same numbers.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}" python3 unshare
need_samples
# A user has one in a namespace of users.
for how in -pf -Urpf; do
	[ "$(unshare "$how" sh -c 'echo $$' 2>why)" != 1 ] || break
	how=
done
[ -n "$how" ] || skip_all "no PID namespace: $(cat why)"
cat >burn.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile long sum;
__attribute__((noinline)) static void *burn(void *arg)
{
	struct timespec at;

	do {
		for (int i = 0; i < 20000; i++)
			sum += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	} while (at.tv_sec == 0 && at.tv_nsec < 60000000);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t thread;

	pthread_create(&thread, NULL, burn, NULL);
	pthread_join(thread, NULL);
	/* Then its child is number 1, as it is itself. */
	if (argc > 1 && unshare(CLONE_NEWPID) != 0)
		return 1;
	if (fork() == 0) {
		burn(NULL);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
END
$CC -O1 -g -w -pthread -o burn burn.c || skip_all "the program cannot be built"
plan 4

"$PTRACE_RUN" -q --sample --sched -o log unshare "$how" sh -c './burn; :' 2>err
is "$?:$(cat err)" "0:" "it runs as without"
"$PTRACE_DUMP" -f json log >events
python3 - >said <<'END'
import json
events = [json.loads(line) for line in open("events")]
children = {e["pid"] for e in events if e.get("program") == "burn"}
samples = [e for e in events if e["name"] == "cpu:sample" and
           any("burn+" in f for f in e.get("stack", []))]
off = [e for e in events if e["name"] == "sched:sum"]
print(len(samples) > 2 and {e.get("program") for e in samples} == {"burn"},
      len({(e["pid"], e["tid"]) for e in samples}),
      all(e["pid"] < 20 for e in samples), {e["pid"] for e in samples} <= children)
print(len({(e["pid"], e["tid"]) for e in off if e.get("program") == "burn"}))
END
is "$(sed -n 1p said)" "True 2 True True" "a thread and a child, by their numbers there"
is "$(sed -n 2p said)" 3 "and so are their times off the processor"
# By timers, which the child has to make anew.
"$PTRACE_RUN" -q --sample --sample-by=timer -o log unshare "$how" ./burn nested
"$PTRACE_DUMP" -f json log >events
is "$(grep '"name":"cpu:sample"' events | grep -o '"pid":[0-9]*,.*"pidns":[0-9]*' |
	sed 's/"tid.*"pidns"/"pidns"/' | sort -u | cut -d, -f1 | tr '\n' ' ')" \
	'"pid":1 "pid":1 ' "a child that has its parent's number, by timers"
