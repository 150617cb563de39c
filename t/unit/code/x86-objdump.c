/* SPDX-License-Identifier: MIT */
/* Of all instructions of real programs objdump(1) says the same: how long each
 * is, how it goes on, where its relative operand leads.  With arguments: of
 * these files. */
#include "core/code/x86.h"
#include "t/lib/tap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHOWN 20

static const char *const files[] = {"/lib/x86_64-linux-gnu/libc.so.6",
				    "/lib64/libc.so.6", "/bin/bash"};

static unsigned long nr, bad, differ;

/* The kind that a mnemonic is of; its prefixes are before it. */
static int kind_of(const char *text)
{
	static const struct {
		const char *word;
		int kind, direct; /* if it has no * */
	} words[] = {
		{"call", PTL_X86_CALL_INDIRECT, PTL_X86_CALL},
		{"lcall", PTL_X86_CALL_INDIRECT, -1},
		{"jmp", PTL_X86_JUMP_INDIRECT, PTL_X86_JUMP},
		{"ljmp", PTL_X86_JUMP_INDIRECT, -1},
		{"ret", PTL_X86_RETURN, PTL_X86_RETURN},
		{"lret", PTL_X86_RETURN, PTL_X86_RETURN},
		{"iret", PTL_X86_RETURN, PTL_X86_RETURN},
		{"sysret", PTL_X86_RETURN, PTL_X86_RETURN},
		{"sysexit", PTL_X86_RETURN, PTL_X86_RETURN},
		{"loop", PTL_X86_BRANCH, PTL_X86_BRANCH},
		{"xbegin", PTL_X86_BRANCH, PTL_X86_BRANCH},
		{"syscall", PTL_X86_SYSTEM, PTL_X86_SYSTEM},
		{"sysenter", PTL_X86_SYSTEM, PTL_X86_SYSTEM},
		{"xabort", PTL_X86_SYSTEM, PTL_X86_SYSTEM},
		{"int3", PTL_X86_TRAP, PTL_X86_TRAP},
		{"int1", PTL_X86_TRAP, PTL_X86_TRAP},
		{"hlt", PTL_X86_TRAP, PTL_X86_TRAP},
		{"ud", PTL_X86_TRAP, PTL_X86_TRAP},
		{"int", PTL_X86_SYSTEM, PTL_X86_SYSTEM},
		{"j", PTL_X86_BRANCH, PTL_X86_BRANCH},
	};

	for (size_t i = 0; i < PTL_ARRAY_SIZE(words); i++)
		if (strncmp(text, words[i].word, strlen(words[i].word)) == 0)
			return memchr(text, '*', strcspn(text, "<")) != NULL ?
				       words[i].kind :
				       words[i].direct;
	return PTL_X86_PLAIN;
}

static const char *behind_prefixes(const char *text)
{
	static const char *const prefixes[] = {
		"bnd ",	   "notrack ", "repz ",	    "repnz ",
		"data16 ", "addr32 ",  "rex",	    "cs ",
		"ds ",	   "es ",      "ss ",	    "fs ",
		"gs ",	   "lock ",    "xacquire ", "xrelease ",
	};

	for (size_t i = 0; i < PTL_ARRAY_SIZE(prefixes); i++) {
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) != 0)
			continue;
		text += strcspn(text, " ");
		text += strspn(text, " ");
		i = (size_t)-1;
	}
	return text;
}

/* Does its relative operand lead where they say? */
static bool is_target(const struct ptl_x86 *insn, const unsigned char *code,
		      const char *line, const char *text)
{
	uint64_t at = strtoull(line, NULL, 16);
	const char *hash = strrchr(text, '#');

	if (insn->relative_size == 0)
		return true;
	/* "jmp,pn 1234 <f>"; "mov 0x10(%rip),%eax  # 1234 <x>" */
	text = insn->is_rip ? hash : strchr(text, ' ');
	/* With the prefix 67 it is an address of 32 bits. */
	return text != NULL &&
	       (insn->prefixes & PTL_X86_ADDRESS ||
		ptl_x86_target(insn, code, at) == strtoull(text + 1, NULL, 16));
}

/* What they make one of are two: fwait, and one of the FPU. */
static size_t skip_wait(unsigned char *code, size_t size)
{
	if (size < 2 || code[0] != 0x9b)
		return size;
	memmove(code, code + 1, size - 1);
	return size - 1;
}

/* "  1139:\t48 83 ec 08 \tsub    $0x8,%rsp" */
static void compare(const char *file, char *line)
{
	char *bytes = strchr(line, '\t'), *text;
	unsigned char code[32] = {0};
	struct ptl_x86 insn;
	size_t size = 0;
	bool is;

	text = bytes != NULL ? strchr(bytes + 1, '\t') : NULL;
	if (text == NULL || !isspace((unsigned char)line[0]) ||
	    text - bytes > 3 * (int)sizeof(code))
		return;
	for (char *at = bytes + 1; isxdigit((unsigned char)*at); at += 3)
		code[size++] = (unsigned char)strtoul(at, NULL, 16);
	text++;
	/* Bytes that are none, or a prefix of none. */
	if (strstr(text, "(bad)") != NULL ||
	    isspace((unsigned char)*behind_prefixes(text)) ||
	    *behind_prefixes(text) == '\0') {
		bad++;
		return;
	}
	size = skip_wait(code, size);
	nr++;
	is = ptl_x86_decode(code, size, &insn);
	text = (char *)behind_prefixes(text);
	if (is && insn.size == size && insn.kind == kind_of(text) &&
	    is_target(&insn, code, line, text))
		return;
	if (differ++ < SHOWN)
		diag("%s: %.*s: own: %d bytes, kind %d", file,
		     (int)strcspn(line, "\n"), line, is ? insn.size : -1,
		     is ? insn.kind : -1);
}

static bool compare_all(const char *file)
{
	char *command, *line = NULL;
	size_t room = 0;
	FILE *from;

	if (asprintf(&command, "objdump -d --insn-width=15 '%s' 2>/dev/null",
		     file) < 0)
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
#if !defined(__x86_64__)
	skip_all("programs of this machine are others");
#endif
	if (system("objdump --version >/dev/null 2>&1") != 0)
		skip_all("needs objdump");
	plan(2);
	if (argc > 1)
		for (int i = 1; i < argc; i++)
			compare_all(argv[i]);
	else
		for (size_t i = 0; i < PTL_ARRAY_SIZE(files); i++)
			if (access(files[i], R_OK) == 0)
				compare_all(files[i]);
	ok(nr > 100000, "%lu instructions, and %lu that objdump does not know",
	   nr, bad);
	is_int((long long)differ, 0, "all are the same for it");
	return done();
}
