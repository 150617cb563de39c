#!/bin/sh
# SPDX-License-Identifier: MIT
# Perfetto's TrackEvents: each event is there, as JSON shows it, and what lasts is
# nested on its track.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 113

make_logs
ok $? "recorded"
for log in $LOGS 'two.1 two.2'; do
	# shellcheck disable=SC2086 # several
	ends perfetto $log
	check perfetto 10 "$log"
done

echo 1 10 10 0 18 0 s:/x | "$VICTIMS/victim-mklog" log
dump -f perfetto -n nosuch -o export 2>/dev/null
json -n nosuch log >events
is "$("$abs_top_srcdir/t/run/check-perfetto" export events | grep -c ^pass)" 10 \
	"no events"

# Calls that are left by a jump: what is open does not grow with their number.
{
	echo 1 10 10 0 27 0 i:1 i:0 s:/x s:/ s:x
	seq 2 5000 | sed 's/$/ 10 10 0 241 0 x:0x1000/'
	echo 5001 10 10 0 242 0 x:0x1000 x:0
	echo 5002 10 10 0 20 0 i:0
} | "$VICTIMS/victim-mklog" log
"$PTRACE_DUMP" -f perfetto -o export log
json log >events
is "$("$abs_top_srcdir/t/run/check-perfetto" export events |
	sed -n '/^fail/p; s/^# deepest //p')" 512 "calls without end"

# With protobuf's own decoder: no field has another number, or type.
if lacks protoc protoc "every field is known" "as many as events"; then
	exit
fi
"$PTRACE_DUMP" -f perfetto -o export calls
protoc --decode=Trace -I "$abs_top_srcdir/t/run" perfetto.proto \
	<./export >decoded 2>err
is "$? $(grep -c -E '^ *[0-9]+[:{ ]' decoded)" "0 0" \
	"protoc: every field is known" || diag "$(cat err)"
is "$(grep -c 'category_iids:' decoded)" "$(json calls | wc -l)" \
	"protoc: as many as events"
