#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --locks: how often locks were waited for, how long, where, how
# long they were held, and who held them meanwhile, as the events say.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc strip
plan 30

cat >check.py <<'END'
import collections, sys
from report import Log, report, say

log = Log(sys.argv[1])
got = report("--locks", sys.argv[1])
rows = {(row["pid"], row["address"]): row for row in got["rows"]}
conditions = {(row["pid"], row["address"]): row for row in got["waits"]}
LOCKS = "lock timedlock rdlock wrlock spin_lock mtx_lock sem_wait " \
    "sem_timedwait"
TRIES = "trylock tryrdlock trywrlock spin_trylock mtx_trylock sem_trywait"
UNLOCKS = "unlock rwunlock spin_unlock mtx_unlock"
WAITS = "wait timedwait cnd_wait barrier join"
OBJECTS = ("mutex", "rwlock", "spin", "mtx", "sem", "cond", "cnd", "barrier",
           "thread")

calls, contended, held, busy = (collections.Counter() for i in range(4))
waits = collections.defaultdict(list)   # of locks: (thread, begin, end, site)
others = collections.defaultdict(list)  # durations of conditions and so on
holds = collections.defaultdict(list)   # (thread, begin, end, site)
has = {}                                # (lock, thread): [depth, since, site]

def end_hold(lock, thread, now):
    if now >= has[lock, thread][1]:
        held[lock] += now - has[lock, thread][1]
        holds[lock].append((thread, has[lock, thread][1], now,
                            has[lock, thread][2]))

for e in log.of("sync"):
    what = e["name"].partition(":")[2]
    args = e["args"]
    name = [word for word in args if word in OBJECTS]
    if not name:
        continue
    lock = e["pid"], args[name[0]]
    thread = e["tid"]
    failed = args.get("ret") not in (0, "0", "thrd_success", None)
    dur = e.get("dur", 0)
    if what in LOCKS.split():
        calls[lock] += 1
        if args["contended"]:
            contended[lock] += 1
            # One taken at the last moment has no duration (libptrace(7)).
            if "dur" in e:
                waits[lock].append((thread, e["at"], e["at"] + dur, e["site"]))
        if not failed and name[0] != "sem":
            has.setdefault((lock, thread), [0, e["at"] + dur, e["site"]])
            has[lock, thread][0] += 1
    elif what in TRIES.split():
        calls[lock] += 1
        busy[lock] += failed
        if not failed and name[0] != "sem":
            has.setdefault((lock, thread), [0, e["at"], e["site"]])
            has[lock, thread][0] += 1
    elif what in UNLOCKS.split() and (lock, thread) in has:
        has[lock, thread][0] -= 1
        if has[lock, thread][0] == 0:
            end_hold(lock, thread, e["at"])
            del has[lock, thread]
    elif what in WAITS.split():
        others[lock].append(dur)
        mutex = e["pid"], args.get("mutex", args.get("mtx"))
        if (mutex, thread) in has:
            end_hold(mutex, thread, e["at"])
            has[mutex, thread][1] = e["at"] + dur
say("locks", sorted(rows), sorted(calls))
def all_of(name, got, want):
    say(name, {lock: got(row) for lock, row in rows.items()},
        {lock: want(lock) for lock in calls})
all_of("calls", lambda row: row["calls"], lambda lock: calls[lock])
all_of("contended", lambda row: row["contended"], lambda lock: contended[lock])
all_of("busy", lambda row: row["busy"], lambda lock: busy[lock])
all_of("wait", lambda row: (row["wait"], row["max"]),
       lambda lock: (sum(w[2] - w[1] for w in waits[lock]),
                     max((w[2] - w[1] for w in waits[lock]), default=None)))
all_of("held", lambda row: row["held"] if row["kind"] != "sem" else 0,
       lambda lock: held[lock])
def places(entries):
    sums = collections.defaultdict(lambda: [0, 0])
    for site, time in entries:
        sums[site][0] += 1
        sums[site][1] += time
    return {site: tuple(sum) for site, sum in sums.items()}
def as_places(row, key):
    return {place["site"]: (place["waits"], place["wait"])
            for place in row[key]}
all_of("waited where", lambda row: as_places(row, "waited"),
       lambda lock: places((w[3], w[2] - w[1]) for w in waits[lock]))
# By the definition: a hold is guilty of its time in common with a wait.
all_of("held by whom", lambda row: as_places(row, "holders"),
       lambda lock: places(
           (hold[3], min(hold[2], wait[2]) - max(hold[1], wait[1]))
           for wait in waits[lock] for hold in holds[lock]
           if min(hold[2], wait[2]) > max(hold[1], wait[1])))
all_of("holds that were met", lambda row: {
           place["site"]: place["holds"] for place in row["holders"]},
       lambda lock: dict(collections.Counter(
           hold[3] for hold in holds[lock]
           if any(min(hold[2], wait[2]) > max(hold[1], wait[1])
                  for wait in waits[lock]))))
say("no more than were taken", all(
    place["holds"] <= row["calls"]
    for row in rows.values() for place in row["holders"]), True)
say("conditions", {lock: row["wait"]
                   for lock, row in conditions.items()},
    {lock: sum(durs) for lock, durs in others.items()})
say("sorted by wait", [row["wait"] for row in got["rows"]],
    sorted((row["wait"] for row in got["rows"]), reverse=True))
END

cat >threads.c <<'END'
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

__attribute__((noinline)) void slow(void)
{
	pthread_mutex_lock(&big);
	usleep(200);
	pthread_mutex_unlock(&big);
}

__attribute__((noinline)) void quick(void)
{
	if (pthread_mutex_trylock(&big) == 0)
		pthread_mutex_unlock(&big);
	pthread_mutex_lock(&big);
	pthread_mutex_unlock(&big);
	pthread_rwlock_rdlock(&table);
	pthread_rwlock_unlock(&table);
	pthread_rwlock_wrlock(&table);
	pthread_rwlock_unlock(&table);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&big);
	while (!ready)
		pthread_cond_wait(&cond, &big);
	pthread_mutex_unlock(&big);
	for (int i = 0; i < 20; i++) {
		slow();
		quick();
	}
	return arg;
}

int main(void)
{
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	pthread_mutex_lock(&big);
	ready = 1;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&big);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
END
cc -O1 -pthread -o threads threads.c || exit 1
run --symbols=none -e process,thread,sync ./threads
checks threads check.py log
report --locks >page
like "$(sed -n 4p page)" '^CALLS  CONTENDED  %CALLS +WAIT\* ' "the heading"
like "$(cat page)" ' mutex &big \(threads\) of threads\[[0-9]+\]$' \
	"a static lock is named by its variable"
strip threads
report --locks >stripped
like "$(cat stripped)" ' mutex \+0x[0-9a-f]+ \(threads\) of threads\[[0-9]+\]$' \
	"... or, without symbols, by its place"
like "$(cat page)" '^ +waited at [a-z]+\+0x[0-9a-f]+ \(threads\)  [0-9]+x ' \
	"where it was waited for"
like "$(cat page)" '^ +taken meanwhile at [a-z]+\+.* [0-9]+% of WAIT$' \
	"and who had it"
like "$(cat page)" ' thread 0x[0-9a-f]+ of threads\[' "what is no lock is apart"
cat >threads.py <<'END'
import threading
lock = threading.Lock()
def work():
    for i in range(200):
        with lock:
            sum(range(100))
threads = [threading.Thread(target=work) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
END
run -e process,thread,sync "$python" -S -E threads.py
checks python check.py log
