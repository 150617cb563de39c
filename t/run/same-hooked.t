#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs say and return the same while all calls of library functions are
# recorded (-l '*'), and all returns, too (-r '*').
# shellcheck disable=SC2016 # expanded elsewhere
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/same.sh"
plan 16
ways="calls returns"

cat >hello.cc <<'END'
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <vector>
int main()
{
	std::vector<int> v{3, 1, 2};
	std::sort(v.begin(), v.end());
	try {
		std::cout << v.at(1) << std::stoi("x");
	} catch (const std::exception &e) {
		std::cout << e.what() << std::endl;
	}
	return 5;
}
END
try bash bash bash -c 'for i in 1 2 3; do echo $i | tr 1-3 a-c; done; exit 7'
try python python3 python3 -c 'import json, ctypes, subprocess, threading
print(json.dumps({"a": 1}), subprocess.run(["echo", "x"], capture_output=True))
t = threading.Thread(target=print, args=("y",)); t.start(); t.join()
raise SystemExit(4)'
try perl perl perl -e 'use POSIX; print strftime("%Y", gmtime(0)), "\n";
	print map { $_ * 2 } 1 .. 10; system("echo x"); exit 3'
try git git git --no-pager -C "$abs_top_srcdir" log -3 --stat
try "gcc" gcc sh -c 'echo "int main(void) { return 3; }" >a.c &&
	gcc -O2 -o a a.c && ./a'
try "g++" g++ g++ -O1 -o hello hello.cc
try "C++" ./hello ./hello
try make make sh -c 'printf "a b:\n\techo \$@\n" | make -s -j2 -f - a b | sort'
try node node node -e 'console.log([1, 2, 3].map(x => x * 2));
	setTimeout(() => process.exit(6), 1)'
try openssl openssl openssl enc -aes-256-cbc -k x -S 0102030405060708 \
	-pbkdf2 -a -in "$abs_top_srcdir/COPYING"
try sqlite3 sqlite3 sqlite3 :memory: \
	'create table t(a); insert into t values(1),(2); select sum(a) from t;'
try xargs xargs sh -c 'seq 20 | xargs -n 3 -P 2 echo | sort'
try find find find /usr/include -maxdepth 1 -name 's*.h'
try gdb gdb gdb -batch -nx -ex 'p 1 + 1' -ex 'info line main' "$PTRACE_DUMP"
try xz xz sh -c 'xz -1 -T2 <"$0" | xz -d | cksum' "$PTRACE_DUMP"
try sort sort sort -R --random-source=/etc/passwd /etc/group
