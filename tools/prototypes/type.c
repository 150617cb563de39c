/* SPDX-License-Identifier: MIT */
/* A type of C, as far as a prototype needs it; see type.h. */
#include "tools/prototypes/type.h"

#include <string.h>

#include "tools/lib/say.h"

struct ptl_c_type *ptl_type_make(struct ptl_c_type **made, enum ptl_form form,
				 char letter, const struct ptl_c_type *of)
{
	struct ptl_c_type *type = ptl_alloc(sizeof(*type));

	type->next = *made;
	*made = type;
	type->form = form;
	type->letter = letter;
	type->of = of;
	return type;
}

static char pointer_letter(const struct ptl_c_type *to, bool foreign)
{
	if (to->form == PTL_TYPE_FUNCTION)
		return 'F';
	if (to->form != PTL_TYPE_VALUE || to->letter != 'c')
		return to->is_const ? 'k' : 'p';
	if (foreign)
		return to->is_const ? 'z' : 'Z';
	return to->is_const ? 's' : 'S';
}

char ptl_type_letter(const struct ptl_c_type *type, bool foreign)
{
	switch (type->form) {
	case PTL_TYPE_POINTER:
		return pointer_letter(type->of, foreign);
	case PTL_TYPE_FUNCTION:
		return 'F';
	case PTL_TYPE_VALUE:
		break;
	}
	return type->letter;
}

bool ptl_basic_add(struct ptl_basic *basic, const char *word, size_t size)
{
	/* '*': together with others. */
	static const struct {
		const char *word;
		char letter;
	} words[] = {
		{"void", 'v'},
		{"_Bool", 'b'},
		{"bool", 'b'},
		{"char", 'c'},
		{"int", 'I'},
		{"short", '*'},
		{"long", '*'},
		{"signed", '*'},
		{"__signed__", '*'},
		{"__signed", '*'},
		{"unsigned", '*'},
		{"float", 'f'},
		{"double", 'd'},
		{"_Float32", 'f'},
		{"_Float64", 'd'},
		{"_Float32x", 'd'},
		{"_Float64x", 'x'},
		{"_Float128", 'q'},
		{"__float128", 'q'},
		{"_Complex", '*'},
		{"__complex__", '*'},
		{"complex", '*'},
		{"__int128", '?'},
		{"__int128_t", '?'},
		{"__builtin_va_list", 'p'},
	};
	size_t i, nr = sizeof(words) / sizeof(*words);

	for (i = 0; i < nr; i++)
		if (strlen(words[i].word) == size &&
		    memcmp(words[i].word, word, size) == 0)
			break;
	if (i == nr)
		return false;
	basic->nr++;
	basic->longs += words[i].word[0] == 'l';
	basic->is_unsigned |= words[i].word[0] == 'u';
	basic->is_short |= strcmp(words[i].word, "short") == 0;
	basic->is_signed |= strstr(words[i].word, "signed") != NULL &&
			    words[i].word[0] != 'u';
	basic->is_complex |= strstr(words[i].word, "omplex") != NULL;
	if (words[i].letter != '*')
		basic->letter = words[i].letter;
	return true;
}

char ptl_basic_letter(const struct ptl_basic *basic, bool quad)
{
	char letter = basic->letter;

	if (basic->nr == 0)
		return 0;
	if (basic->is_complex)
		return PTL_TYPE_UNKNOWN;
	if ((letter == 'd' && basic->longs) || letter == 'x')
		return quad ? 'q' : 'x';
	if (letter == 'c' && basic->is_unsigned)
		return 'H';
	if (letter == 'c' && basic->is_signed)
		return 'h';
	if (letter != 0 && letter != 'I')
		return letter;
	if (basic->is_short)
		return basic->is_unsigned ? 'T' : 't';
	if (basic->longs)
		return basic->is_unsigned ? 'L' : 'l';
	return basic->is_unsigned ? 'I' : 'i';
}
