/* SPDX-License-Identifier: MIT */
/* See news.h. */
#include "tools/monitor/trigger/change.h"
#include "tools/monitor/news.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/fds.h"

/* How often to check for the last process, once the first has ended. */
#define LOOK_MS 100

static void drop_link(struct ptl_control *control)
{
	if (control->link_fd >= 0)
		close(control->link_fd);
	control->link_fd = -1;
}

void ptl_news_send(struct ptl_control *control,
		   const struct ptl_report *message)
{
	/* The front must not wait for a reply that does not come. */
	if (control->link_fd >= 0 &&
	    !ptl_link_report(control->link_fd, message))
		drop_link(control);
}

void ptl_news_report(struct ptl_control *control, enum ptl_report_kind kind,
		     int error, const char *what,
		     const struct posix_trace_info_np *info)
{
	struct ptl_report message;

	memset(&message, 0, sizeof(message));
	message.kind = kind;
	message.error = error;
	snprintf(message.what, sizeof(message.what), "%s", what);
	if (info != NULL)
		message.info = *info;
	ptl_news_send(control, &message);
}

static unsigned int nr_live(const struct ptl_control *control)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(control->trid, &info) != 0)
		return 0;
	return info.live_processes;
}

/* Are there only children that have not begun, and never may? That is known in
 * a second. */
static bool is_unsure(const struct posix_trace_info_np *info)
{
	return info->live_processes > 0 &&
	       info->unborn_processes == info->live_processes;
}

static void tell_left(struct ptl_control *control,
		      const struct posix_trace_info_np *info)
{
	ptl_news_report(control, PTL_LINK_LEFT, 0, "", info);
	control->ward->has_left = true;
	drop_link(control);
}

/* The command has ended; are there others? */
static void finish(struct ptl_control *control, bool is_waited_for)
{
	struct posix_trace_info_np info;

	control->has_target_ended = true;
	control->is_waited_for = is_waited_for;
	control->must_stop = nr_live(control) == 0;
	/* What the command did is in the log when the prompt is back. */
	if (!control->must_stop && control->subject.has_file &&
	    !control->is_snapshot)
		posix_trace_flush(control->trid);
	if (control->must_stop ||
	    posix_trace_get_info_np(control->trid, &info) != 0)
		return;
	/* Processes may have ended meanwhile, or it was not known. */
	control->must_stop = info.live_processes == 0;
	control->is_unsure =
		!control->must_stop && !is_waited_for && is_unsure(&info);
	if (!control->must_stop && !is_waited_for && !control->is_unsure)
		tell_left(control, &info);
}

/* One of them has begun, or has not. */
static void look_for_unborn(struct ptl_control *control)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(control->trid, &info) != 0 ||
	    is_unsure(&info))
		return;
	control->is_unsure = false;
	if (info.live_processes > 0 && control->link_fd >= 0)
		tell_left(control, &info);
}

static void tell(struct ptl_control *control)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(control->trid, &info) != 0)
		memset(&info, 0, sizeof(info));
	ptl_news_report(control, PTL_LINK_TOLD, 0, "", &info);
}

/* If we are killed now the next controller knows of the request: from the link,
 * or from what we have noted before we dropped it there. */
static void handle_link(struct ptl_control *control)
{
	enum ptl_request request;

	if (!ptl_link_asked(control->link_fd, &request)) {
		/* The front is gone, or has become the command itself. */
		drop_link(control);
		return;
	}
	if (request == PTL_LINK_TELL) {
		ptl_link_drop(control->link_fd);
		tell(control);
		return;
	}
	if (request == PTL_LINK_STOP)
		control->ward->must_stop = true;
	else
		control->ward->must_finish = true;
	ptl_link_drop(control->link_fd);
	if (request == PTL_LINK_STOP)
		control->must_stop = true;
	else
		finish(control, request == PTL_LINK_WAIT);
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno == EPERM;
}

/* Of a process that was killed what came before is not to be overwritten. */
static void look_for_killed(struct ptl_control *control)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(control->trid, &info) != 0 ||
	    info.killed == control->nr_killed)
		return;
	control->nr_killed = info.killed;
	posix_trace_flush(control->trid);
}

static void answer(void *arg, const struct ptl_talk *request, int file,
		   struct ptl_talk *reply)
{
	struct ptl_control *control = arg;

	if (ptl_requests_is(request, "stop"))
		ptl_sampling_pause(&control->sampling, control->trid);
	if (ptl_change_answer(&control->firing, request, reply))
		return;
	ptl_requests_answer(&control->subject, request, file, reply);
	if (ptl_requests_runs(control->trid))
		ptl_sampling_resume(&control->sampling);
}

/*
 * Where poll(2) cannot be called, for a filter of system calls or a limit of
 * files that is lower than the number of those that are open: sleeps for a
 * moment, and looks at what can be looked at without it.
 */
static void look_without_poll(const struct ptl_control *control,
			      struct pollfd *fds)
{
	const struct timespec moment = {0, LOOK_MS * 1000000};
	char byte;

	nanosleep(&moment, NULL);
	if (fds[0].fd >= 0 &&
	    (recv(fds[0].fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
	     errno != EAGAIN))
		fds[0].revents = POLLIN;
	fds[1].revents = POLLIN;
	if (fds[2].fd >= 0 && !is_alive(control->target))
		fds[2].revents = POLLIN;
}

/* In ms; -1: for ever. */
static int timeout_of(const struct ptl_control *control, bool must_look)
{
	int look = must_look || control->is_snapshot || control->is_live ?
			   LOOK_MS :
			   -1;
	int fire = ptl_firing_timeout(&control->firing);

	return fire >= 0 && (look < 0 || fire < look) ? fire : look;
}

/*
 * While there is a front, it reports the end of the command; without a front
 * the command itself is watched.
 */
static void wait_for_news(struct ptl_control *control)
{
	bool is_alone = control->link_fd < 0;
	struct pollfd fds[5 + PTL_SOCKET_FDS + PTL_PLANS_FDS] = {
		{control->link_fd, POLLIN, 0},
		{control->signal_fd, POLLIN, 0},
		{is_alone && !control->has_target_ended ? control->target_fd :
							  -1,
		 POLLIN, 0},
		{control->sampling.fd, POLLIN, 0},
		{control->firing.fd, POLLIN, 0},
	};
	struct pollfd *of_socket = fds + 5;
	struct pollfd *of_plans = of_socket + PTL_SOCKET_FDS;
	bool must_look = (is_alone && (control->has_target_ended ||
				       control->target_fd < 0)) ||
			 control->is_waited_for || control->is_unsure;
	struct signalfd_siginfo signal;

	ptl_socket_poll(&control->socket, of_socket);
	ptl_plans_poll(&control->plans, of_plans);
	static_assert(PTL_ARRAY_SIZE(fds) <= PTL_FDS_POLLED, "all of them");
	if (ptl_fds_poll(fds, PTL_ARRAY_SIZE(fds),
			 timeout_of(control, must_look)) < 0) {
		if (errno == EINTR)
			return;
		look_without_poll(control, fds);
	}
	if (control->is_live)
		posix_trace_flush(control->trid);
	if (control->is_snapshot)
		look_for_killed(control);
	ptl_socket_serve(&control->socket, of_socket, answer, control);
	ptl_plans_serve(&control->plans, of_plans);
	ptl_sampling_take(&control->sampling, control->trid);
	ptl_firing_look(&control->firing);
	if (fds[0].revents != 0)
		handle_link(control);
	if (fds[1].revents != 0 &&
	    read(control->signal_fd, &signal, sizeof(signal)) > 0)
		control->must_stop |= signal.ssi_signo == SIGTERM;
	if (fds[2].revents != 0 ||
	    (must_look && control->target_fd < 0 && !is_alive(control->target)))
		control->has_target_ended = true;
}

void ptl_news_catch_up(struct ptl_control *control)
{
	control->must_stop |= control->ward->must_stop;
	control->has_target_ended = control->ward->must_finish;
	if (control->ward->has_left)
		drop_link(control);
	else if (control->ward->must_finish)
		finish(control, false);
}

void ptl_news_run(struct ptl_control *control)
{
	while (!control->must_stop &&
	       (!control->has_target_ended || nr_live(control) > 0)) {
		wait_for_news(control);
		if (control->is_unsure)
			look_for_unborn(control);
	}
}
