#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --sql: the tables say what ptrace-dump -f json says, of logs of
# all kinds and however the query is read; and what is wrong, endless or hostile
# is told, ended or shown as what it is.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h" ||
	skip_all "built without SQLite"
need python3
plan 72

make_logs
ok $? "recorded"
sql() {
	"$PTRACE_REPORT" --sql "$@"
}

cat >same.py <<'END2'
import json, os, random, subprocess, sys
logs = sys.argv[1:]
def lines(*argv):
    return [json.loads(line) for line in subprocess.run(
        argv + tuple(logs), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout.splitlines()]
def sql(query):
    return lines(os.environ["PTRACE_REPORT"], "--json", "--sql", query)
events = lines(os.environ["PTRACE_DUMP"], "-f", "json")
numbers = ("ret", "fd", "size")
def row(i, e):
    a = e.get("args", {})
    r = {"id": i + 1, "t": e["t"], "ts": int(e["ts"].replace(".", "")),
         "dur": e.get("dur"), "name": e["name"], "pid": e["pid"],
         "tid": e["tid"], "args": a, "failed": e.get("failed"),
         "path": a.get("path") if type(a.get("path")) is str else None}
    r.update({k: a[k] if type(a.get(k)) is int else None for k in numbers})
    return r
columns = "id, t, ts, dur, name, pid, tid, args, failed, path, ret, fd, size"
want = [row(i, e) for i, e in enumerate(events)]
def got(where=""):
    rows = sql("SELECT " + columns + " FROM event " + where)
    for r in rows:
        r["args"] = json.loads(r["args"])
        if r["failed"] is not None:
            r["failed"] = bool(r["failed"])
    return rows
def plain(r):
    # Words for numbers, and results of functions, are as JSON has them.
    return {k: v for k, v in r.items() if k not in numbers}
def check(name, a, b):
    if a == b:
        return
    print("differs:", name, len(a), len(b), "seed", os.getpid())
    for x, y in zip(a, b):
        if x != y:
            print(x, y, sep="\n")
            break
    sys.exit(1)
check("all", [plain(r) for r in got()], [plain(r) for r in want])
check("count", sql("SELECT count(*) AS n FROM event"), [{"n": len(want)}])
random.seed(os.getpid())
for i in range(1):
    a, b = sorted(random.choice(want)["t"] for _ in range(2))
    inside = [r for r in want if a <= r["t"] <= b]
    some = "t, name, pid, dur"
    check("window", sql(f"SELECT {some} FROM event WHERE t BETWEEN {a} AND {b}"),
          [{k: r[k] for k in some.split(", ")} for r in inside])
    # Other bytes than UTF-8 are not in JSON as they are.
    known = [r for r in want if "\ufffd" not in r["name"]]
    one = random.choice(known)
    check("name and pid",
          sql("SELECT t, dur FROM event WHERE name = '%s' AND pid = %d" %
              (one["name"].replace("'", "''"), one["pid"])),
          [{"t": r["t"], "dur": r["dur"]} for r in want
           if (r["name"], r["pid"]) == (one["name"], one["pid"])])
    names = sorted({r["name"] for r in random.sample(known, min(4, len(known)))})
    check("names", sql("SELECT id FROM event WHERE name IN (%s) ORDER BY id" %
                       ", ".join("'" + n.replace("'", "''") + "'"
                                 for n in names)),
          [{"id": r["id"]} for r in want if r["name"] in names])
    check("or", sql(f"SELECT count(*) AS n FROM event WHERE t <= {a} OR "
                    f"t >= {b} OR pid = {one['pid']}"),
          [{"n": sum(r["t"] <= a or r["t"] >= b or r["pid"] == one["pid"]
                     for r in want)}])
print("equal")
END2
for logs in $LOGS 'two.1 two.2'; do
	# shellcheck disable=SC2086 # several
	is "$(python3 same.py $logs 2>&1)" equal "$logs: as JSON has it"
done
# shellcheck disable=SC2002 # not a file
is "$(cat calls | sql 'SELECT count(*), max(t) FROM event' -)" \
	"$(sql 'SELECT count(*), max(t) FROM event' calls)" "of a pipe"
is "$(sql 'SELECT count(*) AS n FROM event a JOIN event b USING (id)' - <calls)" \
	"$(sql 'SELECT count(*) AS n FROM event' calls)" "twice, of a file on stdin"
# shellcheck disable=SC2002 # not a file
is "$(cat short | sql 'SELECT count(*) AS n FROM event a JOIN event b USING (id)
	WHERE b.t >= 0' -)" "$(sql 'SELECT count(*) AS n FROM event' short)" \
	"twice, of a pipe"

# What several events say together.
one() {
	sql "WITH v(v) AS ($1) SELECT v FROM v" --csv "$2" | tail -n +2 |
		tr -d '\r'
}
is "$(one 'SELECT count(*) = (SELECT count(DISTINCT upid) FROM event) AND
	sum(events) = (SELECT count(*) FROM event WHERE upid > 0)
	FROM process' calls)" 1 "processes, with their events"
is "$(one "SELECT p.program FROM process p JOIN process q ON p.parent = q.upid
	WHERE q.upid = 1 ORDER BY 1" calls | sort -u | tr '\n' ' ')" \
	"cat ls ptrace-event sh sort " "children of their parent"
is "$(one 'SELECT count(*) > 2 AND count(*) = count(utid) AND
	sum(events) = (SELECT count(*) FROM event WHERE utid > 0)
	FROM thread' threads)" 1 "threads"
like "$(one "SELECT group_concat(name, ' ') FROM program" calls)" 'sh .*ls' \
	"programs"
is "$(one "SELECT count(*) FROM event e JOIN process p USING (upid)
	WHERE e.pid <> p.pid" calls)" 0 "events of their process"
is "$(one "SELECT count(*) FROM event WHERE name = 'file:open' AND ret >= 0 AND
	file NOT LIKE '%' || path" two.2)" 0 "files by what opened them"
is "$(one "SELECT sum(bytes_read) || ' ' || sum(bytes_written) FROM file" two.2)" \
	"$("$PTRACE_REPORT" --files --json two.2 | python3 -c 'import json, sys
rows = json.load(sys.stdin)["rows"]
print(sum(r["read"] or 0 for r in rows), sum(r["written"] or 0 for r in rows))')" \
	"bytes, by the file"
is "$(one "SELECT count(*) > 0 FROM event e JOIN file f ON f.name = e.file
	WHERE e.family = 'io' AND e.ret > 0" two.2)" 1 "what was read has a name"
is "$(one "SELECT count(*) FROM event a JOIN event b ON b.id = a.parent
	WHERE a.t < b.t OR a.tid <> b.tid OR a.depth <> b.depth + 1" calls)" 0 \
	"a parent is around it, in its thread"
is "$(one "SELECT count(*) > 0 FROM event WHERE depth > 0" calls)" 1 \
	"calls are in calls"
is "$(one "SELECT count(*) > 0 AND sum(function IS NULL) = 0 FROM call" calls)" 1 \
	"the view of calls"
is "$(one "SELECT count(DISTINCT s.id) = count(DISTINCT e.id) AND count(*) > 9
	FROM event e JOIN stack s ON s.id = e.id" stacks)" 1 "stacks of events"
is "$(one "SELECT frame FROM stack WHERE depth = 0" stacks | md5sum)" \
	"$(one "SELECT s.frame FROM event e, stack s ON s.id = e.id
		WHERE s.depth = 0 ORDER BY e.id" stacks | md5sum)" \
	"... asked for one by one"
is "$(one "SELECT count(*) FROM lock" threads | grep -c -x '[1-9][0-9]*')" 1 \
	"locks"
is "$(one "SELECT count(*) > 0 AND sum(waker_utid IS NOT NULL) > 0 AND
	sum(woken < t OR woken > t + dur) = 0 FROM wait" threads)" 1 "waits"
is "$(one "SELECT sum(dur) FROM wait" calls)" \
	"$("$PTRACE_REPORT" --waits --json calls | python3 -c 'import json, sys
print(sum(row["wait"] for row in json.load(sys.stdin)["rows"]))')" \
	"... as --waits has them"
is "$(sql "SELECT path, state FROM log ORDER BY log DESC" --csv two.1 two.2 |
	tr -d '\r' | tr '\n' ' ')" "path,state two.2,complete two.1,complete " "logs"
is "$(one "SELECT fields FROM type WHERE name = 'sync:signal'" calls)" \
	"cond:x ret:i.errno" "types"
is "$(one "SELECT count(*) FROM event JOIN log USING (log)
	WHERE log.path = 'holed'" holed 2>/dev/null)" "$("$PTRACE_DUMP" -f json holed 2>/dev/null |
	wc -l)" "of a damaged log"

# Status and messages.
is "$(status sql 'SELECT 1 FROM event LIMIT 1' holed) $(wc -l <err)" "1 1" \
	"a damaged log: status 1, one line"
is "$(status sql 'SELECT 1' calls none) $(wc -l <err)" "1 1" \
	"one of two logs is missing: status 1"
is "$(status sql 'SELECT 1' none)" 3 "no log: status 3"
is "$(status sql 'SELECT
 noname FROM event' calls) $(cat err)" \
	"2 ptrace-report: --sql: line 2, column 2: no such column: noname" \
	"wrong SQL: status 2, and where"
is "$(status sql 'SELECT * FROM events' calls) $(cat err)" "2 ptrace-report: --sql: line 1, column 1: no such table: events \
(there are event, call, sample, off, stack, process, program, thread, file, \
lock, wait, log, type)" "a table that is not there: which there are"
is "$(status sql 'SELECT 1; SELEC 2; SELECT 3' calls) $(cat out err)" \
	"2 1
1
ptrace-report: --sql: line 1, column 11: near \\\"SELEC\\\": syntax error" \
	"what is before it is answered"
is "$(status sql 'SELECT 1' --files calls) $(wc -l <err)" "2 2" \
	"not with a view"
is "$(status "$PTRACE_REPORT" --csv calls) $(wc -l <err)" "2 2" "--csv alone"
is "$(status sql - - <calls) $(wc -l <err)" "2 2" "standard input is one thing"

# Nothing is changed, and no file opened.
for query in "ATTACH 'made' AS x" 'CREATE TABLE x(y)' 'CREATE TEMP TABLE x(y)' \
	'DELETE FROM event' "INSERT INTO event(id) VALUES (1)" \
	"VACUUM INTO 'made'" 'PRAGMA temp_store_directory = "/tmp"' \
	"PRAGMA journal_mode" "SELECT load_extension('made')" \
	'CREATE VIRTUAL TABLE x USING fts5(y)' 'BEGIN' \
	"SELECT fts3_tokenizer('simple')" "CREATE TEMP VIEW x AS SELECT 1" \
	'DROP VIEW call'; do
	is "$(status sql "$query" calls) $(wc -c <out) $(find . -name made | wc -l)" \
		"2 0 0" "refused: $query"
done
is "$(one "SELECT name FROM pragma_table_info('event')" calls | head -n 1)" id \
	"columns can be asked for"
is "$(one "SELECT DISTINCT j.key FROM event e, json_each(e.args) j
	WHERE e.name = 'file:open'" calls | grep -c -x -e path -e ret)" 2 \
	"and what is in the arguments"

# Endless ones are interrupted.
endless="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
	SELECT"
for query in "$endless count(*) FROM n" "$endless i FROM n" \
	"SELECT count(*) FROM event a, event b, event c, event d"; do
	python3 - "$query" <<'END2'
import os, signal, subprocess, sys, time
p = subprocess.Popen([os.environ["PTRACE_REPORT"], "--sql", sys.argv[1],
                      "calls"], stdout=subprocess.DEVNULL,
                     stderr=subprocess.PIPE)
# When it has a handler for SIGINT.
while True:
    with open("/proc/%d/status" % p.pid) as f:
        caught = [l for l in f if l.startswith("SigCgt")][0].split()[1]
    if int(caught, 16) & 2:
        break
    time.sleep(0.01)
p.send_signal(signal.SIGINT)
err = p.communicate()[1]
sys.exit(p.returncode != -signal.SIGINT or b": interrupted" not in err)
END2
	ok $? "interrupted: ${query##*SELECT}"
done

# The shell.
printf '%s\n' 'SELECT 1' ' AS one;' 'SELECT noname' 'FROM event;' '' \
	'SELECT 2 AS two; SELECT 3 AS three;' 'SELECT 4 AS four' >queries
is "$(status sql - calls <queries) $(cat out err)" "2 one
  1

two
  2

three
    3

four
   4
ptrace-report: standard input: line 3, column 8: no such column: noname" \
	"a shell goes on behind what is wrong"
printf 'SELEC name FROM event;\nSELECT 6 AS six;\n' >queries
is "$(status sql - --csv calls <queries) $(wc -l <err) $(tail -n 1 out | tr -d '\r')" \
	"2 1 6" "... which is one mistake, however many words it has"
printf 'SELECT 1 \000 FROM;\nSELECT 5 AS five;' >queries
is "$(status sql - --csv calls <queries) $(tail -n 1 out | tr -d '\r')" "2 5" \
	"... and behind null characters"
head -c 1100000 /dev/zero | tr '\0' x >queries
is "$(status sql - calls <queries) $(wc -l <err)" "2 1" "a statement without end"

is "$(sql 'SELECT count(DISTINCT log) FROM type' --csv two.1 two.2 |
	tail -n 1 | tr -d '\r')" 2 "types of each log"
is "$(one "SELECT count(*) > 0 FROM event WHERE name = 'FILE:OPEN' COLLATE NOCASE" calls)" \
	1 "names by another collation"
is "$(one "SELECT count(*) FROM log l LEFT JOIN event e ON e.name = nullif(l.log, l.log)
	LEFT JOIN stack s ON s.id = nullif(l.log, l.log)" calls)" 1 "nothing is NULL"

# The controller is none of the traced processes, marks or not.
PATH=${PTRACE_CTL%/*}:$PATH
"$PTRACE_RUN" -q -o marked sh -c 'ptrace-ctl mark here; exit 3' >/dev/null 2>&1
is "$(one "SELECT count(*) FROM event WHERE name = 'mark'" marked) \
$(one "SELECT count(*) FROM process WHERE program IS NULL OR program = '?'" marked) \
$(one 'SELECT count(*) FROM process' marked)" "1 0 $("$PTRACE_DUMP" -f json \
	-n process:start marked | sed 's/.*"pid":\([0-9]*\),.*/\1/' | sort -u | wc -l)" \
	"marks are not of a process"

# Names that act on what shows them.
evil=$(printf 'a,"b\033[31m\nc\r=1+1\377')
"$PTRACE_RUN" -q -o evil -e file cat "$evil" 2>/dev/null
query="SELECT path, 1 AS one FROM event WHERE name = 'file:open' AND failed AND
	path LIKE 'a,%' LIMIT 1"
sql "$query" evil >out
is "$(grep -c "$(printf '\033')" out) $(wc -l <out)" "0 2" "a table is lines of text"
sql "$query" --csv evil >out.csv
is "$(python3 -c 'import csv
rows = list(csv.reader(open("out.csv", newline="", encoding="latin-1")))
print(len(rows), rows[1] == ["a,\"b\033[31m\nc\r=1+1\377", "1"])')" "2 True" \
	"CSV has it as it is"
is "$(sql "$query" --json evil | python3 -c 'import json, sys
print(json.loads(sys.stdin.read())["path"].encode("ascii", "replace"))')" \
	"b'a,\"b\\x1b[31m\\nc\\r=1+1?'" "JSON, too"
is "$(status sql "SELECT 1 AS \"$(echo "$evil" | tr '"' q)\"" evil) $(grep -c "$(printf '\033')" out)" \
	"0 0" "nor do names of columns"
