#!/bin/sh
# SPDX-License-Identifier: MIT
# With -D, if ptrace-run is killed before its controller has created the trace,
# and its process id is another process' by then, that one is not traced.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need unshare
may=
[ "$(id -u)" = 0 ] || may="unshare -Uc --keep-caps"
$may unshare -pf --mount-proc sh -c 'echo 9 >/proc/sys/kernel/ns_last_pid' \
	2>/dev/null || skip_all "no pid namespaces here"

# The controller stops where it creates the trace, and tells when it has started
# it, or ends.
cat >stop.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static int held;
int posix_trace_create_withlog(pid_t pid, const void *attr, int fd, void *trid)
{
	int (*create)(pid_t, const void *, int, void *) =
		dlsym(RTLD_NEXT, "posix_trace_create_withlog");
	char byte;

	close(open("at", O_WRONLY | O_CLOEXEC));
	(void)!read(open("go", O_RDONLY | O_CLOEXEC), &byte, 1);
	held = open("held", O_WRONLY | O_CLOEXEC);
	return create(pid, attr, fd, trid);
}
int posix_trace_start(void *trid)
{
	int (*start)(void *) = dlsym(RTLD_NEXT, "posix_trace_start");
	int error = start(trid);

	close(held);
	return error;
}
END
${CC:-cc} -shared -fPIC -o stop.so stop.c 2>/dev/null || skip_all "no compiler"
plan 2

cat >inside <<'END'
mkfifo at go held again
LD_PRELOAD=$T/stop.so "$MONITOR" -D -o log true &
front=$!
read -r _ <at
kill -KILL $front
wait $front
other=0
for try in 1 2 3 4 5 6 7 8 9 10; do
	[ $other != $front ] || break
	echo $((front - 1)) >/proc/sys/kernel/ns_last_pid
	LD_PRELOAD=$LIBPTRACE PTRACE_DISABLE=1 \
		sh -c 'echo >at; read -r _ <again; (exit 3); exit 4' &
	other=$!
	read -r _ <at
done
[ $other = $front ] || exit 5
echo >go
read -r _ <held
echo >again
wait $front
exit $?
END
MONITOR=$TAP_MONITOR
export MONITOR T
$may unshare -pf --mount-proc sh ./inside 2>err
is $? 4 "another process has that number" || diag "$(cat err)"
is "$([ ! -s log ] || dump -n 'process:*')" "" "and is not traced"
