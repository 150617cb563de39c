/* SPDX-License-Identifier: MIT */
/*
 * Programs whose blocking calls are interrupted: by a timer that goes on, so
 * that no signal can come too early; its handler lets a restarted call end.
 */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int fds[2], sockets[2], queue;
static pid_t sleeper;
static sem_t semaphore;
static volatile int left = -1;
static void (*volatile release)(void);
static char buf[65536];

static void tick(int sig)
{
	int error = errno;

	(void)sig;
	if (left > 0 && --left == 0 && release)
		release();
	errno = error;
}

static void set_timer(long microseconds)
{
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void interrupt_with(int flags)
{
	struct sigaction action = {.sa_handler = tick};

	action.sa_flags = flags;
	sigaction(SIGALRM, &action, NULL);
}

static void prepare(void)
{
	if (pipe(fds) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
		exit(1);
	sem_init(&semaphore, 0, 0);
	queue = msgget(IPC_PRIVATE, 0600);
	mkfifo("fifo", 0600);
	sleeper = fork();
	if (sleeper == 0) {
		pause();
		_exit(0);
	}
}

static void finish(void)
{
	set_timer(0);
	msgctl(queue, IPC_RMID, NULL);
	kill(sleeper, SIGKILL);
	waitpid(sleeper, NULL, 0);
}

static long do_read(void)
{
	return read(fds[0], buf, 1);
}

static long do_open(void)
{
	return open("fifo", O_WRONLY);
}

static long do_poll(void)
{
	return poll(&(struct pollfd){fds[0], POLLIN, 0}, 1, -1);
}

static long do_select(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	return select(fds[0] + 1, &set, NULL, NULL, NULL);
}

static long do_epoll(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);
	long got = epoll_wait(fd, &event, 1, -1);

	close(fd);
	return got;
}

static long do_recv(void)
{
	return recv(sockets[0], buf, 1, 0);
}

static long do_accept(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	long got;

	bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t));
	listen(fd, 1);
	got = accept(fd, NULL, NULL);
	close(fd);
	return got;
}

static long do_waitpid(void)
{
	return waitpid(sleeper, NULL, 0);
}

static long do_waitid(void)
{
	siginfo_t si;

	return waitid(P_PID, (id_t)sleeper, &si, WEXITED);
}

static long do_wait4(void)
{
	return wait4(sleeper, NULL, 0, NULL);
}

static long do_pause(void)
{
	return pause();
}

static long do_sleep(void)
{
	return sleep(1000) > 0 ? -1 : 0;
}

static long do_nanosleep(void)
{
	return nanosleep(&(struct timespec){1000, 0}, NULL);
}

static long do_clock_nanosleep(void)
{
	int error = clock_nanosleep(CLOCK_REALTIME, 0,
				    &(struct timespec){1000, 0}, NULL);

	errno = error;
	return error ? -1 : 0;
}

static long do_sem_wait(void)
{
	return sem_wait(&semaphore);
}

static long do_sigwaitinfo(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigwaitinfo(&set, NULL);
}

static long do_sigtimedwait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigtimedwait(&set, NULL, &(struct timespec){1000, 0});
}

static long do_sigsuspend(void)
{
	sigset_t set;

	sigemptyset(&set);
	return sigsuspend(&set);
}

static long do_msgrcv(void)
{
	struct {
		long type;
		char text[8];
	} msg;

	return msgrcv(queue, &msg, sizeof(msg.text), 0, 0);
}

static long do_semop(void)
{
	struct sembuf op = {0, -1, 0};
	int id = semget(IPC_PRIVATE, 1, 0600);
	long got = semop(id, &op, 1);
	int error = errno;

	semctl(id, 0, IPC_RMID);
	errno = error;
	return got;
}

static long do_futex(void)
{
	return syscall(SYS_futex, &left, FUTEX_WAIT, left, NULL, NULL, 0);
}

struct call {
	const char *name;
	long (*run)(void);
};

static const struct call calls[] = {
	{"read", do_read},
	{"open", do_open},
	{"poll", do_poll},
	{"select", do_select},
	{"epoll_wait", do_epoll},
	{"recv", do_recv},
	{"accept", do_accept},
	{"waitpid", do_waitpid},
	{"waitid", do_waitid},
	{"wait4", do_wait4},
	{"pause", do_pause},
	{"sleep", do_sleep},
	{"nanosleep", do_nanosleep},
	{"clock_nanosleep", do_clock_nanosleep},
	{"sem_wait", do_sem_wait},
	{"sigwaitinfo", do_sigwaitinfo},
	{"sigtimedwait", do_sigtimedwait},
	{"sigsuspend", do_sigsuspend},
	{"msgrcv", do_msgrcv},
	{"semop", do_semop},
	{"futex", do_futex},
	{NULL, NULL},
};

static int interrupted(void)
{
	prepare();
	interrupt_with(0);
	set_timer(2000);
	for (const struct call *c = calls; c->name; c++)
		said(c->name, c->run());
	finish();
	return 0;
}

/* These the kernel does not restart, whatever SA_RESTART says. */
static int never_restarted(void)
{
	prepare();
	interrupt_with(SA_RESTART);
	set_timer(2000);
	for (const struct call *c = calls; c->name; c++) {
		if (c->run == do_poll || c->run == do_select ||
		    c->run == do_epoll || c->run == do_pause ||
		    c->run == do_nanosleep || c->run == do_sigwaitinfo ||
		    c->run == do_sigsuspend || c->run == do_msgrcv ||
		    c->run == do_semop || c->run == do_sleep)
			said(c->name, c->run());
	}
	finish();
	return 0;
}

static void write_pipe(void)
{
	write(fds[1], "x", 1);
}

static void write_socket(void)
{
	write(sockets[1], "x", 1);
}

static void kill_sleeper(void)
{
	kill(sleeper, SIGKILL);
}

static void post(void)
{
	sem_post(&semaphore);
}

static void try_restart(const char *what, long (*call)(void), void (*end)(void))
{
	release = end;
	left = 3;
	said(what, call() >= 0);
	say("interrupted so often: %d", left);
	left = -1;
}

static int restarted(void)
{
	prepare();
	interrupt_with(SA_RESTART);
	set_timer(2000);
	try_restart("read", do_read, write_pipe);
	try_restart("recv", do_recv, write_socket);
	try_restart("sem_wait", do_sem_wait, post);
	try_restart("waitpid", do_waitpid, kill_sleeper);
	finish();
	return 0;
}

static sigjmp_buf back;

static void leap(int sig)
{
	siglongjmp(back, sig);
}

/* Out of each of them, and nothing is held. */
static int left_by_jump(void)
{
	volatile int nr = 0;

	prepare();
	on_signal(SIGALRM, leap);
	for (const struct call *volatile c = calls; c->name; c++) {
		if (c->run == do_semop || c->run == do_epoll ||
		    c->run == do_accept)
			continue;
		if (sigsetjmp(back, 1) == 0) {
			set_timer(2000);
			c->run();
		} else {
			set_timer(0);
			nr++;
		}
	}
	say("left: %d", nr);
	said("still works", (write_pipe(), do_read()));
	finish();
	return 0;
}

static void *read_in_thread(void *arg)
{
	long got = read(fds[0], buf, 1);

	say_error("read", got < 0 ? errno : 0);
	return arg;
}

static int by_thread(void)
{
	pthread_t thread;

	prepare();
	interrupt_with(0);
	left = 1000000;
	pthread_create(&thread, NULL, read_in_thread, NULL);
	while (pthread_tryjoin_np(thread, NULL) == EBUSY) {
		pthread_kill(thread, SIGALRM);
		sched_yield();
	}
	finish();
	return 0;
}

static int partly(void)
{
	long size = 0, got;

	prepare();
	interrupt_with(0);
	set_timer(2000);
	got = write(fds[1], buf, sizeof(buf));
	size += got;
	got = write(fds[1], buf, sizeof(buf));
	said("full", got);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	say("written: %d", size == 65536);
	finish();
	return 0;
}

static int system_interrupted(void)
{
	interrupt_with(0);
	set_timer(500);
	/* It waits for its shell whatever comes. */
	say_status("system", system("n=0; while [ $n -lt 100 ]; do n=$((n + "
				    "1)); done; exit 4"));
	set_timer(0);
	return 0;
}

const struct program eintr_programs[] = {
	{"interrupted", interrupted, false},
	{"never-restarted", never_restarted, false},
	{"restarted", restarted, false},
	{"left-by-jump", left_by_jump, false},
	{"by-thread", by_thread, false},
	{"partly", partly, false},
	{"system", system_interrupted, false},
	{NULL, NULL, false},
};
