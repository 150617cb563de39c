/* SPDX-License-Identifier: MIT */
/*
 * Counts the signals TERM and INT that reach it, and tells on USR1 how many
 * came since it was asked last, and with what; on USR2 it sends its own group a
 * TERM; HUP ends it.  With "queue PID VALUE" it sends a TERM with a value.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int nr_term, nr_int, nr_queued, sum;

static void say(const char *text)
{
	puts(text);
	fflush(stdout);
}

static void count(int signo, const siginfo_t *info)
{
	nr_term += signo == SIGTERM;
	nr_int += signo == SIGINT;
	if (info->si_code == SI_QUEUE) {
		nr_queued++;
		sum += info->si_value.sival_int;
	}
}

static void tell(const sigset_t *set)
{
	const struct timespec now = {0, 0};
	siginfo_t info;
	int signo;

	/* USR1 is taken before those of higher numbers. */
	while ((signo = sigtimedwait(set, &info, &now)) > 0)
		count(signo, &info);
	printf("TERM %d INT %d queued %d %d\n", nr_term, nr_int, nr_queued,
	       sum);
	fflush(stdout);
	nr_term = nr_int = nr_queued = sum = 0;
}

int main(int argc, char **argv)
{
	union sigval value;
	siginfo_t info;
	sigset_t set;
	int signo;

	if (argc == 4 && strcmp(argv[1], "queue") == 0) {
		value.sival_int = atoi(argv[3]);
		return sigqueue(atoi(argv[2]), SIGTERM, value) != 0;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	say("begun");
	while ((signo = sigwaitinfo(&set, &info)) != SIGHUP)
		if (signo == SIGUSR1)
			tell(&set);
		else if (signo == SIGUSR2)
			say(kill(0, SIGTERM) ? "failed" : "sent");
		else
			count(signo, &info);
	return 0;
}
