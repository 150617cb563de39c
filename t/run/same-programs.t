#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that make processes say and return the same with and without us.
# shellcheck disable=SC2016,SC2094,SC2317 # expanded and called elsewhere
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/same.sh"
plan 13

cat >script <<'END'
a=$(echo x | cat | (cat; true)); echo "$a"
for i in 1 2 3; do (exit $i) & wait $! || echo $?; done
trap 'echo caught; exit 6' TERM; kill -TERM $$; sleep 5
END
try "bash" bash bash script
try "sh" sh sh script
try "killed" sh sh -c 'kill -KILL $$'
settle() {
	sed -E 's/line 1: +[0-9]+/line 1:/'
}
try "aborted" bash bash -c 'ulimit -c 0; sh -c "kill -ABRT \$\$"; echo $?
	/no/such/program; echo $?; /etc/passwd; echo $?'
settle() {
	cat
}
try "xargs -P" xargs sh -c 'seq 40 | xargs -n 2 -P 4 echo | sort'
try "find -exec" find find /usr/include -maxdepth 1 -name 's*.h' \
	-exec wc -c {} +
try "tar, gzip" gzip sh -c 'tar -C /usr/include -cf - rpc* net | gzip -n9 |
	tee archive | cksum; tar -tzf archive | wc -l; tar -x -zf archive
	/no/such; gunzip -t script'

cat >main.c <<'END'
#include <stdio.h>
int main(void) { puts("works"); return undeclared; }
END
try "gcc fails" gcc gcc -c main.c
cat >main.cc <<'END'
#include <iostream>
#include <stdexcept>
#include <thread>
int main()
{
	std::thread([] { std::cout << "thread\n"; }).join();
	try { throw std::runtime_error("thrown"); }
	catch (std::exception &e) { std::cout << e.what() << "\n"; }
	throw 1;
}
END
prepare() {
	rm -f program ./*.o
}
ways="run preload"
try "g++, exceptions, threads" g++ sh -c 'ulimit -c 0
	g++ -pthread -o program main.cc && ./program'
printf 'all: a b c\n\tcat $^\n%%:\n\techo $@ >$@ && exit $(FAIL)\n' >makefile
ways="run detach preload"
prepare() {
	rm -f a b c
}
try "make fails" make make -k FAIL=3 a b c
settle() {
	sort
}
try "make -j3" make make -j3
settle() {
	cat
}

cat >test.py <<'END'
import multiprocessing, subprocess, sys
def work(n):
    return n * n
if __name__ == '__main__':
    print(subprocess.run('echo hi; exit 3', shell=True))
    print(subprocess.run(['cat'], input=b'in', capture_output=True))
    try:
        subprocess.run(['sleep', '9'], timeout=0.05)
    except subprocess.TimeoutExpired as e:
        print(e.cmd)
    for how in 'fork', 'spawn':
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(pool.map(work, range(4)))
    sys.exit(7)
END
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
try "python3" "${python:-python3}" "${python:-python3}" test.py
try "perl" perl perl -e 'print `echo hi`; system("exit 3"); print $? >> 8;
	open(P, "|-", "cat") or die; print P "x\n"; close P; $| = 1;
	$SIG{CHLD} = sub { print "child\n" }; if (!fork) { exit 4 } wait;
	print $? >> 8; die "dies"'
