/* SPDX-License-Identifier: MIT */
/* posix_trace_set_prototypes_np: once for a stream, and gone with it. */
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char table[] = "abs ii\nstrcmp iss\n";
	char path[64];
	trace_id_t trid;
	int files;

	(void)argc;
	private_shm(argv);
	plan(8);
	trid = stream_make(0, NULL);
	files = shm_files();
	is_int(posix_trace_set_prototypes_np(trid, NULL, 1), EINVAL, "no text");
	is_int(posix_trace_set_prototypes_np(trid, table, 0), EINVAL, "empty");
	is_int(posix_trace_set_prototypes_np(trid, table, strlen(table)), 0,
	       "a table");
	is_int(shm_files(), files + 1, "is kept beside the stream");
	is_int(posix_trace_set_prototypes_np(trid, table, strlen(table)),
	       EEXIST, "not a second one");
	stream_end(trid);
	is_int(shm_files(), files - 1, "it goes with the stream");
	is_int(posix_trace_set_prototypes_np(trid, table, strlen(table)),
	       EINVAL, "of no stream");
	/* Of a process that was killed before it could say that they are there.
	 */
	snprintf(path, sizeof(path), "/dev/shm/ptrace-%u/p.1234", geteuid());
	close(open(path, O_CREAT | O_WRONLY, 0600));
	stream_end(stream_make(0, NULL));
	is_int(shm_files(), files - 1, "what a dead stream left is collected");
	return done();
}
