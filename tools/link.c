/* SPDX-License-Identifier: MIT */
/* What the front process and the controller tell each other; see link.h. */
#include "tools/link.h"

#include <errno.h>
#include <sys/socket.h>

#include "tools/fds.h"

int ptl_link_open(int *front, int *controller)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return errno;
	*front = ptl_fds_lift(pair[0]);
	*controller = ptl_fds_lift(pair[1]);
	return *front < 0 || *controller < 0 ? errno : 0;
}

/* How the other side went makes no difference. */
static bool is_whole(ssize_t done, size_t size)
{
	if (done >= 0 || errno == ECONNRESET)
		errno = EPIPE;
	return done == (ssize_t)size;
}

static bool send_all(int fd, const void *message, size_t size)
{
	ssize_t sent;

	do
		sent = send(fd, message, size, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return is_whole(sent, size);
}

static bool receive_all(int fd, void *message, size_t size)
{
	ssize_t received;

	do
		received = recv(fd, message, size, 0);
	while (received < 0 && errno == EINTR);
	return is_whole(received, size);
}

bool ptl_link_ask(int fd, enum ptl_request request)
{
	return send_all(fd, &request, sizeof(request));
}

bool ptl_link_asked(int fd, enum ptl_request *request)
{
	return receive_all(fd, request, sizeof(*request));
}

bool ptl_link_report(int fd, const struct ptl_report *report)
{
	return send_all(fd, report, sizeof(*report));
}

bool ptl_link_reported(int fd, struct ptl_report *report)
{
	return receive_all(fd, report, sizeof(*report));
}
