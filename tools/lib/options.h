/* SPDX-License-Identifier: MIT */
/*
 * The options of a tool: a table with a row for each, in a file NAME.def, from
 * which come the usage text, what getopt knows, the checks of what goes with
 * what, the completion in shells (tools/complete.c), and what the man page is
 * compared with (t/meta/options.t).
 */
#ifndef PTL_TOOLS_LIB_OPTIONS_H
#define PTL_TOOLS_LIB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* For `words': a shell knows what there is. */
#define PTL_OPTION_FILE "FILE"
#define PTL_OPTION_DIRECTORY "DIRECTORY"

#define PTL_OPTION_RULES 6

/* What other options have to do with this one. */
struct ptl_option_rule {
	const char *others; /* their long names, with blanks between */
	const char *says;   /* the message, behind this one's name */
};

struct ptl_option {
	const char *name; /* long, without dashes */
	char letter;	  /* 0: there is none */

	/* The name of its argument; in [] if it can be left out.  NULL: it has
	 * none. */
	const char *argument;

	/* What the argument is one of, with blanks or commas between; or FILE,
	 * DIRECTORY.  NULL: that cannot be said. */
	const char *words;

	/* In the usage text; '\n' between its lines.  NULL: the option is not
	 * for users, and shells do not complete it. */
	const char *help;

	/* Of ptrace-run: the library in the traced processes has it by the
	 * environment, as PTRACE_NAME. */
	bool is_handed_on;

	/* Where it goes: into the member at this offset of what the tool keeps
	 * of its options, or as the function says.  The two that all tools
	 * have, help and version, have no function. */
	size_t at;
	void (*take)(void *into, const struct ptl_option *option,
		     const char *argument);

	/* Wrong is one of `excludes' beside it, and none of `needs'. */
	struct ptl_option_rule excludes[PTL_OPTION_RULES];
	struct ptl_option_rule needs;
};

/* The last two rows of each table. */
#define PTL_OPTION_HELP \
	{ \
		.name = "help", .letter = 'h', .help = "show this" \
	}
#define PTL_OPTION_VERSION \
	{ \
		.name = "version", .letter = 'V', .help = "show the version" \
	}

struct ptl_option_table {
	/* Behind the last is one whose name is NULL. */
	const struct ptl_option *row;
	const char *program;
	bool ends_early; /* with the first word that is none: a COMMAND */

	/* The usage text: before the rows and behind them, and the column that
	 * the help begins in; 0: in place of the rows is what print() prints,
	 * if it is not NULL. */
	const char *before, *after;
	int column;
	void (*print)(void);
};

/*
 * Takes all that are given, and checks that they go together; --help and
 * --version end the program, as does wrong usage, with two lines that say so.
 * Returns how many words of argv are taken; the others are behind them.
 */
int ptl_options_take(const struct ptl_option_table *table, void *into, int argc,
		     char **argv);

/* The row of a word that is just "--json" or "-h"; NULL: there is none. */
const struct ptl_option *ptl_options_find(const struct ptl_option *rows,
					  const char *word);

/* What --help and --version do. */
void ptl_options_show(const struct ptl_option_table *table,
		      const struct ptl_option *option)
	__attribute__((noreturn));

/* Functions for rows: their member is a bool, and becomes true; it is text. */
void ptl_option_switch(void *into, const struct ptl_option *option,
		       const char *argument);
void ptl_option_text(void *into, const struct ptl_option *option,
		     const char *argument);

/* Wrong usage: the argument is not what it has to be. */
void ptl_option_fail(const struct ptl_option *option, const char *argument,
		     const char *allowed) __attribute__((noreturn));

/* The member that a row is about. */
static inline void *ptl_option_member(void *into,
				      const struct ptl_option *option)
{
	return (char *)into + option->at;
}

/* Prints a row of a usage text: what is on the left, and its help. */
void ptl_options_print(const char *left, const char *help, int column);

#endif
