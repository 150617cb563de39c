#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject: a process that was started without the library is traced, with what
# it starts, and does not notice; where that is not safe it is refused.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/piped.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] ||
	[ "$(id -u)" = 0 ] || skip_all "ptrace is for parents only"
plan 48
victim=$VICTIMS/victim-inject
# A process that is traced loads all by itself.
unset LD_PRELOAD

is_tracing() {
	grep -q '^ptrace-run: tracing' err
}
# Or has given up.
has_begun() {
	is_tracing || ! kill -0 "$runner"
}
# inject: and traces, until the process ends.
inject() {
	rm -f log err
	"$PTRACE_RUN" -v --inject -e process,io,file -o log -p "$pid" 2>err &
	runner=$!
	wait_for has_begun
	is_tracing
}

way=0
for name in read epoll poll select sleep; do
	begin "$victim" $way
	ask one
	inject
	ok $? "in $name: it is traced" || diag "$(cat err)"
	ask two
	finish
	is "$got" " 3" "in $name: it has noticed nothing"
	wait "$runner"
	# The one that it waited in was there before.
	is "$? $(count io:read)" "0 $((way == 0 ? 1 : 2))" \
		"in $name: its calls are in the log"
	way=$((way + 1))
done

begin "$victim" 0 2
ask one
inject
ask two
finish
is "$got" " 3" "beside threads that are in malloc()"
wait "$runner"

# Each of these signals counts.
begin "$victim" 0
ask one
(for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	for _ in 1 2 3 4 5; do
		kill -s RTMIN "$pid"
	done
done) &
signals=$!
inject
wait $signals
ask two
finish
is "$got" "100 signals 3" "no signal is lost"
wait "$runner"

# Twice; the second time the library is there.
begin "$victim" 0
ask one
inject
kill -TERM "$runner"
wait "$runner"
is "$?" 0 "let go"
ask two
inject
ask three
finish
wait "$runner"
is "$? $got $(count io:read)" "0  3 1" "and again"

# It was started with the library.
begin env LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1 "$victim" 0
ask one
inject
finish
wait "$runner"
is "$? $got $(count io:read)" "0  3 0" "nothing to be loaded"

cat >script <<'END'
trap 'echo child' CHLD
while read -r line; do
	echo "$(echo "$line" | tr a b)"
	(exit 4)
	echo $?
done
/bin/echo end
exit 6
END
# The answer is in three lines at least.
bash_asks() {
	echo "$1" >&5
	while read -r got <&6 && [ "$got" != 4 ]; do
		echo "$got"
	done
}
if command -v bash >/dev/null; then
	begin bash script
	bash_asks aaa >before
	inject
	bash_asks aaa >after
	finish
	wait "$runner"
	like "$got" "end
.* 6|end 6" "bash goes on to its end"
	is "$(grep -v child after)" "$(grep -v child before)" "as before"
	[ "$(count process:fork)" -ge 3 ]
	ok $? "its children are traced"
	is "$(dump -f json -n process:start | grep -c '"argv":\["tr","a","b"\]')" \
		1 "and the programs that it starts"
else
	skip "bash" "no bash"
	skip "bash" "no bash"
	skip "bash" "no bash"
	skip "bash" "no bash"
fi

cat >threads.py <<'END'
import socket, subprocess, sys, threading


def serve(s):
    while (got := s.recv(100)):
        s.sendall(got[::-1])


a, b = socket.socketpair()
threads = [threading.Thread(target=serve, args=(b,))]
threads += [threading.Thread(target=sum, args=(range(10 ** 6),))
            for _ in range(2)]
for t in threads:
    t.start()
for line in iter(sys.stdin.readline, ''):
    a.sendall(line.strip().encode())
    sh = subprocess.run(['sh', '-c', 'exit 5'])
    print(a.recv(100).decode(), sh.returncode, flush=True)
a.close()
for t in threads:
    t.join()
sys.exit(7)
END
python=$(python_itself)
if [ -n "$python" ]; then
	begin "$python" -S threads.py
	ask abc
	first=$got
	inject
	ask abc
	is "$got" "$first" "python3 answers as before"
	finish
	is "$got" " 7" "python3 goes on to its end"
	wait "$runner"
	is "$(dump -f json -n process:start | grep -c '"exit 5"')" 1 \
		"and what it starts is traced"
else
	skip "python3" "no python3"
	skip "python3" "no python3"
	skip "python3" "no python3"
fi

# refused WHY NAME: of the process.
refused() {
	"$PTRACE_RUN" --inject -o log2 -p "$pid" 2>err
	is "$? $(cat err)" "125 ptrace-run: cannot load libptrace.so into \
process $pid: $1" "$2"
}
begin "$victim" filter
ask one
refused "it has a seccomp filter" "a seccomp filter"
finish
if [ "$(id -u)" != 0 ]; then
	begin "$victim" hidden
	ask one
	refused "it does not let itself be looked into (prctl(2), \
PR_SET_DUMPABLE)" "one that is hidden"
	finish
else
	skip "one that is hidden" "root looks into all"
fi

# In both, until the first line comes.
is_in() {
	grep -q "$1" "/proc/$pid/task/"*/syscall
}
for call in semaphore:'^65 \|^220 ' write:'^1 '; do
	begin "$victim" "${call%:*}"
	wait_for is_in "${call#*:}"
	inject
	ask one
	is "$got" one "beside a call that no stop may interrupt: ${call%:*}"
	finish
	is "$got" " 3" "it has noticed nothing"
	wait "$runner"
done
begin "$victim" vfork
wait_for is_in '^58 '
refused "a child of it has its memory (vfork)" "whose child has its memory"
ask one
inject
finish
is "$got" " 3" "but not when it has a program of its own"
wait "$runner"

begin "$victim" traced
read -r _ <&6
tracer=$(sed -n 's/^TracerPid:[[:space:]]*//p' "/proc/$pid/status")
refused "process $tracer traces it already, by ptrace(2)" "traced already"
exec 5>&-
cat <&6 >/dev/null
wait "$pid"
exec 6<&-
"$victim" busy &
pid=$!
# The start of a program waits for much.
computes() {
	[ "$(awk '{ print $14 }' "/proc/$pid/stat")" -gt 5 ]
}
wait_for computes
refused "none of its threads waits for something" "a process that only computes"
kill $pid
wait $pid 2>/dev/null
like "$("$PTRACE_RUN" --inject -p $pid 2>&1)" "no such process" "one that is gone"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	setpriv --reuid 65534 --clear-groups sleep 20 &
	pid=$!
	is_other() {
		grep -q '^Uid:.65534' "/proc/$pid/status"
	}
	wait_for is_other
	refused "it is user 65534's" "another user's"
	kill $pid
else
	skip "another user's" "not root"
fi
if unshare -m true 2>/dev/null; then
	unshare -m sleep 20 &
	pid=$!
	is_sleep() {
		grep -q '^Name:.sleep' "/proc/$pid/status"
	}
	wait_for is_sleep
	refused "it is in another mount namespace, or chroot" "in another place"
	kill $pid
else
	skip "in another place" "no namespaces"
fi

# starts FILE COMMAND...: until it has mapped FILE.
starts() {
	file=$1
	shift
	"$@" 2>/dev/null &
	pid=$!
	wait_for grep -q "$file" "/proc/$pid/maps"
}
# ends NAME WHY: is it refused?  It is not needed any more.
ends() {
	refused "$2" "$1"
	kill $pid
}
no_libc="it has no GNU libc: another libc, or linked statically"
echo 'int pause(void); int main(void) { return pause(); }' >pause.c
if ${CC:-cc} -static -o static pause.c 2>/dev/null; then
	starts /static ./static
	ends "static" "$no_libc"
else
	skip "static" "no static libc"
fi
if musl-gcc -o musl pause.c 2>/dev/null; then
	starts /musl ./musl
	ends "another libc" "$no_libc"
else
	skip "another libc" "no musl-gcc"
fi
echo 'void _start(void) { for (;;) __asm__ volatile("int %0" :: "i"(128), "a"(29)); }' \
	>narrow.c
if ${CC:-cc} -m32 -static -nostdlib -o narrow narrow.c 2>/dev/null &&
	starts /narrow ./narrow; then
	ends "of 32 bits" "it is a 32-bit program"
else
	skip "of 32 bits" "no such programs"
fi
cp "$(command -v sleep)" own
if [ "$(id -g)" != 65534 ] && chgrp 65534 own 2>/dev/null &&
	chmod g+s own && starts /own ./own 1000 &&
	grep -q '^Gid:.*65534' "/proc/$pid/status"; then
	ends "with privileges" "its program has privileges of its own (setuid, \
capabilities), or cannot be looked into"
else
	skip "with privileges" "no such programs"
fi
mkdir lib
cp "$(sed -n 's,^[^/]*\(/.*/libc\.so\.6\)$,\1,p' /proc/self/maps | head -n 1)" lib
starts "$T/lib/libc.so.6" env LD_LIBRARY_PATH="$T/lib" sleep 1000
rm lib/libc.so.6
ends "with a libc that is gone" \
	"its libc was updated or removed since it was started"
# Of the same length, and not the same.
sed "s/ptrace-monitor/ptrace-MONITOR/" "$LIBPTRACE" >lib/libptrace.so
if [ -n "$python" ]; then
	starts "$T/lib/libptrace.so" "$python" -c 'import ctypes, signal
ctypes.CDLL("lib/libptrace.so")
signal.pause()'
	ends "with another libptrace.so" "it has another libptrace.so already"
else
	skip "with another libptrace.so" "no python3"
fi
if grep -q '^PPid:.0$' /proc/2/status 2>/dev/null; then
	pid=2
	refused "it is a thread of the kernel's" "the kernel's"
else
	skip "the kernel's" "no process of the kernel's is seen"
fi
is "$(status "$PTRACE_RUN" --inject true)" 2 "--inject alone"
