/* SPDX-License-Identifier: MIT */
/*
 * Pipes and sockets: who waits for data in them, for room, for the end of the
 * data, or for a connection, and who writes, reads, connects or goes away.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_CHANNELS_H
#define PTL_TOOLS_REPORT_MODEL_CHANNELS_H

#include "tools/model/files/files.h"
#include "tools/report/model/awaited.h"

struct ptl_channels;

struct ptl_channels *ptl_channels_new(struct ptl_waits_kept *waits);
void ptl_channels_free(struct ptl_channels *channels);

/* What the event does with files, and for how long. */
void ptl_channels_learn(struct ptl_channels *channels,
			struct ptl_strand *strand, const struct ptl_step *step);

/* poll() and the like. */
void ptl_channels_poll(struct ptl_channels *channels, struct ptl_strand *strand,
		       const struct ptl_step *step);

/* The strand's process ends; before that is learned. */
void ptl_channels_end(struct ptl_channels *channels, struct ptl_strand *strand,
		      int64_t now);

#endif
