/* SPDX-License-Identifier: MIT */
/*
 * A kernel, a file system or a sandbox that lacks calls which came late does not
 * matter: streams and logs are made, recorded in by others, waited for and read.
 */
#include "t/lib/reader.h"
#include "t/lib/target.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

#define CALL_IS(nr, err) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (err))

/* For this process and those that it makes. */
static int forbid(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		/* Of a file system that cannot do it without replacing. */
		CALL_IS(SYS_renameat2, EINVAL),
		CALL_IS(SYS_getrandom, ENOSYS),
		CALL_IS(SYS_futex_waitv, ENOSYS),
		CALL_IS(SYS_membarrier, EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		sizeof(filter) / sizeof(filter[0]),
		filter,
	};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int lacks(long nr, int err)
{
	return syscall(nr, 0, 0, 0, 0, 0) == -1 && errno == err;
}

/* With names: memory checkers look at them. */
static int lacks_renameat2(void)
{
	return syscall(SYS_renameat2, AT_FDCWD, "", AT_FDCWD, "", 0) == -1 &&
	       errno == EINVAL;
}

static void streams(trace_event_id_t id)
{
	trace_id_t first = stream_run(getpid(), NULL),
		   second = stream_run(getpid(), NULL);

	event_put(id, 1);
	stream_stop(first);
	event_put(id, 2);
	is_int(event_count(first, id), 1, "two streams are made");
	is_int(event_count(second, id), 2, "and are not the same");
	stream_end(first);
	stream_end(second);
}

static void others(trace_event_id_t id)
{
	trace_id_t trid;
	struct proc child;
	struct reader reader;

	target_start(&child, 1);
	trid = stream_make(child.pid, NULL);
	stream_only_user(trid);
	stream_start(trid);
	event_count(trid, id);
	reader_begin(&reader, trid, 0);
	proc_turn(&child);
	ok(reader_got(&reader, id),
	   "a reader that sleeps is woken by another process");
	is_int(proc_wait(&child), 0, "which knows nothing of it");
	stream_end(trid);
}

static void log_(trace_event_id_t id)
{
	int fd = file_make();
	trace_id_t trid = stream_make_log(getpid(), NULL, fd);

	stream_start(trid);
	event_put(id, 1);
	stream_end(trid);
	is_int(log_count(fd, "an event"), 1, "a log has its event");
}

int main(void)
{
	trace_event_id_t id;

	if (!forbid())
		skip_all("no seccomp filters");
	plan(6);
	ok(lacks_renameat2() && lacks(SYS_getrandom, ENOSYS) &&
		   lacks(SYS_futex_waitv, ENOSYS) &&
		   lacks(SYS_membarrier, EPERM),
	   "there are no such calls");
	id = event_id("an event");
	streams(id);
	others(id);
	log_(id);
	return done();
}
