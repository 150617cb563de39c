/* SPDX-License-Identifier: MIT */
/* The files that were handed over; see kept.h. */
#include "tools/monitor/symbols/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/perfmap.h"
#include "tools/lib/say.h"
#include "tools/monitor/symbols/condense.h"

/* Each is a descriptor of ours, of which a process may have few. */
#define FILES_MAX 512
#define FILES_PART 4
/* Of a larger list of a JIT's names not all would be read. */
#define MAP_MAX (64 << 20)

void ptl_kept_begin(struct ptl_keeping *kept, const char *which)
{
	struct rlimit files;

	kept->most = FILES_MAX;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 &&
	    files.rlim_cur / FILES_PART < FILES_MAX)
		kept->most = files.rlim_cur / FILES_PART;
	kept->begun = (uint64_t)time(NULL);
	kept->is_all = which != NULL && strcmp(which, "all") == 0;
}

static bool is_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_as_it_was(const struct stat *a, const struct stat *b)
{
	return is_file(a, b) && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void ptl_kept_take(struct ptl_keeping *kept, const char *path, int fd)
{
	struct ptl_keeping_file *file;
	struct stat status;

	if (kept->nr >= kept->most || fstat(fd, &status) != 0 ||
	    !S_ISREG(status.st_mode))
		return;
	for (size_t i = 0; i < kept->nr; i++)
		if (is_as_it_was(&kept->file[i].status, &status) &&
		    strcmp(kept->file[i].path, path) == 0)
			return;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return;
	kept->file = ptl_grow(kept->file, kept->nr, &kept->room,
			      sizeof(*kept->file));
	file = &kept->file[kept->nr++];
	*file = (struct ptl_keeping_file){status, ptl_alloc(strlen(path) + 1),
					  fd};
	strcpy(file->path, path);
}

/* Where what there is goes soon. */
static bool is_passing(const char *path)
{
	static const char *const places[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}

/* Is it known what it was, and would nobody find it later? */
static bool is_wanted(const struct ptl_keeping *kept,
		      const struct ptl_keeping_file *file)
{
	struct stat now, named;

	if (fstat(file->fd, &now) != 0 || !is_as_it_was(&now, &file->status))
		return false;
	return kept->is_all || is_passing(file->path) ||
	       stat(file->path, &named) != 0 || !is_file(&named, &now);
}

/* A number between these two, and nothing else. */
static bool is_map(const char *name)
{
	static const char before[] = "perf-", after[] = ".map";
	size_t digits;

	if (strncmp(name, before, sizeof(before) - 1) != 0)
		return false;
	name += sizeof(before) - 1;
	digits = strspn(name, "0123456789");
	return digits > 0 && digits < 11 && strcmp(name + digits, after) == 0;
}

/* What a JIT of ours says of its code, /tmp/perf-PID.map, since the trace
 * began.  Other users may put there whatever they like, as often as they like:
 * root does not take theirs either. */
static int open_map(const struct ptl_keeping *kept, int dir, const char *name)
{
	int fd = ptl_perfmap_open_path(dir, name, geteuid());
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) != 0 ||
			(uint64_t)status.st_mtim.tv_sec < kept->begun ||
			status.st_size == 0 || status.st_size > MAP_MAX)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void note(struct ptl_keeping *kept, int error)
{
	if (kept->error == 0)
		kept->error = error;
}

/* Calls with each of them, if it is given; returns how many there are. */
static size_t each_map(struct ptl_keeping *kept, int log_fd)
{
	DIR *dir = opendir("/tmp");
	struct dirent *entry;
	size_t nr = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		int fd = is_map(entry->d_name) ?
				 open_map(kept, dirfd(dir), entry->d_name) :
				 -1;

		if (fd < 0)
			continue;
		nr++;
		if (log_fd >= 0)
			note(kept, ptl_condense_map(log_fd, fd,
						    strtol(entry->d_name + 5,
							   NULL, 10)));
		close(fd);
	}
	if (dir != NULL)
		closedir(dir);
	return nr;
}

static size_t each_file(struct ptl_keeping *kept, int log_fd)
{
	size_t nr = 0;

	for (size_t i = 0; i < kept->nr; i++) {
		if (!is_wanted(kept, &kept->file[i]))
			continue;
		nr++;
		if (log_fd >= 0)
			note(kept, ptl_condense_file(log_fd, kept->file[i].fd,
						     kept->file[i].path));
	}
	return nr;
}

int ptl_kept_enclose(struct ptl_keeping *kept, int log_fd)
{
	pid_t child;
	int status = 0;

	if (each_file(kept, -1) + each_map(kept, -1) == 0)
		return 0;
	child = fork();
	if (child == 0) {
		each_file(kept, log_fd);
		each_map(kept, log_fd);
		_exit(kept->error);
	}
	if (child < 0)
		return errno;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? EINTR : WEXITSTATUS(status);
}
