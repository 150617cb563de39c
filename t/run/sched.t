#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that do not run (ptrace-run --sched): what kept them from it is told by
# its name, where, and by whom; of each thread the sums are the kernel's.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
"$PTRACE_RUN" -q --sched -o log true 2>why ||
	skip_all "the kernel does not tell of switches: $(cat why)"

cat >idle.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int ends[2];
static volatile pid_t waiter;

static long now(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return at.tv_sec * 1000000000 + at.tv_nsec;
}

/* Until that thread sleeps: in whatever it was to wait for. */
static void until_asleep(void)
{
	char path[64], text[512], *end;
	int fd, got;

	do {
		sched_yield();
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", waiter);
		fd = open(path, O_RDONLY);
		got = read(fd, text, sizeof(text) - 1);
		close(fd);
		text[got > 0 ? got : 0] = '\0';
		end = strrchr(text, ')');
	} while (end == NULL || end[2] != 'S');
}

/* For some time more, so that it can be told from the wake-up. */
static void stay(void)
{
	for (long end = now(CLOCK_MONOTONIC) + 20000000;
	     now(CLOCK_MONOTONIC) < end;)
		;
}

static void *hold(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_barrier_wait(&both);
	until_asleep();
	stay();
	pthread_mutex_unlock(&lock);
	return arg;
}

__attribute__((noinline)) static void want_lock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void *give(void *arg)
{
	until_asleep();
	stay();
	write(ends[1], "x", 1);
	return arg;
}

__attribute__((noinline)) static void want_data(void)
{
	char byte;

	read(ends[0], &byte, 1);
}

__attribute__((noinline)) static void want_sleep(void)
{
	const struct timespec time = {0, 30000000};

	nanosleep(&time, NULL);
}

/* Prints what the kernel says of the thread: ns on the processor, and waiting
 * for it. */
static void *compute(void *arg)
{
	long on, delay, begin = now(CLOCK_MONOTONIC);
	FILE *file;

	pthread_barrier_wait(&both);
	while (now(CLOCK_THREAD_CPUTIME_ID) < 150000000)
		;
	file = fopen("/proc/thread-self/schedstat", "r");
	if (file == NULL || fscanf(file, "%ld %ld", &on, &delay) != 2)
		on = delay = -1;
	printf("%ld %ld %ld %ld\n", syscall(SYS_gettid), on, delay,
	       now(CLOCK_MONOTONIC) - begin);
	return arg;
}

static void with(void *(*other)(void *), void (*want)(void))
{
	pthread_t thread;

	waiter = getpid();
	pthread_create(&thread, NULL, other, NULL);
	if (other == hold)
		pthread_barrier_wait(&both);
	want();
	pthread_join(thread, NULL);
}

static void contend(void)
{
	pthread_t thread[2];
	cpu_set_t all, one;
	int cpu = 0;

	sched_getaffinity(0, sizeof(all), &all);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, compute, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	pthread_barrier_init(&both, NULL, 2);
	pipe(ends);
	if (strcmp(how, "lock") == 0)
		with(hold, want_lock);
	else if (strcmp(how, "pipe") == 0)
		with(give, want_data);
	else if (strcmp(how, "sleep") == 0)
		want_sleep();
	else if (strcmp(how, "cpu") == 0)
		contend();
	else
		for (int i = 0; i < 20; i++)
			if (fork() == 0)
				_exit(0);
	while (wait(NULL) > 0)
		;
	return 3;
}
EOF
$CC -O1 -g -w -o idle idle.c -pthread || skip_all "the program cannot be built"
plan 35
families=process,thread,sync,io,time

# first: of the report's rows the one of most time: WHY, PLACE, and so on.
first() {
	"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
report = json.load(sys.stdin)
rows = [row for row in report["rows"] if not row["preempted"]]
row = max(rows, key=lambda row: row["off"])
share = row["off"] / max(1, sum(r["off"] for r in rows
	if not r["why"].startswith("the end of a thread")))
print(row["why"], "|", row["where"], "|",
      [h["thread"] for h in row.get("holders", row.get("wakers"))], "|",
      "known" if row["wake"] is not None and 0 <= row["wake"] <= row["max"]
      else row["wake"], "|", "most" if share > 0.5 else share)'
}

run --sched -e "$families" ./idle lock >out 2>err
is "$?:$(cat out err)" "3:" "status and output are the program's"
like "$(first)" '^mutex &?lock.* \| want_lock \(.*\) \| .*idle\[[0-9]*/[0-9]*\].* most$' \
	"a lock: which, where, and who held it"
like "$("$PTRACE_REPORT" log)" \
	'
OFF .*
 +.*[0-9.]+ms mutex &?lock.* at want_lock \(idle\.c:[0-9]+\): idle\[[0-9]+\]' \
	"on the default page"
like "$("$PTRACE_REPORT" --off-cpu log)" \
	'mutex &?lock.*
.*
.*held by idle\[[0-9]*/[0-9]*\]' "in the table"

run --sched -e "$families" ./idle pipe
like "$(first)" '^data from pipe .* \| want_data .* \| .*idle.* \| known \| most$' \
	"a pipe: which, where, and how long from the wake-up on"

run --sched -e "$families" ./idle sleep
like "$(first)" '^time:nanosleep \| want_sleep .* \| \[\] \| None \| most$' \
	"a sleep; that nobody woke it is not 0"

run --sched -e process,thread,io ./idle sleep
like "$(first)" '^in no recorded call \| None \| \[\] \| None \| most$' \
	"what is not recorded is said so, and no other call named"

# A function that is recorded, and waits in what is not.
run --sched -e process,thread,dl -r 'libc:*sleep' ./idle sleep
like "$(first)" '^in [a-z_]*nanosleep \| want_sleep .* \| None \| most$' \
	"the function in which it was"

run --sched -e none ./idle sleep
like "$(first)" '^in no recorded call \| None ' "nor is anything guessed"
like "$("$PTRACE_DUMP" -n sched:off log)" \
	'^ *[0-9.]* +[0-9.]+[mµn]?s +.* off the processor' "the event as text"
"$PTRACE_DUMP" -f json -n sched:off log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
print(all(e["dur"] == e["args"]["duration"] >= 10000 for e in events),
      max(e["dur"] for e in events) >= 29000000)' >said
is "$(cat said)" "True True" "and in JSON"
like "$("$PTRACE_DUMP" -n sched:recording log)" 'least=10000' "from which time on"

# Both threads want all of one processor: half of the time they do not have it,
# by what the kernel itself counts of them.
run --sched --sample -e "$families" ./idle cpu >told
"$PTRACE_REPORT" --off-cpu --json log >report
python3 - >sums <<'EOF'
import json
report = json.load(open("report"))
threads = {t["tid"]: t for t in report["threads"]}
def say(name, is_so, *numbers):
	print(name, "so" if is_so else numbers)
def near(a, b, part, ns):
	return abs(a - b) <= b * part + ns
for line in open("told"):
	tid, on, delay, wall = map(int, line.split())
	t = threads[tid]
	say("on", on < 0 or near(t["on"], on, .15, 10e6), t["on"], on)
	say("delay", delay <= 0 or near(t["preempted"], delay, .15, 10e6),
	    t["preempted"], delay)
	say("wall", t["on"] + t["off"] + t["unknown"] == t["wall"] >= wall,
	    t["wall"], wall)
	say("user", t["user"] + t["kernel"] >= t["on"] or
	    t["user"] is None, t["user"], t["kernel"], t["on"])
row = max((r for r in report["rows"]
	   if not r["why"].startswith("the end of a thread")),
	  key=lambda row: row["off"])
say("why", row["why"] == "no CPU was free" and row["preempted"] and
    row["off"] > 50e6, row)
EOF
is "$(grep -c '^on so' sums):$(grep '^on (' sums)" "2:" \
	"threads on one processor: on it for as long as the kernel says"
is "$(grep -c '^delay so' sums):$(grep '^delay (' sums)" "2:" \
	"and ready to run without one"
is "$(grep -c '^wall so' sums):$(grep '^wall (' sums)" "2:" \
	"on and off is all of the time"
is "$(grep -c '^user so' sums):$(grep '^user (' sums)" "2:" \
	"user and kernel is all of the time on the processor"
is "$(grep '^why' sums)" "why so" "which is named"
like "$("$PTRACE_REPORT" --off-cpu log)" \
	'idle\[[0-9]*/[0-9]*\]: .* on the processor \(by samples .* off \(no CPU free' \
	"with the sums of a thread"

like "$("$PTRACE_REPORT" log)" \
	'
OFF  +[0-9.]+[mu]?s waiting  [0-9.]+m?s ready, and no CPU was free .*--off-cpu' \
	"and a line of the report"
like "$("$PTRACE_REPORT" log)" \
	'
OFF .*
 +[0-9.]+m?s no CPU was free: idle\[[0-9/]*\]  ' "with what most of it was for"

# slices: of an export of Trace Event JSON, their names, how many, and do they
# last as long as the events say?
slices() {
	"$PTRACE_DUMP" -f json -n sched:off log >events
	"$PTRACE_DUMP" -f chrome log | python3 -c '
import json, sys
slices, begun = [], {}
for e in json.load(sys.stdin)["traceEvents"]:
	if e.get("cat") != "sched" or e["ph"] not in "bei" or e["name"].startswith("sched:"):
		continue
	if e["ph"] == "b":
		begun[e["id"]] = e
	else:
		slices.append((e["name"], round((e["ts"] - begun[e["id"]]["ts"]) * 1000)))
events = [json.loads(line)["dur"] for line in open("events")]
print(len(slices) > 0 and len(slices) == len(events),
      all(abs(a[1] - b) <= 1 for a, b in zip(slices, events)),
      *sorted({name for name, took in slices}))'
}
is "$(slices)" "True True no CPU was free off the processor" \
	"chrome: each is a slice of its own length"
"$PTRACE_DUMP" -f perfetto -o perfetto log
is "$(grep -ac 'off the processor' perfetto | sed 's/[1-9][0-9]*/some/')" some \
	"perfetto: in a track of its own"

run --sched=1000s -e none ./idle sleep
"$PTRACE_DUMP" -f json log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
sums = [e["args"] for e in events if e["name"] == "sched:sum"]
print(sum(e["name"] == "sched:off" for e in events), len(sums),
      sums[0]["short"] == sums[0]["off"] >= 29000000,
      sums[0]["short_times"] == sums[0]["times"] >= 1)' >short
is "$(cat short)" "0 1 True True" "--sched=MIN: shorter ones are in the sums"

run --sched ./idle
"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
threads = json.load(sys.stdin)["threads"]
print(len(threads), len({t["pid"] for t in threads}),
      sum(t["unknown"] for t in threads))' >forks
is "$(cat forks)" "21 21 0" "each child has its sums"

run --sched -e none,process sh -c 'exec ./idle sleep'
"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(len(report["threads"]), report["threads"][0]["thread"].split("[")[0],
      max(report["rows"], key=lambda row: row["max"])["program"])' >executed
is "$(cat executed)" "1 idle idle" "an exec does not end the thread"

# A child of vfork counts its programs anew.
run --sched -e "$families" python3 -c '
import subprocess
subprocess.call(["./idle", "sleep"])'
"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
rows = [(r["off"], r["why"], r["program"]) for r in json.load(sys.stdin)["rows"]
	if r["program"] in ("idle", "python3") and not r["preempted"]]
print(*[r[1:] for r in sorted(rows, reverse=True)])' >spawned
like "$(cat spawned)" "time:nanosleep', 'idle'" "what a child waits for"
like "$(cat spawned)" "the end of idle', 'python3'" "and its parent"
is "$("$PTRACE_REPORT" --calls log | grep -c sched:)" 0 "none of it is a call"

run -F --sched ./idle
is "$("$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
print(len(json.load(sys.stdin)["threads"]))')" 1 "no children with -F"

run -e sched ./idle sleep
like "$("$PTRACE_DUMP" -f raw -n sched:off log)" 'duration=' "-e sched is --sched"
run -e all ./idle sleep
is "$("$PTRACE_DUMP" -f raw log | grep -c '^[0-9.]* [0-9/]* sched:')" 0 "all has it not"
run --sched -x sched:off ./idle sleep
is "$("$PTRACE_DUMP" -f raw log | grep -c '^[0-9.]* [0-9/]* sched:off')" 0 "-x holds"
run --sched -e none ./idle sleep
is "$("$PTRACE_REPORT" --sql 'SELECT count(*) FROM off WHERE dur > 29000000
	AND NOT preempted' --csv log | tail -n 1 | grep -c '^[1-9]')" 1 "as a table"
rm -f log
PTRACE_EVENTS=none PTRACE_SCHED=20ms PTRACE_OUTPUT=$T/log \
	LD_PRELOAD=$LIBPTRACE ./idle sleep
# The controller goes on for a moment.
# shellcheck disable=SC2016 # for another shell
wait_for sh -c '"$PTRACE_DUMP" --info log | grep -q "^log-state: *complete"'
# There may be others, where the machine is busy.
# off EXPRESSION: how many there are.
off() {
	"$PTRACE_DUMP" -f raw -n sched:off -w "$1" log | grep -c .
}
is "$(off 'dur < 20ms') $(off 'dur > 29ms' | grep -c '^[1-9]')" "0 1" "PTRACE_SCHED"

# In the page the rows find their events, as many as they are of.
need_node=$(command -v node)
if [ -n "$need_node" ] && node -e 'new DecompressionStream("gzip")' 2>/dev/null; then
	run -e sync,time,process,thread --sched ./idle
	"$PTRACE_REPORT" --html page.html log
	cat >rows.js <<'END'
const {Browser} = require(process.argv[2] + '/t/lib/browser.js');
const browser = new Browser(require('fs').readFileSync('page.html', 'utf8'), 1280, 800);
browser.load().then(page => {
	const table = page.tables.tables.find(({name}) => name === 'off-cpu');
	const found = table.rows.map(row => {
		page.searchFor(page.links.wordsOf(table, row));
		return [row.why, row.where, row.times, page.found.hits.length];
	});
	const wrong = found.filter(([why, where, times, hits]) => hits < times);
	const {data, details} = page, mute = [];
	for (let i = 0; i < data.nr; i++) {
		const lines = details.describe(i).map(([text]) => text).slice(1).join('\n');
		if (data.names[data.name[i]] === 'sched:off' &&
		    (!/^(waited for|off the processor: )/m.test(lines) || /duration=/.test(lines)))
			mute.push(lines);
	}
	console.log(found.length > 0, JSON.stringify(wrong));
	console.log(JSON.stringify(mute));
});
END
	is "$(node rows.js "$abs_top_srcdir")" "true []
[]" "page: a row's events; what each was for"
else
	skip "page: a row's events; what each was for" "no node"
fi
