/* SPDX-License-Identifier: MIT */
/* Who waits for static programs to begin; see starter.h. */
#include "tools/monitor/starter.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/inject/start.h"
#include "tools/lib/fds.h"

/* So many at a time; others wait until they are heard. */
#define STARTINGS 64

/* ---- a message, with the client and the file ------------------------- */

struct order {
	pid_t thread;
	bool by_child;
};

union two_files {
	char bytes[CMSG_SPACE(2 * sizeof(int))];
	struct cmsghdr align;
};

static bool send_order(int to, struct order order, int client, int file)
{
	struct iovec data = {&order, sizeof(order)};
	union two_files room = {.bytes = {0}};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &room,
				 .msg_controllen = sizeof(room)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	const int files[] = {client, file};

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(files));
	memcpy(CMSG_DATA(header), files, sizeof(files));
	return sendmsg(to, &message, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (ssize_t)sizeof(order);
}

/* 1: there is one; 0: nobody sends any more; -1: there is none. */
static int receive_order(int from, struct order *order, int *client, int *file)
{
	struct iovec data = {order, sizeof(*order)};
	union two_files room;
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &room,
				 .msg_controllen = sizeof(room)};
	ssize_t got = recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	int files[2];

	if (got <= 0)
		return got == 0 ? 0 : -1;
	if (got != (ssize_t)sizeof(*order) || header == NULL ||
	    header->cmsg_len != CMSG_LEN(sizeof(files)))
		return -1;
	memcpy(files, CMSG_DATA(header), sizeof(files));
	*client = files[0];
	*file = files[1];
	return 1;
}

/* ---- the process ----------------------------------------------------- */

/* What has stopped whose parent has not been seen to make it. */
struct early {
	pid_t thread;
	int status;
};

struct at_work {
	struct ptl_start starting[STARTINGS];
	int nr;
	struct early early[STARTINGS];
	int nr_early;
	int from; /* -1: no more will come */
	int news; /* of children, and of what is traced: a signalfd */
};

static int find(const struct at_work *work, pid_t thread)
{
	for (int i = 0; i < work->nr; i++)
		if (work->starting[i].thread == thread)
			return i;
	return -1;
}

static void go_on(struct at_work *work, int i, pid_t stopped, int status);

/* The child that is waited for now may have been seen already. */
static void look_early(struct at_work *work, int i)
{
	pid_t child = work->starting[i].thread;

	for (int k = 0; k < work->nr_early; k++) {
		int status = work->early[k].status;

		if (work->early[k].thread != child)
			continue;
		work->early[k] = work->early[--work->nr_early];
		go_on(work, i, child, status);
		return;
	}
}

static void go_on(struct at_work *work, int i, pid_t stopped, int status)
{
	struct ptl_start *starting = &work->starting[i];
	bool had_child = !starting->by_child;

	if (ptl_start_go_on(starting, stopped, status)) {
		if (!had_child && !starting->by_child)
			look_early(work, i);
		return;
	}
	if (starting->client >= 0)
		close(starting->client);
	*starting = work->starting[--work->nr];
}

/* Is there one whose child it may be? */
static bool has_parent(const struct at_work *work)
{
	for (int i = 0; i < work->nr; i++)
		if (work->starting[i].by_child)
			return true;
	return false;
}

static void keep_early(struct at_work *work, pid_t stopped, int status)
{
	if (work->nr_early < STARTINGS && has_parent(work))
		work->early[work->nr_early++] = (struct early){stopped, status};
	else
		ptl_start_let_go(stopped, status);
}

static void reap(struct at_work *work)
{
	pid_t stopped;
	int status;

	while ((stopped = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		int i = find(work, ptl_start_was(stopped, status));

		if (i >= 0)
			go_on(work, i, stopped, status);
		else
			keep_early(work, stopped, status);
	}
	while (work->nr_early > 0 && !has_parent(work)) {
		const struct early *early = &work->early[--work->nr_early];

		ptl_start_let_go(early->thread, early->status);
	}
}

static void take_order(struct at_work *work)
{
	struct ptl_start *starting = &work->starting[work->nr];
	struct order order = {.by_child = false};
	int client, file;
	int got = receive_order(work->from, &order, &client, &file);

	if (got == 0) {
		close(work->from);
		work->from = -1;
	}
	if (got <= 0)
		return;
	*starting = (struct ptl_start){.by_child = order.by_child,
				       .client = client};
	if (ptl_start_begin(starting, order.thread, file))
		work->nr++;
	close(file);
}

static void hear_clients(struct at_work *work, const struct pollfd *fds)
{
	/* None is gone since poll() was called. */
	for (int i = 0; i < work->nr; i++)
		if (fds[i].revents != 0)
			ptl_start_hear(&work->starting[i]);
}

static void __attribute__((noreturn)) serve(struct at_work *work)
{
	struct pollfd fds[2 + STARTINGS];
	struct signalfd_siginfo info;

	while (work->from >= 0 || work->nr > 0) {
		fds[0] = (struct pollfd){work->news, POLLIN, 0};
		fds[1] = (struct pollfd){work->nr < STARTINGS ? work->from : -1,
					 POLLIN, 0};
		for (int i = 0; i < work->nr; i++)
			fds[2 + i] = (struct pollfd){work->starting[i].client,
						     POLLIN, 0};
		if (ptl_fds_poll(fds, 2 + (size_t)work->nr, -1) < 0)
			continue;
		/* First: at the exec a client's end comes, too. */
		if (fds[0].revents == 0)
			hear_clients(work, fds + 2);
		else if (read(work->news, &info, sizeof(info)) > 0)
			reap(work);
		if (fds[1].revents != 0)
			take_order(work);
	}
	_exit(0);
}

static void __attribute__((noreturn)) be_starter(int from)
{
	static struct at_work work;
	sigset_t set;

	prctl(PR_SET_NAME, "ptrace-starter");
	ptl_fds_keep(&from, 1);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	work.from = from;
	work.news = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* What the controller takes as a word to end is none for this. */
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	if (work.news < 0)
		_exit(1);
	serve(&work);
}

/* ---- the controller -------------------------------------------------- */

static void begin(struct ptl_starter *starter)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
		return;
	fds[0] = ptl_fds_lift(fds[0]);
	fds[1] = ptl_fds_lift(fds[1]);
	starter->pid = fds[0] < 0 || fds[1] < 0 ? -1 : fork();
	if (starter->pid == 0)
		be_starter(fds[1]);
	if (fds[1] >= 0)
		close(fds[1]);
	if (starter->pid > 0)
		starter->fd = fds[0];
	else if (fds[0] >= 0)
		close(fds[0]);
}

/* One that was killed: its end of the socket is closed already. */
static void forget(struct ptl_starter *starter)
{
	close(starter->fd);
	starter->fd = -1;
	while (waitpid(starter->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void ptl_starter_serve(struct ptl_starter *starter, int client, pid_t thread,
		       bool by_child, int file)
{
	static const char why[] = "no process";
	const struct order order = {thread, by_child};

	for (int i = 0; i < 2; i++) {
		if (starter->fd < 0)
			begin(starter);
		if (starter->fd < 0)
			break;
		if (send_order(starter->fd, order, client, file))
			return;
		if (errno != EPIPE && errno != ECONNRESET)
			break;
		forget(starter);
	}
	send(client, why, sizeof(why), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ptl_starter_close(struct ptl_starter *starter)
{
	if (starter->fd < 0)
		return;
	close(starter->fd);
	starter->fd = -1;
	/* Without waiting: there may be programs that have not begun. */
	waitpid(starter->pid, NULL, WNOHANG);
}
