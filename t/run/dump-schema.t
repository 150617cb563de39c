#!/bin/sh
# SPDX-License-Identifier: MIT
# What ptrace-dump writes as JSON is what the schema says, which is installed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 16

schema=$abs_top_srcdir/tools/dump/event.schema.json
make_logs
ok $? "recorded"
valid() {
	"$abs_top_srcdir/t/run/check-schema" "$schema" "$@" 2>&1
}
for log in $LOGS; do
	json "$log" >"events.$log"
	is "$(valid "events.$log")" "$(wc -l <"events.$log" | tr -d ' ')" \
		"$log: valid"
done

# wrong SED: the schema does not allow an event like that.
wrong() {
	head -n 1 events.user | sed "$1" >wrong
	! cmp -s wrong events.user && ! valid wrong >out
	ok $? "not valid: $(cat out)"
}
wrong 's/"pid":\([0-9]*\)/"pid":"\1"/'
wrong 's/"ts":"\([0-9.]*\)"/"ts":\1/'
wrong 's/"trunc":"none"/"trunc":"no"/'
wrong 's/,"name":"[^"]*"//'
wrong 's/"len"/"more":1,"len"/'
wrong 's/"args":{/"args":{"more":{},/'

if python3 -c 'import jsonschema' 2>/dev/null; then
	cat >check.py <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1], encoding="utf-8"))
check = jsonschema.Draft202012Validator(schema)
check.check_schema(schema)
for path in sys.argv[2:]:
    for line in open(path, encoding="utf-8"):
        check.validate(json.loads(line))
END
	python3 check.py "$schema" events.user events.cut 2>err
	ok $? "another validator agrees" || diag "$(tail -n 3 err)"
else
	skip "another validator agrees" "no jsonschema"
fi
