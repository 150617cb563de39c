#!/bin/sh
# SPDX-License-Identifier: MIT
# A process of pidfd_spawn() or pidfd_spawnp() (glibc 2.39) is traced as one of
# posix_spawn(); a libc that has neither says so.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
cc=${CC:-cc}
need "${cc%% *}"
cd "$T" || exit

cat >spawns.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
typedef int call(int *, const char *, const posix_spawn_file_actions_t *,
		 const posix_spawnattr_t *, char *const *, char *const *);
call pidfd_spawn, pidfd_spawnp;
extern char **environ;
#pragma weak pidfd_spawn
#pragma weak pidfd_spawnp
int main(int argc, char **argv)
{
	char *child[] = {"sh", "-c", "exit 5", NULL};
	siginfo_t info = {0};
	int fd = -1, error;

	error = argc > 2 ? pidfd_spawnp(&fd, argv[1], NULL, NULL, child, environ) :
			   pidfd_spawn(&fd, argv[1], NULL, NULL, child, environ);
	if (error)
		return printf("%s\n", strerror(error)), 1;
	waitid(P_PIDFD, fd, &info, WEXITED);
	printf("%d\n", info.si_status);
	return 3;
}
END
# As libc makes it: nothing of it is seen from outside.
cat >libc.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "t/preload/own_call.h"
static int spawn(int *pidfd, const char *path, char *const *argv,
		 char *const *envp)
{
	int why[2], error = 0;

	if (own_call(SYS_pipe2, (long)why, O_CLOEXEC, 0) < 0)
		return EMFILE;
	if (own_call(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, (long)pidfd) == 0) {
		error = -own_call(SYS_execve, (long)path, (long)argv, (long)envp);
		own_call(SYS_write, why[1], (long)&error, sizeof(error));
		own_call(SYS_exit_group, 127, 0, 0);
	}
	own_call(SYS_close, why[1], 0, 0);
	own_call(SYS_read, why[0], (long)&error, sizeof(error));
	own_call(SYS_close, why[0], 0, 0);
	return error;
}
int pidfd_spawn(int *pidfd, const char *path,
		const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attr, char *const *argv,
		char *const *envp)
{
	return spawn(pidfd, path, argv, envp);
}
int pidfd_spawnp(int *pidfd, const char *file,
		 const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attr, char *const *argv,
		 char *const *envp)
{
	return spawn(pidfd, file[0] == '/' ? file : "/bin/sh", argv, envp);
}
END
echo 'int pidfd_spawn(void); int main(void) { return pidfd_spawn(); }' >has.c
$cc -w -o spawns spawns.c -Wl,--unresolved-symbols=ignore-all 2>cc.err ||
	skip_all "$(head -n 1 cc.err)"
plan 8
if ! $cc -o has has.c 2>/dev/null; then
	"$PTRACE_RUN" -q -o log ./spawns /bin/sh >without
	is "$? $(cat without)" "1 Function not implemented" "a libc without"
	$cc -w -shared -fPIC -I"$abs_top_srcdir" -o libnew.so libc.c || exit
	$cc -w -o spawns spawns.c -Wl,--no-as-needed \
		-L. -lnew -Wl,-rpath,"$T"
else
	skip "a libc without" "it has them"
fi

# same_spawn ARGUMENT...: once traced and once not.
same_spawn() {
	run_plain ./spawns "$@"
	"$PTRACE_RUN" -q -o log ./spawns "$@" >traced.out 2>traced.err
	echo $? >traced.status
	compare "$*"
}
same_spawn /bin/sh
is "$(cat traced.out)" 5 "its status"
is "$(events process:fork) $(events process:exit '"status":5')" "1 1" \
	"the child is traced"
same_spawn sh p
is "$(events process:fork) $(events process:exit '"status":5')" "1 1" \
	"also if it is looked for"
same_spawn /no/such
is "$(events process:fork)" 0 "none is told where there is none"
