/* SPDX-License-Identifier: MIT */
/*
 * The count is one addition, so it is exact, whichever process dies when.  A
 * line gets its place first and is written then; the same program for the same
 * reason has one line, or two if two processes write it at once.
 */
#include "core/shm/untraced.h"

#include "core/sys/text.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define LINE_SIZE 256

const char *ptl_untraced_why(bool filtered, int status)
{
	if (status >= 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		return PTL_NOT_STARTED ", and a seccomp filter killed it";
	return filtered ? PTL_NOT_STARTED ", under a seccomp filter" :
			  PTL_NOT_STARTED;
}

static bool has_line(const struct ptl_untraced *untraced, const char *line,
		     size_t size)
{
	for (size_t at = 0; at + size <= PTL_UNTRACED_TEXT; at++)
		if (memcmp(untraced->text + at, line, size) == 0)
			return true;
	return false;
}

/* "PATH: REASON\n", without bytes that are no line's. */
static size_t make_line(char *line, const char *path, const char *reason)
{
	size_t size = ptl_strcopy(line, LINE_SIZE / 2, path);

	size += ptl_strcopy(line + size, 3, ": ");
	size += ptl_strcopy(line + size, LINE_SIZE / 2 - 4, reason);
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 127)
			line[i] = '?';
	line[size++] = '\n';
	return size;
}

static void add_line(struct ptl_untraced *untraced, const char *line,
		     size_t size)
{
	uint64_t at;

	at = atomic_load_explicit(&untraced->used, memory_order_relaxed);
	do {
		if (at > PTL_UNTRACED_TEXT || size > PTL_UNTRACED_TEXT - at ||
		    has_line(untraced, line, size))
			return;
	} while (!atomic_compare_exchange_weak_explicit(
		&untraced->used, &at, at + size, memory_order_relaxed,
		memory_order_relaxed));
	memcpy(untraced->text + at, line, size);
}

void ptl_untraced_add(struct ptl_map *map, const char *path, const char *reason)
{
	struct ptl_untraced *untraced = &map->log->untraced;
	char line[LINE_SIZE];

	atomic_fetch_add_explicit(&untraced->count, 1, memory_order_relaxed);
	add_line(untraced, line, make_line(line, path, reason));
}

void ptl_untraced_move(struct ptl_map *map, struct ptl_map *from)
{
	struct ptl_untraced *to = &map->log->untraced, moved;
	uint64_t count = atomic_exchange_explicit(&from->log->untraced.count, 0,
						  memory_order_relaxed);
	char text[PTL_UNTRACED_TEXT + 1];
	size_t begin = 0;

	if (!count)
		return;
	atomic_fetch_add_explicit(&to->count, PTL_MIN(count, UINT32_MAX),
				  memory_order_relaxed);
	memcpy(&moved, &from->log->untraced, sizeof(moved));
	/* Foreign bytes: lines of letters they are after this. */
	ptl_untraced_lines(&moved, text, sizeof(text));
	for (size_t i = 0; text[i]; i++) {
		if (text[i] != '\n')
			continue;
		if (i + 1 - begin <= LINE_SIZE)
			add_line(to, text + begin, i + 1 - begin);
		begin = i + 1;
	}
}

void ptl_untraced_get(const struct ptl_map *map, struct ptl_untraced *untraced)
{
	memcpy(untraced, &map->log->untraced, sizeof(*untraced));
}

void ptl_untraced_lines(const struct ptl_untraced *untraced, char *to,
			size_t size)
{
	size_t used = 0, whole = 0;

	for (size_t i = 0; i < PTL_UNTRACED_TEXT && used + 1 < size; i++) {
		char c = untraced->text[i];

		if (c == '\0')
			continue;
		/* Foreign bytes. */
		to[used++] = c != '\n' && ((unsigned char)c < ' ' || c == 127) ?
				     '?' :
				     c;
		if (c == '\n')
			whole = used;
	}
	to[whole] = '\0';
}
