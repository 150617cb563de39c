/* SPDX-License-Identifier: MIT */
/* Reads and writes in every way; prints what 5 bytes of each are in JSON. */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char buf[4096];
static int file, pair[2];

/* What is to be recorded of the call, which must be the next one. */
static void expect(const char *event, const char *data)
{
	dprintf(STDOUT_FILENO, "%s %s\n", event, data);
}

#define WHOLE "\"hello\""
#define CUT "\"hello\",\"data_cut\":true"
#define NOTHING "-"

static void descriptors(void)
{
	struct iovec out[] = {{buf, 2}, {buf, 0}, {buf + 2, 3}, {buf + 5, 6}};
	char one[2], two[2000];
	struct iovec in[] = {{one, 2}, {two, sizeof(two)}};

	strcpy(buf, "hello world");
	expect("io:write", CUT);
	write(file, buf, 11);
	expect("io:pwrite", WHOLE);
	pwrite(file, buf, 5, 0);
	expect("io:writev", CUT);
	writev(pair[0], out, 4);
	expect("io:readv", CUT);
	readv(pair[1], in, 2);
	expect("io:pwritev", WHOLE);
	pwritev(file, out, 3, 0);
	expect("io:preadv", CUT);
	preadv(file, in, 2, 0);
	expect("io:pread", "\"ello \",\"data_cut\":true");
	pread(file, buf, 100, 1);
	expect("io:read", "\"\"");
	read(file, buf, sizeof(buf));
	expect("io:write", NOTHING);
	write(-1, buf, 5);
	expect("io:write", NOTHING);
	write(file, NULL, 5);
	expect("io:write",
	       "\"\\\"\\u0000\\n\\u000b\\ufffd\",\"data_cut\":true");
	syscall(SYS_write, file, "\"\0\n\v\303\244", 6);
	expect("io:write", "\"\\ufffd\\ufffd\\\\a\"");
	write(file, "\377\200\\a", 4);
}

static void sockets(void)
{
	struct iovec vec[] = {{buf, 3}, {buf + 3, 40}};
	struct mmsghdr many[2] = {
		{.msg_hdr = {.msg_iov = vec, .msg_iovlen = 1}},
		{.msg_hdr = {.msg_iov = vec, .msg_iovlen = 2}}};
	struct msghdr message = {.msg_iov = vec, .msg_iovlen = 2};

	memset(buf, 0, sizeof(buf));
	strcpy(buf, "hello world");
	expect("net:send", CUT);
	send(pair[0], buf, 11, 0);
	expect("net:sendto", WHOLE);
	sendto(pair[0], buf, 5, 0, NULL, 0);
	expect("net:sendmsg", CUT);
	sendmsg(pair[0], &message, 0);
	expect("net:sendmmsg", "\"hel\"");
	sendmmsg(pair[0], many, 2, 0);
	memset(buf, 0, sizeof(buf));
	expect("net:recv", CUT);
	recv(pair[1], buf, sizeof(buf), 0);
	expect("net:recvfrom", WHOLE);
	recvfrom(pair[1], buf, sizeof(buf), 0, NULL, NULL);
	expect("net:recvmsg", CUT);
	recvmsg(pair[1], &message, 0);
	expect("net:recvmmsg", "\"hel\"");
	recvmmsg(pair[1], many, 2, MSG_DONTWAIT, NULL);
	send(pair[0], buf, 1000, 0);
	expect("net:send", "\"hello\",\"data_cut\":true");
	/* It returns more than it reads. */
	expect("net:recv", NOTHING);
	recv(pair[1], buf, 3, MSG_TRUNC);
	expect("net:recv", NOTHING);
	recv(pair[1], buf, 3, MSG_DONTWAIT);
}

static void streams(void)
{
	FILE *stream = tmpfile();
	size_t size = 0;
	char *line = NULL;

	expect("io:fwrite", CUT);
	fwrite("hello\nlines\n", 3, 4, stream);
	expect("io:puts", WHOLE);
	fputs("hello", stream);
	expect("io:puts", "\"12345\",\"data_cut\":true");
	fputs("123456", stream);
	expect("io:putc", "\"x\"");
	fputc('x', stream);
	rewind(stream);
	expect("io:gets", CUT);
	fgets(buf, sizeof(buf), stream);
	expect("io:gets", "\"lines\",\"data_cut\":true");
	getline(&line, &size, stream);
	free(line);
	expect("io:getc", "\"h\"");
	fgetc(stream);
	expect("io:fread", "\"ello1\",\"data_cut\":true");
	fread(buf, 1, sizeof(buf), stream);
	expect("io:getc", NOTHING);
	fgetc(stream);
	fclose(stream);
}

/* What is printed is told as long as it is in the buffer. */
static void printed(void)
{
	char room[256], *text = NULL;
	FILE *stream = tmpfile();
	size_t size;

	setvbuf(stream, room, _IOFBF, sizeof(room));
	expect("io:printf", "\"12:a\"");
	fprintf(stream, "%d:%s", 12, "a");
	expect("io:printf", "\"and 1\",\"data_cut\":true");
	fprintf(stream, "and %d", 1234);
	expect("io:printf", "\"\"");
	fprintf(stream, "%s", "");
	expect("io:printf", NOTHING);
	fprintf(stream, "too much: %*d", 256, 1);
	fflush(stream);
	expect("io:printf", "\"again\"");
	fprintf(stream, "again");
	expect("io:printf", NOTHING);
	fprintf(stream, "%*d", 4096, 5);
	setvbuf(stream, NULL, _IONBF, 0);
	expect("io:printf", NOTHING);
	fprintf(stream, "at %s", "once");
	fclose(stream);
	stream = open_memstream(&text, &size);
	expect("io:printf", "\"     \",\"data_cut\":true");
	fprintf(stream, "%10000d", 1);
	expect("io:printf", "\"more\"");
	fprintf(stream, "more");
	fclose(stream);
	free(text);
	stream = fopen("/dev/full", "w");
	setvbuf(stream, NULL, _IOLBF, 64);
	expect("io:printf", "\"one\"");
	fprintf(stream, "one");
	expect("io:printf", NOTHING);
	fprintf(stream, "a\n%s\n", "b");
	fclose(stream);
}

/* Another library's write() unmaps what it has written. */
static void vanished(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	strcpy(page, "hello");
	strcpy(page + 4093, "gone");
	expect("io:write", "\"hello\"");
	write(file, page, 5);
	expect("io:write", "\"gon\",\"data_cut\":true");
	write(file, page + 4093, 4); /* its second page goes */
	expect("io:write", NOTHING);
	write(file, page, 4096); /* its first, too */
	expect("io:writev", "\"\"");
	writev(file, (void *)(page + 4096), 0);
}

/* Which lets everything pass. */
static int filter(void)
{
	struct sock_filter pass = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &pass};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static int quiet(void)
{
	write(file, "before", 6);
	if (filter() != 0)
		return 1;
	write(file, "behind", 6);
	return 0;
}

int main(int argc, char **argv)
{
	file = memfd_create("file", 0);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0)
		return 1;
	if (argc > 1 && strcmp(argv[1], "quiet") == 0)
		return quiet();
	if (argc > 2 && strcmp(argv[1], "filter") == 0) {
		if (filter() == 0)
			execv(argv[2], argv + 2);
		return 1;
	}
	if (argc > 1 && strcmp(argv[1], "vanished") == 0) {
		vanished();
	} else {
		descriptors();
		sockets();
		streams();
		printed();
	}
	return 0;
}
