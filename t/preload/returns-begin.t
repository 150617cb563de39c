#!/bin/sh
# SPDX-License-Identifier: MIT
# A call:exit comes at the time at which its call began, right behind the
# call:enter, and says how long the call took; so calls inside of it follow it,
# and end before it does.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
need python3
plan 19

cat >nested.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(a, b) + (int)labs(0);
}

static int deep(const void *a, const void *b)
{
	static __thread int depth;
	char word[2][4] = {"b", "a"};

	if (++depth < 1500)
		qsort(word, 2, 4, deep);
	return strcmp(a, b);
}

static void *sort(void *arg)
{
	char word[4][4] = {"d", "c", "b", "a"};

	for (int i = 0; i < 500; i++)
		qsort(word, 4, 4, compare);
	return arg;
}

int main(int argc, char **argv)
{
	char word[2][4] = {"b", "a"};
	pthread_t thread;

	(void)argv;
	if (argc > 1) {
		qsort(word, 2, 4, deep);
		return 0;
	}
	pthread_create(&thread, NULL, sort, NULL);
	sort(NULL);
	pthread_join(thread, NULL);
	return 0;
}
END
compile -O1 -fno-builtin -pthread -o nested nested.c 2>cc.out ||
	diag "$(cat cc.out)"

cat >check.py <<'END'
import collections
import json
import sys

events = [json.loads(line) for line in open(sys.argv[1])]
calls = [e for e in events if e["name"] in ("call:enter", "call:exit")]
print("pass" if all(a["ts"] <= b["ts"] for a, b in zip(events, events[1:]))
      else "fail", "in the order of their times")
threads = collections.defaultdict(list)
for e in calls:
    threads[e["pid"], e["tid"]].append(e)
apart, outside, nr = [], [], 0
for of in threads.values():
    around = []
    enter = None
    for e in of:
        key = e["args"]["function"], e["addr"]
        if e["name"] == "call:enter":
            enter = key, e["ts"]
            continue
        if sys.argv[2] == "both" and (enter is None or enter[0] != key or
                                      enter[1] > e["ts"]):
            apart.append(e)
        if "dur" not in e:
            apart.append(e)
            continue
        enter = None
        nr += 1
        seconds, ns = e["ts"].split(".")
        begin = int(seconds) * 10 ** 9 + int(ns)
        end = begin + e["dur"]
        while around and around[-1] <= begin:
            around.pop()
        if around and around[-1] < end:
            outside.append(e)
        around.append(end)
print("fail" if apart else "pass", "an exit is behind its enter", apart[:1])
print("fail" if outside else "pass", "and what is inside ends before", outside[:1])
print("fail" if nr not in range(*map(int, sys.argv[3].split("-"))) else "pass",
      "all of them", nr)
END
check() {
	"$PTRACE_DUMP" -f json log >"$T/json"
	python3 check.py "$T/json" "$1" "$2" >said 2>&1 || diag "$(cat said)"
	while read -r word rest; do
		[ "$word" = pass ]
		ok $? "$3: $rest"
	done <said
}

run_calls -r qsort,strcmp,labs -- ./nested
nr=$(events call:enter)
check both "$nr-$((nr + 1))" "-r"
is "$("$PTRACE_DUMP" --indent log | awk '
	match($0, / qsort\(/) { outer[RSTART]++ }
	match($0, / (strcmp|labs)\(/) { inner[RSTART - 2]++ }
	END { for (at in inner) print outer[at] }')" 1000 \
	"--indent: by two columns, in one line each"
run_calls -a -r qsort,strcmp,labs -- ./nested
check both "$nr-$((nr + 1))" "-a -r"
run_calls -r qsort,strcmp,labs --depth 1 -- ./nested
check both 1000-1001 "--depth"
run_calls -a -r qsort,strcmp,labs --min-duration 1ns -- ./nested
check ends "2-$((nr + 1))" "--min-duration"
run_calls -r qsort -- ./nested deep
is "$(events call:exit):$(events call:exit '"dur":[0-9]+')" 1500:1500 \
	"deeper than a thread remembers"
is "$("$PTRACE_DUMP" log | grep -c ' qsort(.*no end')" 0 \
	"and each in one line"
