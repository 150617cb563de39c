#!/bin/sh
# SPDX-License-Identifier: MIT
# Bad input together: logs of other versions, boots and clocks, damaged ones and
# what is no log among good ones are each told in a line with a count, and the
# others are read by all tools; and a program whose name is hostile is that
# program in SQL, CSV, JSON and OTLP.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 14

# A name that quotes, ends lines, colours terminals and is no UTF-8.
name=$(printf 'a"b,;\n\033[31m\377'"'"'--x')
cp /bin/true "./$name"
# shellcheck disable=SC2016 # of the shell that is traced
run -e all sh -c '"$0"; cat none' "./$name" 2>/dev/null
each=$(dump | wc -l)

# version FROM TO MAJOR MINOR
cat >version <<'END'
import struct, sys
source, to, major, minor = sys.argv[1:]
log = bytearray(open(source, "rb").read())
struct.pack_into("=HH", log, 12, int(major), int(minor))
open(to, "wb").write(log)
END
patch=$abs_top_srcdir/t/run/patch-log
for i in 1 2 3 4 5 6 7 8 9; do
	cp log good$i
done
"$patch" log boot1 host=beta boot=2 machine= later=7000000
"$patch" log boot2 host=gamma boot=3 machine= later=-90000000000 no-offset=1
python3 version log future1 2 0
python3 version log future2 2 0
python3 version log future3 3 1
head -c $(($(wc -c <log) - 40)) log >cut1
cp cut1 cut2
head -c 100 log >head1
echo 'no log at all' >text1
good="good1 good2 good3 boot1 good4 boot2 good5 good6 good7 good8 good9"
# shellcheck disable=SC2086 # names
set -- future1 text1 cut1 $good head1 future2 cut2 future3 nowhere
is "$(status "$PTRACE_DUMP" -f json "$@")" 1 "all together: status 1"
sort err >told
is "$(wc -l <told)" "$(sort -u told | wc -l)" "nothing is told twice"
for what in 'future3.*log format version 3.1' 'text1: not a trace log' \
	'head1: damaged or cut inside its head' 'nowhere: No such file'; do
	like "$(cat told)" "$what" "$what"
done
cp out all.json
python3 - "$each" <<'END' >result
import json, sys
events = [json.loads(line) for line in open("all.json")]
times = [tuple(map(int, e["ts"].split("."))) for e in events]
print(len(events) >= 11 * int(sys.argv[1]), times == sorted(times),
      len({e.get("host") for e in events}) == 3)
END
is "$(cat result)" "True True True" \
	"the events of the good ones, in order of time, of three hosts"
is "$(status "$PTRACE_REPORT" --json --events "$@")" 1 "a report of them"
is "$(python3 -c 'import json
print(sum(row["count"] for row in json.load(open("out"))["rows"]))')" \
	"$(wc -l <all.json)" "... of the same events"
is "$(status "$PTRACE_REPORT" --csv --sql 'SELECT count(*) AS n FROM event' "$@") $(
	tail -n 1 out | tr -d '\r')" "1 $(wc -l <all.json)" "SQL does, too"

# The name.
cat >named.py <<'END'
import csv, io, json, os, subprocess, sys
want = sys.argv[1].encode(errors="surrogateescape").decode(errors="replace")
def run(tool, *options):
    return subprocess.run([os.environ[tool], *options, "log"],
                          stdout=subprocess.PIPE).stdout
query = "SELECT program, count(*) AS n FROM event GROUP BY program"
rows = csv.reader(io.StringIO(
    run("PTRACE_REPORT", "--csv", "--sql", query).decode(errors="replace"),
    newline=""))
print("csv", [len(row) for row in rows if want in row])
rows = run("PTRACE_REPORT", "--json", "--sql", query).decode().splitlines()
print("json", len([1 for row in rows if json.loads(row)["program"] == want]))
quoted = sys.argv[1].replace("'", "''")
rows = subprocess.run(
    [os.environ["PTRACE_REPORT"], "--csv", "--sql",
     b"SELECT count(*) FROM event WHERE program = '%s'" %
     quoted.encode(errors="surrogateescape"), "log"],
    stdout=subprocess.PIPE).stdout.split()
print("sql", int(rows[1]) > 0)
names = [a["value"].get("stringValue")
         for line in run("PTRACE_DUMP", "-f", "otlp").decode().splitlines()
         for spans in json.loads(line)["resourceSpans"]
         for a in spans["resource"]["attributes"]
         if a["key"] == "service.name"]
print("otlp", names.count(want))
END
export PTRACE_REPORT PTRACE_DUMP
python3 named.py "$name" >named 2>&1
for want in 'csv [2]' 'json 1' 'sql True' 'otlp 1'; do
	is "$(grep "^${want%% *}" named)" "$want" "a hostile name: ${want%% *}"
done
