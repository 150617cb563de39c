/* SPDX-License-Identifier: MIT */
/* Progress and interruption; see progress.h. */
#include "tools/dump/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/say.h"

/* Milliseconds: before the first line, and between two. */
#define PATIENCE 2000
#define INTERVAL 200

volatile sig_atomic_t ptl_progress_signo;
unsigned long long ptl_progress_done;
static bool is_shown, is_wanted;
static unsigned long long total;
static long long next;

static void stop(int number)
{
	ptl_progress_signo = number;
}

static void keep_back(int number)
{
	struct sigaction action, old;

	memset(&action, 0, sizeof(action));
	action.sa_handler = stop;
	action.sa_flags = (int)SA_RESETHAND;
	if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

void ptl_progress_begin(const struct ptl_merge *merge, bool is_to_terminal)
{
	struct posix_trace_info_np info;

	ptl_progress_signo = 0;
	ptl_progress_done = total = 0;
	keep_back(SIGINT);
	keep_back(SIGTERM);
	keep_back(SIGHUP);
	is_wanted = !is_to_terminal && isatty(STDERR_FILENO);
	if (!is_wanted)
		return;
	for (size_t i = 0; i < merge->nr_sources; i++)
		if (posix_trace_get_info_np(merge->source[i].trid, &info) == 0)
			total += info.events;
	next = now() + PATIENCE;
}

static void show(void)
{
	char line[128];
	int size;
	ssize_t written;

	next = now() + INTERVAL;
	is_shown = true;
	size = snprintf(line, sizeof(line),
			"\r\033[Kptrace-dump: %llu of %llu events (%llu %%)",
			ptl_progress_done, total,
			ptl_progress_done < total ?
				ptl_progress_done * 100 / total :
				100);
	written = write(STDERR_FILENO, line, (size_t)size);
	(void)written;
}

void ptl_progress_look(void)
{
	if (is_wanted && now() >= next)
		show();
}

void ptl_progress_end(void)
{
	static const char clear[] = "\r\033[K";
	ssize_t written;

	if (!is_shown)
		return;
	is_shown = false;
	written = write(STDERR_FILENO, clear, strlen(clear));
	(void)written;
}

void ptl_progress_die(void)
{
	if (ptl_progress_signo == 0)
		return;
	ptl_say("interrupted: the first %llu events only", ptl_progress_done);
	signal(ptl_progress_signo, SIG_DFL);
	raise(ptl_progress_signo);
}
