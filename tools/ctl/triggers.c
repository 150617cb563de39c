/* SPDX-License-Identifier: MIT */
/* ptrace-ctl triggers; see triggers.h.  What controllers say is foreign. */
#include "tools/ctl/triggers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"

static void __attribute__((noreturn)) fail(const char *name, const char *why)
{
	ptl_say("cannot write to %s: %s", name, why);
	exit(1);
}

static void put_text(struct ptl_out *out, const char *const word[4])
{
	char numbers[64];

	snprintf(numbers, sizeof(numbers), "%6.20s  %10.20s  ", word[0],
		 word[1]);
	ptl_quote_plain(out, numbers, strlen(numbers));
	ptl_quote_plain(out, word[2], strlen(word[2]));
	ptl_out_str(out, "  ->  ");
	ptl_quote_plain(out, word[3], strlen(word[3]));
	ptl_out_char(out, '\n');
}

static void put_json(struct ptl_out *out, const char *const word[4])
{
	ptl_out_str(out, "{\"number\":");
	ptl_out_uint(out, strtoull(word[0], NULL, 10));
	ptl_out_str(out, ",\"fired\":");
	ptl_out_uint(out, strtoull(word[1], NULL, 10));
	ptl_out_str(out, ",\"when\":");
	ptl_quote_json(out, word[2], strlen(word[2]));
	ptl_out_str(out, ",\"do\":");
	ptl_quote_json(out, word[3], strlen(word[3]));
	ptl_out_str(out, "}\n");
}

/* The next four words; false: there are none. */
static bool next(const struct ptl_talk *reply, size_t *at, const char *word[4])
{
	for (unsigned int i = 0; i < 4; i++) {
		word[i] = ptl_talk_next(reply, at);
		if (word[i] == NULL)
			return false;
	}
	return true;
}

void ptl_triggers_show(const struct ptl_talk *reply, bool is_json)
{
	static struct ptl_out out;
	const char *word[4];
	size_t at = 0;

	ptl_out_init(&out, STDOUT_FILENO, "standard output", fail);
	ptl_talk_next(reply, &at); /* the version */
	ptl_talk_next(reply, &at); /* ok */
	if (!is_json)
		ptl_out_str(&out, "NUMBER       FIRED  WHEN  ->  DO\n");
	while (next(reply, &at, word))
		if (is_json)
			put_json(&out, word);
		else
			put_text(&out, word);
	ptl_out_flush(&out);
}
