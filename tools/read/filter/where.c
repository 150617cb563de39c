/* SPDX-License-Identifier: MIT */
/* Does an event match an expression?  See where.h. */
#include "tools/read/filter/where.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/args/typed.h"
#include "tools/lib/args/words.h"
#include "tools/read/signals.h"
#include "tools/read/filter/where_parse.h"

/* What stands at the left of an operator. */
struct value {
	bool is_whole, is_real;
	int64_t whole;
	double real;
	const char *text; /* or NULL */
	size_t size;
};

static bool is_ordered(enum ptl_where_op op, int order)
{
	switch (op) {
	case PTL_WHERE_EQUAL:
		return order == 0;
	case PTL_WHERE_UNEQUAL:
		return order != 0;
	case PTL_WHERE_LESS:
		return order < 0;
	case PTL_WHERE_GREATER:
		return order > 0;
	case PTL_WHERE_AT_MOST:
		return order <= 0;
	default:
		return order >= 0;
	}
}

static bool is_like(const char *glob, const char *text, size_t size)
{
	char few[512], *copy = size < sizeof(few) ? few : ptl_alloc(size + 1);
	bool is_match;

	memcpy(copy, text, size);
	copy[size] = '\0';
	is_match = fnmatch(glob, copy, 0) == 0;
	if (copy != few)
		free(copy);
	return is_match;
}

static bool matches_text(const struct ptl_where *test, const char *text,
			 size_t size)
{
	size_t wanted = strlen(test->text);
	int order;

	if (test->op == PTL_WHERE_LIKE)
		return is_like(test->text, text, size);
	if (test->op == PTL_WHERE_UNLIKE)
		return !is_like(test->text, text, size);
	order = memcmp(text, test->text, size < wanted ? size : wanted);
	if (order == 0)
		order = (size > wanted) - (size < wanted);
	return is_ordered(test->op, order);
}

static bool matches_number(const struct ptl_where *test,
			   const struct value *value)
{
	double real = value->is_real ? value->real : (double)value->whole;

	if (value->is_whole && test->number == (double)test->whole)
		return is_ordered(test->op,
				  (value->whole > test->whole) -
					  (value->whole < test->whole));
	return is_ordered(test->op,
			  (real > test->number) - (real < test->number));
}

/* A number that has a name can be given by both. */
static bool matches(const struct ptl_where *test, const struct value *value)
{
	bool is_number = value->is_whole || value->is_real;
	char digits[32];

	if (test->op == PTL_WHERE_IS)
		return is_number ? value->whole != 0 || value->real != 0 :
				   value->size > 0;
	if (is_number && test->is_number && test->op < PTL_WHERE_LIKE)
		return matches_number(test, value);
	if (value->text != NULL)
		return matches_text(test, value->text, value->size);
	snprintf(digits, sizeof(digits), "%lld", (long long)value->whole);
	return matches_text(test, digits, strlen(digits));
}

static bool matches_whole(const struct ptl_where *test, int64_t whole)
{
	return matches(test, &(struct value){.is_whole = true, .whole = whole});
}

static bool matches_string(const struct ptl_where *test, const char *text)
{
	return matches(test,
		       &(struct value){.text = text, .size = strlen(text)});
}

static bool matches_typed(const struct ptl_where *test,
			  const struct ptl_typed_value *typed)
{
	struct value value = {.whole = (int64_t)typed->value};

	switch (typed->kind) {
	case PTL_TYPED_WORD:
		value.is_whole = true;
		/* fall through */
	case PTL_TYPED_STRUCTURE:
	case PTL_TYPED_STRING:
		value.text = typed->bytes;
		value.size = typed->size;
		break;
	case PTL_TYPED_FLOAT:
		value.is_real = true;
		value.real = (double)typed->number;
		break;
	case PTL_TYPED_MORE:
		return false;
	default:
		value.is_whole = true;
	}
	return matches(test, &value);
}

/* One of digits is a number, too. */
static bool matches_tag(const struct ptl_where *test, const struct ptl_tag *tag)
{
	struct value value = {.text = tag->value, .size = strlen(tag->value)};
	char *end;

	value.whole = strtoll(tag->value, &end, 10);
	value.is_whole = end == tag->value + value.size;
	return matches(test, &value);
}

/* One of the values of a call's arguments, or its result. */
static bool matches_call(const struct ptl_where *test,
			 const struct ptl_arg *arg)
{
	struct ptl_typed_value value;
	struct ptl_typed_walk walk;

	if (arg->type == PTL_ARG_RESULT)
		ptl_typed_result(&walk, arg->code, arg->bytes, arg->size);
	else
		ptl_typed_arguments(&walk, arg->code, arg->bytes, arg->size);
	while (ptl_typed_next(&walk, &value))
		if (matches_typed(test, &value))
			return true;
	return false;
}

static bool matches_strings(const struct ptl_where *test,
			    const struct ptl_arg *arg)
{
	struct ptl_arg string = {0};
	size_t at = 0;

	while (ptl_decode_next(arg, &at, &string))
		if (matches(test, &(struct value){.text = string.bytes,
						  .size = string.size}))
			return true;
	return false;
}

/* The name of a number whose field does not say that it has one, or NULL. */
static const char *name_of(const struct ptl_arg *arg)
{
	if (strcmp(arg->name, "signo") == 0 || strcmp(arg->name, "signal") == 0)
		return ptl_signals_name(arg->value);
	if (strcmp(arg->name, "errno") == 0)
		return strerrorname_np((int)arg->value);
	return NULL;
}

static bool matches_arg(const struct ptl_where *test, const struct ptl_arg *arg)
{
	char words[PTL_WORDS_MAX];
	struct value value = {.whole = arg->value};

	switch (arg->type) {
	case PTL_ARG_STRINGS:
		return matches_strings(test, arg);
	case PTL_ARG_SIZED:
	case PTL_ARG_ARGUMENTS:
	case PTL_ARG_RESULT:
		return matches_call(test, arg);
	case PTL_ARG_FLOAT:
		value.is_real = true;
		value.real = (double)ptl_typed_double(arg->value);
		break;
	case PTL_ARG_INT:
	case PTL_ARG_HEX:
	case PTL_ARG_C_INT:
		value.is_whole = true;
		break;
	default:
		value.text = arg->bytes;
		value.size = arg->size;
	}
	/* Bytes have their words in place of themselves. */
	if (arg->words != NULL) {
		value.text = words;
		value.size = ptl_words_text(arg, words);
	} else if (value.is_whole) {
		value.text = name_of(arg);
		value.size = value.text != NULL ? strlen(value.text) : 0;
	}
	return matches(test, &value);
}

/* What is the event's own field of that name, if it says nothing of success. */
static bool matches_failed(const struct ptl_where *test,
			   const struct ptl_where_event *event)
{
	bool has_failed = event->outcome == PTL_OUTCOME_FAILED;

	return matches(test, &(struct value){
				     .is_whole = true,
				     .whole = has_failed,
				     .text = has_failed ? "true" : "false",
				     .size = has_failed ? 4 : 5,
			     });
}

/* NULL as fopen() returns it is less than no number. */
static bool is_failed_pointer(const struct ptl_where *test,
			      const struct ptl_where_event *event,
			      const struct ptl_arg *arg)
{
	return arg->type == PTL_ARG_HEX && test->is_number &&
	       test->op >= PTL_WHERE_LESS && test->op <= PTL_WHERE_AT_LEAST &&
	       event->outcome == PTL_OUTCOME_FAILED &&
	       strcmp(test->field, "ret") == 0;
}

/* The fields that every event has, or may have. */
static bool matches_common(const struct ptl_where *test,
			   const struct ptl_where_event *event, bool *is_one)
{
	const char *field = test->field;
	const char *text = NULL;

	*is_one = true;
	if (strcmp(field, "dur") == 0)
		return event->duration >= 0 &&
		       matches_whole(test, event->duration);
	if (strcmp(field, "pid") == 0)
		return matches_whole(test, event->event->posix_pid);
	if (strcmp(field, "tid") == 0)
		return matches_whole(test, event->event->posix_tid_np);
	if (strcmp(field, "pidns") == 0)
		return matches_whole(test, event->event->posix_pidns_np);
	if (strcmp(field, "rank") == 0 && event->rank >= 0)
		return matches_whole(test, event->rank);
	if (strcmp(field, "t") == 0)
		return matches_whole(test, event->since_first);
	if (strcmp(field, "failed") == 0 && event->outcome != PTL_OUTCOME_NONE)
		return matches_failed(test, event);
	if (strcmp(field, "text") == 0 && event->text != NULL)
		return matches(test, &(struct value){.text = event->text,
						     .size = event->text_size});
	if (strcmp(field, "name") == 0)
		text = event->type->name;
	else if (strcmp(field, "host") == 0)
		text = event->host;
	else if (strcmp(field, "program") == 0)
		text = event->program;
	else if (strcmp(field, "sym") == 0)
		text = event->sym;
	else
		*is_one = false;
	return text != NULL && matches_string(test, text);
}

static const struct ptl_tag *find_tag(const struct ptl_where_event *event,
				      const char *field)
{
	const size_t size = strlen(PTL_TAG_FIELD);
	const struct ptl_tag *tag = event->tags;

	if (strncmp(field, PTL_TAG_FIELD, size) != 0)
		return NULL;
	while (tag != NULL && strcmp(tag->key, field + size) != 0)
		tag = tag->next;
	return tag;
}

static bool passes(const struct ptl_where *test,
		   const struct ptl_where_event *event)
{
	const struct ptl_tag *tag = find_tag(event, test->field);
	const struct ptl_arg *arg;
	bool is_common, is_match;

	test->seen->is_asked = true;
	is_match = matches_common(test, event, &is_common);
	if (tag != NULL) {
		is_match = matches_tag(test, tag);
	} else if (!is_common) {
		arg = ptl_decode_find(event->args, test->field);
		if (arg == NULL && event->context != NULL)
			arg = ptl_decode_find(event->context, test->field);
		if (arg == NULL)
			return false;
		is_match = is_failed_pointer(test, event, arg) ?
				   matches_whole(test, -1) :
				   matches_arg(test, arg);
	}
	test->seen->is_there = true;
	return is_match;
}

bool ptl_where_matches(const struct ptl_where *where,
		       const struct ptl_where_event *event)
{
	switch (where->kind) {
	case PTL_WHERE_OR:
		return ptl_where_matches(where->left, event) ||
		       ptl_where_matches(where->right, event);
	case PTL_WHERE_AND:
		return ptl_where_matches(where->left, event) &&
		       ptl_where_matches(where->right, event);
	case PTL_WHERE_NOT:
		return !ptl_where_matches(where->left, event);
	default:
		return passes(where, event);
	}
}

const char *ptl_where_unseen(const struct ptl_where *where)
{
	const char *left;

	if (where == NULL)
		return NULL;
	if (where->kind == PTL_WHERE_TEST)
		return !where->seen->is_asked || where->seen->is_there ||
				       where->may_be_unseen ?
			       NULL :
			       where->field;
	left = ptl_where_unseen(where->left);
	return left != NULL ? left : ptl_where_unseen(where->right);
}
