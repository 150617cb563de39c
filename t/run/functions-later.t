#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f: functions of what is loaded by dlopen(3), from its first one on.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/functions.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
CXX=${CXX:-c++}
need "${CC%% *}" "${CXX%% *}"
todo_coverage "counters of gcov within the functions"
plan 13

# calls: "NAME entries ends" of each function in $T/log, on one line.
calls() {
	events '.*' | tr '\n' ' '
}

# reasons: why something is not traced, of which nothing else is known.
reasons() {
	"$PTRACE_DUMP" -f json log |
		sed -n 's/.*"call:unhooked".*"reason":"\(plug[^"]*\)".*/\1/p' | sort -u
}

cat >plug.c <<'END'
static int state;
__attribute__((noinline)) static void first(void) { state = 5; }
__attribute__((constructor)) static void begins(void) { first(); }
__attribute__((noinline)) int work(int n) { return n * 3 + state; }
static int fast(int n) { return n + 1; }
int (*resolves(void))(int);
int (*resolves(void))(int) { return fast; }
int picked(int) __attribute__((ifunc("resolves")));
int uses(int n) { return picked(n); }
__attribute__((destructor)) static void ends(void) { state = work(0); }
END
cat >host.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int (*find(void *handle, const char *name))(int)
{
	return (int (*)(int))dlsym(handle, name);
}

static int once(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW);
	int sum;

	if (!handle) {
		puts(dlerror());
		exit(1);
	}
	sum = find(handle, "work")(2) + find(handle, "uses")(2);
	dlclose(handle);
	return sum;
}

static void *each(void *path)
{
	long sum = 0;

	for (int i = 0; i < 50; i++)
		sum += once(path);
	return (void *)sum;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 1, sum = 0;
	void *results[4];
	pthread_t thread[4];

	if (rounds < 0) {
		for (int i = 0; i < 4; i++)
			pthread_create(&thread[i], NULL, each, argv[1 + i % 2 * 2]);
		for (int i = 0; i < 4; i++) {
			pthread_join(thread[i], &results[i]);
			sum += (int)(long)results[i];
		}
	}
	for (int i = 0; i < rounds; i++)
		sum += once(argv[1]);
	printf("%d\n", sum);
	fflush(stdout);
	if (fork() == 0)
		_exit(once(argv[1]));
	wait(&sum);
	return WEXITSTATUS(sum);
}
END
$CC -O2 -fPIC -shared -o plug.so plug.c
cp plug.so plug-other.so
$CC -O2 -o host host.c -ldl -lpthread
one='begins 2 2 ends 2 2 fast 2 2 first 2 2 picked 2 2 uses 2 2 work 4 4 '

./host ./plug.so >plain
run -f 'plug:*' ./host ./plug.so >out 2>err
is "$? $(cmp plain out)" "14 " "a program and what it loads"
is "$(calls)" "$one" "from the first function of it to the last"
run -f '*:*' ./host ./plug.so >out
is "$? $(cmp plain out) $(calls | sed 's/.*begins/begins/; s/find.*first/first/; s/main [01 ]*//; s/once [0-9 ]*//')" \
	"14  $one" "by any object"
run -f "$T/plug.so:*" ./host ./plug.so >out
is "$? $(calls)" "14 $one" "by its path"

# Loaded again, at the same place: no new memory each time.
./host ./plug.so 700 >plain
run -f 'plug:work' ./host ./plug.so 700 >out
is "$? $(cmp plain out) $(calls)" "14  work 1402 1402 " "700 times"
./host ./plug.so -1 ./plug-other.so >plain
run -f 'plug*:work' ./host ./plug.so -1 ./plug-other.so >out
is "$? $(cmp plain out)" "14 " "by four threads at once"
is "$(reasons)" "" "and nothing is refused"

# Where the loader writes to the code itself.
cat >plugtext.s <<'END'
	.text
	.globl work, uses
	.type work, @function
	.type uses, @function
work:	movabs $state, %rax
	lea 9(%rdi), %eax
	ret
	.size work, .-work
uses:	movabs $state, %rax
	mov (%rax), %eax
	ret
	.size uses, .-uses
	.data
state:	.long 5
	.section .note.GNU-stack
END
$CC -shared -Wl,-z,notext -o plugtext.so plugtext.s 2>err
./host ./plugtext.so >plain
run -f 'plug*:*' ./host ./plugtext.so >out
is "$? $(cmp plain out) $(reasons)" "16  plugtext.so: its code is relocated" \
	"code that is relocated is left alone"

# In a namespace of the loader of its own it is not seen, and runs.
sed 's/dlopen(path, RTLD_NOW)/dlmopen(LM_ID_NEWLM, path, RTLD_NOW)/' host.c >apart.c
$CC -O2 -o apart apart.c -ldl -lpthread
./apart ./plug.so >plain
run -f 'plug:*' ./apart ./plug.so >out
is "$? $(cmp plain out)" "14 " "dlmopen"

# Exceptions through what is patched.
cat >throws.cc <<'END'
#include <stdexcept>
__attribute__((noinline)) static int deep(int n)
{
	if (n == 0)
		throw std::runtime_error("deep");
	return deep(n - 1) + n;
}
extern "C" int work(int n)
{
	try {
		return deep(n);
	} catch (const std::exception &error) {
		return error.what()[0];
	}
}
extern "C" int uses(int n) { return n; }
END
$CXX -O2 -fPIC -shared -o plugthrows.so throws.cc
./host ./plugthrows.so 5 >plain
expected=$?
run -f 'plugthrows:*' ./host ./plugthrows.so 5 >out
is "$? $(cmp plain out) $(calls | grep -o 'work .*')" "$expected  work 6 6 " \
	"exceptions in it"

# Objects of other people.
if command -v python3 >/dev/null; then
	cat >modules.py <<'END'
import ctypes, json, sys
import zlib
print(len(zlib.compress(b"x" * 1000)), json.dumps([1, {"a": 2}]))
try:
    import sqlite3
    print(sqlite3.connect(":memory:").execute("select 2 + 3").fetchall())
except ImportError:
    pass
sys.exit(3)
END
	python3 modules.py >plain
	run -f '*json*:*' -f 'libz:*' -f '*sqlite3*:sqlite3_*' \
		python3 modules.py >out 2>err
	is "$? $(cmp plain out)" "3 " "modules of python"
else
	skip "modules of python" "no python3"
fi
run -e all -f 'plug:*' ./host ./plug.so >out
is "$? $(count dl:map | awk '{ print ($1 > 5) }')" "14 1" "with all events"
run -r '*' -f 'plug:*' ./host ./plug.so >out
is "$? $(calls | grep -c 'begins 2 2 .*ends 2 2 .*first 2 2 ')" "14 1" "with calls of libraries"
