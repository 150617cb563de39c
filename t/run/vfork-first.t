#!/bin/sh
# SPDX-License-Identifier: MIT
# What the child of a vfork does first in its parent's memory, a function that
# is called or a library that is opened, the parent's later calls know as well.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" grep
plan 4

cat >first.c <<'END'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
static void (*volatile inside)(void);
int main(void)
{
	pid_t child = vfork();

	if (child == 0) {
		void *opened;

		access("/child", F_OK);
		opened = dlopen("./opened.so", RTLD_NOW);
		inside = (void (*)(void))dlsym(opened, "inside");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	access("/parent", F_OK);
	inside();
	return 3;
}
END
cat >opened.c <<'END'
#include <unistd.h>
void inside(void)
{
	access("/inside", F_OK);
	__asm__ volatile("");
}
END
$CC -O1 -o first first.c -ldl && $CC -O1 -fPIC -shared -o opened.so opened.c ||
	exit 1
run -e file,process -l 'access' -a -- ./first
is "$?" 3 "the program does what it does"
"$PTRACE_DUMP" -f json log >all
is "$(grep -c '"call:enter".*"args":\["/child",' all)" 1 "a call of the child"
is "$(grep -c '"call:enter".*"args":\["/parent",' all)" 1 \
	"its arguments are known of the parent's, too"
like "$(grep '"file:access".*"/inside"' all)" '"sym":"inside[+]0x' \
	"and the library that the child opened"
