/* SPDX-License-Identifier: MIT */
/*
 * Strings of foreign bytes, made safe: one line, no control characters, valid
 * UTF-8; in JSON, valid JSON.
 */
#ifndef PTL_TOOLS_LIB_QUOTE_H
#define PTL_TOOLS_LIB_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/lib/out.h"

/* As in C: "a\tb\x01".  The escapes are always two digits. */
void ptl_quote_text(struct ptl_out *out, const char *s, size_t size);

/* As text, but without the quotes: for names and messages. */
void ptl_quote_plain(struct ptl_out *out, const char *s, size_t size);

/* As plain, but quotes and backslashes stay as they are: for what is a command
 * already. */
void ptl_quote_shown(struct ptl_out *out, const char *s, size_t size);

/*
 * A byte that is not part of valid UTF-8 becomes U+FFFD: a lone surrogate would
 * preserve it, but some parsers reject those, and the bytes are in the event's
 * "data" anyway.
 */
void ptl_quote_json(struct ptl_out *out, const char *s, size_t size);

/* How many of these bytes, from the first on, are valid UTF-8. */
size_t ptl_quote_valid(const char *s, size_t size);

/* Are these bytes one word for a shell, as they are? */
bool ptl_quote_is_word(const char *s, size_t size);

/*
 * As one word of a shell, which reads these bytes from it: plain, in single
 * quotes, or, if it has control characters, as $'\\n'.
 */
void ptl_quote_shell(struct ptl_out *out, const char *s, size_t size);

/*
 * Do these bytes look like text?  It is valid UTF-8 without null characters,
 * and few of its characters, or one, are control characters: these are escaped
 * where it is shown.
 */
bool ptl_quote_is_text(const char *s, size_t size);

#endif
