#!/bin/sh
# SPDX-License-Identifier: MIT
# A program of another libc runs unharmed, and is traced as far as can be.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need musl-gcc
plan 5

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

# What that libc lacks fails as it would if it were there.
cat >"$T/lacks.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }
int main(void)
{
	int (*number)(void *, size_t, int, int) = find("pkey_mprotect");
	void *(*pointer)(size_t) = find("pvalloc");
	int (*error)(void *, int, void *) = find("pthread_sigqueue");
	if (!number || !pointer || !error)
		return puts("all there, or none of ours");
	errno = 0;
	if (number(NULL, 0, 0, 0) != -1 || errno != ENOSYS)
		return puts("-1");
	errno = 0;
	if (pointer(1) || errno != ENOSYS)
		return puts("NULL");
	errno = 0;
	if (error(NULL, 0, NULL) != ENOSYS || errno)
		return puts("the error");
	puts("as they should");
	return 0;
}
END
musl-gcc -o "$T/lacks" "$T/lacks.c" -ldl
run_traced "$T/lacks"
is "$(cat "$T/traced.out")" "as they should" "what musl lacks fails with ENOSYS"
