#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # others' variables
# --unwinder and PTRACE_UNWINDER say who finds call stacks: ours or libunwind,
# which finds the same, and which the program does not notice; where it cannot
# be loaded, and where nothing else is said, it is ours.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 27
todo_coverage "code of other places"
grep -q '^#define PTL_LIBUNWIND' "$abs_top_builddir/config.h" ||
	skip_all "built without libunwind"
cc=${CC:-cc}
name=libunwind-$(uname -m).so.8

# stacks UNWINDER COMMAND...: an event with its stack a line, in no order, since
# processes have none; but for those of the loader, which has
# more to do, and the ends of threads, which may come too late.
stacks() {
	by=$1
	shift
	run -k --unwinder="$by" -e "$families" -- "$@" >"$by.out" 2>&1
	echo "$?" >>"$by.out"
	dump | awk '
		/^    / {
			sub(/^ *(0x.*)?/, " ")
			line = line $0
			next
		}
		{
			if (line !~ /^(dl:|posix_trace_|thread:exit)/)
				print line
			line = $3
		}
		END { print line }' | sort >"$by.stacks"
}

# same NAME LEAST COMMAND...: the same stacks, at least so many frames.
same() {
	what=$1
	least=$2
	shift 2
	! lacks "${1%% *}" "$what" "many frames" "the same stacks" \
		"as untraced" || return 0
	"$@" >plain.out 2>&1
	echo "$?" >>plain.out
	stacks own "$@"
	stacks libunwind "$@"
	[ "$(wc -w <own.stacks)" -ge "$least" ]
	ok $? "$what: many frames" || diag "$(wc -w <own.stacks)"
	is "$(diff own.stacks libunwind.stacks)" "" "$what: the same stacks"
	is "$(cat own.out libunwind.out)" "$(cat plain.out plain.out)" \
		"$what: as untraced"
}

# (When a shell hears of a child is chance.)
families=process,thread,file
same bash 50 bash -c '(exit 3); /bin/true; echo $?'
same python3 100 python3 -c 'import os, signal, threading
signal.signal(signal.SIGUSR1, lambda number, frame: os.stat("/"))
os.kill(os.getpid(), signal.SIGUSR1)
if os.fork() == 0:
    os.stat("/")
    os._exit(0)
os.wait()
t = threading.Thread(target=lambda: os.stat("/"))
t.start()
t.join()
print(os.environ["PATH"])'
families=process,thread,file,signal
if $cc -O2 -g0 -pthread -I"$abs_top_srcdir/include" -o program \
	"$abs_top_srcdir/t/preload/stacked.c" >cc.out 2>&1; then
	same "handlers, threads, coroutines" 30 ./program
	like "$(grep '^handler ' libunwind.stacks)" \
		'^handler inner.* middle.* outer.* handler.* raise.* main' \
		"through a handler"
	run -k --unwinder=libunwind -e none -r '*' -l '*' -- ./program >out 2>&1
	is "$? $(cat out)" "0 $(./program)" "among hooks of all calls"
	is "$(dump | grep -c '^    .*(libptrace\.so)')" 0 "none of ours"
else
	diag "$(head -n 5 cc.out)"
	for part in 1 2 3 4 5 6; do
		skip "handlers, threads, coroutines $part" "cannot be built"
	done
fi

# A child made while another thread is in libunwind would wait for it for ever.
cat >forks.py <<'END'
import os, threading
ends = False
def work():
    while not ends:
        os.stat("/")
threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads:
    t.start()
for i in range(100):
    pid = os.fork()
    if pid == 0:
        os.stat("/")
        os._exit(0)
    os.waitpid(pid, 0)
ends = True
for t in threads:
    t.join()
END
if command -v python3 >/dev/null 2>&1; then
	"$PTRACE_RUN" -q -k --unwinder=libunwind -e process,file \
		--stream-policy loop -o log -- python3 forks.py
	is $? 0 "children of threads"
else
	skip "children of threads" "no python3"
fi

# loads OPTION...: how many of a process's mappings are libunwind's.
loads() {
	run "$@" -- grep -c libunwind /proc/self/maps
}
is "$(loads --unwinder=libunwind)" 0 "not loaded without -k"
is "$(loads -k --unwinder=own)" 0 "nor for ours"
[ "$(loads -k --unwinder=libunwind)" -gt 0 ]
ok $? "loaded with -k"
[ "$(uname -m)" != x86_64 ] || is "$(loads -k)$(loads -k --unwinder=auto)" 00 \
	"auto is ours on x86-64"
is "$(run -k --unwinder=libunwind -- sh -c 'exec env' | grep -v ^PTRACE_ | sort)" \
	"$(run -k -- sh -c 'exec env' | grep -v ^PTRACE_ | sort)" \
	"the environment is not changed"
is "$(run -k --unwinder=libunwind -- env -i grep -c libunwind /proc/self/maps)" \
	"$(loads -k --unwinder=libunwind)" "env -i does not change who it is"
is "$(run -k --unwinder=libunwind -- ls -l /proc/self/fd | wc -l)" \
	"$(run -- ls -l /proc/self/fd | wc -l)" "no descriptor is kept"

mkdir broken
echo "no library" >broken/"$name"
status env LD_LIBRARY_PATH="$T/broken" "$PTRACE_RUN" -q -k \
	--unwinder=libunwind -o log -- sh -c '(/bin/true); exit 3' >got
is "$(cat got) $(wc -l <err)" "3 1" "one that cannot be loaded: one line"
like "$(cat err)" "^ptrace-run: --unwinder: libunwind is not used: .*$name" \
	"which says why"
like "$(dump | grep -c '^    ')" '^[1-9]' "and there are stacks"

status "$PTRACE_RUN" -q -k --unwinder=libunwind -p $$ >got
is "$(cat got) $(grep -c 'when it starts' err)" "2 1" "not for -p"

# preloaded VALUE: with that PTRACE_UNWINDER and no ptrace-run.
preloaded() {
	rm -f log
	env LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT=log PTRACE_STACK=1 \
		PTRACE_UNWINDER="$1" sh -c \
		'(grep -c libunwind /proc/self/maps); exit 3' >out 2>err
	echo "$?"
	wait_for sh -c '"$1" -n process:exit log 2>/dev/null | grep -q "exit 3"' sh \
		"$PTRACE_DUMP"
}
is "$(preloaded nobody) $(cat out err)" \
	"3 0
libptrace: PTRACE_UNWINDER: 'nobody' is not one of auto, own, libunwind" \
	"PTRACE_UNWINDER=nobody: one line, and the default"
LD_LIBRARY_PATH=$T/broken
export LD_LIBRARY_PATH
like "$(preloaded libunwind) $(cat out err | tr '\n' ' ')" \
	'^3 0 libptrace: PTRACE_UNWINDER: libunwind is not used: [^:]*/broken/' \
	"PTRACE_UNWINDER=libunwind, which cannot be loaded: one line"
unset LD_LIBRARY_PATH
like "$(preloaded libunwind) $(cat out err)" '^3 [1-9][0-9]*$' \
	"PTRACE_UNWINDER=libunwind"
