#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages name the default sizes of core/defaults.h.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cd "$abs_top_srcdir" || exit 1
plan 13

# number NAME: of the header.
number() {
	sed -n "s/^#define PTL_DEFAULT_$1 \([0-9]*\)\$/\1/p" core/defaults.h
}
stream=$(number STREAM_KIB)
data=$(number DATA_BYTES)
log=$(number LOG_GIB)
is "${stream:+1}${data:+1}${log:+1}" 111 "they are in the header"

# says PAGE BEGIN NUMBER END: what the page has between the two.
says() {
	is "$(sed -n "s/.*$2\([0-9]*\)$4.*/\1/p" "man/$1" | tr '\n' ' ')" "$3 " \
		"$1: $2$3$4"
}
tab='	'
says ptrace-run.1 'events on their way to the log, ' "$stream" ' KiB by default'
says ptrace-run.1 "size of an event's data, " "$data" ' bytes by default'
says ptrace-run.1 'size of the log, ' "$log" ' GiB by default'
says libptrace.7 "stream.-min.-size$tab" "$stream" ' KiB'
says libptrace.7 "max.-data.-size$tab" "$data" ''
says libptrace.7 "log.-max.-size$tab" "$log" ' GiB'
page=posix_trace_attr_destroy.3
says $page "stream.-min.-size$tab" $((stream << 10)) ' bytes'
says $page "max.-data.-size$tab" "$data" ' bytes'
says $page "log.-max.-size$tab" $((log << 30)) ' bytes'
# Of all three, in the order of the functions.
is "$(sed -n 's/^The default is \([0-9]*\)\.$/\1/p' \
	man/posix_trace_attr_getlogsize.3 | tr '\n' ' ')" \
	"$((stream << 10)) $data $((log << 30)) " "posix_trace_attr_getlogsize.3"

# help LETTER: the default that ptrace-run says of an option.
help() {
	"$PTRACE_RUN" --help | sed -n "s/^  -$1,.*default \([0-9]*[KG]*\).*/\1/p"
}
is "$(help b) $(help s)" "${stream}K $data" "ptrace-run --help: memory, data"
is "$(help m)" "${log}G" "ptrace-run --help: log"
