# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of what a user can do to root, after t/lib/tap.sh: as root, with
# a /dev/shm and processes of our own.
if [ "$(id -u)" != 0 ]; then
	skip_all "not root"
fi
need setpriv unshare
if [ -z "${PTL_T_ALONE-}" ]; then
	unshare -mpf true 2>/dev/null || skip_all "no namespaces"
	PTL_T_ALONE=1
	export PTL_T_ALONE
	rm -rf "$T"
	exec unshare -mpf sh -c \
		'mount -t tmpfs -o mode=1777 none /dev/shm &&
		mount -t proc none /proc && exec sh "$0"' "$0"
fi
. "$abs_top_srcdir/t/lib/run.sh"
chmod 755 "$T"
RUNDIR=/dev/shm/ptrace-65534

# as_user COMMAND...
as_user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

as_user test -x "$LIBPTRACE" -a -x "$VICTIMS/victim-hostile" ||
	skip_all "the tree is closed to others"

# hostile WHAT...
hostile() {
	as_user "$VICTIMS/victim-hostile" "$@"
}

# is_listed PID: the process has an entry in the registry (format/registry.h: the
# upper half of a key is the pid, and of the lower half 4 bits the state).
is_listed() {
	od -A n -t u4 -j 1152 -N 32768 -w8 "$RUNDIR/r.7" 2>/dev/null |
		awk -v pid="$1" '$2 == pid && int($1 / 4096) % 16 { found = 1 }
			END { exit !found }'
}

# begin [OPTION...]: root traces $victim, a process of the user, into $T/log.
begin() {
	rm -rf log go say "$RUNDIR"
	mkfifo go
	# Not as_user: $! would be a shell.
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$VICTIMS/victim-prey" <go &
	victim=$!
	exec 9>go
	wait_for is_listed "$victim"
	"$PTRACE_RUN" -v -o log "$@" -p $victim 2>say &
	tracer=$!
	wait_for grep -q "tracing process" say
}

# finish: the victim ends in some way; $finished is the tracer's exit status.
finish() {
	exec 9>&-
	kill -9 "$victim" 2>/dev/null
	wait "$tracer"
	finished=$?
	wait "$victim" 2>/dev/null
}

# reads [OPTION...]: root reads $T/log; prints "ok", or what went wrong.
reads() {
	"$PTRACE_DUMP" -f raw "$@" log >dump.out 2>dump.err
	case $? in
	0 | 1) echo ok ;;
	*) echo "status $?: $(head -n 3 dump.err)" ;;
	esac
}

# valid: is the log complete up to its last packet?
valid() {
	reads --info
	grep -a 'bad-' dump.out
}
