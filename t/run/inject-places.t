#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject from an installation: the library has other names there than in the
# build tree, may be reached by links and mounts, and may be replaced while
# processes have it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need make
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] ||
	[ "$(id -u)" = 0 ] || skip_all "ptrace is for parents only"
plan 7
unset LD_PRELOAD MAKEFLAGS MFLAGS MAKELEVEL

# The library as nobody has it mapped: a new file.
put() {
	make -s -C "$abs_top_builddir" install DESTDIR="$T/100%s" >out 2>&1 ||
		skip_all "make install: $(tail -n 1 out)"
}
put
bin=$(find "$T/100%s" -path '*/bin/ptrace-run')
bin=${bin%/*}
library=$(find "$T/100%s" -name 'libptrace.so.*.*')

# It is no shell any more, and no program that is only starting, once it answers.
begin() {
	rm -f input output
	mkfifo input
	cat <input >output &
	pid=$!
	exec 5>input
	echo begun >&5
	wait_for test -s output
}
has_begun() {
	grep -q '^ptrace-run: tracing' err || is_ended "$runner"
}
# inject BIN: what it says is in err, its status in $got.
inject() {
	rm -f log err
	"$1/ptrace-run" -v --inject -e io -o log -p "$pid" 2>err &
	runner=$!
	wait_for has_begun
}
# traced NAME: what the process does then is in the log.
traced() {
	echo "$1" >&5
	exec 5>&-
	wait "$runner"
	is "$? $(tail -n 1 output) $(dump -n io:write 2>/dev/null | grep -c .)" "0 $1 1" "$1" ||
		diag "$(cat err)"
	wait "$pid"
}

begin
inject "$bin"
traced "installed"

ln -s "$T/100%s" by-link
begin
inject "$T/by-link${bin#"$T/100%s"}"
traced "by a link"

if unshare -m true 2>/dev/null; then
	mkdir mounted
	# shellcheck disable=SC2016 # for another shell
	is "$(unshare -m sh -c 'mount --bind "$1" mounted || exit
		sleep 20 & sleeper=$!
		until grep -qx sleep /proc/$sleeper/comm &&
			grep -q "^State:.S" /proc/$sleeper/status; do
			sleep 0.02
		done
		rm -f err
		timeout -s INT 60 "mounted$2/ptrace-run" -v --inject \
			-o log -p $sleeper 2>err &
		runner=$!
		until grep -q -e "^ptrace-run: tracing" err ||
			! kill -0 $runner; do sleep 0.02; done
		kill $sleeper
		wait $runner
		echo $?' sh "$T/100%s" "${bin#"$T/100%s"}" 2>out)" 0 \
		"on a mount of its own" || diag "$(cat err out)"
else
	skip "on a mount of its own" "no namespaces"
fi

# It is there from the first time; what is at its path now is a copy.
again() {
	inject "$bin"
	kill -TERM "$runner" || diag "$(cat err)"
	wait "$runner"
	is "$? $(grep -c tracing err)" "0 1" "traced for some time"
	"$@"
	inject "$bin"
}
begin
again put
traced "and again, when the same was installed anew"
begin
again sed -i 's/ptrace-monitor/ptrace-MONITOR/' "$library"
exec 5>&-
wait "$runner"
is "$? $(cat err)" "125 ptrace-run: cannot load libptrace.so into process $pid: \
it has another libptrace.so already" "not when another was"
wait "$pid"
