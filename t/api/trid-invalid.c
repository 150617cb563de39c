/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11: a trid is valid in the process that got it, until shutdown or
 * close; for any other every function returns EINVAL.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/trid.h"

int main(void)
{
	trace_id_t trid, log, stale, inherited;
	int fd = file_make();
	struct proc p;

	plan(14);
	is_int(trid_taken(0), 0, "0, before any stream");
	trid = stream_make_log(0, NULL, fd);
	stream_end(trid);
	is_int(trid_taken(trid), 0, "[shutdown.3] after shutdown");
	log = log_open(fd);
	is_int(posix_trace_close(log), 0, "close");
	is_int(trid_taken(log), 0, "after close");
	stale = trid;
	trid = stream_make(0, NULL);
	ok(trid != stale, "no trid comes again soon");
	is_int(trid_taken(stale), 0, "a stale one in the place of another");
	is_int(trid_taken(0), 0, "[shutdown.12] 0");
	is_int(trid_taken((trace_id_t)-1), 0, "all ones");
	is_int(trid_taken((trace_id_t)-1 >> 1), 0, "0x7fff...");
	is_int(trid_taken((trace_id_t)0x7f7f7f7f7f7f7f7f), 0, "0x7f7f...");
	is_int(trid_taken(trid ^ 1024), 0, "another generation");
	is_int(trid_taken(trid + 1), 0, "the next");
	inherited = trid;
	proc_start(&p, trid_taken_by, &inherited);
	is_int(proc_wait(&p), 0, "[create.14] the parent's, in a child");
	is_int(posix_trace_shutdown(trid), 0, "the true one is still good");
	return done();
}
