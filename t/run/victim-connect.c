/* SPDX-License-Identifier: MIT */
/*
 * usage: victim-connect accept|recv|epoll|listen|end|two
 *
 * A process waits for a child, by a socket that has an address; the child waits
 * for that, sleeps for 60 ms, and then connects, sends or closes.  two: another
 * child has a connection, too, and sends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sockaddr_un address = {AF_UNIX, "socket"};
static pid_t waiting;

/* Shared: what the parent waits for next is what the client does. */
static volatile int *is_last;

/* Once the parent waits, not for one of the connections that come first. */
static void take_time(void)
{
	char path[64], state = 'R', stat[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)waiting);
	while (!*is_last || state != 'S') {
		file = fopen(path, "r");
		if (file == NULL || fgets(stat, sizeof(stat), file) == NULL)
			abort();
		fclose(file);
		state = strrchr(stat, ')')[2];
	}
	usleep(60000);
}

static int connected(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		abort();
	return fd;
}

/* connects: only then; sends: a byte. */
static void begin_client(int connects, int sends)
{
	int fd;

	if (fork() != 0)
		return;
	fd = connects ? -1 : connected();
	take_time();
	if (connects)
		fd = connected();
	if (sends && send(fd, "x", 1, 0) != 1)
		abort();
	close(fd);
	_exit(0);
}

static void wait_by_epoll(int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = 17};
	int epoll = epoll_create1(0);

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0 ||
	    epoll_wait(epoll, &event, 1, -1) != 1)
		abort();
}

static void serve(const char *what, int listener)
{
	int fd;
	char byte;

	*is_last = strcmp(what, "listen") == 0 || strcmp(what, "accept") == 0;
	if (strcmp(what, "listen") == 0) {
		wait_by_epoll(listener);
		return;
	}
	fd = accept(listener, NULL, NULL);
	if (strcmp(what, "accept") == 0)
		return;
	if (strcmp(what, "two") == 0) {
		begin_client(0, 1);
		accept(listener, NULL, NULL);
	}
	*is_last = 1;
	if (strcmp(what, "epoll") == 0)
		wait_by_epoll(fd);
	else if (recv(fd, &byte, 1, 0) < 0)
		abort();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	waiting = getpid();
	is_last = mmap(NULL, sizeof(*is_last), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (is_last == MAP_FAILED)
		return 1;
	unlink(address.sun_path);
	if (bind(listener, (const struct sockaddr *)&address,
		 sizeof(address)) != 0 ||
	    listen(listener, 8) != 0)
		return 1;
	begin_client(strcmp(what, "accept") == 0 || strcmp(what, "listen") == 0,
		     strcmp(what, "end") != 0);
	serve(what, listener);
	while (wait(NULL) > 0)
		;
	return 0;
}
