#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-dump -f sqlite: a database says what ptrace-report --sql says, of logs of
# all kinds; it is a new file, nobody else's, and whole or not there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h" ||
	skip_all "built without SQLite"
need python3
plan 24

make_logs
ok $? "recorded"
# Who looks at the head alone takes it for a whole one.
cp calls scratched
head -c 40 /dev/zero | tr '\0' '\377' |
	dd of=scratched conv=notrunc bs=1 seek=$(($(wc -c <calls) / 2)) 2>/dev/null
cat >same.py <<'END2'
import json, os, re, sqlite3, subprocess, sys
db, logs = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True), sys.argv[2:]
db.text_factory = lambda b: b.decode("utf-8", "replace")
for table in ("event", "call", "stack", "process", "program", "thread", "file",
              "lock", "wait", "log", "type", "sample", "off"):
    query = "SELECT * FROM " + table
    if table in ("event", "call", "stack"):
        query += " ORDER BY id" + (", depth" if table == "stack" else "")
    out = subprocess.run([os.environ["PTRACE_REPORT"], "--json", "--sql", query,
                          *logs], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    want = [json.loads(line) for line in out.splitlines()]
    got = db.execute(query)
    names = [column[0] for column in got.description]
    got = [dict(zip(names, row)) for row in got]
    # Bytes that are no UTF-8 become one U+FFFD or several; who decodes chooses.
    got, want = (json.loads(re.sub("\ufffd+", "?",
                                   json.dumps(rows, ensure_ascii=False)))
                 for rows in (got, want))
    if got != want:
        print("differs:", table, len(got), len(want))
        for a, b in zip(got, want):
            if a != b:
                print(a, b, sep="\n")
                break
        sys.exit(1)
print("equal", db.execute("PRAGMA integrity_check").fetchone()[0])
END2
for logs in $LOGS scratched 'two.1 two.2'; do
	rm -f x.db
	# shellcheck disable=SC2086 # several
	"$PTRACE_DUMP" -f sqlite -o x.db $logs 2>/dev/null
	# shellcheck disable=SC2086
	is "$(python3 same.py x.db $logs 2>&1)" "equal ok" "$logs: as --sql has it"
done
"$PTRACE_DUMP" -f sqlite -o :memory: calls
is "$(head -c 6 ./:memory: | tr '\0' .)" SQLite "a file, whatever its name means to SQLite"
is "$(stat -c %a x.db)" 600 "nobody else may read it"
rm x.db
"$PTRACE_DUMP" -f sqlite -o x.db -n 'file:*' calls
is "$(python3 -c "import sqlite3
print(*sqlite3.connect('x.db').execute(
    'SELECT count(*), min(id) > 1 FROM event').fetchone())")" \
	"$("$PTRACE_DUMP" -f json -n 'file:*' calls | wc -l) 1" "of a filter"

# Where it goes.
cp x.db old.db
is "$(status "$PTRACE_DUMP" -f sqlite -o x.db calls) $(wc -l <err)" "1 1" \
	"not over a file that is there"
cmp -s x.db old.db
ok $? "... which stays as it is"
is "$(status "$PTRACE_DUMP" -f sqlite -o calls calls)" 1 "nor over a log"
: >empty && chmod 644 empty
"$PTRACE_DUMP" -f sqlite -o empty short
is "$? $(stat -c %a empty)" "0 600" "over an empty file"
: >there
ln -s there link
is "$(status "$PTRACE_DUMP" -f sqlite -o link calls)" 1 "not through a link"
is "$(status "$PTRACE_DUMP" -f sqlite calls) $(wc -l <err)" "2 2" "-o is needed"
is "$(status "$PTRACE_DUMP" -f sqlite -o y.db --follow calls) $(find . -name y.db |
	wc -l)" "2 0" "not with --follow"
(
	ulimit -f 16
	"$PTRACE_DUMP" -f sqlite -o y.db calls 2>err
)
is "$? $(wc -l <err) $([ -e y.db ]; echo $?)" "1 1 1" \
	"no room: one line, and no half of a file"
is "$(status "$PTRACE_DUMP" -f sqlite -o y.db cut) $(wc -l <err)" "1 1" \
	"a cut log: status 1, one line"
like "$(od -A n -c -N 15 y.db)" 'S +Q +L +i +t +e' "... and a database"
