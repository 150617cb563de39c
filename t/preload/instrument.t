#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2086 # a compiler can be words
# Functions compiled to call us have one event for each call, and one for each
# return if they tell it, whatever language, thread, handler or child it is in;
# the profiler of libc works on.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need python3
plan 52

source=$abs_top_srcdir/t/preload/instrumented.c
cc=${CC:-cc}
cxx=${CXX:-g++}
cd "$T" || exit 1

# Compares the calls that the program counted with the events of the log: for
# each function that differs its name, with the numbers of both.
cat >compare.py <<'END'
import bisect, collections, json, sys
has_exits = sys.argv[1] == "exits"
want = collections.Counter()
leaves = collections.Counter()
at = {}
for line in open("counts"):
    name, address, calls, returns = line.split()
    at[int(address, 16)] = name
    want[name] += int(calls)
    leaves[name] += int(returns) if has_exits else 0
starts = sorted(at)
got = {"call:enter": collections.Counter(), "call:exit": collections.Counter()}
for line in open("json"):
    event = json.loads(line)
    if event["name"] in got:
        callee = int(event["args"]["callee"], 16)
        i = bisect.bisect(starts, callee)
        got[event["name"]][at[starts[i - 1]] if i else "?"] += 1
for name in sorted(want | got["call:enter"] | got["call:exit"]):
    numbers = (want[name], got["call:enter"][name], leaves[name],
               got["call:exit"][name])
    if numbers[0] != numbers[1] or numbers[2] != numbers[3]:
        print(name, *numbers)
END

# build FLAG...: the program with its plugin; false after skips or fails.
build() {
	compiler=$1
	shift
	if ! command -v ${compiler%% *} >/dev/null 2>&1; then
		reason="no $compiler"
	elif [ "$compiler" = clang ] && ! echo 'int x;' | clang -x c -c \
		-Werror "$@" -o /dev/null - 2>/dev/null; then
		reason="clang without $*"
	else
		language=c
		[ "$compiler" != "$cxx" ] || language=c++
		$compiler "$@" -x $language -pthread -o program "$source" \
			>cc.out 2>&1 &&
			$cc "$@" -fPIC -shared -o plugin.so \
				"${source%.c}-plugin.c" >>cc.out 2>&1 && return
		reason=
		diag "$(cat cc.out)"
	fi
	for part in "the same output" "exact counts" "filtered"; do
		if [ "$reason" ]; then
			skip "$what: $part" "$reason"
		else
			fail "$what: $part"
		fi
	done
	return 1
}

# traced KIND COMPILER FLAG...: KIND is exits or entries.
traced() {
	kind=$1
	shift
	what=$*
	build "$@" || return
	rm -f counts log
	run_plain ./program counts ./plugin.so
	rm -f counts
	"$PTRACE_RUN" -q -o log -b 16M -e call -- ./program counts \
		./plugin.so >traced.out 2>traced.err
	is "$? $(cat traced.out traced.err)" "3 $(cat plain.out)" \
		"$what: the same output"
	events call:enter >nr
	is "$(python3 compare.py "$kind")" "" "$what: exact counts"
	"$PTRACE_RUN" -q -o log -e process -- ./program counts ./plugin.so \
		>traced.out 2>traced.err
	is "$? $(cat traced.out traced.err) $(events call:enter)" \
		"3 $(cat plain.out) 0" "$what: filtered"
}

for compiler in "$cc" "$cxx"; do
	traced exits "$compiler" -finstrument-functions -O0
	traced exits "$compiler" -finstrument-functions -O2
	traced entries "$compiler" -pg -O0
	traced entries "$compiler" -pg -O2
	traced entries "$compiler" -pg -mfentry -O2
done
traced exits "$cc" -finstrument-functions -O2 -fno-pie -no-pie
traced entries "$cc" -pg -O2 -fno-pie -no-pie
traced entries "$cc" -pg -mfentry -O2 -fcf-protection -Wl,-z,now
traced exits clang -finstrument-functions -O2
traced entries clang -pg -O2

# Nothing changes in any register, when the recorder needs a new chunk too.
what="registers kept"
if [ "$(uname -m)" = x86_64 ]; then
	like "$("$VICTIMS/victim-registers")" '0 and 0 differ$' \
		"$what: not traced"
	"$PTRACE_RUN" -q -o log -b 16M -e call -- "$VICTIMS/victim-registers" >out
	like "$? $(cat out) $(events call:enter)" \
		'^0 .* 0 and 0 differ 40002$' "$what: traced"
	# Then each event takes the slow path.
	"$PTRACE_RUN" -q -k -o log -b 16M -e call -- \
		"$VICTIMS/victim-registers" >out
	like "$? $(cat out) $(events call:enter)" \
		'^0 .* 0 and 0 differ 40002$' "$what: with stacks"
else
	skip "$what: not traced" "not x86-64"
	skip "$what: traced" "not x86-64"
	skip "$what: with stacks" "not x86-64"
fi

# gprof has its file, with the counts as they were.
cat >profiled.c <<'END'
__attribute__((noinline, noclone)) static int leaf(int x)
{
	return x + 1;
}
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 77; i++)
		sum = leaf(sum);
	return sum;
}
END
for how in "-pg" "-pg -mfentry"; do
	if ! command -v gprof >/dev/null 2>&1 ||
		! $cc -O2 $how -o profiled profiled.c 2>/dev/null; then
		skip "$how: profile" "no gprof, or $how"
		continue
	fi
	"$PTRACE_RUN" -q -o log -e call -- ./profiled
	is "$? $(events call:enter) $(gprof -b -p profiled gmon.out |
		awk '$NF == "leaf" { print $(NF - 3) }')" "77 78 77" \
		"$how: profile"
	rm -f gmon.out
done

# A library of the program's that is called from each function is called.
cat >counter.c <<'END'
#include <stdio.h>
static int enters, exits;
void __cyg_profile_func_enter(void *function, void *site)
{
	(void)function, (void)site, enters++;
}
void __cyg_profile_func_exit(void *function, void *site)
{
	(void)function, (void)site, exits++;
}
__attribute__((destructor)) static void end(void)
{
	printf("%d %d\n", enters, exits);
}
END
$cc -fPIC -shared -o libcounter.so counter.c &&
	$cc -finstrument-functions -o profiled profiled.c ./libcounter.so
ok $? "a library that is called, too"
"$PTRACE_RUN" -q -o log -e call -- ./profiled >out
is "$? $(cat out) $(events call:exit)" "77 78 78 78" "it is, and so are we"
