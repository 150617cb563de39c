/* SPDX-License-Identifier: MIT */
/*
 * The socket of a controller; see socket.h.  Nothing here waits for a client: a
 * message that is not there yet is waited for by poll(2) together with all else
 * that the controller waits for, and a reply that has no room is dropped.
 *
 * It gets its name when it listens already, so a socket of that name on which
 * nobody listens is one of a controller that was killed.  Until then its name
 * is that of something unfinished, which the library collects.
 */
#include "tools/monitor/wire/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#include "tools/lib/fds.h"

/* Of the same process id in so many pid namespaces. */
#define NAMES 64

static int listen_at(struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);

	if (fd < 0)
		return -1;
	fd = ptl_fds_lift(fd);
	/* The socket's file will have this mode, whatever the umask is. */
	if (fd >= 0 && fchmod(fd, 0600) == 0 &&
	    bind(fd, (struct sockaddr *)address, sizeof(*address)) == 0 &&
	    listen(fd, SOMAXCONN) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Gives it the first name that is not taken. */
static int publish(struct ptl_socket *door, const char *unfinished)
{
	for (int n = 0; n < NAMES; n++) {
		snprintf(door->name, sizeof(door->name),
			 n == 0 ? "ctl.%d" : "ctl.%d.%d", (int)getpid(), n);
		if (renameat2(door->dir, unfinished, door->dir, door->name,
			      RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EEXIST)
			return errno;
	}
	return EEXIST;
}

/* In another one there may be a controller of the same process id that is about
 * to do the same. */
static unsigned long long own_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

static int open_in(struct ptl_socket *door, const char *directory)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *unfinished;
	int size, error;

	door->dir = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (door->dir < 0)
		return errno;
	size = snprintf(address.sun_path, sizeof(address.sun_path),
			"%s/x.%llu.%d.ctl", directory, own_namespace(),
			(int)getpid());
	if (size < 0 || (size_t)size >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	unfinished = strrchr(address.sun_path, '/') + 1;
	unlinkat(door->dir, unfinished, 0);
	door->fd = listen_at(&address);
	if (door->fd < 0)
		return errno;
	error = publish(door, unfinished);
	if (error != 0)
		unlinkat(door->dir, unfinished, 0);
	return error;
}

int ptl_socket_open(struct ptl_socket *door)
{
	char directory[64];
	int error;

	door->fd = door->dir = -1;
	door->oldest = 0;
	door->name[0] = '\0';
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++)
		door->client[i] = -1;
	error = posix_trace_directory_np(geteuid(), O_CREAT, directory,
					 sizeof(directory));
	if (error == 0)
		error = open_in(door, directory);
	if (error == 0)
		return 0;
	door->name[0] = '\0';
	ptl_socket_close(door);
	return error;
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void ptl_socket_close(struct ptl_socket *door)
{
	/* First: who finds it can connect. */
	if (door->name[0] != '\0')
		unlinkat(door->dir, door->name, 0);
	drop(&door->fd);
	drop(&door->dir);
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++)
		drop(&door->client[i]);
}

void ptl_socket_poll(const struct ptl_socket *door, struct pollfd *fds)
{
	fds[0] = (struct pollfd){door->fd, POLLIN, 0};
	for (int i = 0; i < PTL_SOCKET_CLIENTS; i++)
		fds[1 + i] = (struct pollfd){door->client[i], POLLIN, 0};
}

/* The user of the controller, or root. */
static bool is_allowed(int client)
{
	socklen_t size = sizeof(struct ucred);
	struct ucred peer;

	return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

static void let_in(struct ptl_socket *door)
{
	int client =
		accept4(door->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	int *place = &door->client[door->oldest];

	if (client < 0)
		return;
	if (!is_allowed(client)) {
		close(client);
		return;
	}
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
