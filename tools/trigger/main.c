/* SPDX-License-Identifier: MIT */
/*
 * ptrace-trigger, for ptrace-run --when: looks at the events of a log, and
 * tells the controller which of them an expression matches
 * (monitor/wire/looked.h). A process of its own: what it reads was written by
 * others, and the controller goes on if it ends.
 *
 * ptrace-trigger SOCKET LOG file|memory CONTROLLER UNTIL EXPR...
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/lib/clock.h"
#include "tools/lib/fault.h"
#include "tools/lib/say.h"
#include "tools/monitor/wire/looked.h"
#include "tools/trigger/examine.h"

static int controller_fd;
static uint64_t fired[PTL_TRIGGERS_MAX];

static void tell(const struct ptl_looked *message)
{
	ssize_t sent;

	do
		sent = send(controller_fd, message, sizeof(*message),
			    MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	if (sent != sizeof(*message))
		exit(0);
}

static void note(void *to, size_t i, const struct ptl_step *step)
{
	const struct posix_trace_event_info *event = step->view->event;
	struct ptl_looked message = {
		.kind = PTL_LOOKED_FIRED,
		.trigger = (uint32_t)i,
		.pid = event->posix_pid,
		.tid = event->posix_tid_np,
		.image = event->posix_image_np,
		.pidns = event->posix_pidns_np,
		.when = ptl_ns(&event->posix_timestamp),
	};

	(void)to;
	if (fired[i]++ >= PTL_LOOKED_MOST)
		return;
	snprintf(message.event, sizeof(message.event), "%.63s",
		 step->view->type->name);
	tell(&message);
}

/* False: the controller wants no more, or is gone. */
static bool await_look(void)
{
	ssize_t got;
	char byte;

	do
		got = recv(controller_fd, &byte, 1, 0);
	while (got < 0 && errno == EINTR);
	return got == 1;
}

static void look(struct ptl_examined *examined)
{
	struct ptl_looked message = {.kind = PTL_LOOKED_DONE};

	memset(fired, 0, sizeof(fired));
	message.has_more = ptl_examine(examined);
	memcpy(message.fired, fired, sizeof(fired));
	message.when = examined->until;
	message.missed = examined->missed;
	tell(&message);
}

int main(int argc, char **argv)
{
	static struct ptl_examined examined;
	struct ptl_where_error error;

	ptl_say_as(NULL);
	if (argc < 7 || argc - 6 > PTL_TRIGGERS_MAX)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	ptl_fault_die("ptrace-trigger", 1);
	controller_fd = atoi(argv[1]);
	examined.path = argv[2];
	examined.is_copied = strcmp(argv[3], "memory") == 0;
	examined.controller = atoi(argv[4]);
	examined.until = strtoull(argv[5], NULL, 10);
	examined.passes_over = examined.is_copied || examined.until > 0;
	examined.fired = note;
	for (int i = 6; i < argc; i++) {
		struct ptl_where *where = ptl_where_parse(argv[i], &error);

		if (where == NULL)
			return 2;
		examined.where[examined.nr++] = where;
	}
	while (await_look())
		look(&examined);
	return 0;
}
