/* SPDX-License-Identifier: MIT */
/*
 * Makes calls whose pointers are followed when they are recorded: `values', as
 * programs make them; `hostile', with pointers and sizes that are bad in all
 * ways, of which it prints what each call returned.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#define PAGE 4096
#define BAD opaque(8)

static int pipes[2];

/* The compiler, which knows libc's functions, shall not see how bad it is. */
static void *opaque(uintptr_t address)
{
	static void *volatile hidden;

	hidden = (void *)address;
	return hidden;
}

/* The last bytes of a page behind which there is nothing. */
static void *at_end(size_t size)
{
	static char *pages;

	if (pages == NULL) {
		pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED || munmap(pages + PAGE, PAGE) != 0)
			exit(2);
	}
	return pages + PAGE - size;
}

static void files(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_start = 1, .l_len = 2};
	struct stat st;
	struct statx stx;
	char buf[64];
	int fd = open("f", O_RDWR | O_CREAT, 0640);

	if (write(fd, "12345", 5) != 5)
		exit(2);
	stat("f", &st);
	fstat(fd, &st);
	fstat(pipes[0], &st);
	stat("/dev/null", &st);
	stat("none", &st);
	lstat(".", &st);
	statx(AT_FDCWD, "f", 0, STATX_BASIC_STATS, &stx);
	if (symlink("target", "l") != 0 ||
	    readlink("l", buf, sizeof(buf)) < 0 || readlink("l", buf, 3) < 0 ||
	    readlink("f", buf, 3) >= 0)
		exit(2);
	lstat("l", &st);
	fcntl(fd, F_SETLK, &lock);
	lock.l_type = F_RDLCK;
	fcntl(fd, F_GETLK, &lock);
	lock.l_type = F_UNLCK;
	fcntl(fd, F_OFD_SETLK, &lock);
	close(fd);
}

static void waits(void)
{
	struct pollfd fds[3] = {{pipes[0], POLLIN | POLLPRI, 0},
				{pipes[1], POLLOUT, 0},
				{-1, 0, 0}};
	struct timespec none = {0, 0};
	struct timeval second = {1, 0};
	fd_set in, out;

	poll(fds, 3, 0);
	ppoll(fds, 2, &none, NULL);
	poll(fds, 0, 0);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(pipes[0], &in);
	FD_SET(pipes[1], &out);
	select(pipes[1] + 1, &in, &out, NULL, &second);
	FD_SET(pipes[0], &in);
	pselect(pipes[0] + 1, &in, NULL, NULL, &none, NULL);
	select(0, NULL, NULL, NULL, &(struct timeval){0, 0});
}

static void epolls(void)
{
	struct epoll_event event = {.events = EPOLLOUT | EPOLLET,
				    .data.u64 = UINT64_C(0x123456789a)},
			   events[8];
	int fd = epoll_create1(0);

	epoll_ctl(fd, EPOLL_CTL_ADD, pipes[1], &event);
	epoll_wait(fd, events, 8, 0);
	epoll_wait(fd, events, 8, 0);
	event.events = EPOLLIN;
	epoll_ctl(fd, EPOLL_CTL_MOD, pipes[1], &event);
	epoll_ctl(fd, EPOLL_CTL_DEL, pipes[1], NULL);
	epoll_ctl(fd, EPOLL_CTL_DEL, pipes[1], NULL);
	close(fd);
}

/* A connection that is made meanwhile, and refused. */
static void refused(void)
{
	struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons(1)};
	struct pollfd pfd = {.events = POLLOUT};
	socklen_t size = sizeof(int);
	int error;

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	pfd.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	connect(pfd.fd, (struct sockaddr *)&addr, sizeof(addr));
	poll(&pfd, 1, 10000);
	getsockopt(pfd.fd, SOL_SOCKET, SO_ERROR, &error, &size);
	getsockopt(pfd.fd, SOL_SOCKET, SO_ERROR, &error, &size);
	close(pfd.fd);
}

/* A string, with its null and without, and what is none; where the file system
 * has none of these, they are refused. */
static void attributes(void)
{
	static const char *const values[] = {"plain", "\1\2\3", ""};
	char value[300];
	int fd = open("f", O_RDWR | O_CREAT, 0600);

	memset(value, 'x', sizeof(value));
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		fsetxattr(fd, "user.k", values[i], strlen(values[i]), 0);
		getxattr("f", "user.k", value, sizeof(value));
		lgetxattr("f", "user.k", NULL, 0);
	}
	lsetxattr("f", "user.null", "null", 5, XATTR_CREATE);
	fgetxattr(fd, "user.null", value, sizeof(value));
	setxattr("f", "user.long", value, sizeof(value), 0);
	getxattr("f", "user.long", value, sizeof(value));
	getxattr("f", "user.none", value, sizeof(value));
	close(fd);
}

static void file_systems(void)
{
	struct statfs fs;
	struct statvfs vfs;

	statfs("/proc", &fs);
	statfs("/none", &fs);
	fstatfs(pipes[0], &fs);
	statvfs("/", &vfs);
	fstatvfs(-1, &vfs);
}

static void sockets(void)
{
	static const int options[] = {SO_TYPE, SO_DOMAIN, SO_ACCEPTCONN,
				      SO_REUSEADDR};
	struct linger linger = {1, 5};
	struct timeval time = {3, 250000};
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1, pair[2];
	char name[16];
	struct ucred ucred;
	socklen_t size;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		size = sizeof(one);
		getsockopt(fd, SOL_SOCKET, options[i], &one, &size);
	}
	size = sizeof(linger);
	getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &size);
	size = sizeof(time);
	getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, &size);
	size = sizeof(name);
	getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &size);
	close(fd);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		exit(2);
	size = sizeof(ucred);
	getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &ucred, &size);
	ioctl(pair[0], FIONREAD, &one);
	one = 1;
	ioctl(pair[0], FIONBIO, &one);
	close(pair[0]);
	close(pair[1]);
}

/* A message with descriptors and the credentials of its sender. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(struct ucred)) +
		   CMSG_SPACE(2 * sizeof(int))];
};

static void put_control(struct cmsghdr *head, int type, const void *data,
			size_t size)
{
	head->cmsg_len = CMSG_LEN(size);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = type;
	memcpy(CMSG_DATA(head), data, size);
}

static void passes(int to, int from)
{
	struct ucred self = {getpid(), getuid(), getgid()};
	char bytes[8] = "passed";
	struct iovec iov = {bytes, sizeof(bytes)};
	union control control = {{0}};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};
	int one = 1;

	setsockopt(from, SOL_SOCKET, SO_PASSCRED, &one, sizeof(one));
	put_control(&control.head, SCM_CREDENTIALS, &self, sizeof(self));
	put_control(CMSG_NXTHDR(&msg, &control.head), SCM_RIGHTS, pipes,
		    sizeof(pipes));
	if (sendmsg(to, &msg, 0) != sizeof(bytes) ||
	    recvmsg(from, &msg, 0) != sizeof(bytes))
		exit(2);
	msg.msg_control = NULL;
	msg.msg_controllen = 0;
	if (sendmsg(to, &msg, 0) != sizeof(bytes) ||
	    recvmsg(from, &msg, MSG_TRUNC) != sizeof(bytes))
		exit(2);
}

static void messages(void)
{
	struct sockaddr_in addr = {.sin_family = AF_INET};
	struct sockaddr_in6 from;
	socklen_t size = sizeof(addr);
	char bytes[4] = "to";
	struct iovec iov = {bytes, sizeof(bytes)};
	struct msghdr msg = {.msg_name = &addr,
			     .msg_namelen = sizeof(addr),
			     .msg_iov = &iov,
			     .msg_iovlen = 1};
	int fd = socket(AF_INET, SOCK_DGRAM, 0), pair[2];

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) != 0 ||
	    getsockname(fd, (struct sockaddr *)&addr, &size) != 0 ||
	    sendmsg(fd, &msg, 0) != sizeof(bytes))
		exit(2);
	msg.msg_name = &from;
	msg.msg_namelen = sizeof(from);
	if (recvmsg(fd, &msg, 0) != sizeof(bytes) ||
	    recvmsg(fd, &msg, MSG_DONTWAIT) != -1)
		exit(2);
	close(fd);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0)
		exit(2);
	passes(pair[0], pair[1]);
	close(pair[0]);
	close(pair[1]);
}

static void terminals(void)
{
	struct winsize size = {24, 80, 1, 2};
	struct termios termios; /* larger than the kernel's */
	int fd = posix_openpt(O_RDWR | O_NOCTTY), number;

	ioctl(fd, TIOCSWINSZ, &size);
	ioctl(fd, TIOCGWINSZ, &size);
	ioctl(fd, TCGETS, &termios);
	ioctl(fd, TIOCGPTN, &number);
	ioctl(pipes[0], TIOCGWINSZ, &size);
	close(fd);
}

static void said(const char *what, long ret)
{
	printf("%s %ld %d\n", what, ret, ret == -1 ? errno : 0);
}

static void hostile_waits(void)
{
	struct pollfd *last = at_end(sizeof(*last));
	struct epoll_event event = {.events = EPOLLOUT};
	struct timeval none = {0, 0};
	fd_set *set = at_end(8), all;
	int fd = epoll_create1(0);

	*last = (struct pollfd){pipes[1], POLLOUT, 0};
	said("poll", poll(last, 1, 0));
	said("poll beyond", poll(last, 2, 0));
	said("poll bad", poll(BAD, 3, 0));
	said("poll many", poll(last, (uintptr_t)opaque((uintptr_t)-1), 0));
	memset(set, 0, 8);
	FD_SET(pipes[0], set);
	said("select", select(8, set, NULL, NULL, &none));
	said("select bad", select(8, BAD, NULL, NULL, &none));
	said("select bad for ever", select(8, BAD, NULL, NULL, NULL));
	said("select negative", select(-1, set, NULL, NULL, &none));
	memset(&all, 0xff, sizeof(all));
	said("select all", select(FD_SETSIZE, NULL, NULL, &all, &none));
	said("select huge", select(0x7fffffff, BAD, set, NULL, &none));
	said("epoll bad", epoll_ctl(fd, EPOLL_CTL_ADD, pipes[1], BAD));
	said("epoll op", epoll_ctl(fd, 77, pipes[1], BAD));
	said("epoll add", epoll_ctl(fd, EPOLL_CTL_ADD, pipes[1], &event));
	said("epoll del", epoll_ctl(fd, EPOLL_CTL_DEL, pipes[1], BAD));
	said("epoll add", epoll_ctl(fd, EPOLL_CTL_ADD, pipes[1], &event));
	said("epoll wait", epoll_wait(fd, at_end(sizeof(event)), 1, 0));
	said("epoll wait many", epoll_wait(fd, at_end(12), 0x1000000, 0));
	said("epoll wait bad", epoll_wait(fd, BAD, 1, 0));
	said("epoll wait negative",
	     epoll_wait(fd, at_end(12), (int)(intptr_t)opaque((uintptr_t)-5),
			0));
}

static void hostile_sockets(void)
{
	int *one = at_end(sizeof(*one)), fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t *size = at_end(sizeof(*size) * 2), negative = (socklen_t)-4;

	*one = 1;
	said("set", setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, one, 4));
	said("set long", setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, one, 4000));
	said("set negative",
	     setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, one, negative));
	said("set bad", setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, BAD, 4));
	/* SOL_ALG, ALG_SET_KEY. */
	said("set key", setsockopt(fd, 279, 1, "secretsecret", 12));
	said("set none", setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, NULL, 4));
	*size = 4;
	said("get", getsockopt(fd, SOL_SOCKET, SO_TYPE, one, size));
	*size = 1;
	said("get short", getsockopt(fd, SOL_SOCKET, SO_TYPE, one, size));
	*size = negative;
	said("get negative", getsockopt(fd, SOL_SOCKET, SO_TYPE, one, size));
	*size = 4;
	said("get bad", getsockopt(fd, SOL_SOCKET, SO_TYPE, BAD, size));
	said("get no size", getsockopt(fd, SOL_SOCKET, SO_TYPE, one, BAD));
	said("ioctl bad", ioctl(fd, FIONBIO, BAD));
	said("ioctl bad", ioctl(fd, FIONREAD, BAD));
	said("ioctl none", ioctl(fd, FIONBIO, NULL));
}

/* The name has room for less than there is of it; the control is cut, too long
 * for what is mapped, or none. */
static void hostile_messages(void)
{
	struct msghdr *msg = at_end(sizeof(*msg));
	struct cmsghdr head = {CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS};
	char bytes[4] = "abc";
	struct iovec iov = {bytes, sizeof(bytes)};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0)
		exit(2);
	memset(msg, 0, sizeof(*msg));
	msg->msg_iov = &iov;
	msg->msg_iovlen = 1;
	said("send", sendmsg(pair[0], msg, 0));
	said("send bad", sendmsg(pair[0], BAD, 0));
	said("receive bad", recvmsg(pair[1], BAD, MSG_DONTWAIT));
	msg->msg_name = BAD;
	msg->msg_namelen = 16;
	said("send to bad", sendmsg(pair[0], msg, 0));
	msg->msg_namelen = (socklen_t)-1;
	said("send to negative", sendmsg(pair[0], msg, 0));
	msg->msg_name = NULL;
	msg->msg_namelen = 0;
	msg->msg_control = BAD;
	msg->msg_controllen = 64;
	said("send bad control", sendmsg(pair[0], msg, 0));
	msg->msg_control = (char *)msg - sizeof(head);
	msg->msg_controllen = SIZE_MAX;
	said("send long control", sendmsg(pair[0], msg, 0));
	for (size_t size = 0; size <= 2 * sizeof(head); size++) {
		head.cmsg_len = size;
		memcpy(msg->msg_control, &head, sizeof(head));
		msg->msg_controllen = sizeof(head);
		said("send control", sendmsg(pair[0], msg, 0));
	}
}

static void hostile_files(void)
{
	char *path = at_end(2), *buf = at_end(4);
	char full[4090];

	memcpy(path, "l", 2);
	said("stat bad", stat("f", BAD));
	said("stat path", stat(BAD, at_end(sizeof(struct stat))));
	said("stat", stat("f", at_end(sizeof(struct stat))));
	said("fstat bad", fstat(pipes[0], BAD));
	said("readlink", readlink("l", buf, 4));
	said("readlink bad", readlink("l", BAD, 4));
	said("readlink size", readlink("l", buf, 0));
	said("lock", fcntl(pipes[0], F_SETLK, BAD));
	said("lock end", fcntl(pipes[0], F_SETLK, at_end(8)));
	said("owner", fcntl(pipes[0], F_GETOWN_EX, BAD));
	/* Longer than is recorded of a path: what is behind it is not its rest.
	 */
	memset(full, '/', sizeof(full));
	*full = '.';
	strcpy(full + sizeof(full) - 2, "f");
	said("stat long", stat(full, at_end(sizeof(struct stat))));
	strcpy(full + sizeof(full) - 2, "l");
	said("readlink long", readlink(full, buf, 4));
}

int main(int argc, char **argv)
{
	bool is_hostile = argc > 1 && strcmp(argv[1], "hostile") == 0;

	if (pipe(pipes) != 0)
		return 2;
	files();
	if (is_hostile) {
		hostile_files();
		hostile_waits();
		hostile_sockets();
		hostile_messages();
		return 0;
	}
	waits();
	epolls();
	refused();
	attributes();
	file_systems();
	sockets();
	messages();
	terminals();
	return 0;
}
