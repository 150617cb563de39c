/* SPDX-License-Identifier: MIT */
/* Who asks for patches; see plans.h. */
#include "tools/monitor/plans.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/lib/fds.h"
#include "tools/lib/handover.h"
#include "tools/lib/say.h"
#include "tools/monitor/functions.h"

/* A program that loads a new file for ever is not to fill the memory. */
#define FILES_MAX 4096
/* Who goes on asking is not heard for ever. */
#define DRAINED_MAX 4096

struct ptl_plan_file {
	struct stat status; /* which file it is, and its name */
	char *name;
	uint32_t what;
	int made;     /* a file in memory; -1: nothing can be made of it */
	int alive_fd; /* the end of a pipe, until the helper is gone; -1 */
	pid_t helper;
};

/* ---- clients --------------------------------------------------------- */

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Returns the file, or -1: it was no question. */
static int receive(int client, struct ptl_patch_question *question)
{
	struct iovec data = {question, sizeof(*question)};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	union ptl_handover room;
	ssize_t got;
	int file;

	ptl_handover_expect(&message, &room);
	got = recvmsg(client, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	file = got >= 0 ? ptl_handover_take(&message) : -1;
	question->path[sizeof(question->path) - 1] = '\0';
	/* Without a name it may be short. */
	if (got < (ssize_t)offsetof(struct ptl_patch_question, path) ||
	    question->magic != PTL_PATCH_QUESTION)
		drop(&file);
	return file;
}

/* A byte, with what was made, if that is anything.  Who asked may be gone. */
static void answer(int client, int made)
{
	char byte = 0;
	struct iovec data = {&byte, sizeof(byte)};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	union ptl_handover room;

	ptl_handover_put(&message, &room, made);
	sendmsg(client, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void let_in(struct ptl_plans *plans)
{
	for (int i = 0; i < PTL_PLANS_CLIENTS; i++) {
		if (plans->client[i].fd >= 0)
			continue;
		plans->client[i].fd = ptl_listener_accept(&plans->listener);
		plans->client[i].file = NULL;
		return;
	}
}

/* ---- files ----------------------------------------------------------- */

static struct ptl_plan_file *find(const struct ptl_plans *plans,
				  const struct stat *status, const char *name,
				  uint32_t what)
{
	for (size_t i = 0; i < plans->nr; i++) {
		struct ptl_plan_file *file = plans->file[i];
		const struct stat *known = &file->status;

		if (known->st_ino == status->st_ino &&
		    known->st_dev == status->st_dev &&
		    known->st_size == status->st_size &&
		    known->st_mtim.tv_sec == status->st_mtim.tv_sec &&
		    known->st_mtim.tv_nsec == status->st_mtim.tv_nsec &&
		    file->what == what && strcmp(file->name, name) == 0)
			return file;
	}
	return NULL;
}

static struct ptl_plan_file **free_helper(struct ptl_plans *plans)
{
	for (int i = 0; i < PTL_PLANS_HELPERS; i++)
		if (plans->helped[i] == NULL)
			return &plans->helped[i];
	return NULL;
}

/* False: no memory, no process. */
static bool start(const struct ptl_plans *plans, struct ptl_plan_file *file,
		  int from)
{
	int ends[2];

	file->made = ptl_fds_lift(memfd_create(
		"ptrace-functions", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	if (file->made < 0)
		return false;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		drop(&file->made);
		return false;
	}
	file->helper =
		ptl_monitor_start_helper(plans->settings, file->name,
					 file->what, from, file->made, ends[1]);
	close(ends[1]);
	file->alive_fd = ends[0];
	if (file->helper < 0) {
		drop(&file->alive_fd);
		drop(&file->made);
	}
	return file->helper > 0;
}

static struct ptl_plan_file *add(struct ptl_plans *plans,
				 const struct stat *status, const char *name,
				 uint32_t what)
{
	struct ptl_plan_file *file;

	if (plans->nr == FILES_MAX)
		return NULL;
	file = ptl_alloc(sizeof(*file));
	*file = (struct ptl_plan_file){
		.status = *status,
		.name = ptl_alloc(strlen(name) + 1),
		.what = what,
		.made = -1,
		.alive_fd = -1,
	};
	strcpy(file->name, name);
	plans->file = ptl_grow(plans->file, plans->nr, &plans->room,
			       sizeof(struct ptl_plan_file *));
	plans->file[plans->nr++] = file;
	return file;
}

/* The file that a client asks for; a new one has a helper.  NULL: it cannot. */
static struct ptl_plan_file *look_at(struct ptl_plans *plans,
				     const struct ptl_patch_question *question,
				     int from)
{
	struct ptl_plan_file **helped = free_helper(plans), *file;
	uint32_t what = question->what;
	struct stat status;

	if (fstat(from, &status) != 0 || !S_ISREG(status.st_mode))
		return NULL;
	file = find(plans, &status, question->path, what);
	if (file != NULL)
		return file;
	file = add(plans, &status, question->path, what);
	if (file != NULL && helped != NULL && start(plans, file, from))
		*helped = file;
	return file;
}

/* ---- together -------------------------------------------------------- */

static void settle(struct ptl_plans *plans, int i)
{
	struct ptl_plan_file *file = plans->client[i].file;

	if (file != NULL && file->alive_fd >= 0)
		return;
	answer(plans->client[i].fd, file != NULL ? file->made : -1);
	drop(&plans->client[i].fd);
}

static void hear(struct ptl_plans *plans, int i)
{
	struct ptl_patch_question question = {.magic = 0};
	int from = receive(plans->client[i].fd, &question);

	if (from < 0) {
		drop(&plans->client[i].fd);
		return;
	}
	if (question.what == PTL_PATCH_KEEP) {
		ptl_kept_take(&plans->kept, question.path, from);
		close(from);
		drop(&plans->client[i].fd);
		return;
	}
	plans->client[i].file = look_at(plans, &question, from);
	close(from);
	settle(plans, i);
}

/* The helper is gone: all that it made is there. */
static void finish(struct ptl_plans *plans, struct ptl_plan_file *file)
{
	struct stat status;
	int how = 0;

	drop(&file->alive_fd);
	while (waitpid(file->helper, &how, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(how) || fstat(file->made, &status) != 0 ||
	    status.st_size == 0 ||
	    fcntl(file->made, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)
		drop(&file->made);
	for (int i = 0; i < PTL_PLANS_CLIENTS; i++)
		if (plans->client[i].fd >= 0 && plans->client[i].file == file)
			settle(plans, i);
}

void ptl_plans_open(struct ptl_plans *plans,
		    const struct ptl_settings *settings)
{
	for (int i = 0; i < PTL_PLANS_CLIENTS; i++)
		plans->client[i].fd = -1;
	plans->settings = settings;
	plans->listener.fd = -1;
	ptl_starter_open(&plans->starter, settings);
	ptl_kept_begin(&plans->kept, settings->symbols);
	if (ptl_monitor_patches(settings) || ptl_monitor_reaches(settings) ||
	    ptl_monitor_keeps(settings) ||
	    (settings->reach != NULL && strcmp(settings->reach, "libc") == 0))
		ptl_listener_open(&plans->listener, "ask");
}

void ptl_plans_close(struct ptl_plans *plans)
{
	ptl_listener_close(&plans->listener);
	ptl_starter_close(&plans->starter);
	for (int i = 0; i < PTL_PLANS_CLIENTS; i++)
		drop(&plans->client[i].fd);
}

static void put_path(char *to, size_t size, const char *directory,
		     const struct ptl_listener *listener)
{
	if (listener->fd >= 0)
		snprintf(to, size, "%s/%s", directory, listener->name);
}

bool ptl_plans_source(const struct ptl_plans *plans,
		      struct ptl_patch_source *source)
{
	char directory[64];

	*source = (struct ptl_patch_source){
		.magic = PTL_PATCH_SOURCE,
		.version = PTL_PATCH_VERSION,
		.size = sizeof(*source),
	};
	if (plans->listener.fd < 0 ||
	    posix_trace_directory_np(geteuid(), 0, directory,
				     sizeof(directory)) != 0)
		return false;
	put_path(source->path, sizeof(source->path), directory,
		 &plans->listener);
	put_path(source->start, sizeof(source->start), directory,
		 &plans->starter.listener);
	return true;
}

void ptl_plans_poll(const struct ptl_plans *plans, struct pollfd *fds)
{
	bool has_helper = false, has_room = false;

	for (int i = 0; i < PTL_PLANS_HELPERS; i++) {
		const struct ptl_plan_file *file = plans->helped[i];

		has_helper |= file == NULL;
		*fds++ = (struct pollfd){file != NULL ? file->alive_fd : -1,
					 POLLIN, 0};
	}
	for (int i = 0; i < PTL_PLANS_CLIENTS; i++) {
		bool waits = plans->client[i].file != NULL;

		has_room |= plans->client[i].fd < 0;
		/* Who waits is let go of when it is gone. */
		*fds++ = (struct pollfd){
			waits || has_helper ? plans->client[i].fd : -1,
			waits ? 0 : POLLIN, 0};
	}
	*fds++ = (struct pollfd){has_room ? plans->listener.fd : -1, POLLIN, 0};
	ptl_starter_poll(&plans->starter, fds);
}

void ptl_plans_serve(struct ptl_plans *plans, const struct pollfd *fds)
{
	for (int i = 0; i < PTL_PLANS_HELPERS; i++, fds++) {
		struct ptl_plan_file *file = plans->helped[i];

		if (fds->revents == 0)
			continue;
		plans->helped[i] = NULL;
		finish(plans, file);
	}
	for (int i = 0; i < PTL_PLANS_CLIENTS; i++, fds++) {
		if (fds->revents == 0 || plans->client[i].fd < 0)
			continue;
		if (plans->client[i].file != NULL)
			drop(&plans->client[i].fd);
		else if (free_helper(plans) != NULL)
			hear(plans, i);
	}
	if (fds->revents != 0)
		let_in(plans);
	fds++;
	if (fds->revents != 0)
		ptl_starter_serve(&plans->starter);
}

void ptl_plans_drain(struct ptl_plans *plans)
{
	struct pollfd fds[PTL_PLANS_FDS];

	for (int i = 0; i < DRAINED_MAX; i++) {
		ptl_plans_poll(plans, fds);
		if (ptl_fds_poll(fds, PTL_PLANS_FDS, 0) <= 0)
			return;
		ptl_plans_serve(plans, fds);
	}
}
