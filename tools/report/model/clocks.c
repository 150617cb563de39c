/* SPDX-License-Identifier: MIT */
/* Clocks of hosts by meetings and messages; see clocks.h. */
#include "tools/report/model/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* No clocks are further apart, in ns: 36 years. */
#define FARTHEST (INT64_C(1) << 60)

/* The later clock is so much ahead of the earlier one at most. */
struct edge {
	size_t from, to;
	int64_t most;
};

/* Logs of one boot have one clock (tools/read/hosts.h); of an unknown one,
 * those of one host. */
static void group_logs(struct ptl_mpi_clocks *clocks,
		       const struct ptl_merge *merge)
{
	struct ptl_hash numbers = {.value_size = sizeof(size_t)};
	struct posix_trace_info_np info;

	for (size_t i = 0; i < merge->nr_sources; i++) {
		const char *host = merge->source[i].host_name, *key = host;
		size_t *number;

		if (posix_trace_get_info_np(merge->source[i].trid, &info) ==
			    0 &&
		    info.boot_id[0] != '\0')
			key = info.boot_id;
		number = ptl_hash_get(&numbers, key, strlen(key) + 1);
		if (*number == 0) {
			*number = ++clocks->nr;
			clocks->clock[*number - 1] = (struct ptl_mpi_clock){
				.host = ptl_intern(host, strlen(host) + 1),
				.low = INT64_MIN,
				.high = INT64_MAX,
			};
		}
		clocks->of[i] = *number - 1;
	}
	ptl_hash_clear(&numbers);
}

static void look_at(struct ptl_mpi_clocks *clocks,
		    const struct ptl_mpi_function *function, size_t n)
{
	const struct ptl_mpi_calls *calls = function->calls;

	for (size_t i = 0; i < clocks->nr; i++)
		clocks->clock[i].come = clocks->clock[i].left = 0;
	for (; calls != NULL; calls = calls->next) {
		const struct ptl_mpi_call *call = &calls->call[n];
		struct ptl_mpi_clock *clock =
			&clocks->clock[clocks->of[calls->rank->log]];
		uint64_t left = call->begin + (uint64_t)call->took;

		if (call->begin > clock->come)
			clock->come = call->begin;
		if (call->took >= 0 && (clock->left == 0 || left < clock->left))
			clock->left = left;
	}
}

/* By one clock somebody had left before another came: that was no meeting. */
static bool is_unfit(const struct ptl_mpi_clocks *clocks)
{
	for (size_t i = 0; i < clocks->nr; i++)
		if (clocks->clock[i].left > 0 &&
		    clocks->clock[i].left < clocks->clock[i].come)
			return true;
	return false;
}

static void raise_low(struct ptl_mpi_clock *clock, int64_t low)
{
	if (low > clock->low && low < FARTHEST && low > -FARTHEST)
		clock->low = low;
}

static void lower_high(struct ptl_mpi_clock *clock, int64_t high)
{
	if (high < clock->high && high < FARTHEST && high > -FARTHEST)
		clock->high = high;
}

static void learn(struct ptl_mpi_clocks *clocks)
{
	const struct ptl_mpi_clock *first = &clocks->clock[0];

	if (is_unfit(clocks) || first->left == 0)
		return;
	for (size_t i = 1; i < clocks->nr; i++) {
		struct ptl_mpi_clock *clock = &clocks->clock[i];
		int64_t low = (int64_t)(clock->come - first->left);
		int64_t high = (int64_t)(clock->left - first->come);

		if (clock->left == 0)
			continue;
		clock->nr++;
		raise_low(clock, low);
		lower_high(clock, high);
	}
}

static void learn_message(struct ptl_mpi_clocks *clocks, struct ptl_hash *edges,
			  const struct ptl_mpi_channel *channel, size_t n)
{
	const struct ptl_mpi_call *received = &channel->received[n];
	size_t key[] = {clocks->of[channel->sender->log],
			clocks->of[channel->receiver->log]};
	struct edge *edge;
	int64_t most;

	if (key[0] == key[1] || received->took < 0)
		return;
	clocks->clock[key[0]].messages++;
	clocks->clock[key[1]].messages++;
	most = (int64_t)(received->begin + (uint64_t)received->took -
			 channel->sent[n].begin);
	edge = ptl_hash_get(edges, key, sizeof(key));
	if (edge->from == edge->to || most < edge->most)
		*edge = (struct edge){key[0], key[1], most};
}

/* Of three clocks the second may tell how far the third is from the first.
 * Returns whether anything is known better by it. */
static bool relax(struct ptl_mpi_clocks *clocks, const struct edge *edge)
{
	struct ptl_mpi_clock *from = &clocks->clock[edge->from];
	struct ptl_mpi_clock *to = &clocks->clock[edge->to];
	int64_t low = from->low, high = to->high;

	if (from->low > from->high || to->low > to->high)
		return false;
	if (edge->to > 0 && ptl_mpi_clock_has_high(from))
		lower_high(to, from->high + edge->most);
	if (edge->from > 0 && ptl_mpi_clock_has_low(to))
		raise_low(from, to->low - edge->most);
	return from->low != low || to->high != high;
}

static void learn_messages(struct ptl_mpi_clocks *clocks,
			   const struct ptl_mpi *mpi)
{
	struct ptl_hash edges = {.value_size = sizeof(struct edge)};
	const struct ptl_mpi_channel *channel = NULL;
	bool is_better = true;

	while ((channel = ptl_hash_next(&mpi->channels, channel)) != NULL) {
		size_t nr = ptl_mpi_messages_matched(channel);

		for (size_t n = 0; n < nr; n++)
			learn_message(clocks, &edges, channel, n);
	}
	for (size_t round = 0; is_better && round < clocks->nr; round++) {
		const struct edge *edge = NULL;

		is_better = false;
		while ((edge = ptl_hash_next(&edges, edge)) != NULL)
			if (edge->most < FARTHEST && edge->most > -FARTHEST)
				is_better |= relax(clocks, edge);
	}
	ptl_hash_clear(&edges);
}

void ptl_mpi_clocks_find(struct ptl_mpi_clocks *clocks,
			 const struct ptl_mpi *mpi,
			 const struct ptl_merge *merge)
{
	const struct ptl_mpi_function *function = NULL;
	size_t nr = merge->nr_sources + 1;

	*clocks = (struct ptl_mpi_clocks){
		.clock = ptl_alloc(nr * sizeof(*clocks->clock)),
		.of = ptl_alloc(nr * sizeof(*clocks->of)),
	};
	group_logs(clocks, merge);
	if (clocks->nr < 2)
		return;
	while ((function = ptl_hash_next(&mpi->functions, function)) != NULL) {
		for (size_t n = 0; function->meets && n < function->nr_even;
		     n++) {
			look_at(clocks, function, n);
			learn(clocks);
		}
	}
	clocks->clock[0].low = clocks->clock[0].high = 0;
	learn_messages(clocks, mpi);
}

void ptl_mpi_clocks_free(struct ptl_mpi_clocks *clocks)
{
	free(clocks->clock);
	free(clocks->of);
}
