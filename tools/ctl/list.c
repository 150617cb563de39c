/* SPDX-License-Identifier: MIT */
/* ptrace-ctl list; see list.h.  What controllers say is foreign. */
#include "tools/ctl/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"

/* What is said of each trace, in this order. */
static const struct column {
	const char *key, *heading;
	int width;
	bool is_number;
} columns[] = {
	{"controller", "CONTROLLER", 10, true},
	{"state", "STATE", -9, false},
	{"policy", "POLICY", -10, false},
	{"processes", "PROCESSES", 9, true},
	{"events", "EVENTS", 12, true},
	{"losses", "LOSSES", 10, true},
	{"log", "LOG", 0, false},
};
#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static void __attribute__((noreturn)) fail(const char *name, const char *why)
{
	ptl_say("cannot write to %s: %s", name, why);
	exit(1);
}

static struct ptl_out *begin(void)
{
	static struct ptl_out out;

	ptl_out_init(&out, STDOUT_FILENO, "standard output", fail);
	return &out;
}

static void put(struct ptl_out *out, size_t i, const char *text)
{
	char cell[64];

	/* The last one is as long as it is. */
	if (i + 1 == NR_COLUMNS) {
		ptl_quote_plain(out, text, strlen(text));
		ptl_out_char(out, '\n');
		return;
	}
	snprintf(cell, sizeof(cell), "%*s  ", columns[i].width, text);
	ptl_quote_plain(out, cell, strlen(cell));
}

void ptl_list_heading(void)
{
	struct ptl_out *out = begin();

	for (size_t i = 0; i < NR_COLUMNS; i++)
		put(out, i, columns[i].heading);
	ptl_out_flush(out);
}

/* A trace's controller is known to us by another number than to itself if it is
 * in another pid namespace. */
static const char *value(const struct ptl_trace *trace, size_t i)
{
	static char pid[16];
	const char *text;

	if (i == 0) {
		snprintf(pid, sizeof(pid), "%d", ptl_trace_pid(trace));
		return pid;
	}
	text = ptl_talk_find(trace->about, columns[i].key);
	return text != NULL ? text : "";
}

void ptl_list_text(const struct ptl_trace *trace)
{
	struct ptl_out *out = begin();

	for (size_t i = 0; i < NR_COLUMNS; i++)
		put(out, i, value(trace, i));
	ptl_out_flush(out);
}

void ptl_list_json(const struct ptl_trace *trace)
{
	struct ptl_out *out = begin();

	for (size_t i = 0; i < NR_COLUMNS; i++) {
		const char *text = value(trace, i);

		ptl_out_str(out, i == 0 ? "{\"" : ",\"");
		ptl_out_str(out, columns[i].key);
		ptl_out_str(out, "\":");
		if (columns[i].is_number)
			ptl_out_uint(out, strtoull(text, NULL, 10));
		else
			ptl_quote_json(out, text, strlen(text));
	}
	ptl_out_str(out, "}\n");
	ptl_out_flush(out);
}
