/* SPDX-License-Identifier: MIT */
/*
 * Hosts; see hosts.h.  Two logs are of one host if it has the same name and
 * nothing says otherwise: they are of one boot, or of one machine, or it is not
 * known of which machine one of them is.  A container with a name of its own is
 * a host, too, but has the clock of its machine: logs of one boot have one
 * clock.
 */
#include "tools/read/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/hash.h"
#include "tools/lib/number.h"
#include "tools/lib/say.h"

#define LABEL_SIZE 80

typedef struct posix_trace_info_np info_np;

static info_np *ask_all(const struct ptl_source *source, size_t nr)
{
	info_np *info = ptl_alloc(nr * sizeof(*info));

	for (size_t i = 0; i < nr; i++)
		posix_trace_get_info_np(source[i].trid, &info[i]);
	return info;
}

/* A key: what is looked for, and two texts. */
struct key {
	char bytes[2 + sizeof(((info_np *)0)->host) +
		   sizeof(((info_np *)0)->boot_id)];
	size_t size;
};

static struct key make_key(char what, const char *a, const char *b)
{
	struct key key = {.size = 1};
	const char *text[] = {a, b};

	key.bytes[0] = what;
	for (size_t i = 0; i < 2; i++) {
		size_t size = strlen(text[i]) + 1;

		memcpy(key.bytes + key.size, text[i], size);
		key.size += size;
	}
	return key;
}

/* The first log of which that is true, or `none'. */
static size_t first_with(const struct ptl_hash *firsts, char what,
			 const char *a, const char *b, size_t none)
{
	struct key key = make_key(what, a, b);
	const size_t *first = ptl_hash_find(firsts, key.bytes, key.size);

	return first != NULL ? *first : none;
}

/* Notes what is true of log i. */
static void note(struct ptl_hash *firsts, char what, const char *a,
		 const char *b, size_t i)
{
	struct key key = make_key(what, a, b);

	if (ptl_hash_find(firsts, key.bytes, key.size) == NULL)
		*(size_t *)ptl_hash_get(firsts, key.bytes, key.size) = i;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The first log of the same host, found without
 * comparing all pairs: there may be thousands. */
static size_t first_of(struct ptl_hash *firsts, const info_np *info, size_t i)
{
	const char *host = info[i].host, *boot = info[i].boot_id;
	const char *machine = info[i].machine_id;
	size_t first = i;

	if (boot[0] != '\0')
		first = least(first, first_with(firsts, 'b', host, boot, i));
	if (machine[0] == '\0')
		first = least(first, first_with(firsts, 'h', host, "", i));
	else
		first = least(
			least(first, first_with(firsts, 'm', host, machine, i)),
			first_with(firsts, 'm', host, "", i));
	note(firsts, 'b', host, boot, i);
	note(firsts, 'h', host, "", i);
	note(firsts, 'm', host, machine, i);
	return first;
}

/* For each log the first one of the same host.  Returns how many hosts there
 * are. */
static size_t find_firsts(const info_np *info, size_t nr, size_t *first)
{
	struct ptl_hash firsts = {.value_size = sizeof(size_t)};
	size_t hosts = 0;

	for (size_t i = 0; i < nr; i++) {
		first[i] = first_of(&firsts, info, i);
		hosts += first[i] == i;
	}
	ptl_hash_clear(&firsts);
	return hosts;
}

/* "here"; of several of that name the second is "here#2". */
static char *make_label(const char *host, size_t number)
{
	const char *name = host[0] != '\0' ? host : "?";
	char *label = ptl_alloc(LABEL_SIZE);

	if (number == 1)
		snprintf(label, LABEL_SIZE, "%s", name);
	else
		snprintf(label, LABEL_SIZE, "%s#%zu", name, number);
	return label;
}

static void find_labels(struct ptl_source *source, size_t nr,
			const info_np *info)
{
	struct ptl_hash named = {.value_size = sizeof(size_t)};
	size_t *first = ptl_alloc(nr * sizeof(*first));
	bool is_several = find_firsts(info, nr, first) > 1;

	for (size_t i = 0; i < nr; i++) {
		const char *host = info[i].host;

		source[i].owns_host_name = first[i] == i;
		/* Shared, so that it can be compared by its address. */
		source[i].host_name =
			first[i] < i ?
				source[first[i]].host_name :
				make_label(host,
					   ++*(size_t *)ptl_hash_get(
						   &named, host, strlen(host)));
		source[i].host = is_several ? source[i].host_name : NULL;
	}
	ptl_hash_clear(&named);
	free(first);
}

void ptl_hosts_find(struct ptl_source *source, size_t nr)
{
	struct ptl_hash firsts = {.value_size = sizeof(size_t)};
	info_np *info = ask_all(source, nr);

	find_labels(source, nr, info);
	for (size_t i = 0; i < nr; i++) {
		const char *boot = info[i].boot_id;
		size_t first;

		if (boot[0] == '\0' || info[i].clock_offset == 0)
			continue;
		note(&firsts, 'b', boot, "", i);
		first = first_with(&firsts, 'b', boot, "", i);
		if (first < i)
			ptl_source_shift(&source[i],
					 info[first].clock_offset -
						 info[i].clock_offset);
	}
	ptl_hash_clear(&firsts);
	free(info);
}

void ptl_hosts_free(struct ptl_source *source, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (source[i].owns_host_name)
			free(source[i].host_name);
		source[i].owns_host_name = false;
		source[i].host_name = NULL;
	}
}

/* The clocks of all boots: how far two may be apart; -1: one is not known. */
static double find_apart(const info_np *info, size_t nr, size_t *nr_clocks)
{
	double worst[2] = {0, 0};
	struct ptl_hash firsts = {.value_size = sizeof(size_t)};
	bool is_known = true;

	*nr_clocks = 0;
	for (size_t i = 0; i < nr; i++) {
		double error = (double)info[i].clock_error;
		const char *boot = info[i].boot_id;

		if (boot[0] != '\0') {
			note(&firsts, 'b', boot, "", i);
			if (first_with(&firsts, 'b', boot, "", i) < i)
				continue;
		}
		++*nr_clocks;
		is_known &= info[i].clock_kept > 0;
		if (error > worst[0]) {
			worst[1] = worst[0];
			worst[0] = error;
		} else if (error > worst[1]) {
			worst[1] = error;
		}
	}
	ptl_hash_clear(&firsts);
	return is_known ? worst[0] + worst[1] : -1;
}

void ptl_hosts_say(const struct ptl_source *source, size_t nr)
{
	info_np *info = ask_all(source, nr);
	size_t clocks;
	double apart = find_apart(info, nr, &clocks);
	size_t *first = ptl_alloc(nr * sizeof(*first));
	size_t hosts = find_firsts(info, nr, first);
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
	free(first);
	free(info);
}
