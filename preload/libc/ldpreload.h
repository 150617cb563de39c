/* SPDX-License-Identifier: MIT */
/* A value of LD_PRELOAD: words between colons and blanks. */
#ifndef PTL_PRELOAD_LIBC_LDPRELOAD_H
#define PTL_PRELOAD_LIBC_LDPRELOAD_H

#include "core/base.h"

/* The name of our own file, without directories. */
extern const char *ptl_ldpreload_name __attribute__((visibility("hidden")));

/* The word that is us; its size, or 0. */
size_t ptl_ldpreload_us(const char *value, const char **word);

/* Does a word mean the same file in every directory? */
bool ptl_ldpreload_is_anchored(const char *word, size_t size);

/* Where the library for programs of the other width is, if `library' is our
 * file: in the directory libptrace/32 beside that of 64 bits.  Returns its
 * length; 0: there is no room, or none such for this processor. */
size_t ptl_ldpreload_other(char *to, size_t size, const char *library);

/* The value without us; the text of the others is as it was.  It may be made in
 * place.  Returns its end. */
char *ptl_ldpreload_others(char *to, const char *value);

#endif
