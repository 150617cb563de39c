/* SPDX-License-Identifier: MIT */
/*
 * What all front processes do with the controller: start it, end it, and report
 * the result to the user; and the front that does little else.
 */
#include "tools/monitor/front.h"

#include <signal.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "tools/read/packed.h"
#include "tools/lib/say.h"
#include "tools/monitor/control.h"
#include "tools/lib/fds.h"
#include "tools/monitor/globs.h"
#include "tools/monitor/sampling.h"
#include "tools/monitor/trigger/told.h"
#include "tools/monitor/process/whynot.h"
#include "tools/monitor/viewer.h"

/* Was it that there is no place for the stream? */
static bool say_places(pid_t target)
{
	char places[512];

	if (posix_trace_refused_np(target, places, sizeof(places)) != 0 ||
	    *places == '\0')
		return false;
	ptl_say("cannot trace process %d: no access to %s", (int)target,
		places);
	return true;
}

static const char *sampling_option(const struct ptl_settings *settings)
{
	return ptl_settings_hz(settings) > 0 ? "--sample" : "--sched";
}

/* Says what the user can do, where the error number alone does not tell. */
static void say_failure(pid_t target, const struct ptl_report *report,
			const struct ptl_settings *settings)
{
	const char *why = strerror(report->error);

	if (strcmp(report->what, "join") == 0) {
		ptl_say("cannot trace process %d: %s", (int)target,
			ptl_whynot_joined(target));
		return;
	}
	if (strcmp(report->what, "enter") == 0) {
		ptl_say("cannot trace process %d: %s", (int)target,
			ptl_whynot_entered(target, report->error));
		return;
	}
	if (strcmp(report->what, PTL_SAMPLING_EVENTS) == 0 ||
	    strcmp(report->what, PTL_SAMPLING_MEMORY) == 0) {
		ptl_say("%s: %s", sampling_option(settings),
			ptl_whynot_sampled(
				target, report->error,
				strcmp(report->what, PTL_SAMPLING_MEMORY) == 0,
				settings->sample_kernel));
		return;
	}
	if (strcmp(report->what, "create") != 0) {
		ptl_say("cannot trace: %s: %s", report->what, why);
		return;
	}
	if (say_places(target))
		return;
	switch (report->error) {
	case EPERM:
		why = ptl_whynot_permitted(target);
		break;
	case ESRCH:
		/* A zombie is there, and nothing of it can be traced. */
		why = kill(target, 0) == 0 ? "it has ended" : "no such process";
		break;
	case EAGAIN:
		why = "too many trace streams, or threads (ulimit -u)";
		break;
	case ENOMEM:
		why = ptl_whynot_no_memory();
		break;
	}
	ptl_say("cannot trace process %d: %s", (int)target, why);
}

/* A limit on the size of files applies to the stream, too. */
static bool is_limited(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY;
}

/* Reports the error if it is about the log, or about memory under a limit of
 * ours. */
static bool say_refused(const struct ptl_settings *settings,
			const struct ptl_output *output,
			const struct ptl_report *report)
{
	const char *why = strerror(report->error);

	if (strcmp(report->what, "create") != 0)
		return false;
	if (report->error == ENOMEM && is_limited()) {
		ptl_say("cannot trace: no memory for the stream, or it is more "
			"than a file may have (ulimit -f); see --stream-size");
		return true;
	}
	if (report->error == EINVAL &&
	    settings->log_policy != POSIX_TRACE_APPEND)
		why = "only a regular file can have this --log-policy";
	else if (report->error != ENOSPC && report->error != EFBIG &&
		 report->error != EIO && report->error != EPIPE)
		return false;
	ptl_say("cannot write %s: %s", output->path, why);
	return true;
}

int ptl_front_connect(const struct ptl_run_options *options, pid_t target,
		      bool will_exec, const struct ptl_output *output)
{
	const struct ptl_settings *settings = &options->settings;
	struct ptl_report report = {.error = ECHILD};
	int front, controller;
	int error = ptl_link_open(&front, &controller);

	if (error == 0) {
		error = ptl_control_start(settings, &options->triggers, target,
					  will_exec, output, controller, -1);
		close(controller);
	}
	if (error != 0) {
		ptl_say("cannot start the controller: %s",
			error == EAGAIN ? "too many processes (ulimit -u)" :
					  strerror(error));
		close(front);
		return -1;
	}
	if (ptl_link_reported(front, &report) &&
	    report.kind == PTL_LINK_READY) {
		if (report.error != 0)
			ptl_say("process %d records nothing itself (%s); "
				"%s is all there is of it",
				(int)target, ptl_whynot_joined(target),
				sampling_option(settings));
		if (options->is_verbose)
			ptl_say("tracing process %d into %s", (int)target,
				output->path);
		return front;
	}
	if (report.kind == PTL_LINK_FAILED) {
		if (!say_refused(settings, output, &report))
			say_failure(target, &report, settings);
	} else if (errno == EPIPE) {
		ptl_say("cannot trace: the controller process died");
	} else {
		ptl_say("cannot read from the controller: %s", strerror(errno));
	}
	close(front);
	return -1;
}

void ptl_front_let_go(int link_fd, int other_fd)
{
	const int kept[] = {STDERR_FILENO, link_fd, other_fd};

	ptl_fds_keep(kept, 3);
}

/* 41213 as "41 213" on a terminal: what else reads it may be a script. */
static const char *grouped(unsigned long long number, char *buf, size_t size)
{
	char digits[32];
	size_t nr = (size_t)snprintf(digits, sizeof(digits), "%llu", number);
	bool is_terminal = isatty(STDERR_FILENO);
	size_t at = 0;

	for (size_t i = 0; i < nr && at + 2 < size; i++) {
		if (is_terminal && i > 0 && (nr - i) % 3 == 0)
			buf[at++] = ' ';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

static const char *bytes(unsigned long long number, char *buf, size_t size)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	double scaled = (double)number / 1024;
	size_t unit = 0;

	if (number < 1024) {
		snprintf(buf, size, "%llu B", number);
		return buf;
	}
	/* Not 1024.0 KiB. */
	for (; scaled >= 1023.95 && unit < 3; unit++)
		scaled /= 1024;
	snprintf(buf, size, "%.1f %s", scaled, units[unit]);
	return buf;
}

/* Reports the first three of the programs that could not be traced. */
static void say_untraced(const struct posix_trace_info_np *info)
{
	const char *line = info->untraced_names;
	char text[sizeof(info->untraced_names) + 16];
	int nr = 0, at = 0;

	for (; *line != '\0' && nr < 3; nr++) {
		int size = (int)strcspn(line, "\n");

		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%.*s",
			       nr > 0 ? ", " : "", size, line);
		line += size + (line[size] == '\n');
	}
	if (nr > 0)
		ptl_say("not traced: %s%s", text, *line ? ", ..." : "");
}

/* What would have been traced with an option that was not given. */
static void say_reachable(const struct posix_trace_info_np *info,
			  const struct ptl_settings *settings)
{
#if defined(__x86_64__)
	const char *names = info->untraced_names, *reach = settings->reach;
	bool is_raw = reach != NULL && strcmp(reach, "raw") == 0;
	bool has_static = strstr(names, ": static\n") != NULL;
	bool has_go = strstr(names, ": " PTL_UNTRACED_PARTLY) != NULL;

	if ((reach == NULL && (has_static || has_go)) || (is_raw && has_static))
		ptl_say("--reach static traces static programs and Go's, too");
#else
	(void)info;
	(void)settings;
#endif
}

/* Of events that the program gave names, and that have none. */
static void say_names(const struct posix_trace_info_np *info)
{
	char refused[48];

	if (info->names_refused > 0)
		ptl_say("names refused: %s: too many event types (libptrace(7) "
			"has the limits)",
			grouped(info->names_refused, refused, sizeof(refused)));
}

/* Always in the plural: scripts read this line. */
static void say_summary(const struct ptl_report *report,
			const struct ptl_settings *settings,
			const char *firings, const char *path)
{
	const struct posix_trace_info_np *info = &report->info;
	bool has_cause = info->lost > 0 && info->log_error != 0;
	char events[48], lost[48], untraced[48] = "", size[32];
	char left[48], unselected[64] = "", sampled[32] = "";
	char hot[64] = "";

	if (info->unselected > 0)
		snprintf(unselected, sizeof(unselected), ", %s left out",
			 grouped(info->unselected, left, sizeof(left)));
	if (info->hot_functions > 0)
		snprintf(hot, sizeof(hot), ", %llu hot function%s",
			 info->hot_functions,
			 info->hot_functions == 1 ? "" : "s");
	if (info->untraced > 0)
		snprintf(untraced, sizeof(untraced), ", %u not traced",
			 info->untraced);
	if (report->sampled > info->processes)
		snprintf(sampled, sizeof(sampled), ", %llu sampled",
			 report->sampled);
	ptl_say("%s events, %s lost%s%s%s%s%s%s, %u process%s%s%s, %s -> "
		"%s",
		grouped(info->events, events, sizeof(events)),
		grouped(info->lost, lost, sizeof(lost)), has_cause ? " (" : "",
		has_cause ? strerror(info->log_error) : "",
		has_cause ? ")" : "", unselected, hot, firings, info->processes,
		info->processes == 1 ? "" : "es", sampled, untraced,
		bytes(info->log_size, size, sizeof(size)), path);
	say_untraced(info);
	say_reachable(info, settings);
	say_names(info);
}

/* Of --sample and --sched. */
static void say_samples(const struct ptl_report *report, const char *prefix)
{
	char lost[48];

	if (report->samples_lost > 0)
		ptl_say("%s%s samples lost", prefix,
			grouped(report->samples_lost, lost, sizeof(lost)));
	if (report->switches_lost > 0)
		ptl_say("%s%s switches of threads lost", prefix,
			grouped(report->switches_lost, lost, sizeof(lost)));
	if (report->has_sampler_died)
		ptl_say("%sptrace-sampler ended before the programs did: what "
			"came later is missing",
			prefix);
	if (report->is_sampler_silent)
		ptl_say("%sptrace-sampler does not answer: what came last is "
			"missing",
			prefix);
}

static bool has_samples(const struct ptl_report *report)
{
	return report->samples_lost == 0 && report->switches_lost == 0 &&
	       !report->has_sampler_died && !report->is_sampler_silent;
}

static void say_left(unsigned int nr, const char *path)
{
	if (nr == 1)
		ptl_say("1 process is still traced; %s is complete when it "
			"ends",
			path);
	else
		ptl_say("%u processes are still traced; %s is complete when "
			"they end",
			nr, path);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* A log that went into a pipe cannot be completed. */
static void say_died(const char *path)
{
	if (is_file(path))
		ptl_say("the controller process died; ptrace-dump completes %s",
			path);
	else
		ptl_say("the controller process died; %s is not complete",
			path);
}

/* The controller's last report did not come. */
static void say_silence(const char *path)
{
	if (errno == EPIPE)
		say_died(path);
	else
		ptl_say("cannot read from the controller: %s; it completes %s "
			"by itself",
			strerror(errno), path);
}

/* Is everything that COMMAND did in the log?  Of a log that is not complete it
 * has been said. */
static bool is_strict_enough(const struct ptl_run_options *options,
			     const struct ptl_report *report)
{
	const struct posix_trace_info_np *info = &report->info;
	char lost[48];
	bool waits = options->settings.stream_policy == POSIX_TRACE_BLOCK_NP;

	if (!options->is_strict)
		return true;
	if (info->processes == 0)
		ptl_say("--strict: no process could be traced");
	if (info->untraced > 0)
		ptl_say("--strict: %u program%s could not be traced",
			info->untraced, info->untraced == 1 ? "" : "s");
	if (info->lost > 0)
		ptl_say("--strict: %s event%s lost%s",
			grouped(info->lost, lost, sizeof(lost)),
			info->lost == 1 ? " was" : "s were",
			waits || info->log_error != 0 ?
				"" :
				" (with --stream-policy block COMMAND waits "
				"instead)");
	say_samples(report, "--strict: ");
	return has_samples(report) && info->processes > 0 &&
	       info->untraced == 0 && info->lost == 0 && report->error == 0 &&
	       report->kept_error == 0 && report->fate != PTL_FATE_CUT &&
	       report->fate != PTL_FATE_REMOVED &&
	       strcmp(report->what, PTL_LINK_CUT_SHORT) != 0;
}

/* What others did to the log.  Returns where it is, to be freed. */
static char *say_fate(const struct ptl_report *report, const char *path)
{
	char *saved = NULL;

	switch (report->fate) {
	case PTL_FATE_MOVED:
		ptl_say("%s was moved while it was written: the log is where "
			"it "
			"was moved to",
			path);
		break;
	case PTL_FATE_BACK:
		ptl_say("%s was removed while it was written: it is there "
			"again",
			path);
		break;
	case PTL_FATE_RECOVERED:
		if (asprintf(&saved, "%s" PTL_FATE_SUFFIX, path) < 0)
			saved = NULL;
		ptl_say("%s was replaced while it was written: the log is "
			"%s" PTL_FATE_SUFFIX,
			path, path);
		break;
	case PTL_FATE_CUT:
		ptl_say("%s was cut or overwritten while it was written: it "
			"has "
			"not all events",
			path);
		break;
	case PTL_FATE_REMOVED:
		ptl_say("%s was removed while it was written, and cannot be "
			"saved: %s",
			path, strerror(report->error));
		break;
	case PTL_FATE_NONE:
		break;
	}
	return saved != NULL ? saved : strdup(path);
}

bool ptl_front_finish(const struct ptl_run_options *options, int link_fd,
		      enum ptl_request request, struct ptl_output *output)
{
	struct ptl_report report;
	char *path, firings[48];

	/* The controller may have ended already, by SIGTERM, after its last
	 * report. */
	if (!ptl_link_ask(link_fd, request) && errno != EPIPE) {
		ptl_say("cannot write to the controller: %s; it completes %s "
			"by itself",
			strerror(errno), output->path);
		return !options->is_strict;
	}
	if (!ptl_link_reported(link_fd, &report)) {
		say_silence(output->path);
		/* What became of it is unknown. */
		return !options->is_strict;
	}
	if (report.kind == PTL_LINK_LEFT) {
		if (!options->is_quiet)
			say_left(report.info.live_processes, output->path);
		return is_strict_enough(options, &report);
	}
	ptl_output_wait(output);
	if (report.error != 0 && report.fate != PTL_FATE_REMOVED)
		ptl_say("%s is not complete: %s", output->path,
			strerror(report.error));
	if (report.pack_error != 0)
		ptl_say("%s is not compressed to its end: %s; the rest is in "
			"%s" PTL_PACKED_PART ", and read with it",
			output->path, strerror(report.pack_error),
			output->path);
	if (report.kept_error != 0)
		ptl_say("%s does not keep all names of functions (--symbols): "
			"%s",
			output->path, strerror(report.kept_error));
	path = say_fate(&report, output->path);
	if (strcmp(report.what, PTL_LINK_CUT_SHORT) == 0)
		ptl_say("%s ends early: the traced user cut short the memory "
			"of the trace",
			output->path);
	if (!options->is_quiet && report.info.lost == 0)
		ptl_globs_say_unused(&options->settings, output->path);
	if (!options->is_quiet && report.fate != PTL_FATE_REMOVED &&
	    report.fate != PTL_FATE_CUT)
		say_summary(&report, &options->settings,
			    ptl_told_firings(&options->triggers,
					     &report.triggers, firings),
			    path != NULL ? path : output->path);
	if (!options->is_quiet)
		ptl_told_say(&report.triggers);
	if (!options->is_quiet && !options->is_strict)
		say_samples(&report, "");
	if (!options->is_quiet && options->settings.summary &&
	    report.fate == PTL_FATE_NONE && is_file(output->path))
		ptl_viewer_sum_up(output->path);
	free(path);
	return is_strict_enough(options, &report);
}

int ptl_front_become(const struct ptl_run_options *options,
		     const struct ptl_command *command, char *const *env)
{
	const struct ptl_settings *settings = &options->settings;
	const char *name = ptl_command_basename(command->argv[0]);
	struct ptl_output output;
	int error, link_fd;

	if (ptl_output_open(&output, settings, name, getpid(), env, true) != 0)
		return PTL_EXIT_OWN_FAILURE;
	link_fd = ptl_front_connect(options, getpid(), true, &output);
	if (link_fd < 0) {
		ptl_output_discard(&output);
		return PTL_EXIT_OWN_FAILURE;
	}
	ptl_output_leave_stdout(settings);
	error = ptl_command_exec(command);
	ptl_link_ask(link_fd, PTL_LINK_STOP);
	ptl_output_discard(&output);
	return ptl_command_fail(command->argv[0], error);
}
