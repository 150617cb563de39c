/* SPDX-License-Identifier: MIT */
/* See firing.h.  What comes is checked: ptrace-trigger reads bytes of others.
 */
#include "tools/monitor/trigger/firing.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/lib/beside.h"
#include "tools/lib/clock.h"
#include "tools/lib/fds.h"
#include "tools/monitor/process/helper.h"
#include "tools/monitor/trigger/waiting.h"

/* How often is looked, and how often at most what a look costs us: a copy of
 * much memory takes its time. */
#define PERIOD_NS UINT64_C(20000000)
#define SHARE 20

#define HELPER "ptrace-trigger"

/* So long the last look may take, and the one before triggers change. */
#define FINISH_NS UINT64_C(5000000000)

static void end(struct ptl_firing *firing)
{
	if (firing->fd >= 0)
		close(firing->fd);
	firing->fd = -1;
}

static int start_trigger(struct ptl_firing *firing,
			 const struct ptl_triggers *triggers, int helper,
			 int log)
{
	const char *words[5 + PTL_TRIGGERS_MAX + 1] = {0};
	char where[16], path[64], us[16], until[32];
	const int fds[] = {helper, log};

	snprintf(where, sizeof(where), "%d", helper);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log);
	snprintf(us, sizeof(us), "%d", (int)getpid());
	snprintf(until, sizeof(until), "%llu",
		 atomic_load(&firing->acting.fired->until));
	words[0] = where;
	words[1] = path;
	words[2] = firing->memory_fd >= 0 ? "memory" : "file";
	words[3] = us;
	words[4] = until;
	for (size_t i = 0; i < triggers->nr; i++)
		words[5 + i] = triggers->trigger[i].when;
	return ptl_helper_start(HELPER, words, fds, 2);
}

static int open_memory(struct ptl_firing *firing, bool is_snapshot)
{
	if (!is_snapshot)
		return 0;
	firing->memory_fd = ptl_fds_lift(memfd_create(HELPER, MFD_CLOEXEC));
	return firing->memory_fd >= 0 ? 0 : errno;
}

/* What is recorded until something starts it. */
static int wait_for_start(struct ptl_firing *firing)
{
	struct ptl_acting *acting = &firing->acting;
	trace_id_t trid = acting->subject->trid;
	struct ptl_fired *fired = acting->fired;
	int error;

	if (atomic_exchange(&fired->is_begun, true) ||
	    !ptl_triggers_have(acting->triggers, PTL_DO_START))
		return 0;
	error = posix_trace_get_filter(trid, &fired->filter);
	if (error != 0)
		return error;
	atomic_store(&fired->is_waiting, true);
	return ptl_waiting_begin(trid, acting->triggers, &fired->filter);
}

/* Returns 0 or the error number, as start_helper() does. */
static int begin(struct ptl_firing *firing)
{
	char path[PATH_MAX + 64];

	if (!ptl_beside(path, sizeof(path), HELPER) || access(path, X_OK) != 0)
		return errno;
	return open_memory(firing, firing->is_snapshot);
}

static int start_helper(struct ptl_firing *firing)
{
	int helper, log, error = ptl_helper_socket(&firing->fd, &helper);

	if (error != 0)
		return error;
	log = dup(firing->is_snapshot ? firing->memory_fd : firing->log_fd);
	error = log < 0 ? errno :
			  start_trigger(firing, &firing->own, helper, log);
	close(helper);
	close(log);
	if (error != 0)
		end(firing);
	return error;
}

int ptl_firing_begin(struct ptl_firing *firing,
		     const struct ptl_triggers *triggers,
		     const struct ptl_subject *subject, int log_fd,
		     bool is_snapshot, struct ptl_fired *fired)
{
	int error;

	*firing = (struct ptl_firing){
		.fd = -1,
		.memory_fd = -1,
		.log_fd = log_fd,
		.is_snapshot = is_snapshot,
		.acting = {.triggers = &firing->own,
			   .subject = subject,
			   .fired = fired},
	};
	if (triggers == NULL)
		return 0;
	firing->own = *triggers;
	if (triggers->nr == 0)
		return 0;
	error = begin(firing);
	if (error == 0)
		error = wait_for_start(firing);
	if (error == 0)
		error = start_helper(firing);
	return error;
}

int ptl_firing_timeout(const struct ptl_firing *firing)
{
	uint64_t now = ptl_monotonic_ns();

	if (firing->fd < 0 || firing->is_asked)
		return -1;
	return firing->next > now ? (int)((firing->next - now) / 1000000) + 1 :
				    0;
}

/* Makes what was recorded readable. */
static bool bring(struct ptl_firing *firing)
{
	trace_id_t trid = firing->acting.subject->trid;

	if (firing->memory_fd < 0)
		return posix_trace_flush(trid) == 0;
	return ftruncate(firing->memory_fd, 0) == 0 &&
	       lseek(firing->memory_fd, 0, SEEK_SET) == 0 &&
	       posix_trace_snapshot_np(trid, firing->memory_fd) == 0;
}

static void ask(struct ptl_firing *firing)
{
	uint64_t began = ptl_monotonic_ns(), took;

	bring(firing);
	took = ptl_monotonic_ns() - began;
	firing->next =
		began + (SHARE * took > PERIOD_NS ? SHARE * took : PERIOD_NS);
	if (send(firing->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
		firing->is_asked = true;
}

static void act(struct ptl_firing *firing, const struct ptl_looked *message)
{
	uint32_t i = message->trigger;
	struct ptl_fired *fired = firing->acting.fired;

	if (i >= firing->acting.triggers->nr)
		return;
	firing->told[i]++;
	ptl_acting_do(&firing->acting, message,
		      atomic_fetch_add(&fired->fired[i], 1) + 1);
	if (message->until > atomic_load(&fired->until))
		atomic_store(&fired->until, message->until);
}

static void finish_look(struct ptl_firing *firing,
			const struct ptl_looked *message)
{
	struct ptl_fired *fired = firing->acting.fired;

	for (size_t i = 0; i < firing->acting.triggers->nr; i++) {
		if (message->fired[i] > firing->told[i])
			atomic_fetch_add(&fired->fired[i],
					 message->fired[i] - firing->told[i]);
		firing->told[i] = 0;
	}
	atomic_store(&fired->until, message->until);
	if (message->missed > 0 || firing->missed >= -(uint64_t)message->missed)
		firing->missed += (uint64_t)message->missed;
	firing->has_more = message->has_more != 0;
	firing->is_asked = false;
	if (firing->has_more)
		firing->next = 0;
}

static void take(struct ptl_firing *firing)
{
	struct ptl_looked message;
	ssize_t got;

	while (firing->fd >= 0) {
		got = recv(firing->fd, &message, sizeof(message), MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got != sizeof(message)) {
			firing->has_died = true;
			end(firing);
			return;
		}
		message.event[sizeof(message.event) - 1] = '\0';
		if (message.kind == PTL_LOOKED_FIRED)
			act(firing, &message);
		else
			finish_look(firing, &message);
	}
}

void ptl_firing_look(struct ptl_firing *firing)
{
	take(firing);
	if (firing->fd >= 0 && !firing->is_asked &&
	    ptl_monotonic_ns() >= firing->next)
		ask(firing);
}

/* Until there is no answer to wait for; false: the time is up. */
static bool await_answer(struct ptl_firing *firing, uint64_t until)
{
	while (firing->fd >= 0 && firing->is_asked) {
		struct pollfd news = {firing->fd, POLLIN, 0};
		uint64_t now = ptl_monotonic_ns();

		if (now >= until)
			return false;
		poll(&news, 1, (int)((until - now) / 1000000) + 1);
		take(firing);
	}
	return firing->fd >= 0;
}

/* What there is by now. */
static void look_at_all(struct ptl_firing *firing, uint64_t until)
{
	if (!await_answer(firing, until))
		return;
	do
		ask(firing);
	while (await_answer(firing, until) && firing->has_more);
}

void ptl_firing_catch_up(struct ptl_firing *firing)
{
	if (firing->fd >= 0)
		look_at_all(firing, ptl_monotonic_ns() + FINISH_NS);
}

/* From now on, if nothing was looked at before. */
static void pass_over(struct ptl_firing *firing)
{
	struct ptl_fired *fired = firing->acting.fired;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (atomic_load(&fired->until) == 0)
		atomic_store(&fired->until, ptl_ns(&now));
}

const char *ptl_firing_again(struct ptl_firing *firing)
{
	int error = 0;

	ptl_firing_catch_up(firing);
	if (firing->fd < 0)
		pass_over(firing);
	end(firing);
	firing->is_asked = firing->has_more = false;
	firing->next = 0;
	memset(firing->told, 0, sizeof(firing->told));
	if (!ptl_triggers_are_any(&firing->own))
		return NULL;
	if (firing->memory_fd < 0)
		error = begin(firing);
	if (error == 0)
		error = start_helper(firing);
	return error == 0 ? NULL : "ptrace-trigger cannot be started";
}

void ptl_firing_count_anew(struct ptl_firing *firing, size_t trigger)
{
	struct ptl_fired *fired = firing->acting.fired;

	atomic_fetch_add(&fired->before,
			 atomic_exchange(&fired->fired[trigger], 0));
	firing->acting.paused_until[trigger] = 0;
}

void ptl_firing_finish(struct ptl_firing *firing)
{
	if (firing->fd < 0)
		return;
	look_at_all(firing, ptl_monotonic_ns() + FINISH_NS);
	if (firing->is_asked)
		firing->has_died = true;
	end(firing);
}

void ptl_firing_report(const struct ptl_firing *firing,
		       struct ptl_report_triggers *report)
{
	const struct ptl_acting *acting = &firing->acting;
	const struct ptl_triggers *triggers = acting->triggers;

	for (size_t i = 0; triggers != NULL && i < triggers->nr; i++)
		report->fired += atomic_load(&acting->fired->fired[i]);
	report->fired += atomic_load(&acting->fired->before);
	report->has_died = firing->has_died;
	report->missed = firing->missed;
	report->nr_snapshots = acting->nr_snapshots;
	report->snapshot_error = acting->snapshot_error;
	if (acting->snapshot != NULL)
		snprintf(report->snapshot, sizeof(report->snapshot), "%s",
			 acting->snapshot);
}
