#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --failed, --slower, --path, --fd: of a program that does the same each
# time the log has what ptrace-dump finds by the same option in a log of
# everything; what was left out is counted, and is no loss; what is no call is
# there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 40

victim=$VICTIMS/victim-select
families=process,thread,file,io,time,sync
printf 'some text\n' >here.cfg

# plain OPTION... LOG: its calls, without what differs from run to run.
plain() {
	"$PTRACE_DUMP" -f json --no-symbols -n 'file:*' -n 'io:*' -n 'time:*' \
		-n 'sync:*' "$@" |
		sed -E 's/"(ts|addr|module|sym|src)":"[^"]*",//g
			s/"(t|pid|tid|dur)":[0-9]+,//g
			s/"(thread|stream)":"[^"]*"/"\1"/g
			/sync:waitpid/s/"ret":[1-9][0-9]*/"ret"/
			s/"ret":"0x[0-9a-f]*[1-9a-f][0-9a-f]*"/"ret"/g' | sort
}

# structure LOG: how many events there are that are no calls of these.
structure() {
	"$PTRACE_DUMP" -f json --no-symbols -n 'process:*' -n 'thread:*' "$1" |
		sed -E 's/.*"name":"([^"]*)".*/\1/' | sort | uniq -c
}

# info LOG WHAT: of --info.
info() {
	"$PTRACE_DUMP" --info "$1" | sed -n "s/^$2: *//p"
}

run_to() {
	to=$1
	shift
	"$PTRACE_RUN" -o "$to" -e "$families" "$@" 2>err
}

run_to full.log "$victim" here.cfg "$victim" here.cfg
is $? 0 "without a filter"
is "$(info full.log left-out)" 0 "nothing is left out"
is "$(grep -c 'left out' err)" 0 "nor told"

# same NAME DUMP-OPTION... -- RUN-OPTION...: by both; prints what failed.
same() {
	name=$1
	shift
	asked=
	while [ "$1" != -- ]; do
		asked="$asked $1"
		shift
	done
	shift
	run_to some.log "$@" "$victim" here.cfg "$victim" here.cfg
	is $? 0 "$name: errno is kept"
	set -f # the patterns are for ptrace-dump
	# shellcheck disable=SC2086 # words
	plain $asked full.log >wanted
	set +f
	plain some.log >found
	[ -s wanted ]
	ok $? "$name: there are such calls"
	is "$(diff wanted found)" "" "$name: these are recorded, and no others"
	is "$(structure some.log)" "$(structure full.log)" \
		"$name: all that is no call is"
	is "$(info some.log lost)" 0 "$name: nothing is lost"
	left=$(info some.log left-out)
	is "$(($(plain some.log | wc -l) + left))" \
		"$(plain full.log | wc -l)" "$name: the rest is counted"
	like "$(cat err)" ", $left left out, " "$name: and told"
}
same failed --failed -- --failed
same path --path '*.cfg' -- --path '*.cfg'
same both --failed --path '*missing*' -- --failed --path '*missing*'
# What waits for a thread or a child takes as long as these.
same slower --slower 50ms -- --slower 50ms

# Of descriptors, ptrace-dump has no option.
run_to fd.log --fd 77 "$victim" here.cfg
is "$(plain fd.log | sed -E 's/.*"name":"([^"]*)".*/\1/' | sort | uniq -c |
	tr -s ' \n' ' ')" " 4 file:close 4 io:dup 4 io:read " \
	"--fd: what makes it, what is done to it, what ends it"
run_to fds.log --fd 77 --fd 1000 "$victim" here.cfg
is "$(plain fds.log)" "$(plain fd.log)" "several: one of them"
run_to paths.log --path nothing --path '*missing*' "$victim" here.cfg
is "$(plain paths.log | grep -vc missing)" 0 "several paths: one of them"
[ "$(plain paths.log | wc -l)" -eq 12 ]
ok $? "... and all of its calls"

# The views of what there is say that it is not all.
like "$("$PTRACE_REPORT" fd.log)" "left out [0-9,]* calls" "the report says so"
like "$("$PTRACE_REPORT" --json --events fd.log)" '"left_out":[1-9]' "in JSON, too"

# Without families these are all.
"$PTRACE_RUN" -q -o all.log --failed "$victim" here.cfg
is $? 0 "no families: errno is kept"
run_to some.log --failed "$victim" here.cfg
plain some.log >wanted
plain all.log | comm -23 wanted - >lacking
is "$(cat lacking)" "" "no families: what fails is there"
"$PTRACE_RUN" -q -o all.log --slower 1ns -r nosuch true
is "$("$PTRACE_DUMP" -n 'file:*' -n 'io:*' -n 'mem:*' all.log 2>/dev/null | wc -l)" 0 \
	"... but with --slower and functions none"
