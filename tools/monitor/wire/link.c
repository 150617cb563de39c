/* SPDX-License-Identifier: MIT */
/* The messages between the front process and the controller; see link.h. */
#include "tools/monitor/wire/link.h"

#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "tools/lib/fds.h"

/* In hundredths of a second. */
#define MAX_TRIES 200

int ptl_link_open(int *front, int *controller)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return errno;
	*front = ptl_fds_lift(pair[0]);
	*controller = ptl_fds_lift(pair[1]);
	return *front < 0 || *controller < 0 ? errno : 0;
}

/* If the other side has ended, it does not matter how. */
static bool is_whole(ssize_t done, size_t size)
{
	if (done >= 0 || errno == ECONNRESET)
		errno = EPIPE;
	return done == (ssize_t)size;
}

/* The kernel has no memory: that passes, whereas a side that gives up makes the
 * other one wait for ever.  True: try again. */
static bool wait_for_memory(int tries)
{
	const struct timespec moment = {0, 10000000};

	if ((errno != ENOBUFS && errno != ENOMEM) || tries == MAX_TRIES)
		return false;
	nanosleep(&moment, NULL);
	return true;
}

static bool send_all(int fd, const void *message, size_t size)
{
	ssize_t sent;
	int tries = 0;

	do
		sent = send(fd, message, size, MSG_NOSIGNAL);
	while (sent < 0 && (errno == EINTR || wait_for_memory(++tries)));
	return is_whole(sent, size);
}

static bool receive_all(int fd, void *message, size_t size, int flags)
{
	ssize_t received;
	int tries = 0;

	/* If the other side ended without reading our last message, this error
	 * comes once, before the messages that it has sent. */
	do
		received = recv(fd, message, size, flags);
	while (received < 0 && (errno == EINTR || errno == ECONNRESET ||
				wait_for_memory(++tries)));
	return is_whole(received, size);
}

bool ptl_link_ask(int fd, enum ptl_request request)
{
	return send_all(fd, &request, sizeof(request));
}

bool ptl_link_asked(int fd, enum ptl_request *request)
{
	return receive_all(fd, request, sizeof(*request), MSG_PEEK);
}

void ptl_link_drop(int fd)
{
	enum ptl_request request;

	receive_all(fd, &request, sizeof(request), 0);
}

bool ptl_link_report(int fd, const struct ptl_report *report)
{
	return send_all(fd, report, sizeof(*report));
}

bool ptl_link_reported(int fd, struct ptl_report *report)
{
	bool is_whole_one;

	/* What was asked before may be answered only now. */
	do
		is_whole_one = receive_all(fd, report, sizeof(*report), 0);
	while (is_whole_one && report->kind == PTL_LINK_TOLD);
	return is_whole_one;
}

bool ptl_link_heard(int fd, struct ptl_report *report)
{
	return receive_all(fd, report, sizeof(*report), MSG_DONTWAIT);
}
