#!/bin/sh
# SPDX-License-Identifier: MIT
# The questions of ptrace-report(1), as the page has them: of a log, and of the
# database that ptrace-dump makes of it, the answers are the same, and right.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h" ||
	skip_all "built without SQLite"
CC=${CC:-cc}
need python3 "${CC%% *}"

# A lock that is waited for.
cat >waits.c <<'END3'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int tid;
static void *waits(void *arg)
{
	atomic_store(&tid, gettid());
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}
static int sleeps(void)
{
	char path[64], text[512] = "";
	FILE *file;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", atomic_load(&tid));
	file = fopen(path, "r");
	if (file) {
		fgets(text, sizeof(text), file);
		fclose(file);
	}
	return strstr(text, ") S ") != NULL;
}
int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, waits, NULL);
	while (!sleeps())
		;
	pthread_mutex_unlock(&lock);
	return pthread_join(thread, NULL);
}
END3
$CC -O1 -g -w -o waits waits.c -lpthread || skip_all "cc cannot link"
plan 8

# shellcheck disable=SC2016 # for another shell
run -e all sh -c 'for i in 1 2 3 4 5; do
	dd if=/dev/zero of=out bs=100 count=10 conv=fsync
	cat none$((i / 2))
	done
	./waits' 2>/dev/null
"$PTRACE_DUMP" -f sqlite -o x.db log
ok $? "recorded"
cat >ask.py <<'END2'
import json, os, re, sqlite3, subprocess, sys
page = open(sys.argv[1]).read()
page = page[page.index(".SH SQL"):page.index(".SH THE PAGE")]
queries = [q.replace(r"\(aq", "'").replace(r"\-", "-")
           for q in re.findall(r"\.EX\n(.*?)\.EE", page, re.S) if q[0] != "$"]
events = [json.loads(line) for line in subprocess.run(
    [os.environ["PTRACE_DUMP"], "-f", "json", "log"],
    stdout=subprocess.PIPE).stdout.splitlines()]
db = sqlite3.connect("file:x.db?mode=ro", uri=True)
def failed():
    n = {}
    for e in events:
        if e["name"] == "file:open" and e["failed"]:
            n[e["args"]["path"]] = n.get(e["args"]["path"], 0) + 1
    return sorted(n.items(), key=lambda i: (-i[1], i[0]))[:10]
def named(rows, name):
    return [row for row in rows if name in str(row[0])]
right = [
    lambda rows: rows == failed(),
    lambda rows: rows[0][:2] == ("dd", 5),
    lambda rows: named(rows, "/out")[0][1] == 5000,
    lambda rows: len(rows) > 0 and all(row[1] > 0 for row in rows),
    lambda rows: len(rows) >= 3 and all(row[1] >= 0 for row in rows[:3]),
    lambda rows: rows[0][1] >= sum(e["name"].split(":")[0] != "process" and
                                   not e["name"].startswith("posix_")
                                   for e in events),
]
for i, query in enumerate(queries):
    out = subprocess.run([os.environ["PTRACE_REPORT"], "--json", "--sql", query,
                          "log"], stdout=subprocess.PIPE).stdout
    rows = [tuple(json.loads(line).values()) for line in out.splitlines()]
    kept = [tuple(row) for row in db.execute(query)]
    print("Q%d" % (i + 1), "same" if rows == kept else (rows, kept),
          "right" if right[i](rows) else rows)
END2
python3 ask.py "$abs_top_srcdir/man/ptrace-report.1" >answers 2>&1
is "$(wc -l <answers)" 6 "six questions"
n=0
while read -r answer; do
	n=$((n + 1))
	is "$answer" "Q$n same right" "question $n"
done <answers
