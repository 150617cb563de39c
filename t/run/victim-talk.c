/* SPDX-License-Identifier: MIT */
/*
 * A client of a controller's socket that does not behave:
 *   ask SOCKET WORD...     sends these words, prints the reply
 *   garbage SOCKET         sends what is no message, and files
 *   early SOCKET N         closes without waiting for replies, so often
 *   flood SOCKET N         asks so often; prints how many replies came
 *   hang SOCKET N          so many connections that say nothing; when all are
 *                          there, it says so, and waits for the end of its input
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FILES 200

static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	printf("connect: %s\n", strerror(errno));
	exit(1);
}

/* The words, each with its null. */
static size_t join(char *buf, char **words)
{
	size_t size = 0;

	for (; *words; words++)
		size += (size_t)sprintf(buf + size, "%s", *words) + 1;
	return size;
}

/* The size of the reply; 0: the connection was closed. */
static ssize_t reply(int fd, char *buf, size_t size)
{
	ssize_t got = recv(fd, buf, size, 0);

	return got < 0 ? 0 : got;
}

static int ask(const char *path, char **words)
{
	char buf[65536];
	int fd = connect_to(path);
	size_t size = join(buf, words);
	ssize_t got;

	send(fd, buf, size, MSG_NOSIGNAL);
	got = reply(fd, buf, sizeof(buf));
	for (ssize_t i = 0; i < got; i++)
		putchar(buf[i] ? buf[i] : i + 1 < got ? ' ' : '\n');
	if (got == 0)
		puts("closed");
	return 0;
}

static void send_files(int fd)
{
	char control[CMSG_SPACE(FILES * sizeof(int))] = {0};
	char text[] = "1\0list";
	struct iovec data = {text, sizeof(text)};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int files[FILES];

	for (int i = 0; i < FILES; i++)
		files[i] = fd;
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(files));
	memcpy(CMSG_DATA(header), files, sizeof(files));
	sendmsg(fd, &message, MSG_NOSIGNAL);
}

static int garbage(const char *path)
{
	static const struct {
		const char *bytes;
		size_t size;
	} messages[] = {
		{"", 0}, {"", 1}, {"\0\0\0", 3}, {"list", 4}, {"1", 1},
		{"1\0list", 6}, {"2\0list", 7}, {"1\0", 2}, {"1\0nonsense", 11},
		{"1\0filter", 9}, {"1\0filter\0add", 13},
		{"1\0filter\0mul\0x", 15}, {"1\0mark", 7}, {"1\0snapshot", 11},
		{"1\0snapshot\0/etc/passwd", 24}, {"\xff\xfe\xfd\xfc", 4},
	};
	static char large[150000], buf[65536];

	for (size_t i = 0; i < sizeof(messages) / sizeof(*messages); i++) {
		int fd = connect_to(path);

		send(fd, messages[i].bytes, messages[i].size, MSG_NOSIGNAL);
		shutdown(fd, SHUT_WR);
		reply(fd, buf, sizeof(buf));
		close(fd);
	}
	for (int i = 0; i < 20; i++) {
		int fd = connect_to(path);

		if (i % 2)
			send(fd, large, sizeof(large), MSG_NOSIGNAL);
		else
			send_files(fd);
		reply(fd, buf, sizeof(buf));
		close(fd);
	}
	return 0;
}

static int many(const char *path, int nr, int waits)
{
	static const char request[] = "1\0list";
	char buf[65536];
	int replies = 0;

	for (int i = 0; i < nr; i++) {
		int fd = connect_to(path);

		send(fd, request, sizeof(request), MSG_NOSIGNAL);
		replies += waits && reply(fd, buf, sizeof(buf)) > 0;
		close(fd);
	}
	printf("%d\n", replies);
	return 0;
}

static int hang(const char *path, int nr)
{
	char byte;

	for (int i = 0; i < nr; i++)
		connect_to(path);
	puts("hanging");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "ask") == 0)
		return ask(argv[2], argv + 3);
	if (strcmp(argv[1], "garbage") == 0)
		return garbage(argv[2]);
	if (argc < 4)
		return 2;
	if (strcmp(argv[1], "early") == 0)
		return many(argv[2], atoi(argv[3]), 0);
	if (strcmp(argv[1], "flood") == 0)
		return many(argv[2], atoi(argv[3]), 1);
	if (strcmp(argv[1], "hang") == 0)
		return hang(argv[2], atoi(argv[3]));
	return 2;
}
