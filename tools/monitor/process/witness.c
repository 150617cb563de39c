/* SPDX-License-Identifier: MIT */
/* The witness of a process group's signals; see witness.h. */
#include "tools/monitor/process/witness.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/fds.h"

static struct {
	pid_t pid; /* 0: there is none */
	int fd;
} witness;

/* Takes the signal if it is pending; false: it is not. */
static bool take(int signo, siginfo_t *info)
{
	const struct timespec now = {0, 0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	return sigtimedwait(&set, info, &now) == signo;
}

/* Answers until the other end of the socket is closed. */
static void __attribute__((noreturn)) be_witness(int fd, pid_t parent)
{
	siginfo_t info;
	int signo;

	/* A user who looks for ptrace-run by name does not mean this process.
	 */
	prctl(PR_SET_NAME, "ptrace-witness");
	/* While it is stopped it would not see the end of the socket. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ptl_fds_keep(&fd, 1);
	while (getppid() == parent &&
	       read(fd, &signo, sizeof(signo)) == (ssize_t)sizeof(signo)) {
		memset(&info, 0, sizeof(info));
		take(signo, &info);
		if (write(fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
			break;
	}
	_exit(0);
}

void ptl_witness_start(void)
{
	pid_t self = getpid();
	sigset_t all, old;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
		return;
	fds[0] = ptl_fds_lift(fds[0]);
	fds[1] = ptl_fds_lift(fds[1]);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	witness.pid = fds[0] < 0 || fds[1] < 0 ? -1 : fork();
	if (witness.pid == 0)
		be_witness(fds[1], self);
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(fds[1]);
	witness.fd = fds[0];
	if (witness.pid < 0) {
		close(fds[0]);
		witness.pid = 0;
	}
}

void ptl_witness_end(void)
{
	if (witness.pid == 0)
		return;
	close(witness.fd);
	/* The witness may be stopped. */
	kill(witness.pid, SIGKILL);
	while (waitpid(witness.pid, NULL, 0) < 0 && errno == EINTR)
		;
	witness.pid = 0;
}

int ptl_witness_fd(void)
{
	return witness.pid != 0 ? witness.fd : -1;
}

static bool is_same(const siginfo_t *a, const siginfo_t *b)
{
	return a->si_signo == b->si_signo && a->si_code == b->si_code &&
	       a->si_pid == b->si_pid && a->si_uid == b->si_uid;
}

bool ptl_witness_saw(int signo, const siginfo_t *info)
{
	siginfo_t seen, again;

	if (witness.pid == 0)
		return info->si_code == SI_KERNEL;
	/*
	 * A signal for a group is sent to its processes one after the other,
	 * under the kernel's lock of the list of processes.  setpgid() takes
	 * that lock: when it returns, the witness has the signal, too.
	 */
	setpgid(0, getpgrp());
	/* Stopped along with the group, and not continued with us? */
	kill(witness.pid, SIGCONT);
	if (send(witness.fd, &signo, sizeof(signo), MSG_NOSIGNAL) < 0 ||
	    read(witness.fd, &seen, sizeof(seen)) != (ssize_t)sizeof(seen))
		return info->si_code == SI_KERNEL;
	if (!is_same(&seen, info))
		return false;
	/* Between our handler and the witness' answer another signal may have
	 * come, which merged with the first one there. */
	if (take(signo, &again) && !is_same(&again, info))
		syscall(SYS_rt_sigqueueinfo, getpid(), signo, &again);
	return true;
}
