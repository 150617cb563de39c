/* SPDX-License-Identifier: MIT */
/*
 * Messages between ranks (mpi.h), by the arguments of the calls: of those with
 * one tag from one rank to another the n-th that is received is the n-th that
 * was sent.  That says nothing of a rank that receives from anybody, or in
 * several communicators, whose ranks have other numbers.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_MESSAGES_H
#define PTL_TOOLS_REPORT_MODEL_MESSAGES_H

#include "tools/report/model/mpi.h"

/* All messages with a tag from one rank to another. */
struct ptl_mpi_channel {
	struct ptl_mpi_rank *sender, *receiver; /* NULL: it called nothing */
	struct ptl_mpi_call *sent, *received;
	size_t nr_sent, sent_room, nr_received, received_room;
};

void ptl_mpi_messages_begin(struct ptl_mpi *mpi);
void ptl_mpi_messages_free(struct ptl_mpi *mpi);

/* A call by that rank, whose name behind MPI_ is given.  Returns what it
 * receives, to be told when the call ends; or NULL. */
struct ptl_mpi_channel *ptl_mpi_messages_call(struct ptl_mpi *mpi,
					      const struct ptl_step *step,
					      struct ptl_mpi_rank *rank,
					      const char *name);

/* How many of a channel's messages are known at both ends: all, or none. */
size_t ptl_mpi_messages_matched(const struct ptl_mpi_channel *channel);

#endif
