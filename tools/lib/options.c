/* SPDX-License-Identifier: MIT */
/* Options by their tables; see options.h. */
#include "tools/lib/options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Where a line of the usage text ends at the latest. */
#define WIDTH 79

/* Rows that a table can have: `given' has a bit for each. */
#define MAX_ROWS 64

/* For getopt a long option is this, and the number of its row. */
#define LONG 256

struct parsed {
	const struct ptl_option *row;
	uint64_t given;
};

/* ---- the usage text ------------------------------------------------- */

/* How much of a help's text is its next line: up to a blank if it is longer
 * than the room for it, and has one there. */
static int measure(const char *help, int room)
{
	int size = (int)strcspn(help, "\n"), at = room;

	if (size <= room)
		return size;
	while (at > 0 && help[at] != ' ')
		at--;
	return at > 0 ? at : (int)strcspn(help, " \n");
}

/* A word that is too long for its column begins further left, so that one
 * column is free behind it. */
void ptl_options_print(const char *left, const char *help, int column)
{
	int used = printf("%s", left);

	if (used > column - 2)
		column = used + 2;
	while (help != NULL && *help != '\0') {
		int size = measure(help, WIDTH - column), begin = column;

		if (begin + size > WIDTH && used == 0)
			begin = WIDTH - 1 - size;
		printf("%*s%.*s\n", begin - used, "", size, help);
		help += size;
		help += *help != '\0';
		used = 0;
	}
}

/* As in "  -o, --output FILE". */
static void print_row(const struct ptl_option *row, int column)
{
	const char *argument = row->argument != NULL ? row->argument : "";
	bool is_optional = *argument == '[';
	char letter[32] = "    ", left[128];

	if (row->letter != '\0')
		snprintf(letter, sizeof(letter), "-%c%s, ", row->letter,
			 is_optional ? argument : "");
	if (is_optional)
		snprintf(left, sizeof(left), "  %s--%s[=%s", letter, row->name,
			 argument + 1);
	else
		snprintf(left, sizeof(left), "  %s--%s%s%s", letter, row->name,
			 *argument != '\0' ? " " : "", argument);
	ptl_options_print(left, row->help, column);
}

void ptl_options_show(const struct ptl_option_table *table,
		      const struct ptl_option *option)
{
	if (option->letter == 'V') {
		printf("%s (libptrace) " PTL_VERSION "\n", table->program);
		exit(0);
	}
	fputs(table->before, stdout);
	if (table->print != NULL)
		table->print();
	for (const struct ptl_option *row = table->row; row->name != NULL;
	     row++)
		if (row->help != NULL && table->column > 0)
			print_row(row, table->column);
	fputs(table->after, stdout);
	exit(0);
}

/* ---- what goes with what --------------------------------------------- */

/* Is one of these names given? */
static bool is_any_given(const struct parsed *parsed, const char *names)
{
	for (size_t i = 0; parsed->row[i].name != NULL; i++) {
		const char *at = names;
		size_t size = strlen(parsed->row[i].name);

		if ((parsed->given >> i & 1) == 0)
			continue;
		for (; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
			if (strcspn(at, " ") == size &&
			    memcmp(at, parsed->row[i].name, size) == 0)
				return true;
	}
	return false;
}

static void __attribute__((noreturn))
fail_rule(const struct ptl_option *row, const struct ptl_option_rule *rule)
{
	if (row->letter != '\0')
		ptl_say("-%c%s", row->letter, rule->says);
	else
		ptl_say("--%s%s", row->name, rule->says);
	ptl_say_usage();
}

static void check_excludes(const struct parsed *parsed,
			   const struct ptl_option *row)
{
	for (size_t i = 0; i < PTL_OPTION_RULES; i++) {
		const struct ptl_option_rule *rule = &row->excludes[i];

		if (rule->others != NULL && is_any_given(parsed, rule->others))
			fail_rule(row, rule);
	}
}

/* What contradicts before what is missing. */
static void check_rules(const struct parsed *parsed)
{
	const struct ptl_option *row = parsed->row;

	for (size_t i = 0; row[i].name != NULL; i++)
		if (parsed->given >> i & 1)
			check_excludes(parsed, &row[i]);
	for (size_t i = 0; row[i].name != NULL; i++)
		if (parsed->given >> i & 1 && row[i].needs.others != NULL &&
		    !is_any_given(parsed, row[i].needs.others))
			fail_rule(&row[i], &row[i].needs);
}

/* ---- parsing --------------------------------------------------------- */

/* What getopt_long() knows: an element for each row, and "+o:k::h". */
static void describe(const struct ptl_option_table *table,
		     struct option known[MAX_ROWS + 1],
		     char letters[3 * MAX_ROWS + 2])
{
	size_t nr = 0;

	if (table->ends_early)
		*letters++ = '+';
	for (; nr < MAX_ROWS && table->row[nr].name != NULL; nr++) {
		const struct ptl_option *row = &table->row[nr];
		int kind = row->argument == NULL ? no_argument :
			   *row->argument == '[' ? optional_argument :
						   required_argument;

		known[nr] =
			(struct option){row->name, kind, NULL, LONG + (int)nr};
		if (row->letter == '\0')
			continue;
		*letters++ = row->letter;
		for (int i = 0; i < kind; i++)
			*letters++ = ':';
	}
	known[nr] = (struct option){NULL, 0, NULL, 0};
	*letters = '\0';
}

static const struct ptl_option *find(const struct ptl_option *rows, int option)
{
	if (option >= LONG)
		return &rows[option - LONG];
	while (rows->name != NULL && rows->letter != option)
		rows++;
	return rows->name != NULL ? rows : NULL;
}

int ptl_options_take(const struct ptl_option_table *table, void *into, int argc,
		     char **argv)
{
	struct option known[MAX_ROWS + 1];
	char letters[3 * MAX_ROWS + 2];
	struct parsed parsed = {.row = table->row};
	int option;

	describe(table, known, letters);
	while ((option = getopt_long(argc, argv, letters, known, NULL)) != -1) {
		const struct ptl_option *row = find(table->row, option);

		if (row == NULL)
			ptl_say_usage();
		if (row->take == NULL)
			ptl_options_show(table, row);
		row->take(into, row, optarg);
		parsed.given |= UINT64_C(1) << (row - table->row);
	}
	check_rules(&parsed);
	return optind;
}

const struct ptl_option *ptl_options_find(const struct ptl_option *rows,
					  const char *word)
{
	for (; rows->name != NULL; rows++) {
		if (strncmp(word, "--", 2) == 0 &&
		    strcmp(word + 2, rows->name) == 0)
			return rows;
		if (word[0] == '-' && rows->letter != '\0' &&
		    word[1] == rows->letter && word[2] == '\0')
			return rows;
	}
	return NULL;
}

void ptl_option_switch(void *into, const struct ptl_option *option,
		       const char *argument)
{
	(void)argument;
	*(bool *)ptl_option_member(into, option) = true;
}

void ptl_option_text(void *into, const struct ptl_option *option,
		     const char *argument)
{
	*(const char **)ptl_option_member(into, option) = argument;
}

void ptl_option_fail(const struct ptl_option *option, const char *argument,
		     const char *allowed)
{
	ptl_say("--%s: '%s' is not %s", option->name, argument, allowed);
	ptl_say_usage();
}
