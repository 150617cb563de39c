/* SPDX-License-Identifier: MIT */
/* Programs with sockets, to nobody but themselves. */
#include "t/table/table.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int pairs(void)
{
	char text[32] = "";
	int fds[2];

	said("pair", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	said("send", send(fds[0], "hello", 5, 0));
	said("peek", recv(fds[1], text, 32, MSG_PEEK));
	said("read", read(fds[1], text, 3));
	said("rest", recv(fds[1], text, 32, MSG_DONTWAIT));
	said("none", recv(fds[1], text, 32, MSG_DONTWAIT));
	said("shutdown", shutdown(fds[0], SHUT_WR));
	said("end", read(fds[1], text, 1));
	close(fds[0]);
	said("no signal", send(fds[1], "x", 1, MSG_NOSIGNAL));
	signal(SIGPIPE, SIG_DFL);
	if (fork() == 0) {
		send(fds[1], "x", 1, 0);
		_exit(0);
	}
	{
		int status;

		wait(&status);
		say_status("signal", status);
	}
	return 0;
}

static int credentials(void)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);
	int fds[2], value = 1;

	socketpair(AF_UNIX, SOCK_DGRAM, 0, fds);
	said("peer", getsockopt(fds[0], SOL_SOCKET, SO_PEERCRED, &cred, &size));
	say("me: %d %d", cred.pid == getpid(), cred.uid == geteuid());
	said("pass", setsockopt(fds[1], SOL_SOCKET, SO_PASSCRED, &value,
				sizeof(value)));
	said("bad", setsockopt(fds[1], 9999, 9999, &value, sizeof(value)));
	return 0;
}

static int serve(const struct sockaddr *address, socklen_t size)
{
	struct sockaddr_storage bound;
	socklen_t length = sizeof(bound);
	int fd = socket(address->sa_family, SOCK_STREAM, 0), other;
	char text[16] = "";
	pid_t pid;

	said("bind", bind(fd, address, size));
	said("listen", listen(fd, 5));
	getsockname(fd, (struct sockaddr *)&bound, &length);
	pid = fork();
	if (pid == 0) {
		close(fd);
		fd = socket(address->sa_family, SOCK_STREAM, 0);
		if (connect(fd, (struct sockaddr *)&bound, length) != 0)
			_exit(errno);
		write(fd, "hello", 6);
		_exit(read(fd, text, 16) == 3 ? 0 : 1);
	}
	length = sizeof(bound);
	other = accept4(fd, (struct sockaddr *)&bound, &length, SOCK_CLOEXEC);
	said("accept", other);
	said("read", read(other, text, 16));
	say("%s", text);
	said("write", write(other, "bye", 3));
	say_end("client", pid);
	said("end", read(other, text, 16));
	return 0;
}

static int by_path(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX,
				      .sun_path = "socket"};

	serve((struct sockaddr *)&address, sizeof(address));
	said("again", bind(socket(AF_UNIX, SOCK_STREAM, 0),
			   (struct sockaddr *)&address, sizeof(address)));
	return 0;
}

static int loopback(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return serve((struct sockaddr *)&address, sizeof(address));
}

static int datagrams(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET}, from;
	socklen_t size = sizeof(address);
	int in = socket(AF_INET, SOCK_DGRAM, 0);
	int out = socket(AF_INET, SOCK_DGRAM, 0);
	struct mmsghdr messages[2];
	struct iovec part = {"data", 4};
	char text[16] = "";

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(in, (struct sockaddr *)&address, sizeof(address));
	getsockname(in, (struct sockaddr *)&address, &size);
	said("send", sendto(out, "hello", 5, 0, (struct sockaddr *)&address,
			    sizeof(address)));
	size = sizeof(from);
	said("receive",
	     recvfrom(in, text, 16, 0, (struct sockaddr *)&from, &size));
	say("%s from %s", text, inet_ntoa(from.sin_addr));
	connect(out, (struct sockaddr *)&address, sizeof(address));
	memset(messages, 0, sizeof(messages));
	messages[0].msg_hdr.msg_iov = &part;
	messages[0].msg_hdr.msg_iovlen = 1;
	messages[1] = messages[0];
	said("sendmmsg", sendmmsg(out, messages, 2, 0));
	said("receive", recv(in, text, 2, MSG_TRUNC));
	said("receive", recv(in, text, 16, 0));
	return 0;
}

static int failing(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX,
				      .sun_path = "nobody"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	said("family", socket(9999, SOCK_STREAM, 0));
	said("connect",
	     connect(fd, (struct sockaddr *)&address, sizeof(address)));
	said("send", send(fd, "x", 1, MSG_NOSIGNAL));
	said("accept", accept(fd, NULL, NULL));
	said("listen", listen(-1, 1));
	said("shutdown", shutdown(fd, SHUT_RD));
	said("no socket",
	     connect(0, (struct sockaddr *)&address, sizeof(address)));
	said("getsockopt", getsockopt(fd, SOL_SOCKET, 9999, NULL, NULL));
	return 0;
}

static int names(void)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				 .ai_socktype = SOCK_STREAM},
			*list = NULL;
	char host[64] = "", service[16] = "";

	say("getaddrinfo: %d", getaddrinfo("127.0.0.1", "80", &hints, &list));
	if (list)
		say("getnameinfo: %d",
		    getnameinfo(list->ai_addr, list->ai_addrlen, host,
				sizeof(host), service, sizeof(service),
				NI_NUMERICHOST | NI_NUMERICSERV));
	say("%s %s", host, service);
	freeaddrinfo(list);
	say("bad: %s",
	    gai_strerror(getaddrinfo("no address", "80", &hints, &list)));
	say("pton: %d", inet_pton(AF_INET6, "::1", host));
	say("%s", inet_ntop(AF_INET6, host, service, sizeof(service)));
	say("lo: %d", if_nametoindex("lo") == 1);
	say("%d", (int)ntohs(htons(80)));
	return 0;
}

const struct program socket_programs[] = {
	{"pairs", pairs, false},	 {"credentials", credentials, false},
	{"by-path", by_path, false},	 {"loopback", loopback, false},
	{"datagrams", datagrams, false}, {"failing", failing, false},
	{"names", names, false},	 {NULL, NULL, false},
};
