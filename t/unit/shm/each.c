/* SPDX-License-Identifier: MIT */
/* The files of a directory are gone through by prefix, and may go meanwhile. */
#include "core/shm/segment.h"

#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NR_FILES 300

static int nr_seen;

static int count(int dir, const char *name, void *arg)
{
	(void)dir, (void)name, (void)arg;
	nr_seen++;
	return 0;
}

static int stop_at_5(int dir, const char *name, void *arg)
{
	(void)dir, (void)name, (void)arg;
	return ++nr_seen == 5 ? 42 : 0;
}

static int unlink_it(int dir, const char *name, void *arg)
{
	(void)arg;
	nr_seen++;
	return unlinkat(dir, name, 0) ? 1 : 0;
}

static int nest(int dir, const char *name, void *arg)
{
	(void)name, (void)arg;
	return ptl_rundir_each(dir, "t.", count, NULL);
}

static int each(int dir, const char *prefix,
		int (*fn)(int dir, const char *name, void *arg), int *seen)
{
	int ret;

	nr_seen = 0;
	ret = ptl_rundir_each(dir, prefix, fn, NULL);
	*seen = nr_seen;
	return ret;
}

int main(void)
{
	char path[] = "/dev/shm/ptl-test-XXXXXX", name[PTL_SHM_NAME];
	int dir, seen;

	plan(11);
	if (!mkdtemp(path))
		return 1;
	dir = open(path, O_RDONLY | O_DIRECTORY);
	for (uint64_t i = 0; i < NR_FILES; i++) {
		ptl_segment_name_stream(name, UINT64_MAX - i);
		close(openat(dir, name, O_CREAT | O_RDWR, 0600));
	}
	ptl_segment_name_names(name, 255);
	is_str(name, "t.ff", "a name table's name");
	close(openat(dir, name, O_CREAT | O_RDWR, 0600));
	close(openat(dir, "p.1", O_CREAT | O_RDWR, 0600));

	is_int(each(dir, "s.", count, &seen), 0, "all streams");
	is_int(seen, NR_FILES, "were seen");
	each(dir, "s.", count, &seen);
	is_int(seen, NR_FILES, "and again");
	is_int(each(dir, "s.", stop_at_5, &seen), 42, "until it is enough");
	is_int(seen, 5, "no more");
	each(dir, "p.", nest, &seen);
	is_int(seen, 1, "once more within");
	is_int(each(dir, "s.", unlink_it, &seen), 0, "all removed");
	is_int(seen, NR_FILES, "each once");
	each(dir, "", unlink_it, &seen);
	unlinkat(dir, "t.ff", 0);
	unlinkat(dir, "p.1", 0);
	is_int(rmdir(path), 0, "nothing is left");
	ok(each(-1, "s.", count, &seen) < 0, "no directory");
	return done();
}
