#!/bin/sh
# SPDX-License-Identifier: MIT
# Larger engines give the same rows as ptrace-report --sql: of the recipes of
# ptrace-tutorial(7), and the questions of ptrace-report(1).  DuckDB is npm's
# @duckdb/node-api, where NODE_PATH leads to it; ClickHouse is there if a
# clickhouse-client finds a server.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h" ||
	skip_all "built without SQLite"
need python3
has_duck='' has_click=''
node -e 'require("@duckdb/node-api")' 2>/dev/null && has_duck=1
[ "$(clickhouse-client -q 'SELECT 1' 2>/dev/null)" = 1 ] && has_click=1
[ -n "$has_duck$has_click" ] ||
	skip_all "no @duckdb/node-api in NODE_PATH, no clickhouse-client with a server"
plan 12

# The page's files, and the programs that it calls.
awk '/^\.EX$/ { inside = 1; next }
	/^\.EE$/ { inside = 0; file = ""; next }
	!inside && /^(waits|meanwhile|duck\.sh|click\.sh):$/ {
		file = substr($0, 1, length($0) - 1) }
	inside && file { print >file }' "$abs_top_srcdir/man/ptrace-tutorial.7"
for file in waits meanwhile duck.sh click.sh; do
	sed -i -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" $file
done
mkdir bin
cat >bin/duckdb <<'END'
#!/usr/bin/env node
const fs = require("fs");
const { DuckDBInstance } = require("@duckdb/node-api");
const [file, option, query] = process.argv.slice(2);
(async () => {
	const base = await DuckDBInstance.create(file);
	const link = await base.connect();
	const rows = await link.runAndReadAll(option === "-c" ? query :
		fs.readFileSync(0, "utf8"));
	if (option !== "-c")
		for (const row of rows.getRowObjectsJson())
			console.log(JSON.stringify(row));
})().catch((error) => {
	console.error(error.message);
	process.exit(1);
});
END
chmod +x bin/duckdb
PATH=$T/bin:${PTRACE_REPORT%/*}:$PATH

# A trace that has an answer to each: a lock that is held while it is computed, and
# samples of that, where they may be taken.
cat >held.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;
__attribute__((noinline)) void computes(void)
{
	for (unsigned long i = 0; i < 30000000; i++)
		sum += i;
}
static void *holds(void *arg)
{
	pthread_mutex_lock(&lock);
	computes();
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, holds, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -w -o held held.c -lpthread || skip_all "cc cannot link"
# shellcheck disable=SC2016 # for another shell
run -e all --sample sh -c 'for i in 1 2 3 4 5; do
	dd if=/dev/zero of=out bs=100 count=10 conv=fsync
	cat none$((i / 2))
	done
	./held' 2>/dev/null
ok $? "recorded"

cat >ask.py <<'END'
import json, os, re, subprocess, sys
page = open(sys.argv[1]).read()
page = page[page.index(".SH SQL"):page.index(".SH THE PAGE")]
queries = [q.replace(r"\(aq", "'").replace(r"\-", "-")
           for q in re.findall(r"\.EX\n(.*?)\.EE", page, re.S) if q[0] != "$"]
queries += [open(name).read() for name in ("waits", "meanwhile")]
def rows(*command, **more):
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, **more)
    # Sums are wider than JSON's numbers there, and so text.
    return [{k: int(v) if type(v) is str and re.fullmatch(r"-?\d+", v) else v
             for k, v in json.loads(line).items()}
            for line in run.stdout.splitlines()]
for query in queries:
    ours = rows(os.environ["PTRACE_REPORT"], "--json", "--sql", query, "log")
    theirs = rows("duckdb", "x.duckdb", input=query)
    print("same" if ours == theirs else (query, ours[:3], theirs[:3]),
          len(ours) > 0)
END
if [ -n "$has_duck" ]; then
	sh duck.sh log x.duckdb 2>why
	is "$? $(cat why)" "0 " "DuckDB takes all tables"
	python3 ask.py "$abs_top_srcdir/man/ptrace-report.1" >answers 2>&1
	is "$(wc -l <answers)" 8 "DuckDB: eight questions"
	n=0
	while read -r answer; do
		n=$((n + 1))
		is "$answer" "same True" "DuckDB: question $n"
	done <answers
else
	skip "DuckDB" "no @duckdb/node-api in NODE_PATH" 10
fi
if [ -n "$has_click" ]; then
	for table in wait sample; do
		clickhouse-client -q "DROP TABLE IF EXISTS $table"
	done
	sh click.sh log 2>why | tr -d '"' >theirs
	for query in "SELECT object, count(*) AS times, sum(dur) AS dur FROM wait
		GROUP BY object ORDER BY dur DESC, object LIMIT 10" \
		"SELECT coalesce(function, '') AS function, sum(weight) AS samples FROM sample
		GROUP BY 1 ORDER BY samples DESC, function LIMIT 10"; do
		"$PTRACE_REPORT" --json --sql "$query" log
	done | tr -d '"' >ours
	is "$(cat why; diff ours theirs)" "" "ClickHouse: waits and samples"
else
	skip "ClickHouse: waits and samples" "no clickhouse-client with a server"
fi
