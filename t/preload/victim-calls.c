/* SPDX-License-Identifier: MIT */
/*
 * Calls every function that is only recorded, and prints the events that must
 * come of it, in their order.  Which it prints depends on nothing; whether a
 * call succeeds does not matter, only that its errno is there after it.
 */
#include "t/preload/calls.h"

static char told[65536];
static size_t told_size;
char buf[8192];

void tell(const char *event)
{
	while (*event)
		told[told_size++] = *event++;
	told[told_size++] = '\n';
}

static void terminals(int fd)
{
	struct termios termios;

	E("io:ioctl", tcgetattr(fd, &termios));
	E("io:ioctl", tcsetattr(fd, TCSANOW, &termios));
	E("io:ioctl", isatty(fd));
	E("io:ioctl", tcgetpgrp(fd));
	E("io:ioctl", tcsetpgrp(fd, 1));
	E("io:ioctl", tcgetsid(fd));
	E("io:ioctl", tcflush(fd, TCIOFLUSH));
	E("io:ioctl", tcflow(fd, TCOON));
	E("io:ioctl", tcdrain(fd));
}

static void io(void)
{
	const struct timespec now = {0, 0}, seconds = {2, 3456789};
	struct timeval none = {0, 0};
	struct iovec iov = {buf, 4};
	struct epoll_event event = {0};
	struct pollfd pfd = {0};
	int fd, fd2, p[2];
	off_t zero = 0;
	fd_set set;

	fd = E("file:open", open("f", O_RDWR));
	E("io:read", read(fd, buf, 4));
	E("io:read", __read(fd, buf, 4));
	E("io:read", __read_chk(fd, buf, 4, 4));
	E("io:write", write(fd, buf, 4));
	E("io:write", __write(fd, buf, 4));
	E("io:pread", pread(fd, buf, 4, 0));
	E("io:pread", pread64(fd, buf, 4, 0));
	E("io:pread", __pread64(fd, buf, 4, 0));
	E("io:pread", __pread_chk(fd, buf, 4, 0, 4));
	E("io:pread", __pread64_chk(fd, buf, 4, 0, 4));
	E("io:pwrite", pwrite(fd, buf, 4, 0));
	E("io:pwrite", pwrite64(fd, buf, 4, 0));
	E("io:pwrite", __pwrite64(fd, buf, 4, 0));
	E("io:readv", readv(fd, &iov, 1));
	E("io:writev", writev(fd, &iov, 1));
	E("io:preadv", preadv(fd, &iov, 1, 0));
	E("io:preadv", preadv64(fd, &iov, 1, 0));
	E("io:preadv", preadv2(fd, &iov, 1, 0, 0));
	E("io:preadv", preadv64v2(fd, &iov, 1, 0, 0));
	E("io:pwritev", pwritev(fd, &iov, 1, 0));
	E("io:pwritev", pwritev64(fd, &iov, 1, 0));
	E("io:pwritev", pwritev2(fd, &iov, 1, 0, 0));
	E("io:pwritev", pwritev64v2(fd, &iov, 1, 0, 0));
	E("io:lseek", lseek(fd, 0, SEEK_SET));
	E("io:lseek", lseek64(fd, 0, SEEK_SET));
	E("io:lseek", __lseek(fd, 0, SEEK_SET));
	E("io:lseek", OLD(llseek)(fd, 0, SEEK_SET));
	fd2 = E("io:dup", dup(fd));
	E("io:dup", dup2(fd, fd2));
	E("io:dup", __dup2(fd, fd2));
	E("io:dup", dup3(fd, fd2, O_CLOEXEC));
	E("file:close", close(fd2));
	E("io:pipe", pipe2(p, O_CLOEXEC));
	E("io:splice", splice(fd, NULL, p[1], NULL, 4, 0));
	E("io:splice", tee(p[0], p[1], 4, 0));
	E("io:sendfile", sendfile(p[1], fd, &zero, 1));
	E("io:sendfile", sendfile64(p[1], fd, &zero, 1));
	E("file:close", close(p[0]));
	E("file:close", close(p[1]));
	E("io:pipe", pipe(p));
	E("file:close", close(p[0]));
	E("file:close", close(p[1]));
	E("io:pipe", __pipe(p));
	E("file:close", close(p[0]));
	E("file:close", close(p[1]));
	E("io:copy_file_range", copy_file_range(fd, NULL, -1, NULL, 1, 0));
	E("io:fcntl", fcntl(fd, F_GETFD));
	E("io:fcntl", fcntl64(fd, F_SETFD, FD_CLOEXEC));
	E("io:fcntl", __fcntl(fd, F_GETFL));
	E("io:ioctl", ioctl(fd, TCGETS, buf));
	terminals(fd);
	E("io:fsync", fsync(-1));
	E("io:fsync", fdatasync(-1));
	E("io:fsync", syncfs(-1));
	E("io:fallocate", fallocate(-1, 0, 0, 1));
	E("io:fallocate", fallocate64(-1, 0, 0, 1));
	E("io:fallocate", posix_fallocate(-1, 0, 1));
	E("io:fallocate", posix_fallocate64(-1, 0, 1));
	E("io:poll", poll(&pfd, 0, 0));
	E("io:poll", __poll(&pfd, 0, 0));
	E("io:poll", __poll_chk(&pfd, 0, 0, sizeof(pfd)));
	E("io:ppoll", ppoll(&pfd, 0, &now, NULL));
	E("io:ppoll", __ppoll_chk(&pfd, 0, &now, NULL, sizeof(pfd)));
	FD_ZERO(&set);
	E("io:select", select(0, &set, NULL, NULL, &none));
	E("io:select", __select(0, &set, NULL, NULL, &none));
	E("io:select", pselect(0, &set, NULL, NULL, &now, NULL));
	fd2 = E("io:epoll_create", epoll_create(1));
	E("file:close", close(fd2));
	fd2 = E("io:epoll_create", epoll_create1(EPOLL_CLOEXEC));
	E("io:epoll_ctl", epoll_ctl(fd2, EPOLL_CTL_ADD, fd, &event));
	E("io:epoll_wait", epoll_wait(fd2, &event, 1, 0));
	E("io:epoll_wait", epoll_pwait(fd2, &event, 1, 0, NULL));
	E("io:epoll_wait", epoll_pwait2(-1, &event, 1, &seconds, NULL));
	E("io:epoll_wait",
	  epoll_pwait2(fd2, &event, 1, (const struct timespec *)1, NULL));
	E("file:close", close(fd2));
	fd2 = E("io:eventfd", eventfd(1, EFD_CLOEXEC));
	E("file:close", close(fd2));
	fd2 = E("io:inotify_init", inotify_init());
	E("io:inotify_add_watch", inotify_add_watch(fd2, "f", IN_OPEN));
	E("file:close", close(fd2));
	fd2 = E("io:inotify_init", inotify_init1(IN_CLOEXEC));
	E("file:close", close(fd2));
	fd2 = E("io:memfd_create", memfd_create("m", MFD_CLOEXEC));
	E("file:close", close(fd2));
	E("file:close", close(fd));
}

/* There may be no message queues here. */
static void queues(void)
{
	struct mq_attr attr = {.mq_maxmsg = 3, .mq_msgsize = 10};
	const struct timespec past = {0, 0};
	char name[32];
	mqd_t mq;

	snprintf(name, sizeof(name), "/ptrace-calls.%d", (int)getpid());
	E("io:mq_open", mq_open("/ptrace no such", O_RDWR));
	E("io:mq_open", __mq_open_2("/ptrace no such", O_RDONLY));
	mq = E("io:mq_open", mq_open(name, O_CREAT | O_RDWR, 0600, &attr));
	E("io:mq_send", mq_send(mq, "data", 4, 5));
	E("io:mq_send", mq_timedsend(mq, "more", 4, 6, &past));
	E("io:mq_receive", mq_receive(mq, buf, sizeof(buf), NULL));
	E("io:mq_receive", mq_timedreceive(mq, buf, 9, NULL, &past));
	E("io:mq_close", mq_close(mq));
	E("io:mq_unlink", mq_unlink(name));
}

static void mem(void)
{
	void *p;

	p = E("mem:malloc", malloc(10));
	p = E("mem:realloc", realloc(p, 20));
	p = E("mem:realloc", reallocarray(p, 3, 10));
	E("mem:free", free(p));
	p = E("mem:calloc", calloc(3, 4));
	E("mem:free", free(p));
	p = E("mem:malloc", __libc_malloc(10));
	p = E("mem:realloc", __libc_realloc(p, 20));
	E("mem:free", __libc_free(p));
	E("mem:calloc", (void)__libc_calloc(3, 4));
	E("mem:aligned", (void)aligned_alloc(64, 128));
	E("mem:aligned", (void)memalign(64, 100));
	E("mem:aligned", (void)__libc_memalign(64, 100));
	E("mem:aligned", (void)valloc(100));
	E("mem:aligned", (void)__libc_valloc(100));
	E("mem:aligned", (void)pvalloc(100));
	E("mem:aligned", (void)__libc_pvalloc(100));
	E("mem:aligned", posix_memalign(&p, 64, 100));
	E("mem:aligned", posix_memalign(&p, 3, 100));
	p = E("mem:mmap", mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	E("mem:mprotect", mprotect(p, 4096, PROT_READ));
	E("mem:mprotect", mprotect(p, 4096, -1));
	E("mem:mprotect", pkey_mprotect(p, 4096, PROT_READ, -1));
	E("mem:madvise", madvise(p, 4096, MADV_DONTNEED));
	E("mem:madvise", posix_madvise(p, 4096, POSIX_MADV_NORMAL));
	E("mem:msync", msync(p, 4096, MS_ASYNC));
	E("mem:mlock", mlock(p, 4096));
	E("mem:mlock", mlock2(p, 4096, 0));
	E("mem:munlock", munlock(p, 4096));
	p = E("mem:mremap", mremap(p, 8192, 16384, MREMAP_MAYMOVE));
	E("mem:munmap", munmap(p, 16384));
	E("mem:mmap", mmap64(NULL, 0, 0, MAP_PRIVATE, -1, 0));
	p = E("mem:sbrk", sbrk(0));
	E("mem:sbrk", __sbrk(0));
	E("mem:brk", brk(p));
	E("mem:shm_open", shm_open("/ptrace no such", O_RDWR, 0600));
	E("mem:shm_unlink", shm_unlink("/ptrace no such"));
}

static void *thread(void *arg)
{
	return arg;
}

static pthread_t start(void)
{
	pthread_t id;

	pthread_create(&id, NULL, thread, NULL);
	return id;
}

static void sync_all(void)
{
	const struct timespec past = {1, 0};
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	static pthread_barrier_t b;
	static pthread_spinlock_t s;
	static sem_t sem;
	sem_t *named;
	char name[32];
	static mtx_t mtx;
	static cnd_t cnd;

#define MUTEX(event, call) \
	(E(event, call), E("sync:unlock", pthread_mutex_unlock(&m)))
	MUTEX("sync:lock", pthread_mutex_lock(&m));
	MUTEX("sync:trylock", pthread_mutex_trylock(&m));
	MUTEX("sync:timedlock", pthread_mutex_timedlock(&m, &past));
	MUTEX("sync:timedlock",
	      pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past));
	MUTEX("sync:lock", OLD(__pthread_mutex_lock)(&m));
	E("sync:trylock", OLD(__pthread_mutex_trylock)(&m));
	E("sync:unlock", OLD(__pthread_mutex_unlock)(&m));
#define RW(event, call) \
	(E(event, call), E("sync:rwunlock", pthread_rwlock_unlock(&rw)))
	RW("sync:rdlock", pthread_rwlock_rdlock(&rw));
	RW("sync:rdlock", OLD(__pthread_rwlock_rdlock)(&rw));
	RW("sync:rdlock", pthread_rwlock_timedrdlock(&rw, &past));
	RW("sync:rdlock",
	   pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &past));
	RW("sync:tryrdlock", pthread_rwlock_tryrdlock(&rw));
	RW("sync:tryrdlock", OLD(__pthread_rwlock_tryrdlock)(&rw));
	RW("sync:wrlock", pthread_rwlock_wrlock(&rw));
	RW("sync:wrlock", OLD(__pthread_rwlock_wrlock)(&rw));
	RW("sync:wrlock", pthread_rwlock_timedwrlock(&rw, &past));
	RW("sync:wrlock",
	   pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &past));
	RW("sync:trywrlock", pthread_rwlock_trywrlock(&rw));
	E("sync:trywrlock", OLD(__pthread_rwlock_trywrlock)(&rw));
	E("sync:rwunlock", OLD(__pthread_rwlock_unlock)(&rw));
	E("sync:lock", pthread_mutex_lock(&m));
	E("sync:timedwait", pthread_cond_timedwait(&c, &m, &past));
	E("sync:timedwait",
	  pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past));
	E("sync:unlock", pthread_mutex_unlock(&m));
	E("sync:signal", pthread_cond_signal(&c));
	E("sync:broadcast", pthread_cond_broadcast(&c));
	snprintf(name, sizeof(name), "/ptrace-calls.%d", (int)getpid());
	sem_init(&sem, 0, 0);
	E("sync:sem_trywait", sem_trywait(&sem));
	E("sync:sem_timedwait", sem_timedwait(&sem, &past));
	E("sync:sem_timedwait", sem_clockwait(&sem, CLOCK_MONOTONIC, &past));
	E("sync:sem_post", sem_post(&sem));
	E("sync:sem_wait", sem_wait(&sem));
	E("sync:sem_open", (void)sem_open("/ptrace no such", 0));
	named = E("sync:sem_open", sem_open(name, O_CREAT | O_EXCL, 0600, 3));
	E("sync:sem_wait", sem_wait(named));
	E("sync:sem_close", sem_close(named));
	E("sync:sem_unlink", sem_unlink(name));
	pthread_barrier_init(&b, NULL, 1);
	E("sync:barrier", pthread_barrier_wait(&b));
	pthread_spin_init(&s, 0);
	E("sync:spin_lock", pthread_spin_lock(&s));
	E("sync:spin_trylock", pthread_spin_trylock(&s));
	E("sync:spin_unlock", pthread_spin_unlock(&s));
	mtx_init(&mtx, mtx_timed);
	E("sync:mtx_lock", mtx_lock(&mtx));
	E("sync:mtx_trylock", mtx_trylock(&mtx));
	cnd_init(&cnd);
	E("sync:cnd_wait", cnd_timedwait(&cnd, &mtx, &past));
	E("sync:mtx_unlock", mtx_unlock(&mtx));
	E("sync:mtx_lock", mtx_timedlock(&mtx, &past));
	E("sync:cnd_signal", cnd_signal(&cnd));
	E("sync:cnd_broadcast", cnd_broadcast(&cnd));
	E("sync:join", pthread_join(start(), NULL));
	E("sync:join", pthread_tryjoin_np(pthread_self(), NULL));
	E("sync:join", pthread_timedjoin_np(pthread_self(), NULL, &past));
	E("sync:join",
	  pthread_clockjoin_np(pthread_self(), NULL, CLOCK_MONOTONIC, &past));
	E("sync:detach", pthread_detach(start()));
}

/* These wait for somebody who wakes them, so there are two threads, in whose
 * order nothing is told. */
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t shared_cond = PTHREAD_COND_INITIALIZER;
static mtx_t shared_mtx;
static cnd_t shared_cnd;
static int turn;

static void *waker(void *arg)
{
	pthread_mutex_lock(&shared);
	turn = 1;
	pthread_cond_signal(&shared_cond);
	pthread_mutex_unlock(&shared);
	mtx_lock(&shared_mtx);
	turn = 2;
	cnd_signal(&shared_cnd);
	mtx_unlock(&shared_mtx);
	return arg;
}

static void waits(void)
{
	pthread_t id;

	mtx_init(&shared_mtx, mtx_plain);
	cnd_init(&shared_cnd);
	pthread_mutex_lock(&shared);
	mtx_lock(&shared_mtx);
	pthread_create(&id, NULL, waker, NULL);
	while (turn < 1)
		pthread_cond_wait(&shared_cond, &shared);
	pthread_mutex_unlock(&shared);
	while (turn < 2)
		cnd_wait(&shared_cnd, &shared_mtx);
	mtx_unlock(&shared_mtx);
	pthread_join(id, NULL);
}

static void times_all(void)
{
	const struct timespec one = {0, 1};
	struct itimerspec its = {{0, 0}, {0, 0}};
	struct itimerval itv = {{0, 0}, {0, 0}};
	struct sigevent none = {.sigev_notify = SIGEV_NONE};
	struct timespec ts;
	struct timeval tv;
	timer_t timer;
	int fd;

	E("time:nanosleep", nanosleep(&one, NULL));
	E("time:nanosleep", __nanosleep(&one, NULL));
	E("time:nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &one, NULL));
	E("time:thrd_sleep", thrd_sleep(&one, NULL));
	E("time:sleep", sleep(0));
	E("time:usleep", usleep(1));
	E("time:alarm", alarm(0));
	E("time:setitimer", setitimer(ITIMER_REAL, &itv, NULL));
	E("time:timer_create", timer_create(CLOCK_MONOTONIC, &none, &timer));
	E("time:timer_settime", timer_settime(timer, 0, &its, NULL));
	E("time:timer_delete", timer_delete(timer));
	fd = E("time:timerfd_create", timerfd_create(CLOCK_MONOTONIC, 0));
	E("time:timerfd_settime", timerfd_settime(fd, 0, &its, NULL));
	E("file:close", close(fd));
	E("time:clock_gettime", clock_gettime(CLOCK_MONOTONIC, &ts));
	E("time:clock_settime", clock_settime(CLOCK_MONOTONIC, &ts));
	E("time:gettimeofday", gettimeofday(&tv, NULL));
	E("time:gettimeofday", __gettimeofday(&tv, NULL));
	E("time:time", time(NULL));
}

static void net(void)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "sock"};
	struct sockaddr *at = (struct sockaddr *)&un;
	struct sockaddr_storage peer;
	struct msghdr msg = {0};
	struct mmsghdr mm = {0};
	struct addrinfo *list;
	socklen_t size;
	int fd, fd2, p[2], one = 1;

	fd = E("net:socket", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	E("net:bind", bind(fd, at, sizeof(un)));
	E("net:listen", listen(fd, 5));
	fd2 = E("net:socket", socket(AF_UNIX, SOCK_STREAM, 0));
	E("net:connect", connect(fd2, at, sizeof(un)));
	E("net:connect", __connect(fd2, at, sizeof(un)));
	size = sizeof(peer);
	E("net:accept", accept(fd, (struct sockaddr *)&peer, &size));
	E("io:fcntl", fcntl(fd, F_SETFL, O_NONBLOCK));
	E("net:accept", accept4(fd, NULL, NULL, SOCK_CLOEXEC));
	size = sizeof(peer);
	E("net:getsockname", getsockname(fd, (struct sockaddr *)&peer, &size));
	size = sizeof(peer);
	E("net:getpeername", getpeername(fd2, (struct sockaddr *)&peer, &size));
	E("net:socketpair", socketpair(AF_UNIX, SOCK_DGRAM, 0, p));
	E("net:send", send(p[0], "12", 2, 0));
	E("net:recv", recv(p[1], buf, 9, 0));
	E("net:send", __send(p[0], "12", 2, 0));
	E("net:recv", __recv_chk(p[1], buf, 9, 9, 0));
	E("net:sendto", sendto(p[0], "12", 2, MSG_NOSIGNAL, NULL, 0));
	E("net:recvfrom", recvfrom(p[1], buf, 9, 0, NULL, NULL));
	E("net:sendmsg", sendmsg(p[0], &msg, 0));
	E("net:recvfrom", __recvfrom_chk(p[1], buf, 9, 9, 0, NULL, NULL));
	E("net:sendmmsg", sendmmsg(p[0], &mm, 1, 0));
	E("net:recvmsg", recvmsg(p[1], &msg, 0));
	E("net:recvmmsg", recvmmsg(p[1], &mm, 1, MSG_DONTWAIT, NULL));
	size = sizeof(one);
	E("net:getsockopt", getsockopt(fd, SOL_SOCKET, SO_TYPE, &one, &size));
	E("net:setsockopt",
	  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	E("net:shutdown", shutdown(fd2, SHUT_RDWR));
	E("net:getaddrinfo", getaddrinfo("127.0.0.1", "80", NULL, &list));
	E("net:getnameinfo", getnameinfo(list->ai_addr, list->ai_addrlen, buf,
					 100, NULL, 0, NI_NUMERICHOST));
}

static void process(void)
{
	struct rlimit64 limit64;
	struct rlimit limit;
	cpu_set_t set;

	E("process:prlimit", getrlimit(RLIMIT_CORE, &limit));
	E("process:prlimit", getrlimit64(RLIMIT_CORE, &limit64));
	E("process:prlimit", setrlimit(RLIMIT_CORE, &limit));
	E("process:prlimit", setrlimit64(RLIMIT_CORE, &limit64));
	E("process:prlimit", prlimit(0, RLIMIT_CORE, &limit, NULL));
	E("process:prlimit", prlimit64(0, RLIMIT_CORE, NULL, &limit64));
	E("process:sched_getaffinity", sched_getaffinity(0, sizeof(set), &set));
	E("process:sched_setaffinity", sched_setaffinity(0, sizeof(set), &set));
}

/* Pointers that nobody may read, and errors that were before. */
static void bad(void)
{
	const char *none = (const char *)1;
	int fail = 0;

#define BAD(call, error) \
	(errno = 0, fail += (intptr_t)(call) != -1 || errno != (error))
	BAD(open(none, O_RDONLY), EFAULT);
	BAD(openat(-1, none, O_RDONLY), EFAULT);
	BAD(unlinkat(AT_FDCWD, none, 0xffff), EINVAL);
	BAD(rename("/no/such", none), ENOENT);
	BAD(renameat2(AT_FDCWD, none, AT_FDCWD, none, 0xffff), EINVAL);
	BAD(symlink(none, none), EFAULT);
	BAD(mount(none, none, none, 0, NULL), EFAULT);
	BAD(connect(-1, (void *)none, 100), EBADF);
	BAD(nanosleep((void *)none, NULL), EFAULT);
	BAD(accept(-1, (void *)none, (void *)none), EBADF);
	BAD(read(-1, buf, 1), EBADF);
	BAD(setrlimit(RLIMIT_CORE, (const void *)none), EFAULT);
	BAD(sched_setaffinity(0, 128, (const void *)none), EFAULT);
	errno = ERANGE;
	free(malloc(1));
	access("/", F_OK);
	fail += errno != ERANGE;
	tell(fail ? "bad" : "good");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "file") == 0)
		opens(), stats(), names();
	else if (strcmp(what, "io") == 0)
		E("file:open", open("f", O_CREAT | O_RDWR, 0600)), io(),
			queues(), stdio();
	else if (strcmp(what, "mem") == 0)
		mem();
	else if (strcmp(what, "sync") == 0)
		sync_all();
	else if (strcmp(what, "waits") == 0)
		waits();
	else if (strcmp(what, "time") == 0)
		times_all();
	else if (strcmp(what, "net") == 0)
		net();
	else if (strcmp(what, "process") == 0)
		process();
	else
		bad();
	/* Itself, too. */
	if (strcmp(what, "bad") != 0)
		tell("io:write");
	syscall(SYS_write, 1, told, told_size);
	return 0;
}
