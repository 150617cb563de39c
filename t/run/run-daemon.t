#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes that outlive the command are traced to their end.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 11

is_complete() {
	dump --info | grep -q '^log-state: *complete'
}
has_event() {
	names | grep -q -x "$1"
}
mkfifo fifo

is "$(status "$PTRACE_RUN" -o log "$VICTIMS/victim-daemon" fifo)" 0 \
	"ptrace-run does not wait for a daemon"
like "$(cat err)" '^ptrace-run: 1 process is still traced; log is complete when it ends$' \
	"and says so"
is "$(count process:exit)" 1 "what the command did is in the log at once"
sleep 0.3
is "$(dump --info 2>/dev/null | grep -c '^log-state: *complete')" 0 \
	"the log is not complete"
: >fifo
wait_for is_complete
ok $? "the log is complete when the daemon has ended"
is "$(count late)" 1 "what it did is there"

# The same without the front process.
"$PTRACE_RUN" -o log sh -c 'echo $$ >pid; read -r line <fifo; exit 4' \
	2>/dev/null &
wait_for test -s pid
kill -9 $!
wait $! 2>/dev/null
is "$(is_ended "$(cat pid)" && echo ended)" "" \
	"the command survives ptrace-run"
echo go >fifo
wait_for is_complete
ok $? "the log is complete"
has_event process:exit
ok $? "the end of the command is there"

# A child that is expected, and never begins: the loader cannot open a file.
cat >filtered.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};
	char name[] = "true", *argv[] = {name, NULL};
	int status;
	pid_t child;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
	    posix_spawn(&child, "/bin/true", NULL, NULL, argv, environ) != 0)
		return 77;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
END
if ${CC:-cc} -D_GNU_SOURCE -o filtered filtered.c 2>/dev/null &&
	[ "$(status ./filtered)" = 127 ]; then
	rm -f log
	"$PTRACE_RUN" -o log ./filtered 2>err
	is "$? $(grep -c 'still traced' err)" "127 0" \
		"a child that never begins is nobody's"
	is_complete
	ok $? "... and the log is complete"
else
	skip "a child that never begins" "no such filter here"
	skip "a child that never begins" "no such filter here"
fi
