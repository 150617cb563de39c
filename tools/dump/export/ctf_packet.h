/* SPDX-License-Identifier: MIT */
/*
 * The packets of a CTF trace, and the files that they are in.  A packet has
 * events of one thread; packets of a file do not overlap in time: each thread
 * has a file of its own, which another one goes on with when it has ended.  At
 * most so many packets are open at once, so that neither memory nor the number
 * of files grows with the log.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_CTF_PACKET_H
#define PTL_TOOLS_DUMP_EXPORT_CTF_PACKET_H

#include "tools/dump/export/bytes.h"
#include "tools/dump/export/ctf_text.h"
#include "tools/dump/parts/sink.h"
#include "tools/dump/export/tracks.h"

struct ptl_ctf_packets {
	const struct ptl_sink *sink;
	const char *directory; /* of the trace, below the sink's; "" or "1/" */
	unsigned char uuid[PTL_CTF_UUID];
	struct ptl_ctf_packet *newest, *oldest; /* by their last use */
	size_t nr_open;
	uint64_t *file_end; /* of the last packet of each file */
	size_t nr_files, files_room;
};

/*
 * Where the thread's next event goes: of time `now', which is no less than that
 * of any before.  Valid until the next call for any of the packets.
 */
struct ptl_bytes *ptl_ctf_packet_get(struct ptl_ctf_packets *packets,
				     struct ptl_track *track, uint64_t now);

/* The thread's next event is in another one. */
void ptl_ctf_packet_cut(struct ptl_ctf_packets *packets,
			struct ptl_track *track);

/* Writes all, and one file more that says how many events were lost between
 * these times, if any. */
void ptl_ctf_packet_close(struct ptl_ctf_packets *packets);
void ptl_ctf_packet_lost(struct ptl_ctf_packets *packets, uint64_t lost,
			 uint64_t from, uint64_t until);

#endif
