/* SPDX-License-Identifier: MIT */
/*
 * The socket of a controller; see socket.h.  Nothing here waits for a client: a
 * message that is not there yet is waited for by poll(2) together with all else
 * that the controller waits for, and a reply that has no room is dropped.
 */
#include "tools/monitor/wire/socket.h"

#include <errno.h>
#include <unistd.h>

int ptl_socket_open(struct ptl_socket *door)
{
	door->oldest = 0;
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++)
		door->client[i] = -1;
	return ptl_listener_open(&door->listener, "ctl");
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void ptl_socket_close(struct ptl_socket *door)
{
	ptl_listener_close(&door->listener);
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++)
		drop(&door->client[i]);
}

void ptl_socket_poll(const struct ptl_socket *door, struct pollfd *fds)
{
	fds[0] = (struct pollfd){door->listener.fd, POLLIN, 0};
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++)
		fds[1 + i] = (struct pollfd){door->client[i], POLLIN, 0};
}

static void let_in(struct ptl_socket *door)
{
	int client = ptl_listener_accept(&door->listener);
	int *place = &door->client[door->oldest];

	if (client < 0)
		return;
	for (int i = PTL_SOCKET_CLIENTS - 1; i >= 0; i--)
		if (door->client[i] < 0)
			place = &door->client[i];
	if (*place >= 0)
		door->oldest = (door->oldest + 1) % PTL_SOCKET_CLIENTS;
	drop(place);
	*place = client;
}

static const char *why_not(int error)
{
	return error == EMSGSIZE ? "the request is too long" :
				   "not a request of this version";
}

static void serve(int client, ptl_socket_answer *answer, void *arg)
{
	static struct ptl_talk request, reply;
	int file;

	ptl_talk_begin(&reply);
	if (ptl_talk_receive(client, &request, &file)) {
		answer(arg, &request, file, &reply);
	} else if (errno == EMSGSIZE || errno == EBADMSG) {
		ptl_talk_add(&reply, PTL_TALK_FAILED);
		ptl_talk_add(&reply, why_not(errno));
	} else {
		return;
	}
	if (file >= 0)
		close(file);
	ptl_talk_send(client, &reply, -1);
}

void ptl_socket_serve(struct ptl_socket *door, const struct pollfd *fds,
		      ptl_socket_answer *answer, void *arg)
{
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++) {
		if (fds[1 + i].revents == 0)
			continue;
		/* Who gave up is told, and believes, that it was not done. */
		if (!(fds[1 + i].revents & (POLLHUP | POLLERR)))
			serve(door->client[i], answer, arg);
		drop(&door->client[i]);
	}
	if (fds[0].revents != 0)
		let_in(door);
}
