#!/bin/sh
# SPDX-License-Identifier: MIT
# Each PTRACE_* variable means the same with a monitor and without: attributes,
# types of events, the file, and what is said of a value that makes no sense.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 172

PATH=${PTRACE_EVENT%/*}:$PATH
umask 0
is_complete() {
	dump --info | grep -q '^log-state: *complete'
}
# What is the trace's own: neither times nor figures.
attributes() {
	dump --info >info
	grep -E '^(stream-min-size|stream-full-policy|max-data-size):' info
	grep -E '^(stack-depth|inheritance|log-max-size|log-full-policy):' info
	grep -E '^(trace-name|processes|lost):' info
}
# trace MONITOR VAR=VAL...: all that is compared.
trace() {
	rm -f log
	env PTRACE_OUTPUT=log PTRACE_MONITOR="$1" "${2:-X=}" "${3:-X=}" \
		LD_PRELOAD="$LIBPTRACE" sh -c \
		'ptrace-event mine one; ptrace-event other two; : >>file' \
		2>&1
	wait_for is_complete
	attributes
	names | sort -u
	stat -c 'mode %a' log
}
# same LINE VAR=VAL...: the same from both, and that line is there.
same() {
	line=$1
	shift
	trace "" "$@" >with
	trace /none "$@" >without
	is "$(cat without)" "$(cat with)" "$*"
	if [ "${line#!}" = "$line" ]; then
		tr -s ' ' <with | grep -q -x -F -e "$line"
	else
		! grep -q -x -F -e "${line#!}" with
	fi
	ok $? "$*: $line"
}
# wrong ALLOWED VAR=VAL: said by both, and the default is taken.
wrong() {
	same "libptrace: ${2%%=*}: '${2#*=}' is not $1" "$2"
	grep -v '^libptrace: ' with >rest
	is "$(cat rest)" "$(cat default)" "$2: the default"
}

same "mode 600" X=
cp with default
same dl:map X=
same "inheritance: inherited" PTRACE_STACK=

same dl:map PTRACE_EVENTS=all
same file:open PTRACE_EVENTS=all
same !mem:malloc PTRACE_EVENTS=all,!mem
same file:open PTRACE_EVENTS=!io
same file:open PTRACE_EVENTS=openat
same !file:close PTRACE_EVENTS=openat
same process:exit PTRACE_EVENTS=+file
same file:open PTRACE_EVENTS=+file
same dl:map PTRACE_EVENTS=!io
same !dl:map PTRACE_EVENTS=!dl
same !dl:map PTRACE_EVENTS=none
same mine PTRACE_EVENTS=none
same !process:start PTRACE_EVENTS=file
same dl:map PTRACE_EVENTS=file
same process:program PTRACE_EVENTS=file
same !process:program PTRACE_EVENTS=file,!process
same !process:program PTRACE_EVENTS=none
same process:start PTRACE_EVENTS=none,!none,!mem
same !mine PTRACE_EXCLUDE=mine
same !process:exit PTRACE_EXCLUDE=process:exit,other
same other PTRACE_EXCLUDE=unknown
same call:hooks PTRACE_CALLS=o*
same call:hooks PTRACE_RETURNS=o*,w*
same !call:hooks PTRACE_CALLS=
same "stack-depth: 64" PTRACE_STACK=1
same "stack-depth: 5" PTRACE_STACK=5
same "max-data-size: 100" PTRACE_DATA_SIZE=100
same "max-data-size: 2048" PTRACE_DATA_SIZE=2k
same "stream-min-size: 2097152" PTRACE_STREAM_SIZE=2M
same "log-max-size: 1048576" PTRACE_LOG_SIZE=1M PTRACE_LOG_POLICY=until-full
for policy in loop until-full flush block; do
	same "stream-full-policy: $policy" PTRACE_STREAM_POLICY=$policy
done
for policy in loop until-full append; do
	same "log-full-policy: $policy" PTRACE_LOG_POLICY=$policy
done
same "inheritance: inherited" PTRACE_FOLLOW=1
same "inheritance: close-for-child" PTRACE_FOLLOW=0
same "stream-full-policy: loop" PTRACE_SNAPSHOT=1
same "stream-full-policy: flush" PTRACE_SNAPSHOT=0
same !mine PTRACE_SUSPENDED=1
same mine PTRACE_ONLY=ptrace-event
same process:exit PTRACE_ONLY=ptrace-event
same !process:start PTRACE_ONLY=none
same mine PTRACE_PROGRAM=ptrace-event
same file:open PTRACE_EVENTS=all PTRACE_PATH=file
same !file:open PTRACE_EVENTS=all PTRACE_PATH=none
same !mine PTRACE_SKIP=x,ptrace-ev*

bytes="a number of bytes above 0, as 100, 16K, 2M, 1G"
families=process,thread,signal,file,io,mem,sync,time,net,dl,cpu,sched,call
wrong "a list of $families,all,none (!x: not x; +x: also x), nor a call, as open, nor a class, as %net or desc, nor sdt:PROVIDER:NAME" PTRACE_EVENTS=file,nonsense
wrong "a list of $families,all,none (!x: not x; +x: also x), nor a call, as open, nor a class, as %net or desc, nor sdt:PROVIDER:NAME" PTRACE_EVENTS=file,
wrong "a list of names of event types" PTRACE_EXCLUDE=mine,,other
wrong "a depth from 0 to 64" PTRACE_STACK=65
wrong "a depth from 0 to 64" PTRACE_STACK=x
wrong "$bytes" PTRACE_DATA_SIZE=-1
wrong "$bytes" PTRACE_DATA_SIZE=18446744073709551616
room="a number of bytes from 4K on, as 64K, 2M, 1G"
wrong "$room" PTRACE_STREAM_SIZE=0
wrong "$room" PTRACE_STREAM_SIZE=4095
wrong "$room" PTRACE_STREAM_SIZE=17179869184G
wrong "$bytes" PTRACE_LOG_SIZE=1X
wrong "$bytes" PTRACE_IO_DATA=x
wrong "a list of descriptors, 16 at most" PTRACE_FD=1,x
wrong "a time, as 10us, 1ms, 2s" PTRACE_SLOWER=1
wrong "0 or 1" PTRACE_FAILED=yes
wrong "one of loop, until-full, flush, block" PTRACE_STREAM_POLICY=append
wrong "one of loop, until-full, append" PTRACE_LOG_POLICY=Loop
wrong "0 or 1" PTRACE_FOLLOW=no
wrong "0 or 1" PTRACE_SNAPSHOT=yes
no_memory="libptrace: PTRACE_STREAM_SIZE, PTRACE_DATA_SIZE: no memory for so much"
same "$no_memory" PTRACE_STREAM_SIZE=17179869183G
same "$no_memory" PTRACE_DATA_SIZE=17179869183G

# The list has the families of all types that there are; spans are a program's own
# events, and triggers the controller's: they are always recorded.
dump --info --types | sed -n '/^event-types:/,$s/^  [0-9]* \([a-z]*\):.*/\1/p' |
	sort -u | grep -vx -e span -e trace >have
echo "$families" | tr , '\n' | sort >want
is "$(cat have)" "$(cat want)" "all families"

# named NAME PROGRAM [VAR=VAL [SAID]]: the default name of its log.
named() {
	for monitor in "" /none; do
		rm -rf here
		mkdir here
		(cd here && env "${3:-X=}" PTRACE_MONITOR=$monitor \
			LD_PRELOAD="$LIBPTRACE" "$2" 2>&1)
		log=$(echo here/*)
		echo "$log" | sed 's|^here/||; s|\.[0-9]*\.ptlog$||'
		ln -sf "$log" log
		wait_for is_complete
		rm log
	done >said
	expected=${4:+$4
}$1
	is "$(cat said)" "$expected
$expected" "the default name: $1"
}
named true /bin/true
named true /bin/true PTRACE_STREAM_SIZE=17179869183G "$no_memory"
cp /bin/true a-name-of-more-than-fifteen-letters
named a-name-of-more-than-fifteen-letters "$T/a-name-of-more-than-fifteen-letters"
printf '#!/bin/sh\n:\n' >'-a script.sh'
chmod +x ./-a*
named _a_script.sh "$T/-a script.sh"
for output in - '|'; do
	named true /bin/true PTRACE_OUTPUT=$output "libptrace: PTRACE_OUTPUT: \
'$output' is not a file or '|CMD' (standard output is \
the program's; in a file's name %h: host, %p: process, %r: rank, %%: %)"
done
