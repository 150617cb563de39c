/* SPDX-License-Identifier: MIT */
/*
 * A process that has the library maps the registry in its run directory.  So
 * its /proc/PID/maps shows whether it has the library, and whose run directory
 * it found when it was started.
 */
#include "tools/monitor/process/whynot.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LIBRARY "/libptrace.so"
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

/* A first thread may have ended before others. */
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
	return ended && status_number(pid, "Threads:", 1) <= 1;
}

const char *ptl_whynot_none(pid_t pid)
{
	static char why[64];
	long process = status_number(pid, "Tgid:", 1);

	if (has_ended(pid))
		return "it has ended";
	if (process < 0 || process == (long)pid)
		return NULL;
	snprintf(why, sizeof(why), "it is a thread of process %ld", process);
	return why;
}

bool ptl_whynot_is_apart(pid_t pid, const char *kind)
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
	bool has_registry;
	long uid;  /* owner of the run directory it found; -1: unknown */
	dev_t dev; /* of the registry */
};

/*
 * Takes apart "/dev/shm/ptrace-UID/r.NUMBER", and other places; where they are
 * in another mount namespace the path begins anywhere.  False if it is none.
 * The letter is that of the kind of file.
 */
static bool is_run_file(const char *path, char letter, long *uid)
{
	const char *name = strrchr(path, '/'), *dir;

	if (name[1] != letter || name[2] != '.' || name[3] < '0' ||
	    name[3] > '9')
		return false;
	for (dir = name; dir > path && dir[-1] != '/'; dir--)
		;
	if (strncmp(dir, "ptrace-", 7) == 0)
		*uid = atol(dir + 7);
	else if (strncmp(path, "/run/ptrace/", 12) == 0)
		*uid = 0;
	else if (strncmp(path, "/run/user/", 10) == 0)
		*uid = atol(path + 10);
	return strncmp(dir, "ptrace", 6) == 0;
}

static struct maps read_maps(pid_t pid)
{
	struct maps maps = {.uid = -1};
	FILE *file = open_proc(pid, "maps");
	unsigned int major, minor;
	char line[4352];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		const char *path = strchr(line, '/');

		maps.is_known = true;
		if (path == NULL)
			continue;
		maps.has_library |= strstr(path, LIBRARY) != NULL;
		/* All that a process keeps when it becomes another user. */
		if (!maps.has_registry)
			is_run_file(path, 'l', &maps.uid);
		if (is_run_file(path, 'r', &maps.uid) &&
		    sscanf(line, "%*s %*s %*s %x:%x", &major, &minor) == 2) {
			maps.has_registry = true;
			maps.dev = makedev(major, minor);
		}
	}
	if (file != NULL)
		fclose(file);
	return maps;
}

bool ptl_whynot_has_library(pid_t pid)
{
	return read_maps(pid).has_library;
}

bool ptl_whynot_is_unjoined(pid_t pid)
{
	struct maps maps = read_maps(pid);

	return maps.has_library && !maps.has_registry;
}

const char *ptl_whynot_joined(pid_t pid)
{
	struct maps maps = read_maps(pid);

	if (has_ended(pid))
		return "it has ended";
	if (!maps.is_known)
		return "it is not known whether it has libptrace.so";
	if (!maps.has_library)
		return "it was started without libptrace.so: see --inject";
	if (maps.uid >= 0 && maps.uid != status_number(pid, "Uid:", 2))
		return "it has changed its user since it was started";
	if (ptl_whynot_is_apart(pid, "mnt"))
		return "it is in another mount namespace, with a /dev/shm of "
		       "its own";
	return "it has libptrace.so, which could not use /dev/shm when it was "
	       "started";
}

bool ptl_whynot_registry(pid_t pid, dev_t *dev, bool *is_ours)
{
	struct maps maps = read_maps(pid);

	*dev = maps.dev;
	*is_ours = maps.uid == status_number(pid, "Uid:", 2);
	return maps.has_registry;
}

const char *ptl_whynot_entered(pid_t pid, int error)
{
	static char why[128];

	if (ptl_whynot_is_apart(pid, "user"))
		return geteuid() == 0 ? "it is in another user namespace: "
					"only its user can trace it" :
					"it is in another user namespace";
	snprintf(why, sizeof(why),
		 "it is in another mount namespace, with a /dev/shm of its "
		 "own: %s",
		 strerror(error));
	return why;
}

/* The words are counted from the name, the second, which is in parentheses. */
bool ptl_whynot_stat(pid_t pid, struct ptl_whynot_stat *stat)
{
	FILE *file = open_proc(pid, "stat");
	unsigned long user, kernel;
	char line[1024] = "";
	const char *at;
	bool known;

	known = file != NULL && fgets(line, sizeof(line), file) != NULL &&
		(at = strrchr(line, ')')) != NULL &&
		sscanf(at,
		       ") %c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %lu %lu",
		       &stat->state, &stat->flags, &user, &kernel) == 4;
	if (file != NULL)
		fclose(file);
	stat->ticks = known ? user + kernel : 0;
	return known;
}

const char *ptl_whynot_kernels(pid_t pid)
{
	struct ptl_whynot_stat stat;

	return ptl_whynot_stat(pid, &stat) && stat.flags & PF_KTHREAD ?
		       "it is a thread of the kernel's" :
		       NULL;
}

const char *ptl_whynot_permitted(pid_t pid)
{
	static char why[64];
	long uid = status_number(pid, "Uid:", 2);

	if (ptl_whynot_kernels(pid) != NULL)
		return ptl_whynot_kernels(pid);
	if (uid < 0 || uid == (long)geteuid())
		return "no permission";
	snprintf(why, sizeof(why), "no permission: it is user %ld's", uid);
	return why;
}

/* What a sysctl of the kernel is; "?": it is not known. */
static const char *kernel_setting(const char *name, char *value, size_t size)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	file = fopen(path, "re");
	if (file == NULL || fgets(value, (int)size, file) == NULL)
		snprintf(value, size, "?");
	if (file != NULL)
		fclose(file);
	value[strcspn(value, "\n")] = '\0';
	return value;
}

/* Where the kernel, or a filter before it, forbids it. */
static void say_forbidden(char *why, size_t size, int error, bool in_kernel)
{
	char value[32];

	snprintf(why, size,
		 "%s: %ssysctl kernel.perf_event_paranoid is %s (%s or less, "
		 "root or CAP_PERFMON allow %s",
		 strerror(error),
		 error == EPERM ?
			 "a seccomp filter may forbid it, as that of a "
			 "container (docker run --cap-add PERFMON); " :
			 "",
		 kernel_setting("perf_event_paranoid", value, sizeof(value)),
		 in_kernel ? "1" : "2",
		 in_kernel ? "samples in the kernel, --sample-kernel)" :
			     "it); --sample-by=timer needs no permission");
}

/* So many events as there are threads times processors. */
static void say_too_many(char *why, size_t size, pid_t pid)
{
	struct rlimit limit = {.rlim_max = 0};

	getrlimit(RLIMIT_NOFILE, &limit);
	snprintf(why, size,
		 "process %d has %ld threads, and each needs an event for each "
		 "of %ld processors: more than half of the %llu files that may "
		 "be open (ulimit -Hn)",
		 (int)pid, status_number(pid, "Threads:", 1),
		 sysconf(_SC_NPROCESSORS_ONLN),
		 (unsigned long long)limit.rlim_max);
}

const char *ptl_whynot_sampled(pid_t pid, int error, bool of_memory,
			       bool in_kernel)
{
	static char why[384];
	char value[32];

	if (of_memory && error == EPERM)
		snprintf(why, sizeof(why),
			 "no memory for the events is left to this user: "
			 "sysctl kernel.perf_event_mlock_kb is %s (more, or "
			 "ulimit -l, allows it)",
			 kernel_setting("perf_event_mlock_kb", value,
					sizeof(value)));
	else if (!of_memory && error == ESRCH)
		snprintf(why, sizeof(why), "process %d has ended", (int)pid);
	else if (!of_memory && error == EMFILE)
		say_too_many(why, sizeof(why), pid);
	else if (!of_memory && (error == EACCES || error == EPERM) &&
		 status_number(pid, "Uid:", 2) != (long)geteuid())
		snprintf(why, sizeof(why), "process %d: %s", (int)pid,
			 ptl_whynot_permitted(pid));
	else if (!of_memory && (error == EACCES || error == EPERM))
		say_forbidden(why, sizeof(why), error, in_kernel);
	else if (!of_memory && (error == ENOSYS || error == ENODEV ||
				error == ENOENT || error == EOPNOTSUPP))
		snprintf(why, sizeof(why),
			 "%s: this kernel has no perf_event_open(2), or not "
			 "its CPU clock; --sample-by=timer does without",
			 strerror(error));
	else if (!of_memory && error == EINVAL)
		snprintf(why, sizeof(why),
			 "%s: samples without those of children (-F) need "
			 "Linux 5.13",
			 strerror(error));
	else
		snprintf(why, sizeof(why), "%s", strerror(error));
	return why;
}

/* The least that a stream, its names and the registry take, in KiB. */
#define LEAST_KIB 480u

const char *ptl_whynot_no_memory(void)
{
	static char why[192];
	struct statvfs shm;
	unsigned long long left, all;

	if (statvfs("/dev/shm", &shm) != 0 || shm.f_blocks == 0)
		return "no memory for the stream (see --stream-size)";
	if (shm.f_files > 0 && shm.f_ffree < 4)
		return "no room for more files in /dev/shm (mount -o "
		       "remount,nr_inodes=0 /dev/shm)";
	left = (unsigned long long)shm.f_bavail * shm.f_frsize / 1024;
	all = (unsigned long long)shm.f_blocks * shm.f_frsize / 1024;
	if (left > LEAST_KIB)
		return "no memory for the stream (see --stream-size)";
	snprintf(why, sizeof(why),
		 "no memory for the stream: of /dev/shm %llu KiB are left, and "
		 "up to %u are needed (mount -o remount,size=%lluK /dev/shm)",
		 left, LEAST_KIB, all - left + 2048);
	return why;
}
