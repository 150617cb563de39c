/* SPDX-License-Identifier: MIT */
/*
 * What shells complete, from the table of a tool's options: a program for the
 * machine that builds, compiled once for each tool (PTL_OPTIONS_OF_run).  With
 * `bash' or `zsh' it prints that shell's script, with `list' a line for each
 * option, for t/meta/options.t.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/options.h"

#define TAKE(function) .take = NULL
#define AT(member) .at = 0

#if defined(PTL_OPTIONS_OF_run)
#include "preload/settings/settings.h"
#define COMMAND "ptrace-run"
#define ROWS "tools/monitor/options.def"
#define OPERANDS "-c -f"
#define ZSH_OPERANDS "*::command:_normal"
#elif defined(PTL_OPTIONS_OF_dump)
#include "tools/dump/formats.c"
/* Formats have the names of their structs. */
#define STAND_IN(format) const struct ptl_format format;
#define WORD(format) #format " "
FORMATS(STAND_IN)
#define FORMAT_WORDS FORMATS(WORD)
#define COMMAND "ptrace-dump"
#define ROWS "tools/dump/options.def"

#elif defined(PTL_OPTIONS_OF_report)
#include "tools/report/view/views.c"
/* The tables' rows have the names of options, but for the first: it has none.
 */
#define STAND_IN(view) const struct ptl_report_view view;
VIEWS(STAND_IN)
#define VIEW_ROW(view) {.name = #view + sizeof("ptl_report_") - 1, .help = ""},
#define MORE_ROWS VIEWS(VIEW_ROW)
#define FIRST_ROW 1
#define COMMAND "ptrace-report"
#define ROWS "tools/report/choices.def"

#elif defined(PTL_OPTIONS_OF_ctl)
#include "tools/ctl/command.h"
#define COMMAND "ptrace-ctl"
#define ROWS "tools/ctl/options.def"
#define SUBCOMMANDS "tools/ctl/commands.def"

#elif defined(PTL_OPTIONS_OF_event)
#define COMMAND "ptrace-event"
#define ROWS "tools/event/options.def"
#endif

#ifndef OPERANDS
#define OPERANDS "-f"
#define ZSH_OPERANDS "*:file:_files"
#endif

#ifndef MORE_ROWS
#define MORE_ROWS
#define FIRST_ROW 0
#endif

static struct ptl_option rows[] = {
	MORE_ROWS
#ifdef ROWS
#include ROWS
#endif
		PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

/* Options have dashes where structs cannot. */
static void add_dashes(void)
{
	for (struct ptl_option *row = rows; row->name != NULL; row++) {
		char *name = strdup(row->name);

		if (name == NULL)
			abort();
		row->name = name;
		while ((name = strchr(name, '_')) != NULL)
			*name = '-';
	}
}

/* The commands that the first operand is one of, if the tool has such. */
static void print_commands(const char *begin, const char *end)
{
#ifdef SUBCOMMANDS
	static const struct ptl_ctl_command commands[] = {
#include SUBCOMMANDS
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		printf("%s%s", i == 0 ? begin : " ", commands[i].name);
	fputs(end, stdout);
#else
	(void)begin;
	(void)end;
#endif
}

/* The next option that is for users. */
static const struct ptl_option *next(const struct ptl_option *row)
{
	row = row == NULL ? rows + FIRST_ROW : row + 1;
	while (row->name != NULL && row->help == NULL)
		row++;
	return row->name != NULL ? row : NULL;
}

static bool is_optional(const struct ptl_option *row)
{
	return row->argument != NULL && *row->argument == '[';
}

/* With one blank between them, and no comma.  A format is its struct without
 * the prefix. */
static void print_words(const char *words)
{
	static const char prefix[] = "ptl_format_";
	const char *before = "";

	while (*(words += strspn(words, ", ")) != '\0') {
		int size;

		if (strncmp(words, prefix, sizeof(prefix) - 1) == 0)
			words += sizeof(prefix) - 1;
		size = (int)strcspn(words, ", ");
		printf("%s%.*s", before, size, words);
		words += size;
		before = " ";
	}
}

/* ---- bash ------------------------------------------------------------ */

static void bash_argument(const struct ptl_option *row)
{
	printf("\t--%s", row->name);
	if (row->letter != '\0' && !is_optional(row))
		printf(" | -%c", row->letter);
	puts(")");
	if (row->words != NULL) {
		fputs("\t\tmapfile -t COMPREPLY < <(compgen ", stdout);
		if (strcmp(row->words, PTL_OPTION_FILE) == 0) {
			fputs("-f", stdout);
		} else if (strcmp(row->words, PTL_OPTION_DIRECTORY) == 0) {
			fputs("-d", stdout);
		} else {
			fputs("-W \"", stdout);
			print_words(row->words);
			fputs("\"", stdout);
		}
		puts(" -- \"$cur\")");
	}
	puts("\t\treturn ;;");
}

static void bash_names(void)
{
	const char *before = "";

	for (const struct ptl_option *row = next(NULL); row != NULL;
	     row = next(row)) {
		printf("%s--%s", before, row->name);
		if (row->letter != '\0')
			printf(" -%c", row->letter);
		before = " ";
	}
}

static void bash(void)
{
	char id[] = "_" COMMAND;

	*strchr(id, '-') = '_';
	printf("# Completion of " COMMAND " for bash.\n"
	       "%s() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
	       "\tlocal prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	       "\t[ \"$cur\" != = ] || cur=\n"
	       "\t[ \"$prev\" != = ] || prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	       "\tcase $prev in\n",
	       id);
	for (const struct ptl_option *row = next(NULL); row != NULL;
	     row = next(row))
		if (row->argument != NULL &&
		    (row->words != NULL || !is_optional(row)))
			bash_argument(row);
	puts("\tesac\n"
	     "\tcase $cur in\n"
	     "\t-*)");
	fputs("\t\tmapfile -t COMPREPLY < <(compgen -W \"", stdout);
	bash_names();
	fputs("\" -- \"$cur\") ;;\n"
	      "\t*)\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen ",
	      stdout);
	print_commands("-W \"", "\" ");
	printf(OPERANDS " -- \"$cur\") ;;\n"
			"\tesac\n"
			"}\n"
			"complete -o filenames -F %s " COMMAND "\n",
	       id);
}

/* ---- zsh ------------------------------------------------------------- */

/* Behind the option's name: how its argument follows, and what it is. */
static void zsh_argument(const struct ptl_option *row, const char *follows)
{
	if (row->argument != NULL) {
		printf("%s%s%s:", follows, is_optional(row) ? "-::" : ":",
		       row->name);
		if (row->words == NULL) {
			putchar(' ');
		} else if (strcmp(row->words, PTL_OPTION_FILE) == 0) {
			fputs("_files", stdout);
		} else if (strcmp(row->words, PTL_OPTION_DIRECTORY) == 0) {
			fputs("_files -/", stdout);
		} else {
			putchar('(');
			print_words(row->words);
			putchar(')');
		}
	}
	puts("' \\");
}

/* For _arguments: a line an option. */
static void zsh(void)
{
	puts("#compdef " COMMAND "\n"
	     "_arguments -s -S \\");
	for (const struct ptl_option *row = next(NULL); row != NULL;
	     row = next(row)) {
		printf("\t'*--%s", row->name);
		zsh_argument(row, "=");
		if (row->letter == '\0')
			continue;
		printf("\t'*-%c", row->letter);
		zsh_argument(row, is_optional(row) ? "" : "+");
	}
	print_commands("\t'1:command:(", ")' \\\n");
	puts("\t'" ZSH_OPERANDS "'");
}

static void list(void)
{
	for (const struct ptl_option *row = next(NULL); row != NULL;
	     row = next(row))
		if (row->letter != '\0')
			printf("-%c --%s\n", row->letter, row->name);
		else
			printf("--%s\n", row->name);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	add_dashes();
	if (strcmp(what, "bash") == 0)
		bash();
	else if (strcmp(what, "zsh") == 0)
		zsh();
	else if (strcmp(what, "list") == 0)
		list();
	else
		return EXIT_FAILURE;
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
