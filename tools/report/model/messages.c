/* SPDX-License-Identifier: MIT */
/* Messages of MPI; see mpi.h. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/args/typed.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/report/model/mpi.h"

/* So many messages are kept. */
#define MOST_KEPT 4000000

/* Where a function of C has what: numbers of arguments; 0: it has none, since
 * the first is always something else. */
struct signature {
	const char *name;
	unsigned int to, to_tag, from, from_tag, within;
	bool is_later; /* it does not wait until the message is there */
};

static const struct signature signatures[] = {
	{"Send", 3, 4, 0, 0, 5, false},
	{"Bsend", 3, 4, 0, 0, 5, false},
	{"Ssend", 3, 4, 0, 0, 5, false},
	{"Rsend", 3, 4, 0, 0, 5, false},
	{"Isend", 3, 4, 0, 0, 5, false},
	{"Ibsend", 3, 4, 0, 0, 5, false},
	{"Issend", 3, 4, 0, 0, 5, false},
	{"Irsend", 3, 4, 0, 0, 5, false},
	{"Recv", 0, 0, 3, 4, 5, false},
	{"Irecv", 0, 0, 3, 4, 5, true},
	{"Sendrecv", 3, 4, 8, 9, 10, false},
	{"Sendrecv_replace", 3, 4, 5, 6, 7, false},
};

#define MOST_ARGUMENTS 11

/* What else takes messages, so that the others cannot be counted. */
static const char *const others[] = {"Recv_init", "Mprobe", "Improbe"};

static const struct signature *find_signature(const char *name)
{
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++)
		if (strcmp(signatures[i].name, name) == 0)
			return &signatures[i];
	return NULL;
}

static bool takes_otherwise(const char *name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (strcmp(others[i], name) == 0)
			return true;
	return false;
}

/* Returns how many are known. */
static unsigned int read_arguments(const struct ptl_step *step,
				   uint64_t value[MOST_ARGUMENTS])
{
	const struct ptl_arg *args = ptl_decode_find(&step->view->args, "args");
	struct ptl_typed_walk walk;
	struct ptl_typed_value one;
	unsigned int nr = 0;

	if (args == NULL || args->type != PTL_ARG_ARGUMENTS)
		return 0;
	ptl_typed_arguments(&walk, args->code, args->bytes, args->size);
	while (nr < MOST_ARGUMENTS && ptl_typed_next(&walk, &one) &&
	       one.kind != PTL_TYPED_MORE)
		value[nr++] = one.value;
	return nr;
}

static struct ptl_mpi_channel *get_channel(struct ptl_mpi *mpi,
					   const struct ptl_mpi_job *job,
					   int from, int to, int tag)
{
	const struct {
		const struct ptl_mpi_job *job;
		int64_t from, to, tag;
	} key = {job, from, to, tag};

	return ptl_hash_get(&mpi->channels, &key, sizeof(key));
}

static bool add(struct ptl_mpi *mpi, struct ptl_mpi_call **call, size_t *nr,
		size_t *room, const struct ptl_step *step)
{
	if (mpi->nr_messages >= MOST_KEPT)
		return false;
	mpi->nr_messages++;
	*call = ptl_grow(*call, *nr, room, sizeof(**call));
	(*call)[(*nr)++] = (struct ptl_mpi_call){
		ptl_ns(&step->view->event->posix_timestamp), -1};
	return true;
}

/* The communicator that the rank names; several are not told apart. */
static void see_within(struct ptl_mpi_rank *rank, uint64_t within)
{
	rank->is_within_several |= rank->within != 0 && rank->within != within;
	rank->within = within;
}

static void send(struct ptl_mpi *mpi, const struct ptl_step *step,
		 struct ptl_mpi_rank *rank, int to, int tag)
{
	struct ptl_mpi_channel *channel;

	/* Nobody is below 0. */
	if (to < 0)
		return;
	channel = get_channel(mpi, rank->job, rank->number, to, tag);
	channel->sender = rank;
	add(mpi, &channel->sent, &channel->nr_sent, &channel->sent_room, step);
}

/* From anybody and any tag are below 0, and so is nobody. */
static struct ptl_mpi_channel *receive(struct ptl_mpi *mpi,
				       const struct ptl_step *step,
				       struct ptl_mpi_rank *rank, int from,
				       int tag)
{
	struct ptl_mpi_channel *channel;

	rank->takes_any |= from < 0 || tag < 0;
	if (from < 0 || tag < 0)
		return NULL;
	channel = get_channel(mpi, rank->job, from, rank->number, tag);
	channel->receiver = rank;
	return add(mpi, &channel->received, &channel->nr_received,
		   &channel->received_room, step) ?
		       channel :
		       NULL;
}

struct ptl_mpi_channel *ptl_mpi_messages_call(struct ptl_mpi *mpi,
					      const struct ptl_step *step,
					      struct ptl_mpi_rank *rank,
					      const char *name)
{
	const struct signature *signature = find_signature(name);
	struct ptl_mpi_channel *received = NULL;
	uint64_t value[MOST_ARGUMENTS];

	rank->takes_any |= takes_otherwise(name);
	if (signature == NULL)
		return NULL;
	if (read_arguments(step, value) <= signature->within) {
		rank->takes_any |= signature->from != 0;
		return NULL;
	}
	see_within(rank, value[signature->within]);
	if (signature->to != 0)
		send(mpi, step, rank, (int)value[signature->to],
		     (int)value[signature->to_tag]);
	if (signature->from != 0)
		received = receive(mpi, step, rank, (int)value[signature->from],
				   (int)value[signature->from_tag]);
	return signature->is_later ? NULL : received;
}

size_t ptl_mpi_messages_matched(const struct ptl_mpi_channel *channel)
{
	const struct ptl_mpi_rank *from = channel->sender;
	const struct ptl_mpi_rank *to = channel->receiver;

	if (from == NULL || to == NULL || from->is_within_several ||
	    to->is_within_several || to->takes_any ||
	    channel->nr_sent != channel->nr_received)
		return 0;
	return channel->nr_sent;
}

void ptl_mpi_messages_begin(struct ptl_mpi *mpi)
{
	mpi->channels.value_size = sizeof(struct ptl_mpi_channel);
}

void ptl_mpi_messages_free(struct ptl_mpi *mpi)
{
	struct ptl_mpi_channel *channel = NULL;

	while ((channel = ptl_hash_next(&mpi->channels, channel)) != NULL) {
		free(channel->sent);
		free(channel->received);
	}
	ptl_hash_clear(&mpi->channels);
}
