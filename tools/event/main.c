/* SPDX-License-Identifier: MIT */
/*
 * ptrace-event: records a user event from a shell script, or a span, in every
 * stream that traces the caller.  It is traced because the shell that starts it
 * is; without a trace it does nothing, so scripts can keep their calls.
 */
#include <trace.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/settings/families.h"
#include "tools/event/fields.h"
#include "tools/event/around.h"
#include "tools/event/values.h"
#include "tools/lib/options.h"
#include "tools/lib/say.h"

static const char usage[] =
	"usage: ptrace-event NAME [DATA]\n"
	"       ptrace-event NAME KEY=VALUE...\n"
	"       ptrace-event --span NAME [KEY=VALUE...] -- COMMAND...\n"
	"       ptrace-event --begin NAME [DATA | KEY=VALUE...]\n"
	"       ptrace-event --end NUMBER\n"
	"       ptrace-event --link NUMBER cause|follows NUMBER\n"
	"       ptrace-event --gauge NAME=VALUE...\n"
	"       ptrace-event --counter NAME=VALUE...\n"
	"       ptrace-event --tag KEY=VALUE...\n"
	"       ptrace-event --help | --version\n"
	"VALUE is a whole number, a number, or text.  --span records how long\n"
	"COMMAND takes, and exits as it does; --begin prints the NUMBER of a "
	"span "
	"for --end.\n"
	"--gauge records how much of something there is, --counter how much "
	"more.\n"
	"--tag records what is shown beside the name of the shell's process.\n";

static const struct ptl_option options[] = {
#include "tools/event/options.def"
	PTL_OPTION_HELP,
	PTL_OPTION_VERSION,
	{.name = NULL},
};

static const struct ptl_option_table table = {
	.row = options,
	.program = "ptrace-event",
	.before = usage,
	.after = "",
};

/* Names that our own events could have. */
static bool is_ours(const char *name)
{
#define FAMILY(family) #family ":",
	static const char *const families[] = {PTL_FAMILIES(FAMILY) "span:",
					       "posix_trace_"};
#undef FAMILY

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strncmp(name, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

static void fail(const char *name, int error)
{
	if (error == ENAMETOOLONG)
		ptl_say("the name is longer than %d bytes",
			TRACE_EVENT_NAME_MAX);
	else if (error == EEXIST)
		ptl_say("%s: this event type has other fields already", name);
	else
		ptl_say("%s: %s", name, strerror(error));
}

static const char *check_name(const char *name)
{
	if (name == NULL) {
		ptl_say("which NAME?");
		ptl_say_usage();
	}
	if (name[0] == '\0' || is_ours(name)) {
		ptl_say(name[0] == '\0' ?
				"an empty NAME" :
				"%s: such names are those of libptrace's own "
				"events",
			name);
		ptl_say_usage();
	}
	return name;
}

/* Of its NAME, and DATA or KEY=VALUE words.  False: said why there is none. */
static bool make(char *const *words, struct ptl_event_parts *parts)
{
	const char *name = check_name(words[0]);
	int error;

	if (words[1] != NULL && ptl_event_has_fields(words + 1)) {
		error = ptl_event_make(name, words + 1, parts);
	} else if (words[1] != NULL && words[2] != NULL) {
		ptl_say("too many arguments: quote DATA that has blanks, or "
			"give KEY=VALUE pairs alone");
		ptl_say_usage();
	} else {
		parts->data = words[1] != NULL ? words[1] : "";
		parts->size = strlen(parts->data);
		error = posix_trace_eventid_open(name, &parts->id);
	}
	if (error != 0)
		fail(name, error);
	return error == 0;
}

/* Words before the command are KEY=VALUE. */
static int span_around(char **words)
{
	struct ptl_event_parts parts;
	trace_span_np_t span = 0;
	char **command = words, **name_and_pairs;
	int status;

	check_name(words[0]);
	for (command++; *command != NULL && ptl_event_is_pair(*command);)
		command++;
	name_and_pairs = ptl_alloc((size_t)(command - words + 1) *
				   sizeof(*name_and_pairs));
	memcpy(name_and_pairs, words,
	       (size_t)(command - words) * sizeof(*name_and_pairs));
	if (*command != NULL && strcmp(*command, "--") == 0)
		command++;
	if (*command == NULL) {
		ptl_say("--span: which COMMAND?");
		ptl_say_usage();
	}
	/* Without a span the command runs all the same. */
	if (make(name_and_pairs, &parts))
		posix_trace_span_begin_np(parts.id, parts.data, parts.size,
					  &span);
	status = ptl_event_run(command);
	posix_trace_span_end_np(span);
	return ptl_event_exit(status);
}

static int span_begin(char **words)
{
	struct ptl_event_parts parts;
	trace_span_np_t span = 0;
	bool is_made = make(words, &parts);

	if (is_made)
		posix_trace_span_begin_np(parts.id, parts.data, parts.size,
					  &span);
	/* As ptrace-dump shows it. */
	printf(span != 0 ? "0x%llx\n" : "%llu\n", span);
	return is_made && fflush(stdout) == 0 ? 0 : 1;
}

static trace_span_np_t parse_span(const char *option, const char *word)
{
	trace_span_np_t span;
	char *end;

	errno = 0;
	span = strtoull(word, &end, 0);
	if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0) {
		ptl_say("%s: %s: not a NUMBER that --begin printed", option,
			word);
		ptl_say_usage();
	}
	return span;
}

static int span_end(char **words)
{
	if (words[0] == NULL || words[1] != NULL) {
		ptl_say("--end: which NUMBER?");
		ptl_say_usage();
	}
	posix_trace_span_end_np(parse_span("--end", words[0]));
	return 0;
}

static int span_link(char **words)
{
	bool is_cause = words[0] != NULL && words[1] != NULL &&
			strcmp(words[1], "cause") == 0;

	if (words[0] == NULL || words[1] == NULL || words[2] == NULL ||
	    words[3] != NULL ||
	    (!is_cause && strcmp(words[1], "follows") != 0)) {
		ptl_say("--link: which spans? (NUMBER cause|follows NUMBER)");
		ptl_say_usage();
	}
	posix_trace_span_link_np(parse_span("--link", words[0]),
				 parse_span("--link", words[2]),
				 is_cause ? POSIX_TRACE_SPAN_CAUSE_NP :
					    POSIX_TRACE_SPAN_FOLLOWS_NP);
	return 0;
}

/* Each word is an event, of a type of one field. */
static int record_values(char **words, const char *mark)
{
	struct ptl_event_value value;
	int status = 0;

	if (*words == NULL) {
		ptl_say("--%s: which NAME=VALUE?", mark);
		ptl_say_usage();
	}
	/* All that is wrong is said before anything is recorded. */
	for (char **word = words; *word != NULL; word++) {
		ptl_event_value_parse(&value, *word, mark);
		check_name(value.name);
	}
	for (; *words != NULL; words++) {
		int error;

		ptl_event_value_parse(&value, *words, mark);
		error = ptl_event_value_record(&value, mark);
		if (error != 0)
			fail(value.name, error);
		status |= error != 0;
	}
	return status;
}

/* Tools know that they are those of the process that has run us. */
static int record_tags(char **words)
{
	if (*words == NULL) {
		ptl_say("--tag: which KEY=VALUE?");
		ptl_say_usage();
	}
	for (char **word = words; *word != NULL; word++)
		if (strchr(*word, '=') == NULL || **word == '=') {
			ptl_say("--tag: %s: not KEY=VALUE", *word);
			ptl_say_usage();
		}
	for (; *words != NULL; words++) {
		char *value = strchr(*words, '=');

		*value = '\0';
		posix_trace_set_tag_np(*words, value + 1);
	}
	return 0;
}

/* Is it that option?  Then its argument is the first of the words. */
static bool is_option(const char *name, char ***words)
{
	size_t size = strlen(name);

	if (**words == NULL || strncmp(**words, name, size) != 0)
		return false;
	if ((**words)[size] == '=')
		**words += size + 1;
	else if ((**words)[size] == '\0')
		++*words;
	else
		return false;
	return true;
}

/* Behind the options: all that there was before spans. */
static int instant(int argc, char **argv)
{
	struct ptl_event_parts parts;
	int at = 1;

	if (argc > 1 && strcmp(argv[1], "--") == 0)
		at++;
	else if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '\0')
		at = argc; /* an option; such a NAME needs a -- before it */
	if (argc - at < 1) {
		ptl_say(argc == 1 ? "which NAME?" :
				    "%s: not an option; a NAME that begins "
				    "with a dash needs -- before it",
			argv[1]);
		ptl_say_usage();
	}
	if (!make(argv + at, &parts))
		return 1;
	posix_trace_event(parts.id, parts.data, parts.size);
	return 0;
}

int main(int argc, char **argv)
{
	const struct ptl_option *option = NULL;
	char **words = argv + (argc > 0);

	ptl_say_as("ptrace-event");
	if (argc == 2)
		option = ptl_options_find(options, argv[1]);
	if (option != NULL && option->argument == NULL)
		ptl_options_show(&table, option);
	if (is_option("--span", &words))
		return span_around(words);
	if (is_option("--begin", &words))
		return span_begin(words);
	if (is_option("--end", &words))
		return span_end(words);
	if (is_option("--link", &words))
		return span_link(words);
	if (is_option("--gauge", &words))
		return record_values(words, "gauge");
	if (is_option("--counter", &words))
		return record_values(words, "counter");
	if (is_option("--tag", &words))
		return record_tags(words);
	return instant(argc, argv);
}
