#!/bin/sh
# SPDX-License-Identifier: MIT
# A program whose limits of memory or descriptors have no room for the library
# runs as if nothing traced it, and it is told which limit that was.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 37

# limited OPTION AMOUNT REASON: by exec, and by fork.
limited() {
	for how in "exec /bin/echo ran" "/bin/echo ran; exit"; do
		set -- "$1" "$2" "$3" "ulimit -$1 $2 && $how"
		sh -c "$4" >bare 2>&1
		bare=$?
		"$PTRACE_RUN" -q -o log sh -c "$4" >traced 2>&1
		is $? $bare "$4: the status" || head traced bare >&2
		# A limit of its memory ends a program where the kernel has it.
		is "$(cat traced)" "$(cat bare)" "$4: the output"
		is "$(dump -f json -n process:untraced |
			sed -n 's/.*"reason":"\([^"]*\)".*/\1/p')" "$3" \
			"$4: why"
		is "$(dump --info | sed -n 's/^not-traced: *//p')" 1 \
			"$4: counted"
	done
}
limited v 4000 "too little address space (RLIMIT_AS)"
limited v 9000 "too little address space (RLIMIT_AS)"
limited d 1000 "too small a data segment (RLIMIT_DATA)"
limited n 3 "too few descriptors (RLIMIT_NOFILE)"

# The controller has a place for more clients than may be open.
# shellcheck disable=SC3045 # dash has it
(ulimit -n 24 && "$PTRACE_RUN" -q -o log "$PTRACE_CTL" mark heard >out 2>err)
is "$? $(cat out err)" "0 " "ulimit -n 24: the controller answers"
is "$(dump -f json -n mark | wc -l)" 1 "and does it"

# What reads lines has more on the stack than the smallest of programs may have.
"$PTRACE_RUN" -q -o log -e all -k "$PTRACE_DUMP" --version >out
"$PTRACE_DUMP" log >bare
"$PTRACE_REPORT" --calls --callers log >bare.sites
# shellcheck disable=SC3045 # dash has it
(ulimit -s 96 && "$PTRACE_DUMP" log) >limited 2>err
is "$? $(cat err) $(cksum <limited)" "0  $(cksum <bare)" \
	"ulimit -s 96: ptrace-dump with lines"
# shellcheck disable=SC3045
(ulimit -s 96 && "$PTRACE_REPORT" --calls --callers log) >limited 2>err
is "$? $(cat err) $(cksum <limited)" "0  $(cksum <bare.sites)" \
	"ulimit -s 96: ptrace-report with lines"
# shellcheck disable=SC3045
(ulimit -s 96 && XDG_CACHE_HOME=$PWD/fresh "$PTRACE_RUN" -q -o log -f '*' -a \
	"$PTRACE_DUMP" --version) >limited 2>err
is "$? $(cat err) $(cksum <limited)" "0  $(cksum <out)" \
	"ulimit -s 96: ptrace-run -f -a with a new plan"
