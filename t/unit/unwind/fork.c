/* SPDX-License-Identifier: MIT */
/*
 * Where libunwind was chosen it is used, with all signals blocked; but not in a
 * child that was forked while another thread was in it, and may have held its
 * lock, nor where no system call may be made.
 */
#include "core/buffer/slot.h"
#include "core/unwind/unwind.h"
#include "t/lib/tap.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX 16
#define NOINLINE __attribute__((noinline, noclone))

enum by { NOBODY, OURS, LIBUNWIND };

static __thread struct ptl_unwinding unwinding;
static __thread enum by by;
static __thread int *wait_at; /* two pipes' ends: to tell, to be told */

/* Called in the midst of each walk through via(). */
static uint64_t notice(uint64_t ret)
{
	sigset_t mask;
	char byte = 0;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	by = sigismember(&mask, SIGUSR1) ? LIBUNWIND : OURS;
	if (wait_at && write(wait_at[0], &byte, 1) == 1)
		(void)!read(wait_at[1], &byte, 1);
	return ret;
}

static NOINLINE size_t look(void)
{
	size_t nr = ptl_unwind(&unwinding, MAX,
			       (uintptr_t)__builtin_return_address(0), NULL);

	__asm__ volatile("");
	return nr;
}

static NOINLINE size_t via(void)
{
	size_t nr = look();

	__asm__ volatile("");
	return nr;
}

static NOINLINE enum by who(void)
{
	by = NOBODY;
	via();
	return by;
}

/* Who it is in a child that is forked now; -1: it did not end in order. */
static int who_in_child(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		wait_at = NULL;
		ptl_unwind_forked();
		_exit((int)who());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void *stay_inside(void *pipes)
{
	wait_at = pipes;
	who();
	return NULL;
}

static void check_fork(void)
{
	int here[2], there[2], ends[2];
	pthread_t thread;
	char byte;

	is_int(who_in_child(), LIBUNWIND, "in a child: libunwind");
	if (pipe(here) != 0 || pipe(there) != 0)
		return;
	ends[0] = here[1];
	ends[1] = there[0];
	pthread_create(&thread, NULL, stay_inside, ends);
	is_int((int)read(here[0], &byte, 1), 1, "a thread is inside");
	is_int(who_in_child(), OURS, "in a child made meanwhile: ours");
	is_int(who(), LIBUNWIND, "in the parent: libunwind");
	close(there[1]);
	pthread_join(thread, NULL);
	is_int(who_in_child(), LIBUNWIND, "in a later child: libunwind");
}

/* How many signals are in one set only.  (Not memcmp(): the kernel, and so
 * libc, stores no more of a set than there are signals.) */
static int nr_differing(const sigset_t *a, const sigset_t *b)
{
	int nr = 0;

	for (int signo = 1; signo < NSIG; signo++)
		nr += sigismember(a, signo) != sigismember(b, signo);
	return nr;
}

int main(void)
{
	sigset_t before, after;
	const char *why = "not for a sanitizer";

	if (under_valgrind())
		skip_all("valgrind");
#ifndef PTL_SANITIZED
	why = ptl_unwind_load(dlopen);
#endif
	if (why)
		skip_all("no libunwind: %s", why);
	plan(9);
	ptl_unwind_init();
	ptl_unwind_hide((const char *)(uintptr_t)via,
			(const char *)(uintptr_t)via + 32, notice);
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	errno = 77;
	is_int(who(), LIBUNWIND, "libunwind");
	is_int(errno, 77, "errno is as it was");
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	is_int(nr_differing(&before, &after), 0, "and so is the signal mask");
	check_fork();
	ptl_slots_no_syscalls = true;
	is_int(who(), OURS, "without system calls: ours");
	ptl_slots_no_syscalls = false;
	return done();
}
