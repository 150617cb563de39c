#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls inside of calls: what is shown of them is what a script computes from the
# events, in text, in exports, in reports and in the page; however they end.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
plan 104

cat >calls.h <<'END'
#include <setjmp.h>
extern jmp_buf jump_to;
int leaf(int), again(int), outer(int (*)(int), int), leap(int), leave(int);
int last(int);
END
cat >calls.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "calls.h"
jmp_buf jump_to;
int leaf(int x) { for (volatile int i = 0; i < 200; i++); return x; }
int outer(int (*f)(int), int x) { leaf(x); f(x); return leaf(x); }
int leap(int x) { leaf(x); longjmp(jump_to, x); }
int leave(int x) { leaf(x); pthread_exit((void *)(long)x); }
int last(int x) { leaf(x); if (x == 9) raise_kill(); exit(x); }
END
sed -i 's/raise_kill()/kill(getpid(), 9)/; 1i #include <signal.h>' calls.c
cat >again.c <<'END'
#include "calls.h"
int again(int x) { return x > 0 ? again(x - 1) + leaf(x) : leaf(0); }
END
# Each way in which a call may end, by a word.
cat >ways.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
static int jump(int x) { outer(leap, x); return 0; }
static void *thread(void *x) { outer(leave, (int)(long)x); return 0; }
static int threads(int x)
{
	pthread_t id[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, thread, (void *)(i + x));
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
	return 0;
}
static int execute(int x)
{
	leaf(x);
	return execl("./ways", "ways", "recursion", NULL);
}
int main(int argc, char **argv)
{
	const char *way = argv[argc - 1];

	for (volatile int i = 1; i <= 5; i++) {
		leaf(i);
		if (strcmp(way, "recursion") == 0)
			again(i + 3);
		else if (strcmp(way, "jumps") == 0 && setjmp(jump_to) == 0)
			outer(jump, i);
		else if (strcmp(way, "threads") == 0)
			outer(threads, i);
		else if (strcmp(way, "exit") == 0)
			outer(last, 3);
		else if (strcmp(way, "killed") == 0)
			outer(last, 9);
		else if (strcmp(way, "exec") == 0)
			outer(execute, i);
		leaf(i);
	}
	return 0;
}
END
cat >thrown.cc <<'END'
extern "C" int leaf(int);
extern "C" int throws(int x) { leaf(x); throw x; }
extern "C" int passes(int x);
int main()
{
	for (int i = 0; i < 20; i++) {
		try {
			passes(i % 4);
		} catch (int) {
			leaf(1);
		}
		leaf(2);
	}
}
END
cat >passes.cc <<'END'
extern "C" int throws(int), leaf(int);
extern "C" int passes(int x);
extern "C" int passes(int x)
{
	leaf(x);
	return x > 0 ? passes(x - 1) : throws(x);
}
END
cat >throws.cc <<'END'
extern "C" int leaf(int);
extern "C" int throws(int x) { leaf(x); throw x; }
END
flags='-g -O1 -fno-optimize-sibling-calls'
# shellcheck disable=SC2086 # several
{
	cc $flags -fPIC -shared -o libcalls.so calls.c -pthread &&
		cc $flags -fPIC -shared -o libagain.so again.c ./libcalls.so &&
		cc $flags -o ways ways.c ./libcalls.so ./libagain.so -pthread
} >cc.out 2>&1 || skip_all "$(head -n 1 cc.out)"

cat >check.py <<'END'
from nests import say_nested

say_nested("log")
END
functions='-r leaf -r again -r outer -r leap -r leave -r last'
# ways WHAT WAY [OPTION...]
ways() {
	ways_what=$1 way=$2
	shift 2
	# shellcheck disable=SC2086 # several
	run $functions "$@" ./ways "$way" >/dev/null 2>&1
	checks "$ways_what" check.py
}
ways "recursion" recursion
ways "jumps out of several" jumps
ways "threads that end inside" threads
ways "exit inside" exit
ways "killed inside" killed
ways "exec inside" exec
ways "with libc, and how long is known" recursion -e all --min-duration 1ns

# shellcheck disable=SC2086 # several
if command -v g++ >/dev/null 2>&1 && {
	g++ $flags -fPIC -shared -o libthrows.so throws.cc ./libcalls.so &&
		g++ $flags -fPIC -shared -o libpasses.so passes.cc \
			./libthrows.so ./libcalls.so &&
		sed -i '/int throws/d' thrown.cc &&
		g++ $flags -o thrown thrown.cc ./libpasses.so ./libthrows.so \
			./libcalls.so
} >cc.out 2>&1; then
	run -r leaf -r throws -r passes ./thrown
	checks "exceptions" check.py
else
	skip "exceptions" "no g++" 13
fi
