/* SPDX-License-Identifier: MIT */
/*
 * A process that has the library maps its own entry in its run directory.  So
 * its /proc/PID/maps shows whether it has the library, and whose run directory
 * it found when it was started.
 */
#include "tools/monitor/whynot.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "/libptrace.so"
#define RUNDIR "/dev/shm/ptrace-"
#define PF_KTHREAD 0x200000u /* of the kernel's <linux/sched.h> */

static FILE *open_proc(pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return fopen(path, "re");
}

/* The n-th number after `key' in its status; -1: unknown. */
static long status_number(pid_t pid, const char *key, int n)
{
	FILE *status = open_proc(pid, "status");
	size_t size = strlen(key);
	char line[256];
	long number = -1;

	while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
		char *at = line + size;

		if (strncmp(line, key, size) != 0)
			continue;
		while (n-- > 0)
			number = strtol(at, &at, 10);
		break;
	}
	if (status != NULL)
		fclose(status);
	return number;
}

static bool has_ended(pid_t pid)
{
	FILE *status = open_proc(pid, "status");
	bool ended = status == NULL && access("/proc/self/status", F_OK) == 0;
	char line[256], state;

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "State: %c", &state) == 1)
			ended = state == 'Z' || state == 'X';
	if (status != NULL)
		fclose(status);
	return ended;
}

/* Is it known to be in another namespace of that kind? */
static bool is_apart(pid_t pid, const char *kind)
{
	char path[64], own[64] = "", its[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, kind);
	if (readlink(path, its, sizeof(its) - 1) <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	return readlink(path, own, sizeof(own) - 1) > 0 &&
	       strcmp(own, its) != 0;
}

/* What /proc/PID/maps shows. */
struct maps {
	bool is_known;
	bool has_library;
	long uid; /* owner of the run directory it found; -1: none */
};

static struct maps read_maps(pid_t pid)
{
	struct maps maps = {.uid = -1};
	FILE *file = open_proc(pid, "maps");
	char line[4352];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		const char *path = strchr(line, '/');

		maps.is_known = true;
		if (path == NULL)
			continue;
		maps.has_library |= strstr(path, LIBRARY) != NULL;
		if (strncmp(path, RUNDIR, strlen(RUNDIR)) == 0)
			maps.uid = atol(path + strlen(RUNDIR));
	}
	if (file != NULL)
		fclose(file);
	return maps;
}

const char *ptl_whynot_joined(pid_t pid)
{
	struct maps maps = read_maps(pid);

	if (has_ended(pid))
		return "it has ended";
	if (!maps.is_known)
		return "it is not known whether it has libptrace.so";
	if (!maps.has_library)
		return "it was started without libptrace.so";
	if (maps.uid >= 0 && maps.uid != status_number(pid, "Uid:", 2))
		return "it has changed its user since it was started";
	if (is_apart(pid, "mnt"))
		return "it is in another mount namespace, with a /dev/shm of "
		       "its own";
	return "it has libptrace.so, which could not use /dev/shm when it was "
	       "started";
}

/* The flags are the ninth word, the name, in parentheses, being the second. */
static bool is_kernels(pid_t pid)
{
	FILE *file = open_proc(pid, "stat");
	char line[1024] = "";
	unsigned long flags = 0;
	const char *at;

	if (file != NULL && fgets(line, sizeof(line), file) != NULL &&
	    (at = strrchr(line, ')')) != NULL)
		sscanf(at, ") %*c %*d %*d %*d %*d %*d %lu", &flags);
	if (file != NULL)
		fclose(file);
	return flags & PF_KTHREAD;
}

const char *ptl_whynot_permitted(pid_t pid)
{
	static char why[64];
	long uid = status_number(pid, "Uid:", 2);

	if (is_kernels(pid))
		return "it is a thread of the kernel's";
	if (uid < 0 || uid == (long)geteuid())
		return "no permission";
	snprintf(why, sizeof(why), "no permission: it is user %ld's", uid);
	return why;
}
