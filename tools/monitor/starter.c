/* SPDX-License-Identifier: MIT */
/* Who waits for static programs to begin; see starter.h. */
#include "tools/monitor/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "preload/settings/settings.h"
#include "tools/inject/start.h"
#include "tools/lib/fds.h"
#include "tools/lib/handover.h"

/* So many at a time; others wait until they are heard. */
#define STARTINGS 64

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
	int asking[STARTINGS]; /* connections from which nothing has come */
	int nr_asking;
	const struct ptl_listener *listener; /* NULL: no more will come */
	int alive;			     /* until the controller is gone */
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

/* The connection is at its end, or another's; false: nothing has come. */
static bool take_question(struct at_work *work, int client)
{
	struct ptl_start *starting = &work->starting[work->nr];
	struct ptl_patch_question question = {.magic = 0};
	struct iovec data = {&question,
			     offsetof(struct ptl_patch_question, path)};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	union ptl_handover room;
	ssize_t got;
	int file;

	ptl_handover_expect(&message, &room);
	got = recvmsg(client, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	file = got >= 0 ? ptl_handover_take(&message) : -1;
	*starting = (struct ptl_start){
		.by_child = question.what == PTL_PATCH_REACH_CHILD,
		.client = client,
	};
	if (file < 0 || question.magic != PTL_PATCH_QUESTION)
		close(client);
	else if (ptl_start_begin(starting, (pid_t)question.thread, file))
		work->nr++;
	if (file >= 0)
		close(file);
	return true;
}

static void let_in(struct at_work *work)
{
	int client = ptl_listener_accept(work->listener);

	/* Mostly it has asked by now. */
	if (client >= 0 && !take_question(work, client))
		work->asking[work->nr_asking++] = client;
}

static void hear_asking(struct at_work *work, const struct pollfd *fds)
{
	for (int i = work->nr_asking - 1; i >= 0; i--)
		if (fds[i].revents != 0 && take_question(work, work->asking[i]))
			work->asking[i] = work->asking[--work->nr_asking];
}

static void hear_clients(struct at_work *work, const struct pollfd *fds)
{
	/* None is gone since poll() was called. */
	for (int i = 0; i < work->nr; i++)
		if (fds[i].revents != 0)
			ptl_start_hear(&work->starting[i]);
}

/* News, the controller, who comes, who has come and who asks. */
static int fill(const struct at_work *work, struct pollfd *fds)
{
	bool has_room = work->nr + work->nr_asking < STARTINGS;
	int nr = 3;

	fds[0] = (struct pollfd){work->news, POLLIN, 0};
	fds[1] = (struct pollfd){work->alive, 0, 0};
	fds[2] = (struct pollfd){
		work->listener && has_room ? work->listener->fd : -1, POLLIN,
		0};
	for (int i = 0; i < work->nr; i++)
		fds[nr++] =
			(struct pollfd){work->starting[i].client, POLLIN, 0};
	for (int i = 0; i < work->nr_asking; i++)
		fds[nr++] = (struct pollfd){work->asking[i], POLLIN, 0};
	return nr;
}

static void look(struct at_work *work)
{
	struct pollfd fds[3 + STARTINGS];
	struct signalfd_siginfo info;
	int nr = work->nr;

	if (ptl_fds_poll(fds, (size_t)fill(work, fds), -1) < 0)
		return;
	if (fds[1].revents != 0) {
		close(work->listener->fd);
		work->listener = NULL;
		work->alive = -1;
	}
	/* First: at the exec a client's end comes, too; whose place may be
	 * another's then. */
	if (fds[0].revents != 0) {
		if (read(work->news, &info, sizeof(info)) > 0)
			reap(work);
		return;
	}
	hear_clients(work, fds + 3);
	hear_asking(work, fds + 3 + nr);
	if (fds[2].revents != 0 && work->listener)
		let_in(work);
}

static void __attribute__((noreturn))
be_starter(const struct ptl_listener *listener, int alive)
{
	static struct at_work work;
	const int kept[] = {listener->fd, alive};
	sigset_t set;

	prctl(PR_SET_NAME, "ptrace-starter");
	ptl_fds_keep(kept, 2);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	work.listener = listener;
	work.alive = alive;
	work.news = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* What the controller takes as a word to end is none for this. */
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	/* Or another would be begun for the same client again. */
	if (work.news < 0)
		_exit(ptl_listener_accept(listener) < 0);
	while (work.listener != NULL || work.nr > 0)
		look(&work);
	_exit(0);
}

/* ---- the controller -------------------------------------------------- */

static void begin(struct ptl_starter *starter)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return;
	fds[0] = ptl_fds_lift(fds[0]);
	fds[1] = ptl_fds_lift(fds[1]);
	starter->pid = fds[0] < 0 || fds[1] < 0 ? -1 : fork();
	if (starter->pid == 0)
		be_starter(&starter->listener, fds[1]);
	if (fds[1] >= 0)
		close(fds[1]);
	if (starter->pid > 0)
		starter->fd = fds[0];
	else if (fds[0] >= 0)
		close(fds[0]);
}

/* One that was killed: its end of the pipe is closed already. */
static void forget(struct ptl_starter *starter)
{
	close(starter->fd);
	starter->fd = -1;
	while (waitpid(starter->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* There can be no process. */
static void turn_away(const struct ptl_starter *starter)
{
	static const char why[] = "no process";
	int client = ptl_listener_accept(&starter->listener);

	if (client < 0)
		return;
	send(client, why, sizeof(why), MSG_NOSIGNAL | MSG_DONTWAIT);
	close(client);
}

void ptl_starter_open(struct ptl_starter *starter,
		      const struct ptl_settings *settings)
{
	starter->fd = starter->listener.fd = -1;
	if (settings->reach != NULL && strcmp(settings->reach, "static") == 0)
		ptl_listener_open(&starter->listener, "start");
}

void ptl_starter_poll(const struct ptl_starter *starter, struct pollfd *fd)
{
	*fd = starter->fd >= 0 ?
		      (struct pollfd){starter->fd, 0, 0} :
		      (struct pollfd){starter->listener.fd, POLLIN, 0};
}

void ptl_starter_serve(struct ptl_starter *starter)
{
	if (starter->fd >= 0) {
		forget(starter);
		return;
	}
	begin(starter);
	if (starter->fd < 0)
		turn_away(starter);
}

void ptl_starter_close(struct ptl_starter *starter)
{
	ptl_listener_close(&starter->listener);
	if (starter->fd < 0)
		return;
	close(starter->fd);
	starter->fd = -1;
	/* Without waiting: there may be programs that have not begun. */
	waitpid(starter->pid, NULL, WNOHANG);
}
