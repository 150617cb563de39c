#!/bin/sh
# SPDX-License-Identifier: MIT
# A program of another libc runs unharmed, and is traced as far as can be.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need musl-gcc
plan 4

cat >"$T/musl.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *thread(void *arg) { return arg; }
int main(void)
{
	int status;
	pthread_t id;
	pthread_create(&id, 0, thread, 0);
	pthread_join(id, 0);
	if (fork() == 0) {
		execl("/bin/sh", "sh", "-c", "exit 4", (char *)0);
		_exit(1);
	}
	wait(&status);
	printf("%d %d\n", WEXITSTATUS(status), WEXITSTATUS(system("exit 5")));
	return 2;
}
END
musl-gcc -o "$T/musl" "$T/musl.c" || skip_all "musl-gcc does not work"
same "a program of musl's" "$T/musl"
is "$(events process:start "\"argv\":\\[\"$T/musl\"\\]")" 1 "its start"
is "$(events process:exit '"status":4')" 1 "the child it execs"
is "$(events process:exit '"status":5')" 1 "the child of its system()"
