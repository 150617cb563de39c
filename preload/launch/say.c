/* SPDX-License-Identifier: MIT */
#include "preload/launch/say.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* The longest part of a value that is shown. */
#define MAX_WORD 256

void ptl_launch_say(const char *const *words, size_t nr)
{
	char line[512] = "libptrace: ";
	size_t at = ptl_strlen(line);

	for (size_t i = 0; i < nr; i++)
		at += ptl_strcopy(line + at,
				  PTL_MIN(sizeof(line) - 1 - at, MAX_WORD),
				  words[i]);
	for (size_t i = 0; i < at; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[at++] = '\n';
	ptl_sys_write(2, line, at);
}
