/* SPDX-License-Identifier: MIT */
/*
 * Sockets by address: who is at the other end, as far as both are in the trace.
 * All connections to one listening socket are one: by processes they are told
 * apart, if at all.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_PEERS_H
#define PTL_TOOLS_REPORT_MODEL_PEERS_H

#include "tools/model/files/files.h"

enum ptl_peer_side {
	PTL_PEER_CLIENT,
	PTL_PEER_SERVER,
	PTL_PEER_LISTENER,
	PTL_PEER_SIDES,
};

/* A listening socket, and those that were connected to it. */
struct ptl_peers {
	/* Of each side, who is known to have a socket; of several the last. */
	const struct ptl_process *process[PTL_PEER_SIDES];
	bool are_several[PTL_PEER_SIDES];
};

struct ptl_peers_all;

struct ptl_peers_all *ptl_peers_new(void);
void ptl_peers_free(struct ptl_peers_all *all);

/* bind() and connect(), by the file that the descriptor stands for from then
 * on; and accept(): both are files of the listening socket, and of the new one.
 */
void ptl_peers_bind(struct ptl_peers_all *all, const struct ptl_step *step,
		    const struct ptl_file *file);
struct ptl_peers *ptl_peers_connect(struct ptl_peers_all *all,
				    const struct ptl_step *step,
				    const struct ptl_file *file);
struct ptl_peers *ptl_peers_accept(struct ptl_peers_all *all,
				   const struct ptl_file *listener,
				   const struct ptl_file *file);

/* NULL: it has no address, as socket pairs. */
struct ptl_peers *ptl_peers_of(const struct ptl_peers_all *all,
			       const struct ptl_file *file,
			       enum ptl_peer_side *side);

/* Who is at that side. */
void ptl_peers_note(struct ptl_peers *peers, enum ptl_peer_side side,
		    const struct ptl_process *process);

#endif
