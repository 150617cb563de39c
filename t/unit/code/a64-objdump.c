/* SPDX-License-Identifier: MIT */
/* Of all instructions of real programs for aarch64 objdump(1) says the same:
 * how each goes on, where its relative operand leads; and an instruction is the
 * same again when it is made to lead there.  With arguments: of these files. */
#include "core/code/a64.h"
#include "t/lib/tap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOWN 20
#define OBJDUMP "aarch64-linux-gnu-objdump"

static const char *const files[] = {
	"/usr/aarch64-linux-gnu/lib/libc.so.6",
	"/usr/aarch64-linux-gnu/lib/libm.so.6",
	"/usr/aarch64-linux-gnu/lib/libstdc++.so.6",
	"/lib/aarch64-linux-gnu/libc.so.6",
};

static unsigned long nr, bad, differ;

/* The mnemonic ends with a tab, or with the line. */
static int kind_of(const char *text)
{
	static const struct {
		const char *word;
		int kind;
	} words[] = {
		{"brk\t", PTL_A64_TRAP},
		{"bl\t", PTL_A64_CALL},
		{"blr", PTL_A64_CALL_INDIRECT},
		{"b\t", PTL_A64_JUMP},
		{"br\t", PTL_A64_JUMP_INDIRECT},
		{"braa", PTL_A64_JUMP_INDIRECT},
		{"brab", PTL_A64_JUMP_INDIRECT},
		{"b.", PTL_A64_BRANCH},
		{"bc.", PTL_A64_BRANCH},
		{"cbz", PTL_A64_BRANCH},
		{"cbnz", PTL_A64_BRANCH},
		{"tbz", PTL_A64_BRANCH},
		{"tbnz", PTL_A64_BRANCH},
		{"ret", PTL_A64_RETURN},
		{"svc", PTL_A64_SYSTEM},
		{"hvc", PTL_A64_SYSTEM},
		{"smc", PTL_A64_SYSTEM},
		{"udf", PTL_A64_TRAP},
		{"hlt", PTL_A64_TRAP},
		{"eret", PTL_A64_TRAP},
		{"drps", PTL_A64_TRAP},
		{"dcps", PTL_A64_TRAP},
	};

	for (size_t i = 0; i < PTL_ARRAY_SIZE(words); i++)
		if (strncmp(text, words[i].word, strlen(words[i].word)) == 0)
			return words[i].kind;
	return PTL_A64_PLAIN;
}

/* Has it an operand that objdump shows as an address?  "adrp\tx0, 1f000 <f>",
 * "tbz\tw0, #0, 1234 <f>"; "b\t1234 <f>". */
static bool is_relative(const char *text)
{
	return strchr(text, '<') != NULL && strchr(text, '[') == NULL;
}

static bool is_target(const struct ptl_a64 *insn, uint64_t at, const char *text)
{
	const char *comma = strrchr(text, ',');
	uint64_t to = ptl_a64_target(insn, at);
	uint32_t word;

	if (insn->relative == PTL_A64_ABSOLUTE)
		return !is_relative(text);
	if (comma == NULL)
		comma = strchr(text, '\t');
	return comma != NULL && to == strtoull(comma + 1, NULL, 16) &&
	       ptl_a64_lead(insn, at, to, &word) && word == insn->word;
}

/* "  1139:\td503245f \tbti\tc" */
static void compare(const char *file, char *line)
{
	char *bytes = strchr(line, '\t'), *text;
	struct ptl_a64 insn;
	bool is;

	text = bytes != NULL ? strchr(bytes + 1, '\t') : NULL;
	if (text == NULL || !isspace((unsigned char)line[0]))
		return;
	text++;
	/* Words that are none; data between code. */
	if (text[0] == '.' || strstr(text, "undefined") != NULL) {
		bad++;
		return;
	}
	nr++;
	text[strcspn(text, "\n")] = '\0';
	/* A name may have a comma. */
	if (strchr(text, '<') != NULL)
		text[strcspn(text, "<") + 1] = '\0';
	is = ptl_a64_decode((uint32_t)strtoul(bytes + 1, NULL, 16), &insn);
	if (is && insn.kind == kind_of(text) &&
	    is_target(&insn, strtoull(line, NULL, 16), text))
		return;
	if (differ++ < SHOWN)
		diag("%s: %s: own: kind %d, relative %d", file, line,
		     is ? insn.kind : -1, is ? insn.relative : -1);
}

static bool compare_all(const char *file)
{
	char *command, *line = NULL;
	size_t room = 0;
	FILE *from;

	if (asprintf(&command, OBJDUMP " -d '%s' 2>/dev/null", file) < 0)
		return false;
	from = popen(command, "r");
	free(command);
	while (from != NULL && getline(&line, &room, from) > 0)
		compare(file, line);
	free(line);
	return from != NULL && pclose(from) == 0;
}

int main(int argc, char **argv)
{
	bool is_any = argc > 1;

	if (system(OBJDUMP " --version >/dev/null 2>&1") != 0)
		skip_all("needs " OBJDUMP);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(files); i++)
		is_any |= access(files[i], R_OK) == 0;
	if (!is_any)
		skip_all("there is no library for aarch64");
	plan(2);
	if (argc > 1)
		for (int i = 1; i < argc; i++)
			compare_all(argv[i]);
	else
		for (size_t i = 0; i < PTL_ARRAY_SIZE(files); i++)
			if (access(files[i], R_OK) == 0)
				compare_all(files[i]);
	ok(nr > 100000, "%lu instructions, and %lu words that are none", nr,
	   bad);
	is_int((long long)differ, 0, "all are the same for it");
	return done();
}
