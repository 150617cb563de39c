/* SPDX-License-Identifier: MIT */
/*
 * Two processes that make their user's run directory come to the same, whatever
 * comes to or goes from the first place at any moment.
 */
#include "core/shm/place.h"
#include "core/shm/rundir.h"

#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#define UID 3987654321u

static const char *path_of(unsigned int place)
{
	static char path[PTL_PLACE_PATH];

	ptl_place_path(path, UID, place);
	return path;
}

static void clear(void)
{
	for (unsigned int i = 0; i < PTL_PLACE_LAST; i++) {
		rmdir(path_of(i));
		unlink(path_of(i));
	}
}

static void squat(void)
{
	close(open(path_of(0), O_CREAT | O_EXCL, 0600));
}

static void leave(void)
{
	unlink(path_of(0));
}

/* Which place we come to, having looked for none. */
static int come(void)
{
	int dir;

	close(ptl_rundir_open(0, true));
	dir = ptl_rundir_open(UID, true);
	close(dir);
	return dir < 0 ? 99 : ptl_rundir_place(UID);
}

static int stepped(struct proc *self, void *arg)
{
	int dir;

	(void)self;
	(void)arg;
	close(ptl_rundir_open(0, true));
	step_here();
	dir = ptl_rundir_open(UID, true);
	step_here();
	return dir < 0 ? 99 : ptl_rundir_place(UID);
}

/* How many places there are to be found. */
static int nr_there(void)
{
	struct stat st;
	int nr = 0;

	for (unsigned int i = 0; i < PTL_PLACE_LAST; i++)
		nr += lstat(path_of(i), &st) == 0 && S_ISDIR(st.st_mode);
	return nr;
}

/* What happens before they come; right before we do, and right after. */
struct story {
	const char *what;
	void (*first)(void);
	void (*before)(void);
	void (*after)(void);
};

/* We come at that step of theirs; false: they were through. */
static bool meet(const struct story *story, long turn, int *bad)
{
	int ours = -1, theirs;
	struct proc p;

	clear();
	story->first();
	proc_start(&p, stepped, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	for (long n = 0; step_on(&p, PTRACE_SYSCALL); n++)
		if (n == turn) {
			story->before();
			ours = come();
			story->after();
		}
	theirs = step_finish(&p);
	if (ours >= 0 && (ours != theirs || nr_there() != 1)) {
		diag("step %ld: we in %d, they in %d of %d", turn, ours, theirs,
		     nr_there());
		(*bad)++;
	}
	return ours >= 0;
}

int main(int argc, char **argv)
{
	static const struct story stories[] = {
		{"nothing in the way", leave, leave, leave},
		{"something goes away", squat, leave, leave},
		{"something comes", leave, squat, squat},
		{"something comes and goes", leave, squat, leave},
	};

	(void)argc;
	if (geteuid() != 0)
		skip_all("not root");
	step_needed();
	private_shm(argv);
	plan(4);
	for (unsigned int i = 0; i < 4; i++) {
		long turn = 0;
		int bad = 0;

		while (meet(&stories[i], turn, &bad))
			turn++;
		ok(turn > 20 && bad == 0, "%s: %d of %ld steps",
		   stories[i].what, bad, turn);
	}
	clear();
	return done();
}
