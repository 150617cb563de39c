/* SPDX-License-Identifier: MIT */
/* The data of an event as named arguments; see decode.h. */
#include "tools/lib/args/decode.h"

#include <string.h>

#include "tools/lib/args/words.h"

static bool is_plain(const char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((name[i] < 'a' || name[i] > 'z') && name[i] != '_')
			return false;
	return true;
}

/* A log may say that of any field: only numbers are gauges, and what has one
 * value is a context. */
static enum ptl_arg_mark mark_of(char type, const char *word, size_t size)
{
	static const struct {
		const char *word, *types;
		enum ptl_arg_mark mark;
	} marks[] = {
		{"gauge", "if", PTL_ARG_GAUGE},
		{"counter", "if", PTL_ARG_COUNTER},
		{"context", "ixfs", PTL_ARG_CONTEXT},
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (strlen(marks[i].word) == size &&
		    memcmp(marks[i].word, word, size) == 0 &&
		    strchr(marks[i].types, type) != NULL)
			return marks[i].mark;
	return PTL_ARG_UNMARKED;
}

/* What follows a field's type: a dot and a word, or nothing. */
static void parse_word(struct ptl_layout *layout, const char *word, size_t size)
{
	unsigned int at = layout->nr_fields;

	layout->field[at].words = NULL;
	layout->field[at].mark = PTL_ARG_UNMARKED;
	if (*word != '.')
		return;
	layout->field[at].words = ptl_words_find(word + 1, size - 1);
	layout->field[at].mark =
		mark_of(layout->field[at].type, word + 1, size - 1);
	if (ptl_words_depend(layout->field[at].words))
		layout->depends = true;
	if (layout->field[at].mark == PTL_ARG_CONTEXT)
		layout->has_context = true;
	else if (layout->field[at].mark != PTL_ARG_UNMARKED)
		layout->is_marked = true;
}

void ptl_layout_parse(struct ptl_layout *layout, const char *fields)
{
	layout->nr_fields = 0;
	layout->depends = layout->is_marked = layout->has_context = false;
	while (layout->nr_fields < PTL_ARGS) {
		const char *colon;
		size_t size;

		fields += strspn(fields, " ");
		colon = strchr(fields, ':');
		if (colon == NULL)
			return;
		size = (size_t)(colon - fields);
		if (size >= PTL_DECODE_NAME || colon[1] == '\0' ||
		    strchr("ixfsvbhdnearA", colon[1]) == NULL)
			return;
		memcpy(layout->field[layout->nr_fields].name, fields, size);
		layout->field[layout->nr_fields].name[size] = '\0';
		layout->field[layout->nr_fields].plain =
			is_plain(fields, size) ? (unsigned char)size : 0;
		layout->field[layout->nr_fields].type = colon[1];
		fields = colon + 2;
		size = strcspn(fields, " ");
		parse_word(layout, fields, size);
		layout->nr_fields++;
		fields += size;
	}
}

const char *ptl_layout_standard(trace_event_id_t id)
{
	switch (id) {
	case POSIX_TRACE_ERROR:
		return "error:n";
	case POSIX_TRACE_START:
		return "filter:e";
	case POSIX_TRACE_STOP:
		return "auto:n";
	case POSIX_TRACE_FILTER:
		return "old:e new:e";
	default:
		return "";
	}
}

/* How far into the data the decoder is. */
/* Of an event set in logs before version 1.4. */
#define OLD_SET_SIZE 512

struct cursor {
	const char *p;
	size_t left;
};

static bool take(struct cursor *cur, void *to, size_t size)
{
	if (cur->left < size)
		return false;
	memcpy(to, cur->p, size);
	cur->p += size;
	cur->left -= size;
	return true;
}

static bool take_bytes(struct cursor *cur, struct ptl_arg *arg, size_t size)
{
	if (cur->left < size)
		return false;
	arg->bytes = cur->p;
	arg->size = size;
	cur->p += size;
	cur->left -= size;
	return true;
}

static bool take_string(struct cursor *cur, struct ptl_arg *arg)
{
	const char *null;

	if (cur->left == 0)
		return false;
	null = memchr(cur->p, '\0', cur->left);
	arg->is_cut = null == NULL;
	arg->bytes = cur->p;
	arg->size = arg->is_cut ? cur->left : (size_t)(null - cur->p);
	cur->left -= arg->is_cut ? arg->size : arg->size + 1;
	cur->p += arg->is_cut ? arg->size : arg->size + 1;
	return true;
}

/* The first byte says whether there was more.  From here on it is a string. */
static bool take_data(struct cursor *cur, struct ptl_arg *arg)
{
	unsigned char is_cut;

	arg->type = PTL_ARG_STRING;
	if (!take(cur, &is_cut, 1) || !take_bytes(cur, arg, cur->left))
		return false;
	arg->is_cut = is_cut != 0;
	arg->is_data = true;
	return true;
}

/* Where data that are sets, and nothing else, have so many bytes left. */
static size_t set_size(size_t left)
{
	return left % sizeof(trace_event_set_t) == 0 ?
		       sizeof(trace_event_set_t) :
		       OLD_SET_SIZE;
}

static bool take_arg(struct cursor *cur, struct ptl_arg *arg)
{
	unsigned char size;
	uint64_t words;
	int c_int;

	switch (arg->type) {
	case PTL_ARG_INT:
	case PTL_ARG_HEX:
	case PTL_ARG_FLOAT:
		return take(cur, &arg->value, sizeof(arg->value));
	case PTL_ARG_C_INT:
		if (!take(cur, &c_int, sizeof(c_int)))
			return false;
		arg->value = c_int;
		return true;
	case PTL_ARG_STRING:
		return take_string(cur, arg);
	case PTL_ARG_STRINGS:
	case PTL_ARG_ARGUMENTS:
	case PTL_ARG_RESULT:
		return take_bytes(cur, arg, cur->left);
	case PTL_ARG_SIZED:
		arg->type = PTL_ARG_ARGUMENTS;
		return take(cur, &words, sizeof(words)) && words <= cur->left &&
		       take_bytes(cur, arg, words);
	case PTL_ARG_REST:
		arg->type = PTL_ARG_BYTES;
		return take_bytes(cur, arg, cur->left);
	case PTL_ARG_DATA:
		return take_data(cur, arg);
	case PTL_ARG_BYTES:
		return take(cur, &size, 1) && take_bytes(cur, arg, size);
	case PTL_ARG_EVENTSET:
		return take_bytes(cur, arg, set_size(cur->left));
	case PTL_ARG_WORD:
		break;
	}
	return false;
}

void ptl_decode(const struct ptl_layout *layout, const void *data, size_t size,
		struct ptl_args *args)
{
	struct cursor cur = {data, size};

	for (args->nr = 0; args->nr < layout->nr_fields; args->nr++) {
		struct ptl_arg *arg = &args->arg[args->nr];

		*arg = (struct ptl_arg){
			.name = layout->field[args->nr].name,
			.plain = layout->field[args->nr].plain,
			.type = (enum ptl_arg_type)layout->field[args->nr].type,
			.mark = layout->field[args->nr].mark,
			.words = layout->field[args->nr].words,
		};
		if (!take_arg(&cur, arg))
			break;
	}
	if (layout->depends)
		ptl_words_settle(args);
}

bool ptl_decode_next(const struct ptl_arg *arg, size_t *at,
		     struct ptl_arg *string)
{
	struct cursor cur = {arg->bytes + *at, arg->size - *at};

	if (!take_string(&cur, string))
		return false;
	*at = arg->size - cur.left;
	return true;
}

const struct ptl_arg *ptl_decode_find(const struct ptl_args *args,
				      const char *name)
{
	/* Most differ in the first character. */
	for (unsigned int i = 0; i < args->nr; i++)
		if (args->arg[i].name[0] == name[0] &&
		    strcmp(args->arg[i].name, name) == 0)
			return &args->arg[i];
	return NULL;
}

static void put_word(struct ptl_arg *arg, const struct ptl_named_word *word)
{
	*arg = (struct ptl_arg){
		.name = word->name,
		.plain = word->name_size,
		.type = PTL_ARG_WORD,
		.bytes = word->word,
		.size = word->size,
	};
}

void ptl_decode_insert(struct ptl_args *args, unsigned int at,
		       struct ptl_named_word first,
		       struct ptl_named_word second)
{
	struct ptl_arg *arg = &args->arg[at];
	unsigned int room = PTL_ARGS - args->nr, nr;
	bool has_second = second.word != NULL && room > 0;
	bool has_first = first.word != NULL && room > has_second;

	nr = (unsigned int)has_first + has_second;
	if (nr == 0)
		return;
	memmove(arg + nr, arg, (args->nr - at) * sizeof(*arg));
	if (has_first)
		put_word(arg, &first);
	if (has_second)
		put_word(arg + has_first, &second);
	args->nr += nr;
}
