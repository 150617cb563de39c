#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls on several stacks of a thread (fibers, coroutines): each end is that of
# its begin, whatever the other stacks do meanwhile; and where that cannot be
# known, nothing contradicts itself.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
plan 136

# Each function is called with the number of its stack, and returns it.
cat >stacks.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include "stacks.h"
#define SIZE 65536
static int nr;
#ifdef OWN
/* Registers that belong to the caller are on the stack that is left. */
void own_switch(void **from, void *to);
__asm__(".text\n.globl own_switch\n.type own_switch,@function\nown_switch:\n"
	"pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\n"
	"pushq %r15\nmovq %rsp,(%rdi)\nmovq %rsi,%rsp\npopq %r15\npopq %r14\n"
	"popq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n"
	".size own_switch,.-own_switch\n");
static void *context[64], *back;
static int now;
static void (*body)(int);
static void begin(void) { body(now); abort(); }
static void make(int i, void (*work)(int))
{
	void **top = (void **)((char *)aligned_alloc(16, SIZE) + SIZE);

	body = work;
	*--top = 0;
	*--top = (void *)begin;
	context[i] = top - 6;
}
static void change(int from, int to)
{
	now = to;
	own_switch(from < 0 ? &back : &context[from],
		   to < 0 ? back : context[to]);
}
#elif defined BOOST
/* boost.context's own switch, as boost/context/detail/fcontext.hpp declares it:
 * who is switched to is told what was left, and keeps that. */
struct transfer { void *left, *keep; };
struct transfer jump_fcontext(void *to, void *keep);
void *make_fcontext(void *stack, size_t size, void (*)(struct transfer));
static void *context[64], *back;
static int now;
static void (*body)(int);
static void begin(struct transfer from)
{
	*(void **)from.keep = from.left;
	body(now);
	abort();
}
static void make(int i, void (*work)(int))
{
	body = work;
	context[i] = make_fcontext((char *)aligned_alloc(16, SIZE) + SIZE,
				   SIZE, begin);
}
static void change(int from, int to)
{
	struct transfer left;

	now = to;
	left = jump_fcontext(to < 0 ? back : context[to],
			     from < 0 ? &back : &context[from]);
	*(void **)left.keep = left.left;
}
#else
#include <ucontext.h>
static ucontext_t context[64], back;
static void make(int i, void (*work)(int))
{
	getcontext(&context[i]);
	context[i].uc_stack.ss_sp = malloc(SIZE);
	context[i].uc_stack.ss_size = SIZE;
	makecontext(&context[i], (void (*)(void))work, 1, i);
}
static void change(int from, int to)
{
	swapcontext(from < 0 ? &back : &context[from],
		    to < 0 ? &back : &context[to]);
}
#endif
int turn(int me) { change(me, (me + 1) % nr); return me; }
int turn_to(int me, int other) { change(me, other); return me; }
int go_back(int me) { change(me, -1); return me; }
int run_all(int n, void (*work)(int))
{
	nr = n;
	for (int i = 0; i < n; i++)
		make(i, work);
	change(-1, 0);
	return n;
}
int again(int me) { change(-1, me); return me; }
int leaf(int me) { for (volatile int i = 0; i < 300; i++); return me; }
END
cat >stacks.h <<'END'
int turn(int), turn_to(int, int), go_back(int), run_all(int, void (*)(int));
int again(int), leaf(int), down(int, int);
END
# What calls itself, through the linkage table.
cat >down.c <<'END'
#include "stacks.h"
int down(int me, int n)
{
	n > 0 ? down(me, n - 1) : turn(me);
	leaf(me);
	return me;
}
END
# Round and round; recursion; order by chance; and each stack left by a call of
# the thread's first one, which ends meanwhile.
cat >round.c <<'END'
#include <stdlib.h>
#include "stacks.h"
static int nr;
static void work(int me)
{
	for (int i = 0; i < 5; i++) {
		leaf(me);
		turn(me);
		leaf(me);
	}
	if (me == nr - 1)
		go_back(me);
	for (;;)
		turn(me);
}
int main(int argc, char **argv)
{
	(void)argc;
	run_all(nr = atoi(argv[1]), work);
	return 0;
}
END
sed 's/turn(me);/down(me, 3);/' round.c >deep.c
cat >chance.c <<'END'
#include <stdlib.h>
#include "stacks.h"
static unsigned int chance = 1;
static int left = 200;
static void work(int me)
{
	for (;;) {
		leaf(me);
		chance = chance * 1103515245 + 12345;
		if (--left < 0)
			go_back(me);
		turn_to(me, chance >> 16 & 7);
	}
}
int main(void)
{
	run_all(8, work);
	return 0;
}
END
cat >asked.c <<'END'
#include "stacks.h"
static void work(int me)
{
	for (;;) {
		leaf(me);
		go_back(me);
	}
}
int main(void)
{
	run_all(1, work);
	for (int i = 0; i < 20; i++)
		again(0), leaf(0);
	return 0;
}
END
flags='-g -O1 -fno-optimize-sibling-calls'
# build LIBRARY PROGRAM FLAG [LIBRARY]
build() {
	# shellcheck disable=SC2086 # several
	cc $flags -fPIC -shared "$3" -o "lib$1.so" stacks.c ${4+"$4"} \
		>cc.out 2>&1 &&
		cc $flags -fPIC -shared -o "libdown$1.so" down.c \
			"./lib$1.so" >>cc.out 2>&1 &&
		cc $flags -o "$2" "${2%-*}.c" "./lib$1.so" "./libdown$1.so" \
			>>cc.out 2>&1
}
for name in round deep chance asked; do
	build stacks $name -UOWN || skip_all "$(head -n 1 cc.out)"
done

cat >check.py <<'END'
import sys
from nests import say_stacks

names = {"turn", "turn_to", "leaf", "down", "run_all", "go_back", "again"}
calls = say_stacks("log", names, sys.argv[1] == "known")
END
# fibers WHAT known|unknown COMMAND...
fibers() {
	fibers_what=$1 is_known=$2
	shift 2
	run -a -r 'turn*' -r '*_all' -r leaf -r down -r go_back -r again "$@"
	checks "$fibers_what" check.py "$is_known"
}
fibers "two" known ./round 2
fibers "eight" known ./round 8
"$PTRACE_DUMP" -f json log >events
for format in chrome perfetto; do
	"$PTRACE_DUMP" -f "$format" log >exported
	checks "$format" "$abs_top_srcdir/t/run/check-$format" exported events
done
fibers "deep" known ./deep 8
fibers "by chance" unknown ./chance

# again() has ended when go_back() does.
run -a -r again -r go_back -r leaf ./asked
cat >asked.py <<'END'
from nests import calls_by_stack, say

calls, _ = calls_by_stack("log", {"again", "go_back", "leaf"})
say("as many as there are", len(calls), 82)
END
checks "asked" asked.py

if [ "$(uname -m)" = x86_64 ] && build own round-own -DOWN; then
	fibers "an own switch" known ./round-own 8
else
	skip "an own switch" "not on this machine" 15
fi
if build boost round-boost -DBOOST -lboost_context &&
	build boost deep-boost -DBOOST -lboost_context; then
	fibers "boost.context" known ./round-boost 8
	fibers "boost.context, deep" known ./deep-boost 8
else
	skip "boost.context" "no boost.context" 30
fi

# Coroutines have no stacks: what calls one that goes on is in the call that goes
# on with it, whoever called it when it began.  Each is gone on with by turn(),
# in main() or in another one of them, or by a jump from one to the next.
cat >coroutines.h <<'END'
#include <coroutine>
struct work {
	struct promise_type {
		work get_return_object()
		{
			return {std::coroutine_handle<
				promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<> handle;
};
struct jump {
	std::coroutine_handle<> to;
	bool await_ready() { return false; }
	std::coroutine_handle<> await_suspend(std::coroutine_handle<>)
	{
		return to;
	}
	void await_resume() {}
};
END
cat >go_on.cc <<'END'
#include <coroutine>
extern "C" int turn(int, void *), leaf(int);
extern "C" int turn(int me, void *coroutine)
{
	leaf(me);
	std::coroutine_handle<>::from_address(coroutine).resume();
	leaf(me);
	return me;
}
END
cat >coroutines.cc <<'END'
#include "coroutines.h"
extern "C" int turn(int, void *), leaf(int);
static work of[4];
static work body(int me)
{
	for (int i = 0; i < 3; i++) {
		leaf(me);
		co_await std::suspend_always();
		leaf(me);
		if (me < 2)
			turn(me, of[me + 2].handle.address());
		leaf(me);
		if (me == 0)
			co_await jump{of[1].handle};
	}
	for (;;)
		co_await std::suspend_always();
}
int main()
{
	for (int i = 0; i < 4; i++)
		of[i] = body(i);
	for (int i = 0; i < 20; i++)
		turn(4 + i % 4, of[i % 4].handle.address());
}
END
echo 'int leaf(int me) { return me; }' >leaf.c
# shellcheck disable=SC2086 # several
if command -v g++ >/dev/null 2>&1 && {
	cc $flags -fPIC -shared -o libleaf.so leaf.c &&
		g++ -std=c++20 -fcoroutines $flags -fPIC -shared \
			-o libgo_on.so go_on.cc ./libleaf.so &&
		g++ -std=c++20 -fcoroutines $flags -o coroutines \
			coroutines.cc ./libgo_on.so ./libleaf.so
} >cc.out 2>&1; then
	fibers "coroutines" known ./coroutines
else
	skip "coroutines" "no C++20" 15
fi
