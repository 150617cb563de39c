#!/bin/sh
# SPDX-License-Identifier: MIT
# Objects that ask for no version of libc's functions get those that they would
# get without us: of each kind all functions are of one version.  So do those
# that were linked with us when our functions had none: for them it is today's.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need cc
plan 13
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
	skip "old: as without us" "no such versions here"
fi

# All functions that have several versions.
echo 'exit 7' >script
chmod +x script
cat >calls.c <<'END'
#include <stdlib.h>
int unversioned_main(int argc, char **argv);
int at_end(void (*function)(void)) { return at_quick_exit(function); }
int main(int argc, char **argv) { return unversioned_main(argc, argv); }
END
cc -O1 -w -shared -fPIC -nostdlib -fno-builtin -Dmain=unversioned_main \
	-Dat_quick_exit=at_end \
	-o liball.so "$abs_top_srcdir/t/preload/versioned.c" &&
	cc -w -o all calls.c -L. -lall "-Wl,-rpath,$T" || exit
same all ./script
is "$("$PTRACE_RUN" -q -e all -l '*' -o log ./all ./script; echo $?)" \
	"$(./all ./script; echo $?)" "all, with calls"

# Linked with us, before: what is asked for has no version, and is ours.
awk '$1 != "first" && /^[a-z]/ { print "void " $2 "(void) {}" }' \
	"$abs_top_srcdir/preload/calls/versions" | sort -u >before.c
mkdir before
cc -w -fno-builtin -shared -fPIC -Wl,-soname,libptrace.so.0 \
	-o before/libptrace.so.0 before.c &&
	cc -w -O1 -fno-builtin -o linked \
		"$abs_top_srcdir/t/preload/versioned.c" before/libptrace.so.0 &&
	cc -w -O1 -fno-builtin -o today \
		"$abs_top_srcdir/t/preload/versioned.c" || exit
cp "$LIBPTRACE" "$T/libptrace.so.0"
linked() {
	LD_LIBRARY_PATH=$T "$@" ./linked ./script 2>&1
	echo $?
}
today=$(./today ./script 2>&1; echo $?)
is "$(linked env)" "$today" "a program that was linked with us before"
is "$(linked "$PTRACE_RUN" -q -e all -o log)" "$today" "and the same, traced"
# What it is linked with now.
cc -w -O1 -fno-builtin -o linked \
	"$abs_top_srcdir/t/preload/versioned.c" "$T/libptrace.so.0" || exit
is "$(linked env)" "$today" "and linked anew"

# A library that keeps an old function of that name, as libattr.so.1 does, for whom
# that version was asked of it.
cat >kept.c <<'END'
int old_access(const char *path, int mode)
{
	return path != 0 && mode == 0 ? 42 : 43;
}
__asm__(".symver old_access, access@KEPT_1.0");
int kept(void) { return 1; }
END
echo 'KEPT_1.0 { global: kept; };' >kept.map
cat >asks.c <<'END'
#include <stdio.h>
#include <unistd.h>
int kept(void);
int main(void)
{
	printf("%d\n", kept() + access("/none", F_OK));
	return 0;
}
END
cc -w -shared -fPIC -Wl,--version-script=kept.map -o libkept.so kept.c &&
	cc -o asks asks.c -L. -lkept "-Wl,-rpath,$T" || exit
same asks
is "$("$PTRACE_RUN" -q -e file -o log ./asks; "$PTRACE_DUMP" -f raw log | grep -c ' file:access ')" \
	"0
1" "... and it is recorded once"
