/* SPDX-License-Identifier: MIT */
/*
 * Sockets with a name; see listener.h.
 *
 * One gets its name when it listens already, so a socket of that name on which
 * nobody listens is one of a controller that was killed.  Until then its name
 * is that of something unfinished, which the library collects.
 */
#include "tools/monitor/wire/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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
static int publish(struct ptl_listener *listener, const char *prefix,
		   const char *unfinished)
{
	for (int n = 0; n < NAMES; n++) {
		snprintf(listener->name, sizeof(listener->name),
			 n == 0 ? "%s.%d" : "%s.%d.%d", prefix, (int)getpid(),
			 n);
		if (renameat2(listener->dir, unfinished, listener->dir,
			      listener->name, RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	listener->name[0] = '\0';
	return errno;
}

/* In another one there may be a controller of the same process id that is about
 * to do the same. */
static unsigned long long own_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

static int open_in(struct ptl_listener *listener, const char *prefix,
		   const char *directory)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *unfinished;
	int size, error;

	listener->dir = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (listener->dir < 0)
		return errno;
	size = snprintf(address.sun_path, sizeof(address.sun_path),
			"%s/x.%llu.%d.%s", directory, own_namespace(),
			(int)getpid(), prefix);
	if (size < 0 || (size_t)size >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	unfinished = strrchr(address.sun_path, '/') + 1;
	unlinkat(listener->dir, unfinished, 0);
	listener->fd = listen_at(&address);
	if (listener->fd < 0)
		return errno;
	error = publish(listener, prefix, unfinished);
	if (error != 0)
		unlinkat(listener->dir, unfinished, 0);
	return error;
}

int ptl_listener_open(struct ptl_listener *listener, const char *prefix)
{
	char directory[64];
	int error = posix_trace_directory_np(geteuid(), O_CREAT, directory,
					     sizeof(directory));

	listener->fd = listener->dir = -1;
	if (error == 0)
		error = open_in(listener, prefix, directory);
	if (error == 0)
		return 0;
	if (listener->fd >= 0)
		close(listener->fd);
	if (listener->dir >= 0)
		close(listener->dir);
	listener->fd = listener->dir = -1;
	return error;
}

void ptl_listener_close(struct ptl_listener *listener)
{
	if (listener->fd < 0)
		return;
	/* First: who finds it can connect. */
	unlinkat(listener->dir, listener->name, 0);
	close(listener->fd);
	close(listener->dir);
	listener->fd = listener->dir = -1;
}

/* The user of the controller, or root. */
static bool is_allowed(int client)
{
	socklen_t size = sizeof(struct ucred);
	struct ucred peer;

	return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

int ptl_listener_accept(const struct ptl_listener *listener)
{
	int client =
		accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (client < 0 || is_allowed(client))
		return client;
	close(client);
	return -1;
}
