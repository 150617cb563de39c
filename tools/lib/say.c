/* SPDX-License-Identifier: MIT */
/* The tools' messages on stderr; see say.h. */
#include "tools/lib/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/quote.h"

static const char *say_as;

void ptl_say_as(const char *program)
{
	say_as = program;
}

void ptl_say(const char *format, ...)
{
	static struct ptl_out out; /* each byte of the line may need four */
	char line[1024];
	va_list args;
	int size, more;

	if (say_as == NULL)
		return;
	size = snprintf(line, sizeof(line), "%s: ", say_as);
	va_start(args, format);
	more = vsnprintf(line + size, sizeof(line) - (size_t)size, format,
			 args);
	va_end(args);
	size += more > 0 ? more : 0;
	if ((size_t)size > sizeof(line) - 1)
		size = sizeof(line) - 1;
	/* A file name may contain anything: the message stays one line of text.
	 */
	ptl_out_init(&out, STDERR_FILENO, "standard error", NULL);
	ptl_quote_plain(&out, line, (size_t)size);
	ptl_out_char(&out, '\n');
	if (write(out.fd, out.buf, out.used) < 0)
		return; /* there is no way to report it */
}

void ptl_say_usage(void)
{
	dprintf(STDERR_FILENO, "try '%s --help'\n", say_as);
	exit(2);
}

const char *ptl_say_refused(int error)
{
	switch (error) {
	case EBUSY:
		return "another trace is being written to it";
	case EEXIST:
		return "it exists, and is not a trace log";
	case EMLINK:
		return "it has several names (hard links)";
	case EPERM:
		return "it, or a link on the way to it, is another user's";
	default:
		return strerror(error);
	}
}

void *ptl_alloc(size_t size)
{
	void *memory = calloc(1, size);

	if (memory == NULL) {
		ptl_say("out of memory");
		exit(1);
	}
	return memory;
}

void *ptl_grow(void *array, size_t nr, size_t *room, size_t element_size)
{
	size_t more = *room == 0 ? 16 : *room * 2;
	void *grown;

	if (nr < *room)
		return array;
	grown = reallocarray(array, more, element_size);
	if (grown == NULL) {
		ptl_say("out of memory");
		exit(1);
	}
	*room = more;
	return grown;
}
