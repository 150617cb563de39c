# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of the tools, after t/lib/tap.sh.
VICTIMS=$abs_top_builddir/t/run
export VICTIMS
cd "$T" || exit 1

# run OPTION...: ptrace-run, quiet, into $T/log.
run() {
	"$PTRACE_RUN" -q -o "$T/log" "$@"
}

# status COMMAND...: prints its exit status; output and errors are in $T/out and
# $T/err.
status() {
	"$@" >"$T/out" 2>"$T/err"
	echo $?
}

# dump OPTION...: of $T/log.
dump() {
	"$PTRACE_DUMP" -f raw "$@" "$T/log"
}

# names [OPTION...]: the names of the events of $T/log, one per line.
names() {
	dump "$@" | cut -d ' ' -f 3
}

# count PATTERN [OPTION...]: the number of events with such a name.
count() {
	pattern=$1
	shift
	names "$@" | grep -c -x -e "$pattern"
}

# wait_for COMMAND...: repeats it until it succeeds, for a minute on a machine that
# has nothing else to do.  What is no command fails at once.
wait_for() {
	tries=0
	command -v "$1" >/dev/null || {
		fail "there is no $1 to wait for"
		return 1
	}
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 3000 ] || return 1
		sleep 0.02
	done
}

# python_itself: python3 may be a script that looks for it (pyenv).
python_itself() {
	python3 -c 'import sys; print(sys.executable)' 2>/dev/null
}

# guardian_of PID: the process that puts another in the place of this controller.
guardian_of() {
	guardian=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status")
	! grep -qx ptrace-guardian "/proc/$guardian/comm" || echo "$guardian"
}

# guarded PID: it and the controller, in the order in which both can be killed.
guarded() {
	guardian_of "$1"
	echo "$1"
}

# is_ended PID: has it ended?  Also if it is a zombie that its parent does not
# reap.
is_ended() {
	! kill -0 "$1" 2>/dev/null ||
		grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}
