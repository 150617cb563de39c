/* SPDX-License-Identifier: MIT */
/*
 * ptrace-report against any bytes: whatever is in a log, each view is fit for a
 * terminal, or JSON, and the end comes.  The last byte chooses the view, and
 * whether checks are made right again, so that what is behind them is reached;
 * logs as they are written are good seeds with a byte added.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "t/fuzz/fuzz.h"
#include "t/lib/mklog.h"
#include "tools/page/template.h"
#include "tools/report/draw/svg_template.h"

/* With its main() by another name. */
int report_main(int argc, char **argv);
#define main report_main
#include "tools/report/main.c"
#undef main

#define OUTPUT_MAX (64u << 20)

static int report(void *arg)
{
	char **argv = arg;
	int argc = 0;

	while (argv[argc])
		argc++;
	optind = 0;
	return report_main(argc, argv);
}

/* Two options for each; an empty one is not given. */
static char views[][2][16] = {
	{"", ""},
	{"--processes", ""},
	{"--calls", "--callers"},
	{"--files", "--path=*"},
	{"--locks", ""},
	{"--memory", ""},
	{"--io", ""},
	{"--events", ""},
	{"--calls", "--tree"},
	{"--flame=-", ""},
	{"--dot=-", ""},
	{"--html=-", ""},
	{"--waits", ""},
	{"--critical-path", ""},
	{"--spans", ""},
	{"--values", ""},
	{"--contexts", ""},
	{"--cpu", ""},
	{"--ranks", ""},
	{"--off-cpu", ""},
};

#define FLAME 9
#define HTML 11
#define NR_VIEWS (sizeof(views) / sizeof(*views))

static bool is_page(unsigned int view)
{
	return view < FLAME || view > HTML;
}

/* Without the style and the script, which are ours. */
static void check_svg(const struct fuzz_text *text)
{
	const size_t head = strlen(ptl_svg_head), tail = strlen(ptl_svg_tail);
	struct fuzz_text part = *text;
	char *at;

	if (text->size == 0)
		return;
	at = memmem(text->bytes, text->size, ptl_svg_head, head);
	if (at == NULL || text->size < tail ||
	    memcmp(text->bytes + text->size - tail, ptl_svg_tail, tail) != 0)
		abort();
	part.size = (size_t)(at - text->bytes);
	fuzz_check_text(&part);
	part.bytes = at + head;
	part.size = text->size - part.size - head - tail;
	fuzz_check_text(&part);
}

/* Between what is ours nothing but base64. */
static void check_html(const struct fuzz_text *text)
{
	size_t head = strlen(ptl_template_head),
	       tail = strlen(ptl_template_tail);

	if (text->size == 0)
		return;
	if (text->size < head + tail ||
	    memcmp(text->bytes, ptl_template_head, head) != 0 ||
	    memcmp(text->bytes + text->size - tail, ptl_template_tail, tail) !=
		    0)
		abort();
	for (size_t i = head; i < text->size - tail; i++)
		if (!isalnum((unsigned char)text->bytes[i]) &&
		    strchr("+/=", text->bytes[i]) == NULL)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "ptrace-report", json[] = "--json";
	char path[FUZZ_PATH], *argv[6] = {name, path};
	struct mklog log = {.size = size - 1};
	unsigned int choice, view;
	int status, nr = 2;

	if (size < 1)
		return 0;
	choice = data[size - 1];
	view = choice / 4 % NR_VIEWS;
	log.bytes = malloc(size);
	if (!log.bytes)
		return 0;
	memcpy(log.bytes, data, size - 1);
	if (choice & 1)
		mklog_check_all(&log);
	fuzz_file(log.bytes, log.size, path);
	mklog_free(&log);
	for (int i = 0; i < 2; i++)
		if (views[view][i][0])
			argv[nr++] = views[view][i];
	if (choice & 2 && is_page(view))
		argv[nr] = json;
	fuzz_allow(path);
	status = fuzz_call(report, argv);
	if (status < 0 || status > PTL_EXIT_NO_LOG ||
	    fuzz_out.size > OUTPUT_MAX)
		abort();
	fuzz_check_text(&fuzz_err);
	if (argv[nr] == json)
		fuzz_check_json(&fuzz_out);
	else if (view == HTML)
		check_html(&fuzz_out);
	else if (view == FLAME)
		check_svg(&fuzz_out);
	else
		fuzz_check_text(&fuzz_out);
	return 0;
}
