/* SPDX-License-Identifier: MIT */
/*
 * ptrace-dump against any bytes: whatever is in a log, text is fit for a
 * terminal, JSON is JSON, and the end comes.  The last byte chooses the format,
 * and whether checks are made right again, so that what is behind them is
 * reached; logs as they are written are good seeds with a byte added.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "t/fuzz/fuzz.h"
#include "t/lib/mklog.h"

/* With its main() by another name. */
int dump_main(int argc, char **argv);
#define main dump_main
#include "tools/dump/main.c"
#undef main

#define OUTPUT_MAX (64u << 20)

static int dump(void *arg)
{
	char **argv = arg;
	int argc = 0;

	while (argv[argc])
		argc++;
	optind = 0;
	return dump_main(argc, argv);
}

/* One line, as JSON Lines are. */
static void join_lines(struct fuzz_text *text)
{
	size_t used = 0;

	for (size_t i = 0; i < text->size; i++)
		if (text->bytes[i] != '\n' || i + 1 == text->size)
			text->bytes[used++] = text->bytes[i];
	text->bytes[used] = '\0';
	text->size = used;
}

static void check_output(const char *format)
{
	if (strcmp(format, "perfetto") == 0)
		return;
	if (strcmp(format, "chrome") == 0 && fuzz_out.size > 0)
		join_lines(&fuzz_out);
	if (strcmp(format, "json") == 0 || strcmp(format, "chrome") == 0)
		fuzz_check_json(&fuzz_out);
	else
		fuzz_check_text(&fuzz_out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "ptrace-dump", option[] = "-f", text[] = "text",
		    json[] = "json", info[] = "--info", types[] = "--types",
		    folded[] = "folded", chrome[] = "chrome",
		    perfetto[] = "perfetto", paths[] = "-y";
	char *const exports[] = {NULL, folded, chrome, perfetto};
	char path[FUZZ_PATH];
	char *argv[] = {name, option, text, path, NULL, NULL, NULL};
	struct mklog log = {.size = size - 1};
	unsigned int choice;
	int status;

	if (size < 1)
		return 0;
	choice = data[size - 1];
	log.bytes = malloc(size);
	if (!log.bytes)
		return 0;
	memcpy(log.bytes, data, size - 1);
	if (choice & 1)
		mklog_check_all(&log);
	fuzz_file(log.bytes, log.size, path);
	mklog_free(&log);
	if (choice / 2 % 3 == 2) {
		argv[4] = info;
		argv[5] = types;
	}
	if (choice / 2 % 3 == 1 || (argv[4] && choice & 32))
		argv[2] = json;
	if (argv[4] == NULL && exports[choice >> 6] != NULL)
		argv[2] = exports[choice >> 6];
	else if (argv[4] == NULL && choice & 32)
		argv[4] = paths;
	fuzz_allow(path);
	status = fuzz_call(dump, argv);
	if (status < 0 || status > PTL_EXIT_NO_LOG ||
	    fuzz_out.size > OUTPUT_MAX)
		abort();
	fuzz_check_text(&fuzz_err);
	check_output(argv[2]);
	return 0;
}
