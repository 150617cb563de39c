/* SPDX-License-Identifier: MIT */
/* How often a second: a number, with k or M for thousands and millions. */
#ifndef PTL_PRELOAD_SETTINGS_RATE_H
#define PTL_PRELOAD_SETTINGS_RATE_H

#include "core/base.h"

#define PTL_RATE_LEAST 10000u
#define PTL_RATE_MOST 1000000000u
#define PTL_RATE_SIZE 16 /* of its text, with the null */

/* 0: it is none, or out of these bounds. */
PTL_INLINE uint32_t ptl_rate_read(const char *text)
{
	uint64_t rate = 0;
	unsigned int i = 0;

	for (; text[i] >= '0' && text[i] <= '9' && i < PTL_RATE_SIZE - 2; i++)
		rate = rate * 10 + (uint64_t)(text[i] - '0');
	if (i > 0 && (text[i] == 'k' || text[i] == 'K'))
		rate *= 1000, i++;
	else if (i > 0 && text[i] == 'M')
		rate *= 1000000, i++;
	return text[i] || rate < PTL_RATE_LEAST || rate > PTL_RATE_MOST ?
		       0 :
		       (uint32_t)rate;
}

#endif
