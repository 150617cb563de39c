/* SPDX-License-Identifier: MIT */
/* Statements in SQL; see sql_shell.h. */
#include "tools/report/sql_shell.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/sql/tables.h"

/* A statement is not longer. */
#define STATEMENT_MAX 1000000

static volatile sig_atomic_t signo;

static void note(int number)
{
	signo = number;
}

/* The query is looked after so many steps of SQLite's machine. */
#define STEPS 5000

static int is_to_end(void *of)
{
	(void)of;
	return signo != 0;
}

static void die_by_signal(void)
{
	int number = signo;

	if (number == 0)
		return;
	signal(number, SIG_DFL);
	raise(number);
}

/* Where statements come from. */
struct text {
	const char *name; /* in messages */
	const char *bytes;
	size_t line;  /* that they begin on: 1, 2 ... */
	bool goes_on; /* behind one that is wrong */
};

/* Who asks for a table that is not there may not know which there are. */
static const char *all_tables(void)
{
	static char text[256];
	size_t used = (size_t)snprintf(text, sizeof(text), "%s",
				       " (there are event, call, sample, off, "
				       "stack");

	for (size_t i = 0; ptl_sql_tables[i].name != NULL; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 ", %s", ptl_sql_tables[i].name);
	snprintf(text + used, sizeof(text) - used, ")");
	return text;
}

static const char *advice_on(const char *error, int rc)
{
	static const char no_table[] = "no such table: ";

	if ((rc & 0xff) == SQLITE_AUTH)
		return ": what would change anything is not allowed";
	return strncmp(error, no_table, sizeof(no_table) - 1) == 0 ?
		       all_tables() :
		       "";
}

static void say_error(sqlite3 *db, int rc, const struct text *text,
		      const char *statement)
{
	int offset = sqlite3_error_offset(db);
	size_t line = text->line, column = 1;
	const char *at = statement + strspn(statement, " \t\r\n");

	/* Of what is wrong in a view it says nothing that helps. */
	if (offset >= 0 && (size_t)offset <= strlen(statement))
		at = statement + offset;
	for (const char *c = text->bytes; c < at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	ptl_say("%s: line %zu, column %zu: %s%s", text->name, line, column,
		sqlite3_errmsg(db), advice_on(sqlite3_errmsg(db), rc));
}

/* Returns SQLITE_OK, or the error. */
static int run(sqlite3_stmt *statement)
{
	int rc = SQLITE_ROW;

	ptl_sql_print_begin(statement);
	while (signo == 0 && (rc = sqlite3_step(statement)) == SQLITE_ROW)
		ptl_sql_print_row(statement);
	ptl_sql_print_end();
	if (signo != 0)
		return SQLITE_INTERRUPT;
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Behind a statement that cannot be parsed: SQLite is behind the wrong word. */
static const char *behind(const char *statement)
{
	const char *end = statement;

	while ((end = strchr(end, ';')) != NULL) {
		char *alone = strndup(statement, (size_t)(++end - statement));
		bool is_whole = alone == NULL || sqlite3_complete(alone);

		free(alone);
		if (is_whole)
			return end;
	}
	return statement + strlen(statement);
}

/* All statements of the text, up to one that is wrong unless it goes on. */
static int run_all(sqlite3 *db, const struct text *text)
{
	const char *rest = text->bytes;
	int status = PTL_EXIT_OK;

	while (*rest != '\0') {
		const char *here = rest;
		sqlite3_stmt *statement = NULL;
		int rc = sqlite3_prepare_v2(db, here, -1, &statement, &rest);

		if (rc == SQLITE_OK && statement != NULL)
			rc = run(statement);
		else if (rc != SQLITE_OK)
			rest = behind(here);
		if (rc == SQLITE_INTERRUPT) {
			ptl_say("%s: interrupted", text->name);
			sqlite3_finalize(statement);
			break;
		}
		if (rc != SQLITE_OK) {
			say_error(db, rc, text, here);
			status = PTL_EXIT_USAGE;
		}
		sqlite3_finalize(statement);
		if (rc != SQLITE_OK && !text->goes_on)
			break;
	}
	return status;
}

/* ---- the shell ------------------------------------------------------- */

struct input {
	bool is_terminal;
	char *bytes; /* of the statements that are not run yet */
	size_t nr, room;
	size_t line, first_line; /* the one that is read next, begins them */
	int status;
};

static void prompt(const struct input *input)
{
	if (!input->is_terminal)
		return;
	fputs(input->nr == 0 ? "sql> " : "...> ", stdout);
	fflush(stdout);
}

static void add(struct input *input, const char *line, size_t size)
{
	while (input->room - input->nr <= size)
		input->bytes =
			ptl_grow(input->bytes, input->room, &input->room, 1);
	/* A null character would be their end. */
	for (size_t i = 0; i < size; i++)
		input->bytes[input->nr++] = line[i] != '\0' ? line[i] : '?';
	input->bytes[input->nr] = '\0';
}

static void run_input(sqlite3 *db, struct input *input)
{
	const struct text text = {
		.name = "standard input",
		.bytes = input->bytes,
		.line = input->first_line,
		.goes_on = true,
	};

	if (input->nr > 0 && run_all(db, &text) != PTL_EXIT_OK)
		input->status = PTL_EXIT_USAGE;
	input->nr = 0;
	input->first_line = input->line;
	if (!input->is_terminal)
		die_by_signal();
	signo = 0;
}

/* Interrupted while it is typed: the line is thrown away. */
static void forget(struct input *input)
{
	signo = 0;
	clearerr(stdin);
	input->nr = 0;
	input->first_line = input->line;
	putchar('\n');
}

static int run_shell(sqlite3 *db)
{
	struct input input = {.line = 1, .first_line = 1};
	char *line = NULL;
	size_t room = 0;

	input.is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	for (;;) {
		ssize_t size;

		prompt(&input);
		errno = 0;
		size = getline(&line, &room, stdin);
		if (size < 0 && signo != 0 && input.is_terminal) {
			forget(&input);
			continue;
		}
		if (size < 0)
			break;
		input.line++;
		if (input.nr + (size_t)size > STATEMENT_MAX) {
			ptl_say("standard input: line %zu: a statement of more "
				"than %d bytes",
				input.first_line, STATEMENT_MAX);
			input.status = PTL_EXIT_USAGE;
			input.nr = 0;
			break;
		}
		add(&input, line, (size_t)size);
		if (memchr(line, ';', (size_t)size) != NULL &&
		    sqlite3_complete(input.bytes))
			run_input(db, &input);
	}
	run_input(db, &input);
	if (input.is_terminal)
		putchar('\n');
	free(line);
	free(input.bytes);
	return input.status;
}

int ptl_sql_ask(sqlite3 *db, struct ptl_sql *sql, const char *query,
		enum ptl_sql_format format)
{
	const struct text text = {.name = "--sql", .bytes = query, .line = 1};
	const struct sigaction interrupt = {.sa_handler = note};
	int status;

	ptl_sql_print_open(format);
	sql->signo = &signo;
	sigaction(SIGINT, &interrupt, NULL);
	sqlite3_progress_handler(db, STEPS, is_to_end, NULL);
	status = strcmp(query, "-") == 0 ? run_shell(db) : run_all(db, &text);
	die_by_signal();
	return status;
}
