#!/bin/sh
# SPDX-License-Identifier: MIT
# posix_trace_interpose_np: the calls of a program that loaded the library late
# are recorded, and what it starts is traced, however it is bound; its own
# functions stay its own, and so do the addresses of others'.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
. "$abs_top_srcdir/t/lib/run.sh"
command -v "${CC%% *}" >/dev/null 2>&1 || CC=cc
need "${CC%% *}"
plan 25

cat >later.c <<'END'
#include <unistd.h>
int later(void) { return access("later", F_OK); }
END
${CC:-cc} -shared -fPIC -o later.so later.c || exit 1
cat >program.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* Ours, not libc's. */
int unlink(const char *path) { return path[0] == 'u' ? 0 : -1; }
static int (*volatile closes)(int) = close;
int main(int argc, char **argv)
{
	void *ours = dlopen(argv[1], RTLD_NOW), *other;
	int (*interpose)(void) =
		(int (*)(void))dlsym(ours, "posix_trace_interpose_np");
	int (*later)(void);
	char byte;
	int before = access(".", F_OK), error = interpose();

	printf("%d %d %d\n", argc, before, error);
	fflush(stdout);
	read(0, &byte, 1);
	printf("%d\n", closes == close && closes(open("some", O_RDONLY)) != 0);
	printf("%d\n", unlink("u"));
	other = dlopen("./later.so", RTLD_LAZY);
	later = (int (*)(void))dlsym(other, "later");
	printf("%d\n", later());
	fflush(stdout);
	if (fork() == 0) {
		execlp("true", "true", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
	return interpose();
}
END
: >some
mkfifo input
is_there() {
	grep -q '^2' out
}
is_tracing() {
	grep -q tracing err
}
# bound NAME OPTION...
bound() {
	name=$1
	shift
	if ! ${CC:-cc} -O1 -o program program.c "$@" 2>build; then
		for _ in 1 2 3 4 5 6 7 8; do
			skip "$name" "cannot be built: $(head -n 1 build)"
		done
		return
	fi
	rm -f out err log
	./program "$LIBPTRACE" <input >out &
	pid=$!
	exec 5>input
	wait_for is_there
	"$PTRACE_RUN" -v -e process,file -o log -p $pid 2>err &
	runner=$!
	wait_for is_tracing
	echo >&5
	wait $pid
	is "$? $(tr '\n' ' ' <out)" "0 2 0 0 0 0 -1 " "$name: does what it did"
	exec 5>&-
	wait $runner
	is "$?" 0 "$name: it is traced"
	is "$(events file:open '"path":"some"')" 1 "$name: its calls"
	is "$(events file:access '"path":"later"')" 1 \
		"$name: those of what it loads"
	is "$(events file:unlink)" 0 "$name: not its own functions"
	is "$(events process:fork) $(events process:exec)" "1 1" \
		"$name: fork and exec"
	is "$(events process:start '"argv":\["true"\]')" 1 \
		"$name: what it starts is traced"
	is "$(events process:exit '"status":0')" 2 "$name: both ends"
}
bound lazy -Wl,-z,lazy
bound now -Wl,-z,now -pie -fPIE
bound "without a PLT" -fno-plt -fPIE -pie -Wl,-z,now
cat >none.c <<'END'
#include <trace.h>
int main(void) { return posix_trace_interpose_np(); }
END
${CC:-cc} -I "$abs_top_srcdir/include" -o none none.c -L"${LIBPTRACE%/*}" \
	-lptrace -Wl,-rpath,"${LIBPTRACE%/*}"
is "$(status ./none)" 0 "a program that is linked with the library"
