#!/bin/sh
# SPDX-License-Identifier: MIT
# Text: one event a line, every kind of data.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 15

run -e process -s 1000 "$VICTIMS/victim-events"
dump >text
# line NAME: what follows the name.
line() {
	sed -n "s/^[^ ]* [^ ]* $1 \{0,1\}//p" text
}
here=' ?@ here\+0x[0-9a-f]+ \(victim-events\)$'

is "$(grep -vcE '^[0-9]+\.[0-9]{9} [0-9]+/[0-9]+ [^ ]' text)" 0 \
	"time, process, thread, name"
like "$(line text)" '^data="hello \\"world\\"\\n"'"$here" "quotes and newlines"
like "$(line null)" '^data="hello"'"$here" "a null at the end"
like "$(line binary)" '^data=0x0001ff'"$here" "binary"
like "$(line utf8)" '^data="grüß"'"$here" "UTF-8"
like "$(line latin)" '^data=0x6772fcdf'"$here" "not UTF-8"
like "$(line empty)" "^$here" "no data"
like "$(line large)" '^data="x{1000}"\.\.\.'"$here" "cut off"
like "$(cat text)" ' odd "name"\\n\\xff| odd \\"name\\"\\n\\xff' "an odd name"
like "$(line posix_trace_unnamed_userevent)" '^data="unnamed" @ main\+' \
	"the unnamed type"
like "$(line posix_trace_start)" '^filter=\[.+\]' "START"
like "$(line posix_trace_stop)" '^auto=0' "STOP"
like "$(line process:start)" \
	'^ppid=[0-9]+ uid=[0-9]+ exe="[^"]*/victim-events" cwd="/[^"]*" argv=\["[^"]*victim-events"\]' \
	"process:start"
like "$(line process:exit)" '^status=0 user_us=[0-9]+ sys_us=[0-9]+ maxrss_kib=[0-9]+' "process:exit"
is "$(sort -c -n text 2>&1)" "" "by time"
