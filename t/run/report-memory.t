#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --memory: what is allocated, by whom, at most at once, and not
# freed, as the events say.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 23

cat >check.py <<'END'
import collections, sys
from report import Log, report, say

log = Log(sys.argv[1])
got = report("--memory", sys.argv[1])

class Heap:
    def __init__(self, process):
        self.process = process
        self.live = {}  # address: (size, site)
        self.sum = self.peak = self.allocs = self.foreign = 0
        self.at = self.at_peak = None

images = collections.Counter()
heaps = {}
allocs, temp, total = (collections.Counter() for i in range(3))
last = {}
for e in log.events:
    if e["name"] == "process:start":
        images[e["pid"]] += 1
    what = e["name"].partition(":")[2]
    if e["family"] != "mem" or what not in ("malloc", "calloc", "aligned",
                                            "realloc", "free"):
        continue
    args = e["args"]
    heap = heaps.setdefault((e["pid"], images[e["pid"]]), Heap(e["process"]))
    thread = e["pid"], e["tid"], images[e["pid"]]
    if what in ("realloc", "free") and args["ptr"] != "0x0" and not (
            what == "realloc" and args["ret"] == "0x0" and args["size"]):
        if args["ptr"] in heap.live:
            size, site = heap.live.pop(args["ptr"])
            heap.sum -= size
            if last.get(thread) == args["ptr"]:
                temp[site] += 1
        else:
            heap.foreign += 1
        last[thread] = None
    if what != "free" and args["ret"] != "0x0":
        size = args["size"] * args.get("count", 1)
        site = e["process"], heap, tuple((e["sites"] or [e["site"]])[:8])
        if args["ret"] in heap.live:
            heap.sum -= heap.live[args["ret"]][0]
        heap.live[args["ret"]] = size, site
        heap.sum += size
        heap.allocs += 1
        allocs[site] += 1
        total[site] += size
        last[thread] = args["ret"]
        if heap.sum > heap.peak or heap.at is None:
            heap.peak, heap.at = heap.sum, e["at"]
            heap.at_peak = list(heap.live.values())

say("heaps", sorted((row["pid"], row["peak"], row["peak_at"], row["allocs"],
                     row["foreign"]) for row in got["heaps"]),
    sorted((pid, heap.peak, heap.at or 0, heap.allocs, heap.foreign)
           for (pid, image), heap in heaps.items()))
say("not freed", sorted((row["pid"], row["leaked"], row["blocks"])
                        for row in got["heaps"]),
    sorted((pid, heap.sum if image == images[pid] else 0,
            len(heap.live) if image == images[pid] else 0)
           for (pid, image), heap in heaps.items()))

# By program and place; without a name it is the address in the file.
def rows_of():
    rows = collections.defaultdict(lambda: [0, 0, 0, 0, 0, 0])
    live, peaks = collections.Counter(), collections.Counter()
    blocks = collections.Counter()
    for (pid, image), heap in heaps.items():
        for size, site in heap.at_peak or []:
            peaks[site] += size
        if image == images[pid]:
            for size, site in heap.live.values():
                live[site] += size
                blocks[site] += 1
    for site in allocs:
        row = rows[site[0].label[0], site[2]]
        row[0] += allocs[site]
        row[1] += temp[site]
        row[2] = max(row[2], peaks[site])
        row[3] += live[site]
        row[4] += blocks[site]
        row[5] += total[site]
    return rows
want = rows_of()
named = {(row["program"], tuple(row["stack"])):
         [row["allocs"], row["temp"], row["peak"], row["leaked"],
          row["blocks"], row["total"]] for row in got["rows"]}
say("places", {key: named.get(key) for key in want
               if not any(f is None or f.startswith("0x") for f in key[1])},
    {key: want[key] for key in want
     if not any(f is None or f.startswith("0x") for f in key[1])})
say("in all", [sum(row[key] for row in got["rows"]) for key in
               ("allocs", "temp", "leaked", "blocks", "total")],
    [sum(row[i] for row in want.values()) for i in (0, 1, 3, 4, 5)])
say("sorted by peak", [row["peak"] for row in got["rows"]],
    sorted((row["peak"] for row in got["rows"]), reverse=True))
END

cat >leaker.c <<'END'
#include <stdlib.h>
#include <unistd.h>

void *kept[100];

__attribute__((noinline)) void leak(void)
{
	for (int i = 0; i < 10; i++)
		kept[i] = malloc(1000);
}

__attribute__((noinline)) void peak(void)
{
	for (int i = 10; i < 100; i++)
		kept[i] = calloc(2, 500);
	for (int i = 10; i < 100; i++)
		free(kept[i]);
}

__attribute__((noinline)) void temporary(void)
{
	for (int i = 0; i < 7; i++) {
		char *volatile block = malloc(50);

		free(block);
	}
	kept[99] = realloc(realloc(NULL, 10), 20);
}

int main(void)
{
	leak();
	temporary();
	peak();
	return 0;
}
END
cc -O1 -o leaker leaker.c || exit 1
run -e process,mem ./leaker
checks leaker check.py log
report --memory >page
like "$(cat page)" '^97\.7K +[0-9.]+ +[0-9]+ +9\.8K +11 +leaker\[[0-9]+\]$' \
	"the process: what it had at most, and did not free"
like "$(cat page)" '^ +90 +0 +87\.9K +0 +0 +87\.9K +leaker +peak\+0x' \
	"what was freed later"
like "$(cat page)" '^ +10 +0 +9\.8K +9\.8K +10 +9\.8K +leaker +leak\+0x' \
	"what was not freed"
like "$(cat page)" '^ +7 +7 +0 +0 +0 +350 +leaker +temporary\+0x' \
	"what was freed at once"
run -k -e process,mem ./leaker
checks stacks check.py log
like "$(report --memory | grep -A 1 'leaker +peak')$(report --memory |
	grep -A 1 ' peak+0x' | tail -n 1)" '<- main\+0x[0-9a-f]+ \(leaker\)' \
	"with -k: the callers"
record_make -e process,mem
checks make check.py log

# Thread 1 frees while thread 2 already has the same block: the event of its
# malloc, which began earlier, comes first.  (The last word of each is when the
# call began: not known.)
"$VICTIMS/victim-mklog" crossed <<'END'
1000 1 1 0 27 0 i:0 i:0 s:/bin/x s:/ s:x
1100 1 1 0 144 0 i:50 x:0x1000 i:0 i:0
1200 1 2 0 144 0 i:100 x:0x1000 i:0 i:0
1200 1 1 0 148 0 x:0x1000 i:0
1300 1 2 0 144 0 i:60 x:0x2000 i:0 i:0
END
is "$("$PTRACE_REPORT" --json --memory crossed | python3 -c '
import json, sys
for row in json.load(sys.stdin)["heaps"]:
    print(row["peak"], row["allocs"], row["freed"], row["foreign"])')" \
	"160 3 1 0" "calls that cross in two threads"
run -e process sh -c 'exit 0'
like "$(report --memory | tail -n 1)" '^families not recorded: mem  \(ptrace-run -e \+mem\)$' \
	"without the family mem the page says so"

# What is temporary, by function.
cat >short.c <<'END'
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define CASE __attribute__((noinline)) void
void *volatile block, *volatile other;

CASE grow(void)
{
	block = NULL;
	for (size_t i = 1; i <= 500; i++)
		block = realloc(block, 100 * i);
	free(block);
}

CASE refused(void)
{
	block = malloc(50);
	other = realloc(block, SIZE_MAX / 4);
	free(NULL);
	free(block);
}

CASE to_nothing(void)
{
	block = malloc(50);
	block = realloc(block, 0);
}

CASE crossed(void)
{
	block = malloc(50);
	other = malloc(50);
	free(block);
	free(other);
}

static void *allocate(void *unused)
{
	block = malloc(50);
	return unused;
}

CASE handed_over(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, allocate, NULL);
	pthread_join(thread, NULL);
	free(block);
}

int main(void)
{
	grow();
	refused();
	to_nothing();
	crossed();
	handed_over();
	return 0;
}
END
cc -O1 -w -fno-builtin -pthread -o short short.c || exit 1
run -e process,thread,mem ./short
is "$(report --json --memory | python3 -c '
import collections, json, sys
sums = collections.Counter()
for row in json.load(sys.stdin)["rows"]:
    sums[row["site"].partition("+")[0]] += row["temp"]
for function in "grow", "refused", "to_nothing", "crossed", "allocate":
    print(function, sums[function], end=" ")')" \
	"grow 500 refused 1 to_nothing 1 crossed 0 allocate 0 " \
	"what counts as temporary"
