/* SPDX-License-Identifier: MIT */
/* Programs with timers and clocks. */
#include "t/table/table.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int count;
static sem_t semaphore;

static void tick(int sig)
{
	(void)sig;
	getppid();
	count++;
}

static int interval(int which, int sig)
{
	struct itimerval timer = {{0, 1000}, {0, 1000}}, old;

	on_signal(sig, tick);
	said("set", setitimer((__itimer_which_t)which, &timer, NULL));
	while (count < 10)
		getppid();
	memset(&timer, 0, sizeof(timer));
	said("stop", setitimer((__itimer_which_t)which, &timer, &old));
	say("interval: %ld", (long)old.it_interval.tv_usec);
	return 0;
}

static int real(void)
{
	return interval(ITIMER_REAL, SIGALRM);
}

static int used(void)
{
	return interval(ITIMER_VIRTUAL, SIGVTALRM);
}

static int profiling(void)
{
	return interval(ITIMER_PROF, SIGPROF);
}

static void info(int sig, siginfo_t *si, void *context)
{
	(void)sig;
	(void)context;
	if (count++ == 0)
		say("code %d, value %d", si->si_code, si->si_value.sival_int);
}

static int by_signal(void)
{
	struct sigaction action = {.sa_sigaction = info};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL};
	struct itimerspec soon = {{0, 1000000}, {0, 1000000}};
	timer_t timer;

	action.sa_flags = SA_SIGINFO;
	sigaction(SIGRTMIN, &action, NULL);
	event.sigev_signo = SIGRTMIN;
	event.sigev_value.sival_int = 42;
	said("create", timer_create(CLOCK_MONOTONIC, &event, &timer));
	said("set", timer_settime(timer, 0, &soon, NULL));
	while (count < 5)
		getppid();
	said("get", timer_gettime(timer, &soon));
	said("overrun", timer_getoverrun(timer) >= 0);
	said("delete", timer_delete(timer));
	return 0;
}

static void notify(union sigval value)
{
	raise(0);
	getppid();
	if (value.sival_int == 7)
		sem_post(&semaphore);
}

static int by_thread(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD};
	struct itimerspec soon = {{0, 1000000}, {0, 1000000}};
	timer_t timer;

	sem_init(&semaphore, 0, 0);
	event.sigev_notify_function = notify;
	event.sigev_value.sival_int = 7;
	said("create", timer_create(CLOCK_REALTIME, &event, &timer));
	said("set", timer_settime(timer, 0, &soon, NULL));
	for (int i = 0; i < 10; i++)
		sem_wait(&semaphore);
	said("delete", timer_delete(timer));
	return 0;
}

static void *wait_tick(void *arg)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID};
	struct itimerspec soon = {{0, 0}, {0, 1}};
	sigset_t set;
	timer_t timer;
	int sig = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	event.sigev_signo = SIGUSR2;
	event._sigev_un._tid = gettid();
	said("create", timer_create(CLOCK_MONOTONIC, &event, &timer));
	said("set", timer_settime(timer, 0, &soon, NULL));
	sigwait(&set, &sig);
	say("signal: %d", sig);
	timer_delete(timer);
	return arg;
}

static int to_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_tick, NULL);
	pthread_join(thread, NULL);
	return 0;
}

static int sleeping(void)
{
	struct timespec left = {0, 0}, past = {1, 0}, bad = {0, -1};

	said("nanosleep", nanosleep(&(struct timespec){0, 1}, &left));
	say_error("absolute",
		  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &past, NULL));
	say_error("bad", clock_nanosleep(CLOCK_REALTIME, 0, &bad, NULL));
	say_error("bad clock", clock_nanosleep(99, 0, &past, NULL));
	said("bad", nanosleep(&bad, NULL));
	said("usleep", usleep(1));
	said("sleep", sleep(0));
	on_signal(SIGALRM, tick);
	alarm(1000);
	said("alarm", alarm(0) >= 999);
	said("ualarm", ualarm(1000, 0));
	while (count == 0)
		pause();
	return 0;
}

static int clocks(void)
{
	static const clockid_t all[] = {
		CLOCK_REALTIME,		  CLOCK_MONOTONIC,
		CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
		CLOCK_MONOTONIC_RAW,	  CLOCK_BOOTTIME};
	struct timespec a, b;
	struct timeval tv;
	clockid_t id;

	for (int i = 0; i < 6; i++) {
		clock_gettime(all[i], &a);
		clock_gettime(all[i], &b);
		say("%d", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec &&
						  b.tv_nsec >= a.tv_nsec));
		clock_getres(all[i], &a);
		say("resolution: %ld", a.tv_nsec);
	}
	said("bad", clock_gettime(99, &a));
	say_error("of a process", clock_getcpuclockid(0, &id));
	said("gettimeofday", gettimeofday(&tv, NULL));
	say("time: %d", time(NULL) - tv.tv_sec < 2);
	said("clock", clock() >= 0);
	return 0;
}

static int calendar(void)
{
	time_t when = 1000000000;
	char text[64];
	struct tm tm;

	setenv("TZ", "EST5EDT", 1);
	tzset();
	strftime(text, sizeof(text), "%c %Z", localtime_r(&when, &tm));
	say("%s", text);
	say("%ld", (long)mktime(&tm));
	strptime("2001-02-03", "%Y-%m-%d", &tm);
	say("%d %d", tm.tm_yday, tm.tm_wday);
	say("%.24s", asctime(gmtime(&when)));
	say("%.0f", difftime(when, 0));
	return 0;
}

static int seconds_left(void)
{
	struct itimerval timer = {{0, 0}, {0, 0}};

	getitimer(ITIMER_REAL, &timer);
	return timer.it_value.tv_sec > 900;
}

/* None of the timers is a child's. */
static int not_inherited(void)
{
	struct itimerval timer = {{0, 0}, {1000, 0}};

	on_signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &timer, NULL);
	try_child("child", seconds_left);
	return seconds_left();
}

const struct program time_programs[] = {
	{"real", real, false},
	{"virtual", used, false},
	{"profiling", profiling, false},
	{"by-signal", by_signal, false},
	{"by-thread", by_thread, false},
	{"to-thread", to_thread, false},
	{"sleeping", sleeping, false},
	{"clocks", clocks, false},
	{"calendar", calendar, false},
	{"not-inherited", not_inherited, false},
	{NULL, NULL, false},
};
