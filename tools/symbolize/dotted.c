/* SPDX-License-Identifier: MIT */
/* Names of D and OCaml; see dotted.h. */
#include "tools/symbolize/dotted.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* ---- D: _D4shop4cart4Cart5totalMFiAyaZi ------------------------------- */

static bool is_plain(const char *word, size_t size)
{
	return size > 0 && strnlen(word, size) == size &&
	       !isdigit((unsigned char)*word) &&
	       !(size > 3 && word[0] == '_' && word[1] == '_' &&
		 strchr("TSU", word[2]) != NULL);
}

/* What is behind the words: the type of a function, and no name of what is
 * inside of that. */
static bool is_function(const char *type)
{
	const char *end = type;

	if (strchr("MFUWVRY", *type) == NULL || *type == '\0')
		return false;
	while ((end = strchr(end, 'Z')) != NULL)
		if (isdigit((unsigned char)*++end))
			return false;
	return true;
}

static char *demangle_d(const char *name)
{
	const char *at = name + 2;
	char *plain = ptl_alloc(strlen(name) + 1), *to = plain;

	while (isdigit((unsigned char)*at)) {
		char *word;
		unsigned long size = strtoul(at, &word, 10);

		if (size > strlen(word) || !is_plain(word, size))
			break;
		if (to > plain)
			*to++ = '.';
		memcpy(to, word, size);
		to += size;
		at = word + size;
	}
	*to = '\0';
	if (to > plain && is_function(at))
		return plain;
	free(plain);
	return NULL;
}

/* ---- OCaml: camlShop__Cart__total$27_81 -------------------------------- */

/* The number behind the last underscore, which tells functions of one name
 * apart; SIZE: there is none. */
static size_t without_stamp(const char *name, size_t size)
{
	size_t end = size;

	while (end > 0 && isdigit((unsigned char)name[end - 1]))
		end--;
	return end < size && end > 1 && name[end - 1] == '_' &&
			       name[end - 2] != '_' ?
		       end - 1 :
		       size;
}

static bool is_hex(const char *at)
{
	return isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1]);
}

static char *demangle_ocaml(const char *name)
{
	size_t size = strlen(name), end = without_stamp(name, size);
	char *plain, *to;

	if (strstr(name, "__") == NULL || end == size)
		return NULL;
	plain = to = ptl_alloc(size + 1);
	for (size_t i = strlen("caml"); i < end; i++) {
		unsigned int byte;

		if (name[i] == '_' && name[i + 1] == '_' && i + 2 < end) {
			*to++ = '.';
			i++;
		} else if (name[i] == '$' && i + 2 < end &&
			   is_hex(name + i + 1) &&
			   sscanf(name + i + 1, "%2x", &byte) == 1 &&
			   byte > ' ' && byte < 127) {
			*to++ = (char)byte;
			i += 2;
		} else {
			*to++ = name[i];
		}
	}
	*to = '\0';
	return plain;
}

char *ptl_dotted_demangle(const char *name)
{
	if (strncmp(name, "_D", 2) == 0 && isdigit((unsigned char)name[2]))
		return demangle_d(name);
	if (strncmp(name, "caml", 4) == 0 && isupper((unsigned char)name[4]))
		return demangle_ocaml(name);
	return NULL;
}
