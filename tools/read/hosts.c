/* SPDX-License-Identifier: MIT */
/*
 * Hosts; see hosts.h.  Two logs are of one host if it has the same name and
 * nothing says otherwise.  A container with a name of its own is a host, too,
 * but has the clock of its machine: logs of one boot have one clock.
 */
#include "tools/read/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/number.h"
#include "tools/lib/say.h"

#define LABEL_SIZE 80

typedef struct posix_trace_info_np info_np;

static bool is_known_and_same(const char *a, const char *b)
{
	return *a != '\0' && strcmp(a, b) == 0;
}

static bool is_one_host(const info_np *a, const info_np *b)
{
	if (strcmp(a->host, b->host) != 0)
		return false;
	return is_known_and_same(a->boot_id, b->boot_id) ||
	       a->machine_id[0] == '\0' || b->machine_id[0] == '\0' ||
	       strcmp(a->machine_id, b->machine_id) == 0;
}

static info_np *ask_all(const struct ptl_source *source, size_t nr)
{
	info_np *info = ptl_alloc(nr * sizeof(*info));

	for (size_t i = 0; i < nr; i++)
		posix_trace_get_info_np(source[i].trid, &info[i]);
	return info;
}

/* The first log of the same host. */
static size_t first_of(const info_np *info, size_t i)
{
	size_t first = 0;

	while (!is_one_host(&info[first], &info[i]))
		first++;
	return first;
}

static size_t count_hosts(const info_np *info, size_t nr)
{
	size_t hosts = 0;

	for (size_t i = 0; i < nr; i++)
		hosts += first_of(info, i) == i;
	return hosts;
}

/* "here"; of several of that name the second is "here#2". */
static char *make_label(const info_np *info, size_t i)
{
	const char *name = info[i].host[0] != '\0' ? info[i].host : "?";
	char *label = ptl_alloc(LABEL_SIZE);
	unsigned int same = 1;

	for (size_t j = 0; j < i; j++)
		same += first_of(info, j) == j &&
			strcmp(info[j].host, info[i].host) == 0;
	if (same == 1)
		snprintf(label, LABEL_SIZE, "%s", name);
	else
		snprintf(label, LABEL_SIZE, "%s#%u", name, same);
	return label;
}

static void find_labels(struct ptl_source *source, size_t nr,
			const info_np *info)
{
	bool is_several = count_hosts(info, nr) > 1;

	for (size_t i = 0; i < nr; i++) {
		size_t first = first_of(info, i);

		/* Shared, so that it can be compared by its address. */
		source[i].host_name = first < i ? source[first].host_name :
						  make_label(info, i);
		source[i].host = is_several ? source[i].host_name : NULL;
	}
}

void ptl_hosts_find(struct ptl_source *source, size_t nr)
{
	info_np *info = ask_all(source, nr);

	find_labels(source, nr, info);
	for (size_t i = 0; i < nr; i++) {
		size_t first = 0;

		while (first < i && !(is_known_and_same(info[first].boot_id,
							info[i].boot_id) &&
				      info[first].clock_offset != 0))
			first++;
		if (first < i && info[i].clock_offset != 0)
			ptl_source_shift(&source[i],
					 info[first].clock_offset -
						 info[i].clock_offset);
	}
	free(info);
}

void ptl_hosts_free(struct ptl_source *source, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char *name = source[i].host_name;

		for (size_t j = i; name != NULL && j < nr; j++)
			if (source[j].host_name == name)
				source[j].host_name = NULL;
		free(name);
	}
}

/* The clocks of all boots: how far two may be apart; -1: one is not known. */
static double find_apart(const info_np *info, size_t nr, size_t *nr_clocks)
{
	double worst[2] = {0, 0};
	bool is_known = true;

	*nr_clocks = 0;
	for (size_t i = 0; i < nr; i++) {
		double error = (double)info[i].clock_error;
		size_t first = 0;

		while (first < i &&
		       !is_known_and_same(info[first].boot_id, info[i].boot_id))
			first++;
		if (first < i)
			continue;
		++*nr_clocks;
		is_known &= info[i].clock_kept > 0;
		if (error > worst[0]) {
			worst[1] = worst[0];
			worst[0] = error;
		} else if (error > worst[1]) {
			worst[1] = error;
		}
	}
	return is_known ? worst[0] + worst[1] : -1;
}

void ptl_hosts_say(const struct ptl_source *source, size_t nr)
{
	info_np *info = ask_all(source, nr);
	size_t clocks;
	double apart = find_apart(info, nr, &clocks);
	size_t hosts = count_hosts(info, nr);
	char text[PTL_NUMBER_SIZE];

	if (hosts > 1 && clocks > 1 && apart >= 0) {
		ptl_say("logs of %zu hosts, whose clocks may be up to %s apart",
			hosts,
			ptl_number_duration_as(
				text, ptl_number_share(1, apart, 1), "us"));
	} else if (hosts > 1 && clocks > 1) {
		ptl_say("logs of %zu hosts; how far their clocks are apart is "
			"not known",
			hosts);
	}
	free(info);
}
