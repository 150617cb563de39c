/* SPDX-License-Identifier: MIT */
/* What is not a segment of ours, or not for us, is refused with a reason. */
#include "core/shm/segment.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE 4096

static int dir;
static struct ptl_shm_prefix prefix;

static void write_file(const char *name, mode_t mode)
{
	int fd;

	unlinkat(dir, name, 0);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, &prefix, sizeof(prefix)) < 0 ||
	    ftruncate(fd, SIZE) || fchmod(fd, mode))
		diag("cannot make %s", name);
	close(fd);
}

static void attach(const char *name, int want, const char *what)
{
	void *map = &map;
	uint64_t size = 1;
	int err = ptl_segment_attach(dir, name, PTL_SHM_MAGIC_STREAM, 2048,
				     geteuid(), &map, &size);

	is_int(err, want, "%s", what);
	if (err && (map != &map || size != 1))
		ok(0, "%s: the results are touched", what);
}

static void check_prefixes(void)
{
	const struct ptl_shm_prefix good = prefix;

#define CHECK(field, value, what) \
	do { \
		prefix = good; \
		prefix.field = value; \
		write_file("s.2", 0600); \
		attach("s.2", EBADMSG, what); \
	} while (0)

	CHECK(magic, PTL_SHM_MAGIC_NAMES, "another magic");
	CHECK(major, PTL_SHM_MAJOR + 1, "another major version");
	CHECK(byte_order, 0x04030201, "another byte order");
	CHECK(head_size, 0, "no head");
	CHECK(head_size, SIZE + 1, "a head too big");
	CHECK(total_size, SIZE - 1, "another size");
	CHECK(total_size, UINT64_MAX, "an absurd size");
	prefix = good;
	prefix.minor++;
	write_file("s.2", 0600);
	attach("s.2", 0, "another minor version will do");
	prefix = good;
}

static void check_owners(void)
{
	if (geteuid() != 0) {
		skip(2, "not root");
		return;
	}
	write_file("s.3", 0600);
	if (fchownat(dir, "s.3", 61234, -1, 0))
		diag("no chown");
	attach("s.3", EPERM, "somebody else's");
	if (fchownat(dir, "s.3", 0, -1, 0))
		diag("no chown");
	attach("s.3", 0, "root's");
	unlinkat(dir, "s.3", 0);
}

int main(void)
{
	char path[] = "/dev/shm/ptl-test-XXXXXX";
	void *map;
	uint64_t size;

	plan(18);
	if (!mkdtemp(path))
		return 1;
	dir = open(path, O_RDONLY | O_DIRECTORY);
	ptl_segment_prefix(&prefix, PTL_SHM_MAGIC_STREAM, 64, SIZE, 1);
	write_file("s.1", 0600);
	attach("s.1", 0, "a good one");
	attach("s.9", ENOENT, "none");
	is_int(ptl_segment_attach(dir, "s.1", PTL_SHM_MAGIC_STREAM, SIZE + 1,
				  geteuid(), &map, &size),
	       EBADMSG, "one that is too small for what is expected");
	check_prefixes();
	check_owners();

	write_file("s.2", 0644);
	attach("s.2", EPERM, "one that others may read");
	unlinkat(dir, "s.2", 0);
	if (symlinkat("s.1", dir, "s.2"))
		return 1;
	attach("s.2", EPERM, "a link");
	unlinkat(dir, "s.2", 0);
	mkdirat(dir, "s.2", 0700);
	attach("s.2", EBADMSG, "a directory");
	unlinkat(dir, "s.2", AT_REMOVEDIR);
	mkfifoat(dir, "s.2", 0600);
	attach("s.2", EBADMSG, "a pipe");
	unlinkat(dir, "s.2", 0);
	attach("s.2", ENOENT, "one that is gone");

	unlinkat(dir, "s.1", 0);
	rmdir(path);
	return done();
}
