/* SPDX-License-Identifier: MIT */
/*
 * The ranks of parallel programs and their calls of MPI.  A call that all ranks
 * make together, and that nobody leaves before the last has come, is a meeting:
 * the n-th call of such a function by each rank.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_MPI_H
#define PTL_TOOLS_REPORT_MODEL_MPI_H

#include "tools/lib/hash.h"
#include "tools/model/model.h"

struct ptl_mpi_call {
	uint64_t begin; /* ns of CLOCK_REALTIME */
	int64_t took;	/* ns; -1: no end was seen */
};

/* Calls of a function by a rank. */
struct ptl_mpi_calls {
	struct ptl_mpi_calls *next; /* of the same function, by another rank */
	struct ptl_mpi_rank *rank;
	struct ptl_mpi_function *function;
	uint64_t nr;
	int64_t total;		   /* ns, of those that ended */
	struct ptl_mpi_call *call; /* of one that meets: the first ones */
	size_t nr_kept, room;
};

struct ptl_mpi_function {
	struct ptl_mpi_job *job;
	const char *name;
	bool meets;	  /* nobody leaves it before the last has come */
	bool is_uneven;	  /* not all ranks have called it equally often */
	bool is_cut;	  /* there are more calls than were kept, or sums */
	uint64_t nr, met; /* calls; meetings */
	uint64_t unfit;	  /* which were none: somebody had left before */
	size_t nr_even;	  /* calls of each rank that may be meetings */
	struct ptl_mpi_calls *calls; /* by rank, any order */
};

struct ptl_mpi_rank {
	struct ptl_mpi_job *job;
	int number;
	const struct ptl_process *process; /* that calls MPI, or the first */
	const char *host;
	size_t log;	 /* that it is in */
	uint64_t nr;	 /* calls of MPI */
	int64_t in_mpi;	 /* ns; no call inside of another */
	int64_t waited;	 /* ns in meetings until the last came */
	int64_t awaited; /* ns that all others waited for it alone */

	/* Of its messages. */
	uint64_t within; /* the communicator; 0: none was named */
	bool is_within_several;
	bool takes_any; /* some of them may be of anybody */
};

/* What was started together. */
struct ptl_mpi_job {
	const char *launcher, *name; /* NULL: not known */
	size_t order;		     /* among the jobs */
	int64_t size;		     /* ranks; -1: not known */
	size_t nr;		     /* ranks that are in a log */
	bool is_complete;	     /* so all */
	uint64_t met;		     /* meetings */
};

struct ptl_mpi {
	struct ptl_calls_user user;
	struct ptl_hash jobs, ranks, functions, calls; /* as above */
	struct ptl_hash channels;		       /* of messages */
	size_t nr_messages;
	struct ptl_hash members; /* struct ptl_mpi_rank *, by process */
	size_t nr_kept;
	struct ptl_mpi_open *unused;
	struct ptl_mpi_rank **rank; /* by job and number, when all is found */
	size_t nr_ranks;
};

void ptl_mpi_begin(struct ptl_mpi *mpi, struct ptl_model *model);
void ptl_mpi_learn(struct ptl_mpi *mpi, const struct ptl_step *step);
void ptl_mpi_free(struct ptl_mpi *mpi);

/* After the last event: meetings, and what the ranks waited there. */
void ptl_mpi_find(struct ptl_mpi *mpi);

/* Ranks that are in no log: the next gap in the numbers of its job,
 * from *next on, which is 0 at first.  False: there is none. */
bool ptl_mpi_missing(const struct ptl_mpi *mpi, const struct ptl_mpi_job *job,
		     int64_t *next, int64_t *first, int64_t *last);

/*
 * Messages between ranks, by the arguments of the calls: of those with one tag
 * from one rank to another the n-th that is received is the n-th that was sent.
 * That says nothing of a rank that receives from anybody, or in several
 * communicators, whose ranks have other numbers.
 */
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
