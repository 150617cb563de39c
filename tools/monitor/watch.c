/* SPDX-License-Identifier: MIT */
/*
 * See watch.h.  What only the controller knows it is asked for at each look,
 * and what it said is read at the next: it may be stopped, and is not waited
 * for.
 */
#include "tools/monitor/watch.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/monitor/wire/link.h"

#define LARGE (1LL << 30)
/* Waits of so many seconds are told. */
#define LONG_WAIT 1

static bool is_watching;
static const char *path;  /* of the log, while its size is looked at, or NULL */
static int controller_fd; /* or -1, when there is no more to be asked */
static bool is_asked, has_said_lost, has_said_waits;
static struct timespec since;

static void note(int signo)
{
	/* The interruption is all that is wanted of it. */
	(void)signo;
}

static void tick(time_t seconds)
{
	const struct itimerval each = {{seconds, 0}, {seconds, 0}};

	setitimer(ITIMER_REAL, &each, NULL);
}

/* A file without a limit can become large. */
static bool is_unlimited(const struct ptl_run_options *options,
			 const struct ptl_output *output)
{
	struct stat st;

	return options->settings.log_policy == POSIX_TRACE_APPEND &&
	       stat(output->path, &st) == 0 && S_ISREG(st.st_mode);
}

void ptl_watch_begin(const struct ptl_run_options *options,
		     const struct ptl_output *output, int link_fd)
{
	struct itimerval before;
	struct sigaction action;

	if (options->is_quiet || !isatty(STDERR_FILENO))
		return;
	/* Who has started us may have set a time by which we end. */
	if (getitimer(ITIMER_REAL, &before) != 0 ||
	    before.it_value.tv_sec != 0 || before.it_value.tv_usec != 0)
		return;
	is_watching = true;
	path = is_unlimited(options, output) ? output->path : NULL;
	controller_fd = link_fd;
	clock_gettime(CLOCK_MONOTONIC, &since);
	memset(&action, 0, sizeof(action));
	action.sa_handler = note;
	sigaction(SIGALRM, &action, NULL);
	tick(1);
}

void ptl_watch_end(void)
{
	if (!is_watching)
		return;
	tick(0);
	is_watching = false;
}

static void look_at_size(void)
{
	struct timespec now;
	struct stat st;
	double seconds, gib;

	if (path == NULL || stat(path, &st) != 0 || st.st_size < LARGE)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - since.tv_sec) +
		  (double)(now.tv_nsec - since.tv_nsec) / 1e9;
	gib = (double)st.st_size / (double)LARGE;
	ptl_say("%s has %.1f GiB after %.0f s, %.0f MiB/s; -x, -e or "
		"--log-policy loop keep it smaller",
		path, gib, seconds, gib * 1024 / (seconds > 0 ? seconds : 1));
	path = NULL;
}

static void hear(const struct posix_trace_info_np *info)
{
	unsigned long long waited = info->waited / 1000000000;

	if (info->lost > 0 && !has_said_lost)
		ptl_say("%llu events are lost so far: there is no room for "
			"them; -x, -e or -b leave more",
			info->lost);
	if (waited >= LONG_WAIT && !has_said_waits)
		ptl_say("COMMAND waits for its log, %llu s of all threads so "
			"far: it records more than can be written; -x or -e "
			"make it less",
			waited);
	has_said_lost |= info->lost > 0;
	has_said_waits |= waited >= LONG_WAIT;
	if (has_said_lost && has_said_waits)
		controller_fd = -1;
}

static void ask_controller(void)
{
	struct ptl_report report;

	if (is_asked && ptl_link_heard(controller_fd, &report)) {
		is_asked = false;
		if (report.kind == PTL_LINK_TOLD)
			hear(&report.info);
	}
	if (controller_fd >= 0 && !is_asked)
		is_asked = ptl_link_ask(controller_fd, PTL_LINK_TELL);
}

void ptl_watch_look(void)
{
	if (!is_watching)
		return;
	look_at_size();
	if (controller_fd >= 0)
		ask_controller();
	if (path == NULL && controller_fd < 0)
		ptl_watch_end();
}
