/* SPDX-License-Identifier: MIT */
/*
 * The grammar of -w, by descent; see where.h.
 *
 *	or   = and { "||" and }
 *	and  = not { "&&" not }
 *	not  = "!" not | "(" or ")" | test
 *	test = FIELD [ ("==" | "!=" | "<=" | ">=" | "<" | ">" | "~" | "!~")
 *VALUE ]
 */
#include "tools/read/filter/where_parse.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* What ends a word without quotes. */
#define BEHIND_WORD " \t\n()&|!<>=~\"'"

/* Parentheses are calls of ours. */
#define DEPTH_MAX 200

struct parser {
	const char *text, *p;
	const char *expected; /* at p; NULL: all is well */
	unsigned int depth;
};

static struct ptl_where *make(enum ptl_where_kind kind, struct ptl_where *left,
			      struct ptl_where *right)
{
	struct ptl_where *node = ptl_alloc(sizeof(*node));

	node->kind = kind;
	node->left = left;
	node->right = right;
	return node;
}

/* is_time: with one of the units of time. */
static bool parse_number(const char *text, const char **end, double *number,
			 bool *is_time)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {
		{"ns", 1},	{"us", 1e3},	   {"µs", 1e3},	  {"ms", 1e6},
		{"s", 1e9},	{"m", 60e9},	   {"h", 3600e9}, {"K", 1024},
		{"M", 1048576}, {"G", 1073741824},
	};
	char *after;
	size_t size;

	*number = strtod(text, &after);
	if (after == text || strcspn(text, "0123456789") > 1 ||
	    (text[0] != '-' && (text[0] < '0' || text[0] > '9')))
		return false;
	size = strcspn(after, " \t\n()&|!<>=~");
	*end = after + size;
	*is_time = false;
	if (size == 0)
		return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i].name) == size &&
		    memcmp(units[i].name, after, size) == 0) {
			*number *= units[i].factor;
			*is_time = i < sizeof(units) / sizeof(*units) - 3;
			return true;
		}
	return false;
}

static struct ptl_where *make_test(const char *field, enum ptl_where_op op,
				   const char *text)
{
	struct ptl_where *node = make(PTL_WHERE_TEST, NULL, NULL);
	const char *end;
	bool is_time;

	node->field = field;
	node->op = op;
	node->text = text;
	node->seen = ptl_alloc(sizeof(*node->seen));
	if (text == NULL)
		return node;
	node->is_number = parse_number(text, &end, &node->number, &is_time) &&
			  *end == '\0';
	if (node->is_number && node->number > -9.2e18 && node->number < 9.2e18)
		node->whole = (int64_t)node->number;
	/* A double has not all digits of an address. */
	if (node->is_number && strncmp(text, "0x", 2) == 0)
		node->whole = (int64_t)strtoull(text, NULL, 16);
	return node;
}

static void skip_blanks(struct parser *parser)
{
	parser->p += strspn(parser->p, " \t\n");
}

static bool take(struct parser *parser, const char *word)
{
	skip_blanks(parser);
	if (strncmp(parser->p, word, strlen(word)) != 0)
		return false;
	parser->p += strlen(word);
	return true;
}

static void *fail(struct parser *parser, const char *expected)
{
	if (parser->expected == NULL)
		parser->expected = expected;
	return NULL;
}

static enum ptl_where_op take_operator(struct parser *parser)
{
	static const struct {
		const char *word;
		enum ptl_where_op op;
	} ops[] = {
		{"==", PTL_WHERE_EQUAL},   {"!=", PTL_WHERE_UNEQUAL},
		{"<=", PTL_WHERE_AT_MOST}, {">=", PTL_WHERE_AT_LEAST},
		{"<", PTL_WHERE_LESS},	   {">", PTL_WHERE_GREATER},
		{"!~", PTL_WHERE_UNLIKE},  {"~", PTL_WHERE_LIKE},
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (take(parser, ops[i].word))
			return ops[i].op;
	skip_blanks(parser);
	if (*parser->p == '=')
		fail(parser, "==, != or another comparison");
	return PTL_WHERE_IS;
}

/* Between quotes; a backslash takes the next character as it is. */
static char *take_quoted(struct parser *parser, char quote)
{
	const char *p = parser->p + 1;
	char *text = ptl_alloc(strlen(p) + 1), *to = text;

	for (; *p != '\0' && *p != quote; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
		*to++ = *p;
	}
	if (*p == '\0') {
		free(text);
		return fail(parser, "a quote that ends the text that begins "
				    "here");
	}
	parser->p = p + 1;
	return text;
}

static char *take_value(struct parser *parser)
{
	size_t size;
	char *text;

	skip_blanks(parser);
	if (*parser->p == '"' || *parser->p == '\'')
		return take_quoted(parser, *parser->p);
	size = strcspn(parser->p, BEHIND_WORD);
	if (size == 0)
		return fail(parser, "a value: a number (with ns, us, ms, s, K, "
				    "M, G), a word, or text in quotes");
	text = strndup(parser->p, size);
	parser->p += size;
	return text;
}

static struct ptl_where *parse_test(struct parser *parser)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789";
	char *field, *value = NULL;
	enum ptl_where_op op;
	size_t size;

	skip_blanks(parser);
	size = strspn(parser->p, letters);
	if (size == strlen(PTL_TAG_FIELD) - 1 &&
	    strncmp(parser->p, PTL_TAG_FIELD, size + 1) == 0)
		size += strcspn(parser->p + size, BEHIND_WORD);
	if (size == 0 || (*parser->p >= '0' && *parser->p <= '9'))
		return fail(parser, "a field (pid, program, name, dur, path, "
				    "ret ...), ! or (");
	field = strndup(parser->p, size);
	parser->p += size;
	op = take_operator(parser);
	if (op != PTL_WHERE_IS)
		value = take_value(parser);
	return parser->expected == NULL ? make_test(field, op, value) : NULL;
}

static struct ptl_where *parse_or(struct parser *parser);

static struct ptl_where *parse_not(struct parser *parser)
{
	struct ptl_where *node;

	if (parser->depth++ > DEPTH_MAX)
		return fail(parser, "less that is inside of something else");
	if (take(parser, "!")) {
		node = make(PTL_WHERE_NOT, parse_not(parser), NULL);
	} else if (take(parser, "(")) {
		node = parse_or(parser);
		if (!take(parser, ")"))
			fail(parser, "), && or ||");
	} else {
		node = parse_test(parser);
	}
	parser->depth--;
	return node;
}

static struct ptl_where *parse_and(struct parser *parser)
{
	struct ptl_where *node = parse_not(parser);

	while (parser->expected == NULL && take(parser, "&&"))
		node = make(PTL_WHERE_AND, node, parse_not(parser));
	return node;
}

static struct ptl_where *parse_or(struct parser *parser)
{
	struct ptl_where *node = parse_and(parser);

	while (parser->expected == NULL && take(parser, "||"))
		node = make(PTL_WHERE_OR, node, parse_and(parser));
	return node;
}

struct ptl_where *ptl_where_parse(const char *text,
				  struct ptl_where_error *error)
{
	struct parser parser = {.text = text, .p = text};
	struct ptl_where *where = parse_or(&parser);

	skip_blanks(&parser);
	if (parser.expected == NULL && *parser.p != '\0')
		fail(&parser, "&&, || or the end");
	if (parser.expected == NULL)
		return where;
	error->column = (size_t)(parser.p - text) + 1;
	error->expected = parser.expected;
	return NULL;
}

struct ptl_where *ptl_where_and(struct ptl_where *a, struct ptl_where *b)
{
	return a != NULL ? make(PTL_WHERE_AND, a, b) : b;
}

/* A test of one field of several: not all of them must be anywhere. */
static struct ptl_where *maybe(struct ptl_where *a, const char *field,
			       enum ptl_where_op op, const char *text)
{
	struct ptl_where *test = make_test(field, op, text);

	test->may_be_unseen = true;
	return a != NULL ? make(PTL_WHERE_OR, a, test) : test;
}

struct ptl_where *ptl_where_path(const char *glob)
{
	static const char *const fields[] = {"path",   "old",	 "new",
					     "target", "source", "resolved",
					     "exe",    "cwd"};
	struct ptl_where *any = NULL;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		any = maybe(any, fields[i], PTL_WHERE_LIKE, glob);
	return any;
}

struct ptl_where *ptl_where_program(const char *glob)
{
	return maybe(NULL, "program", PTL_WHERE_LIKE, glob);
}

struct ptl_where *ptl_where_failed(void)
{
	return maybe(NULL, "failed", PTL_WHERE_IS, NULL);
}

bool ptl_where_time(const char *text, int64_t *ns)
{
	double number;
	const char *end;
	bool is_time;

	if (!parse_number(text, &end, &number, &is_time) || *end != '\0' ||
	    number < 0 || (!is_time && number > 0))
		return false;
	*ns = number < 9.2e18 ? (int64_t)number : INT64_MAX;
	return true;
}

struct ptl_where *ptl_where_slower(const char *time, int64_t *ns)
{
	return ptl_where_time(time, ns) ?
		       maybe(NULL, "dur", PTL_WHERE_AT_LEAST, time) :
		       NULL;
}
