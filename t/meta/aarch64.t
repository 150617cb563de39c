#!/bin/sh
# SPDX-License-Identifier: MIT
# For aarch64 the library compiles without a warning, has the same exports, the
# versions of that libc and the marks of a fit library, and runs, as far as an emulator of Linux shows: a
# program that traces itself, and traced ones with threads, forks and an exec,
# with calls and returns, of functions that sign their return address, with the
# functions inside of them (-f).
# (Compiling the whole library takes its time.)
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "$abs_top_srcdir/t/lib/typed.sh"
. "$abs_top_srcdir/t/lib/functions.sh"
. "$abs_top_srcdir/t/lib/versions.sh"

cc=aarch64-linux-gnu-gcc
need $cc nm readelf
$cc -print-file-name=libc.so.6 | grep -q / || skip_all "no libc for $cc"
plan 61
todo_coverage "the other exports libgcov"

# libunwind-dev:arm64, from the root or from where it was unpacked to.
packages=${ARM64_PACKAGES-}
unwind=
[ ! -f "$packages/usr/include/aarch64-linux-gnu/libunwind.h" ] ||
	unwind=libunwind-aarch64.so.8

# As Makefile.am has it.
{
	grep -v -e PTL_COVERAGE -e PTL_LIBUNWIND "$abs_top_builddir/config.h"
	[ -z "$unwind" ] || echo "#define PTL_LIBUNWIND \"$unwind\""
	echo '#define PTL_LIBEXECDIR "/none"'
	echo '#define PTL_BINDIR "/none"'
} >config.h
# versions WHAT FILE: of libc's, for this processor.
versions() {
	mkdir -p "${2%/*}" && awk -v make="$1" -v cpu=aarch64 \
		-f "$abs_top_srcdir/preload/calls/versions.awk" \
		"$abs_top_srcdir/preload/calls/versions" \
		"$abs_top_srcdir/core/api/versions.map" >"$2"
}
versions header preload/libc/versions.h
versions names preload/calls/by_version.inc
versions map preload/versions.map
flags="-O2 -g -std=gnu11 -fPIC -fvisibility=hidden -ftls-model=initial-exec
	-mbranch-protection=bti -mno-outline-atomics -Wall -Wextra -Werror
	-include $T/config.h -include core/guest.h -D_GNU_SOURCE -I$T -I$abs_top_builddir
	-I$abs_top_srcdir -I$abs_top_srcdir/include"
[ -z "$unwind" ] ||
	flags="$flags -idirafter $packages/usr/include/aarch64-linux-gnu"
# listed FILE VARIABLE...: what is listed there, to be compiled; of tables what
# they were made into.
listed() {
	sed -e ':more' -e '/\\$/{N;s/\\\n//;b more' -e '}' \
		"$abs_top_srcdir/$1/files.am" | grep -E "^($2) *=" |
		tr -s '[:space:]' '\n' | grep -E '\.([cS]|tbl)$' |
		sed -e "s|^\(.*\)\.tbl$|$abs_top_builddir/\1.c|;t" \
			-e "s|^|$abs_top_srcdir/|"
}
# shellcheck disable=SC2046,SC2086 # words
{
	$cc $flags -mgeneral-regs-only -r -o core.o $(listed core core_files) &&
		$cc $flags -r -o reading.o $(listed core reading_files) &&
		$cc $flags -fno-builtin -fno-tree-loop-distribute-patterns \
			-r -o preload.o $(listed preload preload_files) \
			$(listed preload 'settings_files|preload_more_files|call_tables') \
			"$abs_top_builddir/preload/calls/numbers.c" &&
		$cc $flags -mgeneral-regs-only -fno-builtin \
			-r -o calls.o $(listed preload preload_general_files)
} >cc.out 2>&1
ok $? "compiles" || diag "$(head -n 20 cc.out)"
$cc -shared -nostartfiles -o libptrace.so core.o reading.o preload.o calls.o \
	-Wl,-soname,libptrace.so,-z,defs,-z,now,-z,relro,-z,nodelete,-z,noexecstack \
	-Wl,--version-script=preload/versions.map \
	-Wl,-z,initfirst -Wl,-Bsymbolic-functions >cc.out 2>&1
ok $? "links" || diag "$(head -n 20 cc.out)"

exports() {
	nm -D --defined-only "$1" | awk '{ print $NF }' |
		sed '/^GLIBC_/d; s/@.*//' | sort -u |
		grep -vx -e mcount -e __fentry__
}
exports libptrace.so >theirs
if [ "$(uname -m)" = aarch64 ] || [ ! -f "$LIBPTRACE" ]; then
	skip "the same exports" "nothing to compare with"
else
	exports "$LIBPTRACE" >ours
	is "$(diff ours theirs)" "" "the same exports"
fi
is "$(disagree libptrace.so "$($cc -print-file-name=libc.so.6)" GLIBC_2.17)" "" \
	"each version of a function reaches a wrapper of its code"
is "$(newer libptrace.so)" "" "no version of libc that 2.17 did not have"
is "$(readelf -dW libptrace.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	grep -v '^ld-linux' | tr '\n' ' ')" "libc.so.6 " \
	"libc is all that is needed"
like "$(readelf -nW libptrace.so 2>/dev/null)" 'BTI' "marked fit for BTI"
tls=$(readelf -lW libptrace.so | awk '$1 == "TLS" { print $6 }')
[ $((${tls:-0})) -le 64 ]
ok $? "at most 64 bytes of thread-local storage"

qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
root=$($cc -print-sysroot)
[ -e "$root/lib/ld-linux-aarch64.so.1" ] || root=/usr/aarch64-linux-gnu
tests="a program that traces itself
stacks
a traced program: status
thread
forks
exec
oldest
none
-finstrument-functions
-pg
-pg: gprof's file
-l, now
-r, now
-l, lazy
-r, lazy
-l, gold
-r, gold
-l, lld
-r, lld
-l, mold
-r, mold
-r: tails
-r: jumps
-r: signal-jumps
-r: contexts
-r: forks
-r: thread-ends
-r: exceptions
monitor
-r: stacks
-r: stacks of those
-a: arguments and results
libunwind: stacks without frame pointers
libunwind: among returns
libunwind: on signed addresses
own: the first caller at least
-f: what it does, made with -O0
-f: made with -O0: as many as there were
-f: what it does, made with -O2
-f: made with -O2: as many as there were
-f: what it does, made with -O2 -mbranch-protection=standard
-f: made with -O2 -mbranch-protection=standard: as many as there were
-f: what it does, made with -O2 -no-pie -fno-pie
-f: made with -O2 -no-pie -fno-pie: as many as there were
-f: their callers
-f: with -r
-f: all of libc
-f: of libc some
-f: first instructions of all kinds
-f: arguments
-f: arguments and results
-f: who looks at stacks, in moved code
-f: exceptions, jumps, threads"
if [ -z "$qemu" ] || [ ! -e "$root/lib/ld-linux-aarch64.so.1" ]; then
	echo "$tests" | while IFS= read -r name; do
		skip "$name" "no emulator"
	done
	tap_run=61
	exit 0
fi
libraries=$T:$packages/usr/lib/aarch64-linux-gnu:$packages/lib/aarch64-linux-gnu
emulate() {
	"$qemu" -L "$root" -E "LD_LIBRARY_PATH=$libraries" "$@"
}

cat >itself.c <<'END'
#include <trace.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#define EVENTS 20000
__attribute__((noinline)) static void record(trace_event_id_t id, int n)
{
	posix_trace_event(id, &n, sizeof(n));
	__asm__ volatile("");
}
int main(void)
{
	int data, unavailable = 0, nr = 0, unlike = 0;
	struct posix_trace_event_info info;
	size_t size, frames = 0, most = 0;
	trace_event_id_t id;
	trace_attr_t attr;
	trace_id_t trid;

	posix_trace_attr_init(&attr);
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_setstreamsize(&attr, 4 << 20);
	posix_trace_attr_setstackdepth_np(&attr, 8);
	if (posix_trace_create(0, &attr, &trid) != 0 ||
	    posix_trace_eventid_open("own:event", &id) != 0 ||
	    posix_trace_start(trid) != 0)
		return 1;
	for (int i = 0; i < EVENTS; i++)
		record(id, i);
	if (fork() == 0) {
		record(id, EVENTS);
		_exit(0);
	}
	wait(NULL);
	posix_trace_stop(trid);
	while (posix_trace_trygetnext_event(trid, &info, &data, sizeof(data),
					    &size, &unavailable) == 0 &&
	       !unavailable) {
		if (info.posix_event_id != id)
			continue;
		unlike += data != nr++;
		posix_trace_get_stack_np(trid, NULL, 0, &frames);
		most = frames > most ? frames : most;
	}
	printf("%d events, %d unlike\n%d\n", nr, unlike, most > 2);
	return posix_trace_shutdown(trid);
}
END
cat >traced.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline, noclone)) static int leaf(int x) { return x + 1; }
static void *run(void *arg) { return arg; }
int main(int argc, char **argv)
{
	int sum = 0, status;
	pthread_t thread;

	for (int i = 0; i < 1000; i++)
		sum = leaf(sum);
	pthread_create(&thread, 0, run, 0);
	pthread_join(thread, 0);
	if (fork() == 0)
		_exit(3);
	wait(&status);
	if (vfork() == 0)
		_exit(4);
	wait(&status);
	printf("%d\n", sum);
	fflush(stdout);
	if (argc > 1)
		execv(argv[1], argv + 1);
	return 5;
}
END
$cc -O2 -I"$abs_top_srcdir/include" -o itself itself.c libptrace.so &&
	$cc -O2 -o traced traced.c && $cc -O2 -finstrument-functions \
	-o instrumented traced.c && $cc -O2 -pg -o profiled traced.c ||
	exit 1
emulate ./itself >out 2>&1
is "$? $(sed -n 1p out)" "0 20001 events, 0 unlike" \
	"a program that traces itself"
is "$(sed -n 2p out)" 1 "stacks"

# No program of the emulated machine can be executed but by the emulator: the
# traced program becomes its own controller.  (The emulator takes a comma for
# the end of a variable.)
emulated_trace() {
	rm -f log
	export PTRACE_OUTPUT=log PTRACE_EVENTS="$1"
	shift
	emulate -E "LD_PRELOAD=$T/libptrace.so" "$@" >out 2>&1
}
# It cannot load the library into the emulator, which is of another machine, and
# leaves it out there; what that emulates gets it so.
preload=LD_PRELOAD=$T/libptrace.so
emulated_trace process,thread ./traced "$qemu" -L "$root" -E "$preload" ./traced
is "$? $(tr '\n' ' ' <out)" "5 1000 1000 " "a traced program: status"
is "$(count thread:start) $(count thread:exit)" "2 2" "thread"
dump >text
# In the emulator /proc/self/stat says that the process began with its exec; it
# is one process all the same, and no child of anybody.
is "$(count process:fork) $(grep -c 'process:exit status=[34]' text)" "4 4" \
	"forks"
is "$(count process:exec) $(grep -c 'process:exit status=5' text)" "1 1" "exec"

# Programs that were linked long ago, and objects without versions.
awk '$1 == "aarch64" {
	print "__asm__(\".symver " $2 ", " $2 "@" $3 "\");"
}' "$abs_top_srcdir/preload/calls/versions" >asked.h
cat >calls.c <<'END'
#include <stdlib.h>
int unversioned_main(int argc, char **argv);
int at_end(void (*function)(void)) { return at_quick_exit(function); }
int main(int argc, char **argv) { return unversioned_main(argc, argv); }
END
source=$abs_top_srcdir/t/preload/versioned.c
$cc -w -O1 -include asked.h -fno-builtin -o oldest "$source" &&
	$cc -w -O1 -fPIC -shared -nostdlib -fno-builtin -Dat_quick_exit=at_end \
		-Dmain=unversioned_main -o libunversioned.so "$source" &&
	$cc -w -o none calls.c libunversioned.so || exit 1
for program in oldest none; do
	emulate ./$program >plain 2>&1
	status=$?
	emulated_trace all ./$program
	is "$? $(tr '\n' ' ' <out)" "$status $(tr '\n' ' ' <plain)" "$program"
done

# calls: how many calls of main's were told, and returns to it.
calls() {
	dump -f json | awk '
		match($0, /"name":"call:[a-z]*"/) {
			name = substr($0, RSTART + 8, RLENGTH - 9)
			if (match($0, /"addr":"0x[0-9a-f]*"/))
				nr[name " " substr($0, RSTART, RLENGTH)]++
		}
		END {
			for (key in nr)
				if (nr[key] == 1000) {
					split(key, word, " ")
					print word[1]
				}
		}' | sort | tr '\n' ' '
}
emulated_trace call ./instrumented
is "$? $(calls)" "5 call:enter call:exit " "-finstrument-functions"
emulated_trace call ./profiled
is "$? $(calls)" "5 call:enter " "-pg"
[ -s gmon.out ]
ok $? "-pg: gprof's file"

# shellcheck disable=SC2086
$cc -O2 -fPIC -shared -mbranch-protection=standard -DLIBRARY -o libcalled.so \
	"$abs_top_srcdir/t/preload/called.c"
# linked: the program, by the linker that $how names, or bound so.
linked() {
	case $how in
	now | lazy) set -- "-Wl,-z,$how" ;;
	gold) set -- -fuse-ld=gold ;;
	*)
		# A compiler for another machine looks for the linker there only.
		mkdir "$how"
		linker=$(command -v "$how" || command -v "ld.$how") &&
			ln -s "$linker" "$how/ld"
		[ -n "$linker" ] || return 1
		set -- "-B$how/"
		;;
	esac
	$cc -O2 -pthread -mbranch-protection=standard "$@" -o called \
		"$abs_top_srcdir/t/preload/called.c" -L. -lcalled -ldl \
		>cc.out 2>&1
}
for how in gold lld mold now lazy; do
	if ! linked; then
		skip "-l, $how" "no such linker" 2
		continue
	fi
	export PTRACE_CALLS='called_*'
	emulated_trace none ./called values
	values=$?
	emulated_trace none ./called loop 1000
	is "$values $? $(count call:enter)" "0 0 1000" "-l, $how"
	unset PTRACE_CALLS
	export PTRACE_RETURNS='called_*'
	emulated_trace none ./called values
	values=$?
	emulated_trace none ./called loop 1000
	is "$values $? $(count call:enter) $(count call:exit)" "0 0 1000 1000" \
		"-r, $how"
	unset PTRACE_RETURNS
done

# same NAME COMMAND...: traced with -r '*' it says and is what it is without.
same() {
	name=$1
	shift
	emulate "$@" >plain 2>&1
	echo $? >>plain
	export PTRACE_RETURNS='*'
	emulated_trace none "$@"
	echo $? >>out
	unset PTRACE_RETURNS
	is "$(cat out)" "$(cat plain)" "-r: $name"
}
same tails ./called tails
for how in jumps:50 signal-jumps:20 contexts:20 forks:5; do
	same "${how%:*}" ./called "${how%:*}" "${how#*:}"
done
# What signs its return addresses and is cancelled asynchronously ends there also
# untraced, 5 times in 400: libgcc takes a signed one for an address.
$cc -O2 -pthread -mbranch-protection=bti -o unsigned \
	"$abs_top_srcdir/t/preload/called.c" -L. -lcalled -ldl || exit 1
same thread-ends ./unsigned thread-ends 10
if command -v aarch64-linux-gnu-g++ >/dev/null 2>&1; then
	aarch64-linux-gnu-g++ -O2 -o thrown "$abs_top_srcdir/t/preload/thrown.cc" \
		-L. -lcalled
	same exceptions ./thrown 10
else
	skip "-r: exceptions" "no g++ for aarch64"
fi

# The controller, too, is emulated.
unset PTRACE_OUTPUT PTRACE_EVENTS
sources=$(sed -n '/^libexec_.*_monitor_SOURCES/,/[^\\]$/p' \
	"$abs_top_srcdir/tools/files.am" | grep -o 'tools/[a-z_/]*\.c' |
	grep -v symbols/condense | sed "s|^|$abs_top_srcdir/|")
# There need be no zlib of aarch64's: no symbols are kept.
cat >condense.c <<'END'
#include "tools/monitor/symbols/condense.h"
int ptl_condense_file(int log_fd, int fd, const char *path)
{
	(void)log_fd, (void)fd, (void)path;
	return 0;
}
int ptl_condense_map(int log_fd, int fd, long pid)
{
	(void)log_fd, (void)fd, (void)pid;
	return 0;
}
END
rm -f log
$cc -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -O2 -w -E -P -x c \
	"$abs_top_builddir/tools/prototypes/headers.h" |
	"$abs_top_builddir/tools/prototypes/generate" >builtin.c
# shellcheck disable=SC2046,SC2086 # words
$cc $flags -D_FILE_OFFSET_BITS=64 -fPIE -o monitor $sources builtin.c condense.c \
	$(listed tools prototype_files) $(listed tools inject_files) \
	$(listed tools where_files) \
	$(listed preload settings_files) libptrace.so \
	>cc.out 2>&1 || diag "$(head -n 20 cc.out)"
emulate ./monitor -q -k -o log -- "$qemu" -L "$root" -E "$preload" ./traced \
	>out 2>&1
is "$? $(tr '\n' ' ' <out)$(count thread:start) $(count thread:exit)" "5 1000 1 1" \
	"monitor"
emulate ./monitor -q -k -r called_leaf -o log -- "$qemu" -L "$root" -E "$preload" ./called \
	loop 10 >out 2>&1
is "$? $(count call:enter) $(count call:exit)" "0 10 10" "-r: stacks"
dump -n 'call:e*' >text
is "$(grep -c '^    main+' text):$(grep -c '(libptrace\.so)' text)" 20:0 \
	"-r: stacks of those"
# shellcheck disable=SC2086
$cc -O2 -fno-builtin -U_FORTIFY_SOURCE -w -o typed \
	"$abs_top_srcdir/t/preload/victim-typed.c" -lm
emulate ./monitor -q -a -r "$typed_functions" -o log -- "$qemu" -L "$root" -E "$preload" \
	./typed values >out 2>&1
dump -f json | typed_calls >typed.calls
grep -v '^ERROR: ld\.so: ' out >plain
[ -s plain ] && cmp -s plain typed.calls
ok $? "-a: arguments and results" ||
	diag "$(diff plain typed.calls | head -n 20)"

# called_from EVENT: the functions on its stack, up to main.
called_from() {
	dump | awk -v event="$1" '
		!/^    / { is_in = $3 == event; next }
		is_in { sub(/\+0x.*/, ""); print $1; is_in = $1 != "main" }' |
		tr '\n' ' '
}
# unwound UNWINDER CALLS OPTION...: what stacked.c records, compiled so, with -r
# CALLS or without.
unwound() {
	by=$1
	calls=$2
	shift 2
	$cc -O2 -g0 "$@" -I"$abs_top_srcdir/include" -pthread -o stacked \
		"$abs_top_srcdir/t/preload/stacked.c" >cc.out 2>&1 || cat cc.out
	rm -f log
	emulate ./monitor -q -k --unwinder="$by" ${calls:+-r "$calls"} -o log \
		-- "$qemu" -L "$root" -E "$preload" ./stacked >out 2>&1
	echo "$? $(called_from plain)$(called_from handler)"
}
whole='0 inner middle outer main inner middle outer handler .*main '
if [ -n "$unwind" ]; then
	like "$(unwound auto '' -fomit-frame-pointer)" "^$whole\$" \
		"libunwind: stacks without frame pointers"
	like "$(unwound libunwind '-r *' -fomit-frame-pointer)" "^$whole\$" \
		"libunwind: among returns"
	like "$(unwound libunwind '' -mbranch-protection=standard)" "^$whole\$" \
		"libunwind: on signed addresses"
else
	for part in "stacks without frame pointers" "among returns" \
		"on signed addresses"; do
		skip "libunwind: $part" "no libunwind-dev:arm64"
	done
fi
like "$(unwound own '' -fomit-frame-pointer)" '^0 inner ' \
	"own: the first caller at least"

# Functions inside of programs.  What is to be patched the helper of this machine
# says; the controller finds it beside itself, by the path that it has itself.
helper=$abs_top_builddir/libexec/libptrace/ptrace-functions
ln -s "$helper" .
# inside NAME FUNCTIONS OPTION... -- COMMAND...: with these it says and is what it
# is without, into `out'.
inside() {
	name=$1
	functions=$2
	shift 2
	set -- "$@" end
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	command=
	while [ "$1" != end ]; do
		command="$command $1"
		shift
	done
	rm -f log
	# shellcheck disable=SC2086 # words
	emulate $command >plain 2>/dev/null
	echo $? >>plain
	# shellcheck disable=SC2086 # words
	emulate "$T/monitor" -q $options -f "$functions" -o log -- "$qemu" -L "$root" \
		-E "$preload" $command >out 2>err
	echo $? >>out
	is "$(diff plain out)" "" "-f: $name"
}
if [ ! -x "$helper" ]; then
	skip "-f" "built without libelf" 17
	exit 0
fi
for how in -O0 -O2 "-O2 -mbranch-protection=standard" "-O2 -no-pie -fno-pie"; do
	# shellcheck disable=SC2086 # words
	$cc $how -w -o known "$abs_top_srcdir/t/run/functions-known.c"
	inside "what it does, made with $how" 'known:*' -k -- ./known
	compare "-f: made with $how"
done
is "$(dump -f json | grep '"call:enter".*"function":"fib"' |
	grep -c 'main+.*known.*_start')" 465 "-f: their callers"
inside "with -r" 'known:*' -r 'str*,put*,printf' -- ./known
inside "all of libc" 'libc.so*:*' -- ./known
[ "$(dump -n 'call:*' | grep -c printf)" -gt 0 ]
ok $? "-f: of libc some"
$cc -O2 -o moved "$abs_top_srcdir/t/run/functions-moved-a64.c"
inside "first instructions of all kinds" 'moved:*' -- ./moved
cat >given.c <<'END'
#include <string.h>
__attribute__((noinline, noclone)) double half(double x, const char *s, long n)
{
	return x / 2 + strlen(s) + n;
}
int main(void) { return half(5, "abc", -1) != 4.5; }
END
$cc -O2 -g -mbranch-protection=standard -o given given.c
inside "arguments" 'given:half' -a -- ./given
is "$("$PTRACE_DUMP" log | grep -o 'half(.*) = [0-9.]*')" 'half(x=5, s="abc", n=-1) = 4.5' \
	"-f: arguments and results"
$cc -O2 -mbranch-protection=standard -o sampled \
	"$abs_top_srcdir/t/run/functions-sampled.c"
inside "who looks at stacks, in moved code" 'sampled:*' -- ./sampled
if command -v aarch64-linux-gnu-g++ >/dev/null 2>&1; then
	aarch64-linux-gnu-g++ -O2 -pthread -o stacks \
		"$abs_top_srcdir/t/run/functions-stacks.cc"
	inside "exceptions, jumps, threads" 'stacks:*' -- ./stacks
else
	skip "-f: exceptions, jumps, threads" "no g++ for aarch64"
fi
