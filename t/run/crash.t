#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2012,SC2016,SC3045 # gdb has variables; cores
# ptrace-run --crash: each kind of crash is recorded with its place, and ends the
# program as it does untraced: status, output, and the core as gdb sees it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" awk
todo_coverage "the program is killed before it writes them"

# What the kernel kills for at once is not seen: SIGNAL, or none.
expected() {
	case $1 in
	blocked | ignored | strict | none) ;;
	abort | assert | sigqueue | thread-abort | blocked-abort | \
		own-jump | double-free) echo SIGABRT ;;
	divide) echo SIGFPE ;;
	illegal) echo SIGILL ;;
	raise | bus | suspended) echo SIGBUS ;;
	tgkill) echo SIGSYS ;;
	trap) echo SIGTRAP ;;
	vfork-both) printf 'SIGSEGV\nSIGSEGV\n' ;;
	# What a vfork child sets it has.
	vfork-default) echo SIGSEGV ;;
	*) echo SIGSEGV ;;
	esac
}

# Where, of the innermost frame in the program.
place() {
	case $1 in
	abort | strict | ignored | blocked | killed-child) ;;
	null | thread | fork | vfork | own-handler | own-once | undumpable | \
		default-again | two-threads) echo fault ;;
	overflow | thread-overflow | sigaltstack) echo deep ;;
	divide) echo divide ;;
	assert) echo check ;;
	bus) echo bus ;;
	trap) echo trap ;;
	nowhere) echo nowhere ;;
	double-free) echo twice ;;
	in-handler) echo fault ;;
	esac
}

# Cores are compared where the kernel writes them beside the program.
has_cores() {
	[ "$(cat /proc/sys/kernel/core_pattern)" = core ] &&
		command -v gdb >/dev/null && command -v setarch >/dev/null &&
		(ulimit -c unlimited) 2>/dev/null &&
		[ "$(setarch -R echo fixed 2>/dev/null)" = fixed ]
}

# core: what gdb says of a core in this folder, without what differs from one run
# to the next: numbers of processes, addresses, depths of stacks, and the frames
# of functions that are wrapped.
core() {
	set -- core*
	[ -e "$1" ] || return 0
	DEBUGINFOD_URLS='' gdb -q -nx -batch -ex 'p $_siginfo.si_signo' \
		-ex 'p $_siginfo.si_code' \
		-ex 'p $_siginfo._sifields._sigfault.si_addr' \
		-ex 'bt -12' -ex 'info threads' \
		../kinds "$1" 2>/dev/null |
		grep -vE '^warning|New LWP|^$|linux-vdso|Core was|preload/(wrap|calls)/' |
		sed -E 's/LWP [0-9]+/LWP/g; s/0x[57][0-9a-f]{11}/ADDR/g
			s/0x0000[0-9a-f]{12}/ADDR/g; s/^#[0-9]+ */# /
			s/(pid|threadid|tid)=[0-9]+/\1/g; s/ +/ /g; s/^ ([0-9]+) Thread.*/\1 Thread/
			s/\) 0x[0-9a-f]{2,8}$/) pid/; s/n=[12][0-9]{3}/n=NNNN/'
}

# told COMMAND...: its status, output and core.
told() {
	rm -rf told && mkdir told && cd told || exit 1
	(
		# An operating system's tests need not have room for cores.
		[ -z "$cores" ] || ulimit -c unlimited
		"$@" >out 2>&1
		echo "status $?" >>out
	) 2>/dev/null
	[ -z "$cores" ] || ls core* 2>/dev/null | wc -l >>out
	# Of threads that crash together any may be the first; a child is killed
	# wherever it is; and of another program gdb knows nothing.
	case $cores$kind in
	yestwo-threads | yeskilled-child | yesexec) ;;
	yes*) core >>out ;;
	esac
	# ptrace-run ends by the signal as its command did, without a core.
	sed "s, (core dumped)\$,," out
	cd ..
}

$CC -O0 -g -w -o kinds "$abs_top_srcdir/t/run/crash-kinds.c" -lpthread ||
	skip_all "the program cannot be built"
cores=
fixed=
! has_cores || { cores=yes; fixed='setarch -R'; }
./kinds >list
plan $(($(wc -l <list) * 3 + 1))
[ -n "$cores" ] || diag "without cores: core_pattern, gdb or setarch"

while IFS= read -r kind <&3; do
	# shellcheck disable=SC2086
	told $fixed ../kinds "$kind" >plain
	# shellcheck disable=SC2086
	told "$PTRACE_RUN" -q --crash -o "$T/log" $fixed ../kinds "$kind" >traced
	is "$(cat traced)" "$(cat plain)" "$kind: ends as untraced"
	"$PTRACE_DUMP" -f json -n signal:crash log >events
	sed -n 's/.*"signame":"\([A-Z]*\)".*/\1/p' events >signals
	# Of threads that crash together one ends the process.
	[ "$kind" != two-threads ] || sort -u -o signals signals
	is "$(cat signals)" "$(expected "$kind")" "$kind: is recorded"
	want=$(place "$kind")
	if [ -n "$want" ]; then
		like "$(cat events)" "\"stack\":.*$want\\+0x" "$kind: in $want"
	else
		pass "$kind: no matter where"
	fi
done 3<list

# Asked for by its family; not by all.
for list in all process none; do
	"$PTRACE_RUN" -q -e "$list" -o "$T/log" ./kinds null 2>/dev/null
	"$PTRACE_DUMP" -f raw -n signal:crash log
done >unasked 2>&1
is "$(cat unasked)" "" "-e all does not ask for crashes"
