#!/bin/sh
# SPDX-License-Identifier: MIT
# Condition variables and timers of objects that ask for no version of libc's
# functions, and of those that ask for the oldest: of each kind all functions
# are of one version.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need cc
plan 6
cd "$T" || exit

cat >main.c <<'END'
#include <stdio.h>
int cond(void), timer(void);
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", argc > 1 ? timer() : cond());
	return 0;
}
END
cat >object.c <<'END'
#ifdef OLD
#define OF(name) __asm__(".symver " #name ", " #name "@GLIBC_2.2.5")
OF(pthread_cond_init);
OF(pthread_cond_timedwait);
OF(pthread_cond_signal);
OF(pthread_cond_broadcast);
OF(pthread_cond_destroy);
#endif
int pthread_mutex_lock(void *), pthread_mutex_unlock(void *);
int pthread_cond_init(void *, void *), pthread_cond_destroy(void *);
int pthread_cond_signal(void *), pthread_cond_broadcast(void *);
int pthread_cond_timedwait(void *, void *, void *);
int timer_create(int, void *, void *), timer_settime(void *, int, void *, void *);
int timer_gettime(void *, void *), timer_getoverrun(void *), timer_delete(void *);
/* The old version takes what it finds there for an address. */
static long condition[6] = {1, 2, 3, 4, 5, 6}, mutex[5];
int cond(void)
{
	long time[2] = {1, 0};
	int result;

	pthread_cond_init(condition, 0);
	pthread_mutex_lock(mutex);
	result = pthread_cond_timedwait(condition, mutex, time);
	pthread_mutex_unlock(mutex);
	return result + pthread_cond_signal(condition) +
	       pthread_cond_broadcast(condition) + pthread_cond_destroy(condition);
}
int timer(void)
{
	long event[8] = {0, 1L << 32 /* SIGEV_NONE */}, value[4] = {0, 0, 3600, 0}, left[4];
	void *id = 0;

	return timer_create(1, event, &id) | timer_settime(id, 0, value, 0) |
	       timer_gettime(id, left) | (left[2] != 3599) |
	       timer_getoverrun(id) | timer_delete(id);
}
END

# object NAME FLAG...: a program with it.
object() {
	name=$1
	shift
	cc -O1 -w -shared -fPIC "$@" -o "lib$name.so" object.c &&
		cc -w -o "$name" main.c -L. "-l$name" "-Wl,-rpath,$T"
}

# same NAME [ARGUMENT]: prints the same with us.
same() {
	program=./$1
	shift
	is "$(LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log "$program" "$@" 2>&1; echo $?)" \
		"$("$program" "$@"; echo $?)" "$program $*: as without us"
}

object unversioned -nostdlib
same unversioned
same unversioned timer
is "$("$PTRACE_RUN" -q -e sync -o log ./unversioned; "$PTRACE_DUMP" -f raw log | grep -c -E ' sync:(timedwait|signal|broadcast) ')" \
	"110
3" "its waits are recorded"
object today
same today
same today timer
if object old -DOLD 2>err; then
	same old
else
	skip 1 "no such versions here"
fi
