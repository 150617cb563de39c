/* SPDX-License-Identifier: MIT */
/* Programs with descriptors of every kind, number and state. */
#include "t/table/table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void list(const char *what)
{
	char text[256] = "";

	for (int fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			snprintf(text + strlen(text),
				 sizeof(text) - strlen(text), " %d", fd);
	say("%s:%s", what, text);
}

static int call_some(void)
{
	raise(0);
	getppid();
	list("child");
	return 0;
}

static int call_some_silently(void)
{
	raise(0);
	return dup(0);
}

static void *open_some(void *arg)
{
	int fd = open("/dev/null", O_RDONLY);

	list("thread");
	close(fd);
	return arg;
}

static int numbers(void)
{
	pthread_t thread;
	int fds[2];

	list("start");
	said("open", open("/dev/null", O_RDONLY));
	said("pipe", pipe(fds));
	said("dup2", dup2(0, 200));
	said("F_DUPFD", fcntl(0, F_DUPFD, 100));
	list("after");
	try_child("child", call_some);
	pthread_create(&thread, NULL, open_some, NULL);
	pthread_join(thread, NULL);
	said("closefrom", (closefrom(3), 0));
	list("closed");
	try_child("child", call_some);
	return count_entries("/proc/self/fd");
}

static int ranges(void)
{
	dup2(0, 10);
	dup2(0, 20);
	dup2(0, 30);
	said("close_range", close_range(10, 20, 0));
	list("left");
	said("cloexec", close_range(3, ~0U, CLOSE_RANGE_CLOEXEC));
	say("flags: %d", fcntl(30, F_GETFD));
	said("unshare", close_range(30, 30, CLOSE_RANGE_UNSHARE));
	said("nonsense", close_range(5, 3, 0));
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	list("left");
	try_child("child", call_some);
	return 0;
}

static int closed_all(void)
{
	int copy = fcntl(1, F_DUPFD, 50);
	pid_t pid;

	closefrom(51);
	for (int fd = 0; fd < 50; fd++)
		close(fd);
	open("/dev/null", O_RDWR);
	pid = fork();
	if (pid == 0)
		_exit(open("/dev/null", O_RDONLY));
	dup2(copy, 1);
	say_end("child", pid);
	close(0);
	close(2);
	close(copy);
	say_status("system", system("exit 3"));
	list("left");
	return 0;
}

static int closed_by_bare(void)
{
	syscall(SYS_close_range, 3, ~0U, 0);
	list("left");
	try_child("child", call_some);
	say_status("system", system("exit 2"));
	return 0;
}

static int exhausted(void)
{
	struct rlimit limit = {20, 20};
	int nr = 0, fd = -1;
	DIR *dir;

	setrlimit(RLIMIT_NOFILE, &limit);
	for (int next; (next = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;
	     nr++)
		fd = next;
	said("open", -1);
	say("opened: %d, last: %d", nr, fd);
	try_child("child", call_some);
	said("pipe", pipe((int[2]){0, 0}));
	said("socket", socket(AF_UNIX, SOCK_STREAM, 0));
	dir = opendir("/");
	said("opendir", dir ? 0 : -1);
	say_status("system", system("exit 3"));
	said("popen", popen("exit 3", "r") ? 0 : -1);
	return 0;
}

static int pipes(void)
{
	char buf[4096];
	int fds[2], size = 0;

	memset(buf, 'x', sizeof(buf));
	said("pipe2", pipe2(fds, O_NONBLOCK | O_CLOEXEC));
	while (write(fds[1], buf, sizeof(buf)) > 0)
		size++;
	said("full", -1);
	say("pages: %d of %d", size, fcntl(fds[1], F_GETPIPE_SZ) / 4096);
	ioctl(fds[0], FIONREAD, &size);
	say("to read: %d", size);
	while (read(fds[0], buf, sizeof(buf)) > 0)
		;
	said("empty", -1);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	said("write", write(fds[1], "x", 1));
	signal(SIGPIPE, SIG_DFL);
	said("write", write(fds[1], "x", 1));
	return 0;
}

static int bad(void)
{
	char c;

	close(7);
	said("read", read(7, &c, 1));
	said("write", write(7, &c, 1));
	said("close", close(7));
	said("close -1", close(-1));
	said("dup", dup(7));
	said("dup2", dup2(7, 8));
	said("dup2 large", dup2(0, 1 << 30));
	said("dup3 same", dup3(0, 0, 0));
	said("fcntl", fcntl(7, F_GETFL));
	said("fcntl nonsense", fcntl(0, 9999, 1));
	said("lseek", lseek(7, 0, SEEK_SET));
	said("ioctl", ioctl(0, TIOCGWINSZ, NULL));
	said("fsync", fsync(7));
	said("ftruncate", ftruncate(0, 1));
	said("fstat", fstat(7, NULL));
	said("open null", open(NULL, O_RDONLY));
	said("read null", read(open("/dev/zero", O_RDONLY), NULL, 1));
	return 0;
}

static int opens(void)
{
	struct stat st;
	char text[8] = "";
	int fd;

	umask(022);
	fd = open("file", O_CREAT | O_EXCL | O_RDWR, 0666);
	fstat(fd, &st);
	say("mode: %o", st.st_mode);
	said("again", open("file", O_CREAT | O_EXCL, 0666));
	said("write", pwrite(fd, "content", 7, 3));
	said("append", open("file", O_WRONLY | O_APPEND) > 0);
	fd = open(".", O_TMPFILE | O_RDWR, 0640);
	if (fd >= 0) {
		fstat(fd, &st);
		say("mode: %o, links %d", st.st_mode, (int)st.st_nlink);
	}
	fd = open("file", O_PATH);
	said("O_PATH", fd > 0);
	said("read", read(fd, text, 1));
	fstat(fd, &st);
	say("size: %ld", (long)st.st_size);
	said("directory", open(".", O_WRONLY));
	said("no directory", open("file", O_DIRECTORY));
	symlink("file", "link");
	said("link", open("link", O_NOFOLLOW));
	said("creat", creat("other", 0400) > 0);
	said("openat",
	     openat(open(".", O_RDONLY | O_DIRECTORY), "file", O_RDONLY) > 0);
	said("truncate", truncate("file", 3));
	said("access", access("nothing", R_OK));
	return 0;
}

static int vectors(void)
{
	struct iovec parts[3] = {{"one ", 4}, {"two ", 4}, {"three", 5}};
	char a[3], b[20] = "";
	struct iovec in[2] = {{a, 3}, {b, 19}};
	int fd = open("file", O_CREAT | O_RDWR, 0600);

	said("writev", writev(fd, parts, 3));
	said("pwritev", pwritev(fd, parts, 1, 100));
	said("preadv", preadv(fd, in, 2, 1));
	say("%.3s|%s", a, b);
	said("pread", pread(fd, b, 4, 100));
	said("lseek", lseek(fd, 0, SEEK_END));
	said("readv", readv(fd, in, 2));
	said("hole", lseek(fd, 0, SEEK_HOLE) > 0);
	said("bad", writev(fd, parts, -1));
	return 0;
}

static int copies(void)
{
	int in = open("in", O_CREAT | O_RDWR, 0600), fds[2];
	int out = open("out", O_CREAT | O_RDWR, 0600);
	off_t offset = 0;

	for (int i = 0; i < 100; i++)
		write(in, "0123456789", 10);
	said("sendfile", sendfile(out, in, &offset, 500));
	say("offset: %ld", (long)offset);
	said("copy_file_range",
	     copy_file_range(in, &offset, out, NULL, 100, 0));
	pipe(fds);
	offset = 0;
	said("splice", splice(in, &offset, fds[1], NULL, 100, 0));
	said("vmsplice", vmsplice(fds[1], &(struct iovec){"x", 1}, 1, 0));
	said("splice", splice(fds[0], NULL, out, NULL, 101, 0));
	said("size", lseek(out, 0, SEEK_END));
	return 0;
}

static int passing(void)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int) * 2)];
	} control = {0};
	struct iovec part = {"x", 1};
	struct msghdr msg = {.msg_iov = &part, .msg_iovlen = 1};
	char buf[4] = "";
	int sockets[2], two[2] = {0, open("/dev/null", O_RDONLY)};

	socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
	msg.msg_control = control.room;
	msg.msg_controllen = sizeof(control.room);
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(two));
	memcpy(CMSG_DATA(&control.header), two, sizeof(two));
	said("sendmsg", sendmsg(sockets[0], &msg, 0));
	close(two[1]);
	part.iov_base = buf;
	memset(&control, 0, sizeof(control));
	said("recvmsg", recvmsg(sockets[1], &msg, MSG_CMSG_CLOEXEC));
	memcpy(two, CMSG_DATA(&control.header), sizeof(two));
	say("got %d and %d, flags %d", two[0], two[1], fcntl(two[0], F_GETFD));
	list("open");
	return 0;
}

static int events(void)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u32 = 42};
	struct epoll_event got[4];
	struct signalfd_siginfo si;
	uint64_t value = 5;
	sigset_t set;
	int epoll = epoll_create1(EPOLL_CLOEXEC), fd = eventfd(3, EFD_NONBLOCK);
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), sig;
	struct itimerspec soon = {{0, 0}, {0, 1}};

	said("ctl", epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	said("wait", epoll_wait(epoll, got, 4, 0));
	say("data: %u", got[0].data.u32);
	said("read", read(fd, &value, 8));
	say("value: %d", (int)value);
	said("read", read(fd, &value, 8));
	said("wait", epoll_wait(epoll, got, 4, 0));
	timerfd_settime(timer, 0, &soon, NULL);
	said("timer", read(timer, &value, 8));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sig = signalfd(-1, &set, SFD_NONBLOCK);
	said("none", read(sig, &si, sizeof(si)));
	raise(SIGUSR1);
	said("signal", read(sig, &si, sizeof(si)));
	say("signal %d, code %d", (int)si.ssi_signo, si.ssi_code);
	event.data.u32 = 43;
	said("ctl", epoll_ctl(epoll, EPOLL_CTL_ADD, sig, &event));
	kill(getpid(), SIGUSR1);
	said("wait", epoll_pwait(epoll, got, 4, 1000, &set));
	said("twice", epoll_ctl(epoll, EPOLL_CTL_ADD, sig, &event));
	return 0;
}

/* What happens to the directory is what we do, and nothing else. */
static int watching(void)
{
	char buf[4096] __attribute__((aligned(8)));
	int fd = inotify_init1(IN_NONBLOCK);
	ssize_t size;

	said("add", inotify_add_watch(fd, ".", IN_ALL_EVENTS));
	close(open("file", O_CREAT | O_WRONLY, 0600));
	try_child("child", call_some);
	rename("file", "other");
	unlink("other");
	size = read(fd, buf, sizeof(buf));
	for (char *p = buf; p < buf + size;) {
		struct inotify_event *event = (void *)p;

		say("%x %s", event->mask, event->len ? event->name : "");
		p += sizeof(*event) + event->len;
	}
	return 0;
}

static int locks(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_len = 10};
	int fd = open("file", O_CREAT | O_RDWR, 0600), other;
	pid_t pid;

	said("set", fcntl(fd, F_SETLK, &lock));
	pid = fork();
	if (pid == 0) {
		said("child", fcntl(fd, F_SETLK, &lock));
		fcntl(fd, F_GETLK, &lock);
		say("owner is the parent: %d", lock.l_pid == getppid());
		_exit(0);
	}
	say_end("child", pid);
	other = open("file", O_RDWR);
	said("flock", flock(fd, LOCK_EX));
	said("other", flock(other, LOCK_EX | LOCK_NB));
	said("lockf", lockf(fd, F_TEST, 10));
	lock.l_pid = 0;
	said("ofd", fcntl(other, F_OFD_SETLK, &lock));
	/* The process's locks go with any of its descriptors. */
	close(other);
	lock.l_type = F_WRLCK;
	pid = fork();
	if (pid == 0) {
		said("child", fcntl(fd, F_SETLK, &lock));
		_exit(0);
	}
	say_end("child", pid);
	return 0;
}

static int polls(void)
{
	struct pollfd fds[3] = {{0, POLLIN, 0}, {99, POLLIN, 0}, {-1, 0, 0}};
	struct timeval none = {0, 0};
	fd_set set;

	said("poll", poll(fds, 3, 0));
	say("%x %x %x", fds[0].revents, fds[1].revents, fds[2].revents);
	said("ppoll", ppoll(NULL, 0, &(struct timespec){0, 1}, NULL));
	FD_ZERO(&set);
	FD_SET(99, &set);
	said("select", select(100, &set, NULL, NULL, &none));
	said("select", select(0, NULL, NULL, NULL, &none));
	said("absurd", poll(fds, 1U << 31, 0));
	return 0;
}

static int high(void)
{
	struct rlimit limit;
	int fd;

	getrlimit(RLIMIT_NOFILE, &limit);
	fd = (int)(limit.rlim_max < 4096 ? limit.rlim_max : 4096) - 1;
	limit.rlim_cur = (rlim_t)fd + 1;
	said("setrlimit", setrlimit(RLIMIT_NOFILE, &limit));
	said("highest", dup2(1, fd) == fd);
	close(1);
	dprintf(fd, "through the highest\n");
	dup2(fd, 1);
	try_child("child", call_some_silently);
	return 0;
}

static int appending(void)
{
	int fd = open("file", O_CREAT | O_RDWR | O_APPEND, 0600);

	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(write(fd, "line\n", 5) != 5);
		waitpid(pid, NULL, 0);
	}
	said("size", lseek(fd, 0, SEEK_CUR));
	said("memfd", memfd_create("table", MFD_CLOEXEC));
	said("seals", fcntl(memfd_create("table", MFD_ALLOW_SEALING),
			    F_ADD_SEALS, F_SEAL_WRITE));
	return 0;
}

const struct program fd_programs[] = {
	{"numbers", numbers, false},
	{"ranges", ranges, false},
	{"closed-all", closed_all, false},
	{"closed-by-bare", closed_by_bare, false},
	{"exhausted", exhausted, false},
	{"pipes", pipes, false},
	{"bad", bad, false},
	{"opens", opens, false},
	{"vectors", vectors, false},
	{"copies", copies, false},
	{"passing", passing, false},
	{"events", events, false},
	{"watching", watching, false},
	{"locks", locks, false},
	{"polls", polls, false},
	{"high", high, false},
	{"appending", appending, false},
	{NULL, NULL, false},
};
