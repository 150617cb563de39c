#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -e sdt:...: probes of programs and libraries as they are installed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/sdt.sh"
CXX=${CXX:-c++}
need "${CXX%% *}" readelf
plan 9

# probes FILE: how many it has.
probes() {
	readelf -n "$1" 2>/dev/null | grep -c NT_STAPSDT
}

cat >throws.cc <<'END'
#include <cstdio>
#include <stdexcept>
__attribute__((noinline)) static int deep(int n)
{
	if (n == 0)
		throw std::runtime_error("deep");
	return deep(n - 1) + 1;
}
int main()
{
	int caught = 0;

	for (int i = 0; i < 1000; i++) {
		try {
			try {
				deep(i % 7);
			} catch (const std::logic_error &) {
				return 1;
			} catch (const std::exception &) {
				if (i % 3 == 0)
					throw;
				caught++;
			}
		} catch (...) {
			caught++;
		}
	}
	printf("%d\n", caught);
	return 4;
}
END
$CXX -O2 -o throws throws.cc
library=$(ldd ./throws | sed -n 's/.*libstdc++\.so\.6 => \([^ ]*\).*/\1/p')
if [ "$(probes "$library")" -ge 3 ]; then
	./throws >plain
	run -e 'sdt:libstdcxx:*' ./throws >out
	is "$? $(cmp plain out)" "4 " "a C++ program runs as without"
	is "$(sdt | grep -c :throw) $(sdt | grep -c :rethrow) $(sdt | grep -c :catch)" \
		"1000 334 1334" "each throw, rethrow and catch"
	run -k -e 'sdt:libstdcxx:throw' ./throws >out
	like "$("$PTRACE_DUMP" -f json log | grep -m 1 '"sdt:.*"stack"')" 'deep' "with stacks"
else
	skip "exceptions" "libstdc++ has no probes" 3
fi

python=$(command -v /usr/bin/python3)
if [ -n "$python" ] && [ "$(probes "$python")" -ge 3 ]; then
	cat >program.py <<'END'
import gc, sys
def each(n):
    return n + 1
sum = 0
for i in range(500):
    sum = each(sum)
for i in range(5):
    gc.collect()
print(sum)
sys.exit(3)
END
	"$python" program.py >plain
	run -e 'sdt:python:*' "$python" program.py >out
	is "$? $(cmp plain out)" "3 " "python runs as without"
	[ "$(sdt | grep -c gc__start)" -ge 5 ]
	ok $? "its collections"
	[ "$(sdt | grep -c function__entry)" -ge 500 ]
	ok $? "its functions, which ask whether somebody wants them"
	"$PTRACE_RUN" --probes-list "$python" >out
	is "$? $(grep -c '^0x' out)" "0 $(probes "$python")" "its list"
else
	skip "python" "it has no probes" 4
fi

server=$(echo /usr/lib/postgresql/*/bin/postgres)
if [ -x "$server" ] && [ "$(probes "$server")" -ge 50 ]; then
	"$PTRACE_RUN" --probes-list "$server" 'postgresql:*' >out
	is "$? $(grep -c '^0x' out)" "0 $(probes "$server")" "postgres: its list"
	[ "$(grep -c refused out)" -le 8 ]
	ok $? "... nearly all of which can be patched"
else
	skip "postgres" "none with probes" 2
fi
