#!/bin/sh
# SPDX-License-Identifier: MIT
# -r: the returns of functions that the library stands in for are recorded as
# those of others are, and what it records of them itself is what it was.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not on $(uname -m)"
plan 73
program=wrapped

# once_each EVENT N FUNCTION...: N events of each, that $caller made.
caller=
once_each() {
	event=$1
	times=$2
	shift 2
	each=
	for function; do
		each="$each $function:$(events "$event" \
			"\"function\":\"$function\"" "$caller")"
	done
	is "$each" "$(printf ' %s:'"$times" "$@")" "$name: $event"
}

start=0
for how in now lazy no-pie; do
	build_linked "$how" || break
	name=$how
	run_calls -r '*' -e io,mem,sync -- "./$how" loop 1000
	set -- malloc free read pthread_mutex_lock pthread_mutex_unlock
	once_each call:enter 1000 "$@"
	once_each call:exit 1000 "$@"
	is "$(events call:exit '"function":"read"' '"library":"libc.so' \
		'"sym":"loop\+' '"ret":"0x3"' '"duration":[0-9]+')" 1000 \
		"$how: a return with its library, caller, value and time"
	is "$(events io:read '"sym":"loop\+' '"ret":3')" 1000 \
		"$how: the wrapper's event has the caller, too"
	is "$(events mem:malloc '"sym":"loop\+' '"size":100,')" 1000 \
		"$how: so have others"

	run_calls -k -e io -x io:printf,io:puts -r read -- "./$how" loop 10
	"$PTRACE_DUMP" -f raw log >text
	is "$(grep -c '^    main+' text):$(grep -c '^    .*(libptrace.so)' text)" \
		30:0 "$how: whole stacks, with none of ours"

	same_calls "$how: values are the same" -r '*' -- "./$how" values 20
	is "$(events call:exit '"function":"lseek"' '"ret":"0x123456789ab"')" 20 \
		"$how: a long value"
	is "$(events call:exit '"function":"open"' '"ret":"0x(f{8})?f{8}"')" 20 \
		"$how: an error"
	is "$(events call:exit '"function":"mmap"' '"ret":"0xf{16}"')" 20 \
		"$how: a pointer that is an error"
	is "$(events call:exit '"function":"pthread_mutex_trylock"' \
		'"ret":"0x10"')" 20 "$how: an error that is returned"

	same_calls "$how: signals at any instruction" -r read,pread -- \
		"./$how" steps $start
	is "$(events call:exit '"function":"pread"')" \
		"$(events call:enter '"function":"pread"')" \
		"$how: calls in handlers return"
	start=$((start + 1))

	same_calls "$how: calls left by handlers and cancelled" -r '*' -- \
		"./$how" leaves 2
	name="$how: left"
	once_each call:enter 6 read nanosleep poll
	once_each call:exit 0 read nanosleep poll
	same_calls "$how: calls left by handlers of their own" -r '*' -- \
		"./$how" pipes 50
	name="$how: left"
	once_each call:enter 50 write read
	once_each call:exit 50 read
	is "$(events call:exit '"function":"write"')" 0 "$how: by a jump"
done

name=threads
run_calls -r '*' -- ./lazy threads 500
once_each call:exit 4000 malloc free read pthread_mutex_lock
compile -O1 -fPIC -shared -Wl,-z,lazy -o plugin.so -DPLUGIN \
	"$source/wrapped.c" || diag "no plugin.so"
name=dlopen
run_calls -r '*' -e io -- ./lazy opens 20 "$T/plugin.so"
once_each call:exit 840 read
is "$(events io:read '"sym":"plugin_run\+')" 840 "dlopen: and events"

same_calls "other wrappers" -r '*' -- ./lazy children
name="other wrappers"
caller='"sym":"(children|main)\+'
once_each call:exit 1 system popen pclose posix_spawn kill sigwait sysconf
is "$(events call:exit '"function":"waitpid"' "$caller" \
	'"ret":"0x(f{8})?f{8}"')" 1 \
	"waitpid fails once"

same_calls "what has no exit" -r '*' -- ./lazy alone 10
name="no exit"
caller=
once_each call:enter 1 fork vfork syscall
once_each call:enter 2 execl _exit
once_each call:enter 8 pthread_create
once_each call:exit 0 fork vfork syscall execl _exit pthread_create
once_each call:exit 1 access
is "$(($(events call:unhooked '"reason":"entry only"') > 0))" 1 \
	"no exit: it is said"
