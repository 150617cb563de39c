#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC2094,SC3045 # of the shells that are traced
# ptrace-run --crash with real programs, and where handlers are hard to have: each
# ends as it does untraced.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
CXX=${CXX:-c++}
need "${CC%% *}"
todo_coverage "the program is killed before it writes them"
plan 27

# What differs from run to run.
plain() {
	sed -E 's/0x[0-9a-f]+/ADDR/g; s/pid[=:]? *[0-9]+/pid/g
		s/core dumped/core/; s/hs_err_pid[0-9]+/hs_err/; s/ \(core\)$//
		/^bash:|^sh:/s/: line [0-9]+: +[0-9]+ /: /'
}

# same WHAT SIGNALS COMMAND...: the same output and status, and these crashes.
same() {
	what=$1 want=$2
	shift 2
	{ { "$@"; echo "status $?"; } 2>&1; } 2>/dev/null | plain >plain
	{ { "$PTRACE_RUN" -q --crash -o "$T/log" "$@"; echo "status $?"; } 2>&1
	} 2>/dev/null | plain >traced
	is "$(cat traced)" "$(cat plain)" "$what: ends as untraced"
	is "$("$PTRACE_DUMP" -f json -n signal:crash log |
		sed -n 's/.*"signame":"\([A-Z]*\)".*/\1/p' | tr '\n' ' ')" \
		"$want" "$what: what is recorded"
}

# same_with PROGRAM WHAT SIGNALS COMMAND...: if there is such a program.
same_with() {
	program=$1
	shift
	lacks "$program" "$1" "ends as untraced" "what is recorded" && return
	same "$@"
}

ulimit -c 0
$CC -O0 -g -w -o kinds "$abs_top_srcdir/t/run/crash-kinds.c" -lpthread ||
	skip_all "the program cannot be built"

same_with python3 "python3" "SIGSEGV " \
	python3 -S -c 'import ctypes; ctypes.string_at(8)'
same_with python3 "faulthandler" "SIGSEGV " \
	python3 -S -X faulthandler -c 'import ctypes; ctypes.string_at(8)'
same_with python3 "os.abort" "SIGABRT " python3 -S -c 'import os; os.abort()'

cat >throw.cc <<'END'
#include <stdexcept>
int main()
{
	throw std::runtime_error("thrown");
}
END
if $CXX -g -o throw throw.cc 2>/dev/null; then
	same "C++" "SIGABRT " ./throw
	is "$("$PTRACE_DUMP" -f json -n signal:crash log |
		sed -n 's/.*"exception":"\([^"]*\)".*/\1/p')" \
		std::runtime_error "the type of the exception"
else
	skip "C++: ends as untraced" "no compiler"
	skip "C++: what is recorded" "no compiler"
	skip "the type of the exception" "no compiler"
fi

# A machine that handles its own faults.
cat >Null.java <<'END'
public class Null {
	static int deep(int n) { return deep(n + 1) + 1; }
	public static void main(String[] arguments) {
		String none = arguments.length > 5 ? "" : null;
		try {
			System.out.println(none.length());
		} catch (NullPointerException e) {
			System.out.println("null");
		}
		try {
			deep(0);
		} catch (StackOverflowError e) {
			System.out.println("deep");
		}
	}
}
END
if command -v javac >/dev/null && javac Null.java 2>/dev/null; then
	same_with java "java" "" java -Xint -cp . Null
else
	skip "java: ends as untraced" "no javac"
	skip "java: what is recorded" "no javac"
fi

# Shells, which wait for those that crash.
same "in a pipe" "SIGSEGV " sh -c './kinds null | cat; ./kinds none; echo $?'
same "of a shell" "SIGABRT " sh -c 'kill -ABRT $$'
same "all at once" "SIGBUS SIGBUS SIGBUS " \
	sh -c './kinds raise & ./kinds raise & ./kinds raise & wait; exit 5'

# Without ptrace-run.
rm -f log
LD_PRELOAD=$LIBPTRACE PTRACE_CRASH=1 PTRACE_OUTPUT=$T/log ./kinds null \
	>/dev/null 2>&1
is "$?" 139 "LD_PRELOAD alone: the status"
wait_for grep -q . log
wait_for sh -c '"$PTRACE_DUMP" --info log | grep -q "^log-state: *complete"'
is "$("$PTRACE_DUMP" -f raw -n signal:crash log | grep -c signal:crash)" \
	1 "PTRACE_CRASH"

# The first process of a pid namespace is not killed by what it sends itself.
if unshare -Urpf true 2>/dev/null; then
	# Unshare ends by the signal that its child ended by.
	same "the first process" "SIGSEGV SIGSEGV " unshare -Urpf ./kinds null
	same "spared" "" unshare -Urpf sh -c 'kill -SEGV $$; kill -ABRT $$; exit 4'
else
	for name in "the first process" spared; do
		skip "$name: ends as untraced" "no namespaces"
		skip "$name: what is recorded" "no namespaces"
	done
fi

# As a user without rights; in a stream too small for the stack.
chmod 755 . kinds
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	same "as another user" "SIGSEGV " \
		setpriv --reuid 65534 --regid 65534 --clear-groups ./kinds null
else
	skip "as another user: ends as untraced" "not root"
	skip "as another user: what is recorded" "not root"
fi
"$PTRACE_RUN" -q --crash -b 16K -s 100 -o "$T/log" ./kinds overflow 2>/dev/null
is "$("$PTRACE_DUMP" -f raw -n signal:crash log | grep -c signal:crash)" 1 \
	"in the smallest stream"
"$PTRACE_RUN" -q --crash --snapshot -e all -o "$T/log" ./kinds thread-overflow \
	2>/dev/null
is "$("$PTRACE_DUMP" -f raw -n signal:crash log | grep -c signal:crash)" 1 "in a snapshot"
