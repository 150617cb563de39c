#!/bin/sh
# SPDX-License-Identifier: MIT
# What a library's constructor and destructor do is recorded, though one runs
# before the program and the other after its exit handlers.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 5

cat >"$T/lib.c" <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void child(int status)
{
	if (fork() == 0)
		_exit(status);
	wait(0);
}
__attribute__((constructor)) static void first(void) { child(31); }
__attribute__((destructor)) static void last(void) { child(32); }
void something(void);
void something(void) { child(33); }
END
cat >"$T/main.c" <<'END'
void something(void);
int main(void)
{
	something();
	return 4;
}
END
{
	${CC:-cc} -shared -fPIC -o "$T/libvictim.so" "$T/lib.c" &&
		${CC:-cc} -o "$T/main" "$T/main.c" "$T/libvictim.so"
} 2>"$T/cc"
[ -x "$T/main" ] || skip_all "no compiler: $(cat "$T/cc")"
same "constructor and destructor" "$T/main"
for status in 31 32 33; do
	is "$(events process:exit "\"status\":$status")" 1 \
		"the child that ends with $status"
done
is "$(events process:exit '"status":4')" 1 "the process itself"
