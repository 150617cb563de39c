#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals are told, sent and delivered, each once; and handlers are to the
# program what they are untraced.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 40
victim=$VICTIMS/victim-signal

# As ptrace-run has it by itself: nothing of ours is in the way.
same "nobody asked for signals" "$victim" kernel
like "$(cat "$T/traced.out")" 'calls simple' "the kernel calls the program"

families=signal
same "what is told of handlers" "$victim" identity
# By its own name the family catches crashes, too: t/run/crash.t.
families=all
run_plain "$victim" kernel
run_traced "$victim" kernel
is "$(tail -n +2 "$T/traced.out")" "$(tail -n +2 "$T/plain.out")" \
	"which signals are caught, and blocked"
families=signal
like "$(cat "$T/traced.out")" 'calls another' "the kernel calls us"

same "signals to oneself" "$victim" counted
is "$(events signal:send)" 1114 "each is sent once"
is "$(events signal:deliver)" 1113 "and delivered once"
is "$(events signal:deliver '"signo":10,')" 1111 "by their numbers"
is "$(events signal:deliver '"signame":"SIGUSR1","handler":"0x[0-9a-f]*",'\
'"function":"simple","library":"victim-signal"')" 1111 "and by name"
is "$(events signal:deliver '"code":-1,')" 2 "code and sender"
is "$(events signal:deliver '"tid":([0-9]+),.*"pid":\1}')" 2 "if they are told"
is "$(events signal:send_failed '"errno":"ESRCH",')" 1 "nobody was there"
is "$(events signal:send '"pid":([0-9]+),.*"tid":\1}')" 112 "threads"
is "$(events signal:send '"sym":"counted\+')" 1114 "where they were sent"

same "longjmp, SA_RESETHAND, SA_NODEFER" "$victim" flags
is "$(events signal:deliver)" 108 "each is delivered once"
same "faults, on a stack of its own" "$victim" faults
is "$(events signal:deliver '"signo":11,.*"code":2,')" 50 "each is told"
is "$(events signal:deliver '"fault":"0x[0-9a-f]*064"')" 50 "and where"
is "$(events signal:deliver '"sym":"faults\+')" 50 "and by whom"

same "fork, vfork and exec" "$victim" children
is "$(events signal:send)" 4 "their signals"
is "$(events signal:deliver)" 2 "their handlers, but the vfork child's own"
same "waiting" "$victim" waiting
is "$(events signal:wait '"signo":10')" 2 "what was waited for"
is "$(events signal:deliver)" 0 "is not delivered"
same "handlers that change meanwhile" "$victim" storm
is "$(events signal:send)" 20000 "each is sent"
is "$(events signal:deliver)" 20000 "and delivered"

# shellcheck disable=SC2016
same "traps of bash" bash -c 'trap "echo caught" USR1; trap "echo end" EXIT
	kill -USR1 $$; (kill -USR1 $$); trap - USR1; trap; kill -TERM $$'
# shellcheck disable=SC2016
same "killed by oneself" sh -c 'kill -TERM $$'
is "$(events signal:send '"signo":15,')" 1 "what killed it is told"

# run_if PROGRAM NAME COMMAND...: if there is one.
run_if() {
	command -v "$1" >/dev/null || { skip "$2" "no $1"; return 1; }
	shift
	same "$@"
}
# shellcheck disable=SC2016
run_if perl "signals of perl" perl -e '$SIG{USR1} = sub { print "@_\n" };
	kill "USR1", $$; local $SIG{ALRM} = sub { die "late\n" };
	eval { kill ALRM => $$; sleep 5 }; print $@; $SIG{USR1} = "IGNORE";
	kill USR1 => $$; print $SIG{USR1}, "\n"; kill "KILL", $$'
run_if python3 "signals of python" python3 -c '
import faulthandler, os, signal, sys, threading
signal.signal(signal.SIGUSR1, lambda n, f: print("caught", n))
os.kill(os.getpid(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
faulthandler.enable()
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGTERM)'
run_if node "signals of node" node -e '
process.on("SIGUSR2", (s) => { console.log(s); process.exit(4) });
setInterval(() => 0, 1000); process.kill(process.pid, "SIGUSR2")'
# shellcheck disable=SC2016
run_if gdb "a handler in gdb" sh -c 'gdb -nx -batch -ex "handle SIGUSR1 nostop" \
	-ex "break simple" -ex run -ex "bt 2" --args "$0" counted 2>&1 |
	grep "^#"' "$victim"
if command -v gdb >/dev/null; then
	like "$(cat "$T/traced.out")" '#1  <signal handler called>' \
		"as the kernel made it"
else
	skip "as the kernel made it" "no gdb"
fi

# Libc's own version, beside the current one, of what was linked before 2.34.
# shellcheck disable=SC2086 # a compiler can be words
linked_before() {
	version=$(nm -D "$(ldd "$victim" | awk '$1 == "libc.so.6" { print $3 }')" |
		sed -n 's/.* pthread_kill@\(GLIBC_.*\)/\1/p')
	[ -n "$version" ] || return 1
	${CC:-cc} -fPIC -shared -fno-optimize-sibling-calls -o libbefore.so \
		-DVERSION="\"$version\"" "$1" && ${CC:-cc} -pthread \
		-o before "$1" -L. -lbefore -Wl,-rpath,"$T"
}
cd "$T" || exit 1
if linked_before "$abs_top_srcdir/t/preload/linked-before.c" >cc.out 2>&1; then
	same "each gets the pthread_kill() it was linked with" ./before
	is "$(cat "$T/traced.out")" "0 3" "as if untraced"
else
	diag "$(cat cc.out)"
	skip "each gets the pthread_kill() it was linked with" "no old one" 2
fi
