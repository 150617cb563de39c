/* SPDX-License-Identifier: MIT */
/* File descriptors; see fds.h. */
#include "tools/lib/fds.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <unistd.h>

int ptl_fds_lift(int fd)
{
	int lifted = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int error = errno;

	close(fd);
	errno = error;
	return lifted;
}

static bool is_kept(const int *keep, size_t nr, int fd)
{
	for (size_t i = 0; i < nr; i++)
		if (keep[i] == fd)
			return true;
	return false;
}

/* The lowest kept descriptor from `from' on, or INT_MAX. */
static int next_kept(const int *keep, size_t nr, int from)
{
	int next = INT_MAX;

	for (size_t i = 0; i < nr; i++)
		if (keep[i] >= from && keep[i] < next)
			next = keep[i];
	return next;
}

/* Returns false if the kernel has no close_range (before Linux 5.9). */
static bool close_ranges(const int *keep, size_t nr)
{
	int from = 3;

	while (from < INT_MAX) {
		int next = next_kept(keep, nr, from);

		if (next > from && close_range((unsigned int)from,
					       (unsigned int)next - 1, 0) != 0)
			return false;
		from = next == INT_MAX ? next : next + 1;
	}
	return true;
}

void ptl_fds_keep(const int *keep, size_t nr)
{
	int null;

	if (!close_ranges(keep, nr)) {
		long limit = sysconf(_SC_OPEN_MAX);

		for (int fd = 3; fd < (limit > 0 ? limit : 1024); fd++)
			if (!is_kept(keep, nr, fd))
				close(fd);
	}
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		if (fd != null && !is_kept(keep, nr, fd))
			dup2(null, fd);
	if (null > 2)
		close(null);
}

int ptl_fds_poll(struct pollfd *fds, size_t nr, int timeout)
{
	struct pollfd there[PTL_FDS_POLLED];
	nfds_t nr_there = 0;
	int found;

	for (size_t i = 0; i < nr && nr_there < PTL_FDS_POLLED; i++) {
		fds[i].revents = 0;
		if (fds[i].fd >= 0)
			there[nr_there++] = fds[i];
	}
	found = poll(there, nr_there, timeout);
	nr_there = 0;
	for (size_t i = 0; i < nr && found > 0 && nr_there < PTL_FDS_POLLED;
	     i++)
		if (fds[i].fd >= 0)
			fds[i].revents = there[nr_there++].revents;
	return found;
}
