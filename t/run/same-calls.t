#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs say and return the same while all of their calls of libc are
# recorded, and while the library is only there.
# shellcheck disable=SC2016,SC2094,SC2317 # expanded and called elsewhere
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/same.sh"
plan 21

export PTRACE_EVENTS=all
ways="events"

seq 3000 | sed 's/.*/& some text &/' >text
printf '#include <stdio.h>\nint main(void) { puts("hi"); return 3; }\n' >main.c
printf 'all: a b c\n\tcat $^\n%%:\n\techo $@ >$@\n' >makefile
try "ls" ls ls -l /usr/include
try "bash" bash bash -c 'for i in 1 2 3; do x=$(echo $i | cat); echo $x; done
	ulimit -n; (exit 3); echo $?; type ls; printf "%05d\n" 12'
try "sh" sh sh -c 'echo a | (read x; echo $x); kill -TERM $$'
try "cat, sort, uniq" sort sh -c 'sort -r text | uniq -c | tail -n 5'
try "sed, awk, grep" awk sh -c 'sed s/1/2/g text | awk "{ n += \$1 }
	END { print n }"; grep -c 99 text'
try "find, xargs" xargs sh -c 'find /usr/include -name "s*.h" |
	sort | head -n 50 | xargs wc -c'
try "tar, gzip" tar sh -c 'tar -C /usr/include -cf - rpc* net |
	gzip -n9 | cksum; gunzip -t text'
prepare() {
	rm -f a b c a.out
}
try "make" make make
try "gcc" gcc sh -c 'gcc main.c && ./a.out'
try "gcc fails" gcc gcc -c no-such.c
prepare() {
	:
}
try "git" git sh -c 'rm -rf repo && git init -q repo && cd repo &&
	echo 1 >f && git add f && git -c user.name=a -c user.email=b commit -q \
	-m c --date=@1 && git ls-files -s && git status --short'
try "perl" perl perl -e 'open F, "<", "text"; $n += $_ while <F>; print $n;
	print `echo hi`; @a = sort { $b <=> $a } 1 .. 2000; print $a[0]; die 1'
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
try "python3" "${python:-python3}" "${python:-python3}" -c '
import json, os, socket, subprocess, threading
a, b = socket.socketpair()
t = [threading.Thread(target=lambda: a.send(b"x")) for i in range(8)]
[x.start() for x in t]; [x.join() for x in t]
n = 0
while n < 8:
    n += len(b.recv(8))
print(n, json.dumps(sorted(os.listdir("/usr/include"))))
print(subprocess.run("echo hi; exit 3", shell=True))
raise SystemExit(7)'
try "sqlite3" sqlite3 sqlite3 :memory: 'create table t(a); insert into t
	values(1), (2); select sum(a), sqlite_version() > "" from t;'
try "openssl" openssl sh -c 'openssl sha256 text;
	openssl enc -aes-128-cbc -k a -S 0102030405060708 -pbkdf2 -in text |
	cksum'
try "node" node node -e 'const f = require("fs");
	console.log(f.readFileSync("text").length);
	setTimeout(() => process.exit(4), 1)'
try "gdb" gdb gdb -nx -batch -ex 'p 6 * 7' -ex 'info line main' /bin/true
try "bc" bc sh -c 'echo "2^200; scale=20; 1/3" | bc'
try "getent" getent getent hosts 127.0.0.1
settle() {
	sed -E 's/[0-9.]+ ?(s|ms|sec|seconds)//g'
}
try "dd" dd sh -c 'dd if=text of=copy bs=512 2>/dev/null; cmp text copy'
settle() {
	cat
}
jemalloc=$(find /usr/lib /usr/local/lib -name 'libjemalloc.so.2' 2>/dev/null |
	head -n 1)
if [ "$jemalloc" ]; then
	same "jemalloc" env LD_PRELOAD="$jemalloc" sort text
else
	skip "jemalloc" "there is none"
fi
