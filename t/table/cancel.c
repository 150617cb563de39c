/* SPDX-License-Identifier: MIT */
/* Programs whose threads are cancelled: wherever they block. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int fds[2], full[2], listener, sockets[2];
static pid_t sleeper;
static int queue;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sigset_t none, usr;
static const struct timespec hour = {3600, 0};
static struct timespec later;
static char buf[64];

static void do_read(void)
{
	read(fds[0], buf, 1);
}

static void do_write(void)
{
	write(full[1], buf, sizeof(buf));
}

static void do_readv(void)
{
	struct iovec part = {buf, sizeof(buf)};

	readv(fds[0], &part, 1);
}

static void do_open(void)
{
	open("fifo", O_RDONLY);
}

static void do_poll(void)
{
	poll(&(struct pollfd){fds[0], POLLIN, 0}, 1, -1);
}

static void do_ppoll(void)
{
	ppoll(&(struct pollfd){fds[0], POLLIN, 0}, 1, NULL, &none);
}

static void do_select(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	select(fds[0] + 1, &set, NULL, NULL, NULL);
}

static void do_pselect(void)
{
	pselect(0, NULL, NULL, NULL, NULL, &none);
}

static void do_epoll(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);

	epoll_wait(fd, &event, 1, -1);
}

static void do_lock(void)
{
	struct flock lock = {.l_type = F_WRLCK};
	int fd = open("locked", O_RDWR);

	fcntl(fd, F_SETLKW, &lock);
}

static void do_accept(void)
{
	accept(listener, NULL, NULL);
}

static void do_recv(void)
{
	recv(sockets[0], buf, 1, 0);
}

static void do_recvfrom(void)
{
	recvfrom(sockets[0], buf, 1, 0, NULL, NULL);
}

static void do_recvmsg(void)
{
	struct msghdr msg = {0};

	recvmsg(sockets[0], &msg, 0);
}

static void do_send(void)
{
	for (;;)
		send(sockets[1], buf, sizeof(buf), 0);
}

static void do_wait(void)
{
	wait(NULL);
}

static void do_waitpid(void)
{
	waitpid(sleeper, NULL, 0);
}

static void do_waitid(void)
{
	siginfo_t si;

	waitid(P_ALL, 0, &si, WEXITED);
}

static void do_pause(void)
{
	pause();
}

static void do_sleep(void)
{
	sleep(3600);
}

static void do_usleep(void)
{
	for (;;)
		usleep(900000);
}

static void do_nanosleep(void)
{
	nanosleep(&hour, NULL);
}

static void do_clock_nanosleep(void)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL);
}

static void do_thrd_sleep(void)
{
	thrd_sleep(&hour, NULL);
}

static void do_sigwait(void)
{
	int sig;

	sigwait(&usr, &sig);
}

static void do_sigwaitinfo(void)
{
	sigwaitinfo(&usr, NULL);
}

static void do_sigtimedwait(void)
{
	sigtimedwait(&usr, NULL, &hour);
}

static void do_sigsuspend(void)
{
	sigsuspend(&none);
}

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void do_cond_wait(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	for (;;)
		pthread_cond_wait(&condition, &mutex);
	pthread_cleanup_pop(1);
}

static void do_cond_timedwait(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	for (;;)
		pthread_cond_timedwait(&condition, &mutex, &later);
	pthread_cleanup_pop(1);
}

static void do_sem_wait(void)
{
	sem_wait(&semaphore);
}

static void do_sem_timedwait(void)
{
	sem_timedwait(&semaphore, &later);
}

static void *sleep_long(void *arg)
{
	pause();
	return arg;
}

static void end_thread(void *arg)
{
	pthread_cancel(*(pthread_t *)arg);
	pthread_join(*(pthread_t *)arg, NULL);
}

static void do_join(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_long, NULL);
	pthread_cleanup_push(end_thread, &thread);
	pthread_join(thread, NULL);
	pthread_cleanup_pop(1);
}

static void do_msgrcv(void)
{
	struct {
		long type;
		char text[8];
	} msg;

	msgrcv(queue, &msg, sizeof(msg.text), 0, 0);
}

static void do_system(void)
{
	system("kill -STOP $$");
}

static void do_getc(void)
{
	FILE *file = fdopen(dup(fds[0]), "r");

	getc(file);
}

static void do_testcancel(void)
{
	/* Not so busy that what it does is too much for the log; this way to
	 * wait is no point of cancellation. */
	for (;;) {
		pthread_testcancel();
		syscall(SYS_poll, NULL, 0, 1);
	}
}

struct point {
	const char *name;
	void (*run)(void);
};

static const struct point io_points[] = {
	{"read", do_read},
	{"write", do_write},
	{"readv", do_readv},
	{"open", do_open},
	{"poll", do_poll},
	{"ppoll", do_ppoll},
	{"select", do_select},
	{"pselect", do_pselect},
	{"epoll_wait", do_epoll},
	{"fcntl", do_lock},
	{"accept", do_accept},
	{"recv", do_recv},
	{"recvfrom", do_recvfrom},
	{"recvmsg", do_recvmsg},
	{"send", do_send},
	{"getc", do_getc},
	{NULL, NULL},
};

static const struct point wait_points[] = {
	{"wait", do_wait},
	{"waitpid", do_waitpid},
	{"waitid", do_waitid},
	{"pause", do_pause},
	{"sleep", do_sleep},
	{"usleep", do_usleep},
	{"nanosleep", do_nanosleep},
	{"clock_nanosleep", do_clock_nanosleep},
	{"thrd_sleep", do_thrd_sleep},
	{"sigwait", do_sigwait},
	{"sigwaitinfo", do_sigwaitinfo},
	{"sigtimedwait", do_sigtimedwait},
	{"sigsuspend", do_sigsuspend},
	{"pthread_cond_wait", do_cond_wait},
	{"pthread_cond_timedwait", do_cond_timedwait},
	{"sem_wait", do_sem_wait},
	{"sem_timedwait", do_sem_timedwait},
	{"pthread_join", do_join},
	{"msgrcv", do_msgrcv},
	{"system", do_system},
	{"pthread_testcancel", do_testcancel},
	{NULL, NULL},
};

static void prepare(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "s"};
	struct flock lock = {.l_type = F_WRLCK};

	if (pipe(fds) != 0 || pipe2(full, O_NONBLOCK) != 0)
		exit(1);
	while (write(full[1], buf, sizeof(buf)) > 0)
		;
	fcntl(full[1], F_SETFL, 0);
	mkfifo("fifo", 0600);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	bind(listener, (struct sockaddr *)&address, sizeof(address));
	listen(listener, 5);
	socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
	queue = msgget(IPC_PRIVATE, 0600);
	sem_init(&semaphore, 0, 0);
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr, NULL);
	clock_gettime(CLOCK_REALTIME, &later);
	later.tv_sec += 3600;
	sleeper = fork();
	if (sleeper == 0) {
		fcntl(open("locked", O_RDWR | O_CREAT, 0600), F_SETLK, &lock);
		write(fds[1], "", 1);
		pause();
		_exit(0);
	}
	read(fds[0], buf, 1);
}

static void finish(void)
{
	msgctl(queue, IPC_RMID, NULL);
	kill(sleeper, SIGKILL);
	say_end("sleeper", sleeper);
	/* What system() was to stop is its own. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void clean(void *arg)
{
	getppid();
	++*(int *)arg;
}

struct task {
	const struct point *point;
	int cleaned;
	bool waits; /* to be cancelled before the call */
	bool ready;
};

static void *block(void *arg)
{
	struct task *task = arg;
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_cleanup_push(clean, &task->cleaned);
	if (task->waits)
		while (!__atomic_load_n(&task->ready, __ATOMIC_ACQUIRE))
			sched_yield();
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	task->point->run();
	say("%s was not cancelled", task->point->name);
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancel(const struct point *points, bool waits)
{
	for (const struct point *p = points; p->name; p++) {
		struct task task = {p, 0, waits, false};
		void *result = NULL;
		pthread_t thread;

		pthread_create(&thread, NULL, block, &task);
		if (!waits)
			for (int i = 0; i < 100; i++)
				sched_yield();
		pthread_cancel(thread);
		__atomic_store_n(&task.ready, true, __ATOMIC_RELEASE);
		pthread_join(thread, &result);
		say("%s: %d, cleaned up %d", p->name,
		    result == PTHREAD_CANCELED, task.cleaned);
	}
}

static int io(void)
{
	prepare();
	cancel(io_points, false);
	finish();
	return 0;
}

static int io_pending(void)
{
	prepare();
	cancel(io_points, true);
	finish();
	return 0;
}

static int waits(void)
{
	prepare();
	cancel(wait_points, false);
	finish();
	return 0;
}

static int waits_pending(void)
{
	prepare();
	cancel(wait_points, true);
	finish();
	return 0;
}

static atomic_int running;

static void *compute(void *arg)
{
	int old;

	pthread_cleanup_push(clean, arg);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;)
		running++;
	pthread_cleanup_pop(1);
	return NULL;
}

static void *compute_with_calls(void *arg)
{
	int old;

	pthread_cleanup_push(clean, arg);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;) {
		running++;
		getppid();
		getuid();
	}
	pthread_cleanup_pop(1);
	return NULL;
}

static int asynchronous_in(void *(*fn)(void *), int times)
{
	int cleaned = 0, cancelled = 0;

	for (int i = 0; i < times; i++) {
		void *result = NULL;
		pthread_t thread;

		running = 0;
		pthread_create(&thread, NULL, fn, &cleaned);
		while (running < 100)
			sched_yield();
		pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	say("cancelled %d, cleaned up %d", cancelled, cleaned);
	return 0;
}

static int asynchronous(void)
{
	return asynchronous_in(compute, 10);
}

static int asynchronous_calls(void)
{
	return asynchronous_in(compute_with_calls, 50);
}

static void *start_more(void *arg)
{
	pthread_t thread;

	for (;;) {
		running++;
		if (pthread_create(&thread, NULL, sleep_long, NULL) == 0)
			end_thread(&thread);
	}
	return arg;
}

static void *fork_more(void *arg)
{
	for (;;) {
		pid_t pid = fork();

		running++;
		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return arg;
}

static void cancelled(const char *what, void *(*fn)(void *), int times)
{
	int nr = 0;

	for (int i = 0; i < times; i++) {
		void *result = NULL;
		pthread_t thread;

		running = 0;
		pthread_create(&thread, NULL, fn, NULL);
		while (running < 3)
			sched_yield();
		pthread_cancel(thread);
		pthread_join(thread, &result);
		nr += result == PTHREAD_CANCELED;
	}
	say("%s: %d", what, nr);
}

static int starters(void)
{
	cancelled("threads", start_more, 10);
	return 0;
}

static int forkers(void)
{
	cancelled("processes", fork_more, 10);
	return 0;
}

static void *cancel_myself(void *arg)
{
	int old = -1;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_cancel(pthread_self());
	pthread_testcancel();
	write(1, "still here\n", 11);
	system("exit 1");
	sleep(0);
	pthread_setcancelstate(old, NULL);
	pthread_testcancel();
	say("not reached");
	return arg;
}

static int myself(void)
{
	pthread_t thread;
	void *result = NULL;

	pthread_create(&thread, NULL, cancel_myself, NULL);
	pthread_join(thread, &result);
	say("cancelled: %d", result == PTHREAD_CANCELED);
	return 0;
}

static void in_handler(int sig)
{
	(void)sig;
	pthread_testcancel();
}

static void *wait_in_handler(void *arg)
{
	pthread_cleanup_push(clean, arg);
	pthread_cancel(pthread_self());
	raise(SIGUSR2);
	say("not reached");
	pthread_cleanup_pop(1);
	return NULL;
}

static int handler(void)
{
	int cleaned = 0;
	pthread_t thread;

	on_signal(SIGUSR2, in_handler);
	pthread_create(&thread, NULL, wait_in_handler, &cleaned);
	pthread_join(thread, NULL);
	say("cleaned up: %d", cleaned);
	return 0;
}

static int main_thread(void)
{
	pthread_cancel(pthread_self());
	pthread_testcancel();
	return 1;
}

const struct program cancel_programs[] = {
	{"io", io, false},
	{"io-pending", io_pending, false},
	{"waits", waits, false},
	{"waits-pending", waits_pending, false},
	{"asynchronous", asynchronous, false},
	{"asynchronous-calls", asynchronous_calls, false},
	{"starters", starters, false},
	{"forkers", forkers, false},
	{"myself", myself, false},
	{"handler", handler, false},
	{"main-thread", main_thread, false},
	{NULL, NULL, false},
};
