/* SPDX-License-Identifier: MIT */
/* What a traced process does: it records, and makes others, until it ends. */
#include "t/stress/deaths/deaths.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t id;

struct dt_writer *dt_writer_new(const struct dt_task *task)
{
	uint32_t i = dt->nr_writers++;
	struct dt_writer *writer;

	if (i >= DT_WRITERS) {
		dt->nr_writers = DT_WRITERS;
		_exit(0);
	}
	writer = &dt->writer[i];
	writer->pid = (uint32_t)getpid();
	writer->uid = geteuid();
	writer->pidns = (uint32_t)(dt_self() >> 32);
	snprintf(writer->how, sizeof(writer->how), "%s",
		 task->how ? task->how : "exec");
	writer->left = (uint8_t)task->left;
	writer->unseen = task->how && strcmp(task->how, "by_clone") == 0;
	writer->trace[0] = task->trace[0];
	writer->trace[1] = task->trace[1];
	if (!id)
		posix_trace_eventid_open("deaths", &id);
	return writer;
}

void dt_put(struct dt_writer *writer, unsigned int nr)
{
	struct {
		struct dt_mark mark;
		char more[40];
	} data = {.mark = {DT_MAGIC, (uint32_t)(writer - dt->writer), 0}};

	for (; nr; nr--) {
		data.mark.number = writer->begun++;
		posix_trace_event(id, &data,
				  sizeof(data.mark) + data.mark.number % 41);
		/* Who kills a controller says so first. */
		for (int i = 0; i < 2; i++)
			if (writer->trace[i] != DT_NONE &&
			    !dt->trace[writer->trace[i]].doomed)
				writer->sure[i] = data.mark.number + 1;
	}
}

/* Such a task in words, as main() reads them. */
static void write_task(char *text, size_t size, const struct dt_task *task)
{
	snprintf(text, size, "%llu,%u,%u,%u,%u,%d",
		 (unsigned long long)task->random, task->depth, task->world,
		 task->trace[0], task->trace[1], task->left);
}

void dt_exec(const char *what, const struct dt_task *task)
{
	char text[96];

	write_task(text, sizeof(text), task);
	execl(dt->self, dt->self, what, text, NULL);
}

/* ---- a trace in a trace ------------------------------------------- */

/* Of this process and its children, with a log.  What it was for the process
 * before, another's or none, stays. */
static int begin_inner(struct dt_task *task, trace_id_t *trid)
{
	trace_attr_t attr;
	char path[96];
	int fd, err;

	if (task->trace[1] != DT_NONE)
		return 0;
	task->trace[1] = dt_trace_new(task->world);
	if (task->trace[1] == DT_NONE)
		return 0;
	dt->trace[task->trace[1]].controller = dt_self();
	dt->trace[task->trace[1]].inner = 1;
	dt_trace_log(task->trace[1], path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	posix_trace_attr_init(&attr);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	err = fd < 0 ? -1 : posix_trace_create_withlog(0, &attr, fd, trid);
	if (!err)
		err = posix_trace_start(*trid);
	close(fd);
	if (!err) {
		dt->count.inner++;
		return 1;
	}
	if (fd >= 0)
		dt_wrong("create: %s", strerror(err));
	dt_trace_doom(task->trace[1], __LINE__);
	task->trace[1] = DT_NONE;
	return 0;
}

/* ---- the end ------------------------------------------------------ */

/* What is recorded from now on may be in no log. */
static void end_inner(const struct dt_task *task, int mine, trace_id_t trid,
		      uint64_t *random)
{
	if (!mine)
		return;
	dt_trace_doom(task->trace[1], __LINE__);
	if (dt_below(random, 2)) {
		posix_trace_shutdown(trid);
		dt->trace[task->trace[1]].controller = 0;
	}
}

static void end(struct dt_task *task, struct dt_writer *writer, int mine,
		trace_id_t trid)
{
	end_inner(task, mine, trid, &task->random);
	/* Those beside an elder stay to the end. */
	switch (task->world == DT_NONE ? 7 : dt_below(&task->random, 8)) {
	case 0:
		kill(getpid(), SIGKILL);
		break;
	case 1:
		dt_put(writer, 1);
		_exit(3);
	case 2:
		abort();
	case 3:
		if (task->depth < DT_DEPTH) {
			task->depth++;
			dt_exec("work", task);
		}
		break;
	default:
		break;
	}
	exit(0);
}

/* Its number was in this namespace: also a child of pid 1. */
static void kill_parent(const struct dt_task *task)
{
	if (task->world != DT_NONE && task->depth)
		dt_kill(getppid(), task->world);
}

void dt_work(struct dt_task task)
{
	struct dt_writer *writer = dt_writer_new(&task);
	trace_id_t trid = 0;
	int mine = 0;

	if (task.depth == 0 &&
	    (task.trace[0] == DT_NONE || dt_below(&task.random, 8) == 0)) {
		mine = begin_inner(&task, &trid);
		writer = dt_writer_new(&task);
	}
	for (int n = 2 + (int)dt_below(&task.random, 10); n > 0; n--)
		switch (dt_below(&task.random, 12)) {
		case 0:
		case 1:
		case 2:
			dt_beget(&task, writer);
			break;
		case 3:
		case 4:
			dt_nap(&task.random, 30000);
			break;
		case 5:
			while (waitpid(-1, NULL, WNOHANG) > 0)
				;
			break;
		case 6:
			if (dt_below(&task.random, 4) == 0)
				kill_parent(&task);
			break;
		default:
			dt_put(writer, 1 + dt_below(&task.random, 150));
		}
	end(&task, writer, mine, trid);
	_exit(0);
}

/* ---- those that nobody kills -------------------------------------- */

void dt_elder(struct dt_task task)
{
	struct dt_writer *writer = dt_writer_new(&task), *child;
	unsigned long round = 0;

	while (!dt->stop) {
		dt_put(writer, 1);
		dt_nap(&task.random, 12000);
		if (++round % 20)
			continue;
		task.depth = DT_DEPTH;
		if (fork() == 0) {
			child = dt_writer_new(&task);
			dt_put(child, 5);
			if (round % 60 == 0)
				dt_exec("work", &task);
			exit(0);
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		dt_random(&task.random);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	exit(0);
}
