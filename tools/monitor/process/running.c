/* SPDX-License-Identifier: MIT */
/* See running.h. */
#include "tools/monitor/process/running.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "tools/monitor/process/mapped.h"

#define DATA_SIZE 65536
#define NAME_SIZE 32

struct telling {
	trace_id_t trid;
	pid_t pid;
	const struct timespec *when;
	size_t size;
	unsigned char data[DATA_SIZE];
};

static void put(struct telling *telling, const void *bytes, size_t size)
{
	size_t left = sizeof(telling->data) - telling->size;

	if (size > left)
		size = left;
	memcpy(telling->data + telling->size, bytes, size);
	telling->size += size;
}

static void put_int(struct telling *telling, int64_t value)
{
	put(telling, &value, sizeof(value));
}

static void put_string(struct telling *telling, const char *text)
{
	put(telling, text, strlen(text) + 1);
}

static void tell_bytes(const struct telling *telling, pid_t tid, int id,
		       const unsigned char *data, size_t size)
{
	const struct posix_trace_event_info event = {
		.posix_event_id = (trace_event_id_t)id,
		.posix_pid = telling->pid,
		.posix_tid_np = tid,
		.posix_image_np = POSIX_TRACE_IMAGE_NOW_NP,
		.posix_timestamp = *telling->when,
	};

	posix_trace_trid_event_as_np(telling->trid, &event, data, size, NULL,
				     0);
}

static void tell(struct telling *telling, pid_t tid, int id)
{
	tell_bytes(telling, tid, id, telling->data, telling->size);
	telling->size = 0;
}

/* What does not fit into one event: see PTL_START_PARTS. */
static void tell_parts(const struct telling *telling)
{
	unsigned char part[8192] = {0};
	size_t fixed = 2 * sizeof(int64_t) + 2, most = 0, at;
	trace_attr_t attr;

	if (posix_trace_get_attr(telling->trid, &attr) != 0 ||
	    posix_trace_attr_getmaxdatasize(&attr, &most) != 0 ||
	    most < PTL_START_LEAST)
		return;
	at = most;
	if (most > sizeof(part))
		most = sizeof(part);
	for (int i = 0; i < PTL_START_PARTS && at < telling->size; i++) {
		const int64_t head[2] = {-(int64_t)telling->size, (int64_t)at};
		size_t size = telling->size - at;

		if (size > most - fixed)
			size = most - fixed;
		memcpy(part, head, sizeof(head));
		memcpy(part + fixed, telling->data + at, size);
		tell_bytes(telling, telling->pid, PTL_EV_PROCESS_BEGIN, part,
			   fixed + size);
		at += size;
	}
}

/* ---- the program ----------------------------------------------------- */

/* Where a link of /proc/PID leads to; "": it is not known. */
static void put_link(struct telling *telling, const char *name)
{
	char link[64], path[PATH_MAX];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/%d/%s", (int)telling->pid, name);
	size = readlink(link, path, sizeof(path) - 1);
	path[size > 0 ? size : 0] = '\0';
	put_string(telling, path);
}

/* Servers write a title over their arguments, one string with nothing behind
 * it: "nginx: master process nginx".  Its words are shown then. */
static void part_title(char *words, size_t *size)
{
	char *end = memchr(words, '\0', *size);

	if (end == NULL || memchr(words, ' ', *size) == NULL)
		return;
	for (const char *at = end; at < words + *size; at++)
		if (*at != '\0')
			return;
	while (end > words && end[-1] == ' ')
		*--end = '\0';
	*size = (size_t)(end - words) + 1;
	for (char *at = words; at < end; at++)
		if (*at == ' ')
			*at = '\0';
}

static void put_words(struct telling *telling)
{
	FILE *file = ptl_maps_open(telling->pid, "cmdline");
	char *words = (char *)telling->data + telling->size;
	size_t size;

	if (file == NULL)
		return;
	size = fread(words, 1, sizeof(telling->data) - telling->size, file);
	fclose(file);
	part_title(words, &size);
	telling->size += size;
}

static void tell_program(struct telling *telling)
{
	pid_t pid = telling->pid;

	put_int(telling, ptl_maps_status(pid, "status", "PPid:", 10));
	put_int(telling, ptl_maps_status(pid, "status", "Uid:", 10));
	put_link(telling, "exe");
	put_link(telling, "cwd");
	put_words(telling);
	tell_parts(telling);
	tell(telling, pid, PTL_EV_PROCESS_BEGIN);
}

/* ---- what is mapped -------------------------------------------------- */

static void tell_mapped(struct telling *telling)
{
	FILE *maps = ptl_maps_open(telling->pid, "maps");
	struct ptl_mapping mapping;
	struct ptl_mapped_file mapped;

	while (maps != NULL && ptl_maps_next(maps, &mapping)) {
		if (mapping.path[0] != '/' || mapping.offset != 0 ||
		    !ptl_mapped_read(&mapped, telling->pid, &mapping))
			continue;
		put_int(telling, (int64_t)mapped.base);
		put_int(telling, (int64_t)mapped.size);
		put_string(telling, mapping.path);
		put(telling, &mapped.id_size, 1);
		put(telling, mapped.id, mapped.id_size);
		tell(telling, telling->pid, PTL_EV_DL_MAP);
	}
	if (maps != NULL)
		fclose(maps);
}

/* ---- threads --------------------------------------------------------- */

/* What the kernel calls it; "": it is gone. */
static void read_name(pid_t pid, pid_t tid, char name[NAME_SIZE])
{
	char file[64];
	FILE *comm;
	size_t size = 0;

	snprintf(file, sizeof(file), "task/%d/comm", (int)tid);
	comm = ptl_maps_open(pid, file);
	if (comm != NULL) {
		size = fread(name, 1, NAME_SIZE - 1, comm);
		fclose(comm);
	}
	/* The last newline is the kernel's. */
	name[size > 0 ? size - 1 : 0] = '\0';
}

/* A thread without a name of its own has its maker's. */
static void tell_thread(struct telling *telling, pid_t tid, const char *first)
{
	char name[NAME_SIZE];

	read_name(telling->pid, tid, name);
	if (name[0] == '\0')
		return;
	put_int(telling, tid);
	tell(telling, tid, PTL_EV_THREAD_START);
	if (strcmp(name, first) == 0)
		return;
	put_int(telling, tid);
	put_string(telling, name);
	tell(telling, tid, PTL_EV_THREAD_NAME);
}

static void tell_threads(struct telling *telling)
{
	char path[64], first[NAME_SIZE];
	struct dirent *entry;
	DIR *threads;

	read_name(telling->pid, telling->pid, first);
	snprintf(path, sizeof(path), "/proc/%d/task", (int)telling->pid);
	threads = opendir(path);
	while (threads != NULL && (entry = readdir(threads)) != NULL) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0 && tid != telling->pid)
			tell_thread(telling, tid, first);
	}
	if (threads != NULL)
		closedir(threads);
}

/* ---- all of it ------------------------------------------------------- */

static bool has_our_numbers(pid_t pid)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	return stat(path, &its) == 0 && stat("/proc/self/ns/pid", &ours) == 0 &&
	       its.st_ino == ours.st_ino && its.st_dev == ours.st_dev;
}

void ptl_running_tell(trace_id_t trid, pid_t pid, const struct timespec *when)
{
	static struct telling telling;

	if (!has_our_numbers(pid))
		return;
	telling.trid = trid;
	telling.pid = pid;
	telling.when = when;
	tell_program(&telling);
	tell_mapped(&telling);
	tell_threads(&telling);
}
