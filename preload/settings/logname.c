/* SPDX-License-Identifier: MIT */
/* The name of a log; see logname.h. */
#include "preload/settings/logname.h"

#include "core/sys/text.h"
#include "preload/settings/rank.h"

/* The kernel cuts a name to this size, without the null. */
#define COMM_SIZE 15
/* What stands for a % is cut to it. */
#define VALUE_SIZE 64u
/* For the numbers and the suffix. */
#define TAIL_SIZE 48

/* The process chooses the name, and it becomes the name of a file: it must not
 * disturb a terminal or a shell, be hidden, or look like an option. */
static bool is_safe(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '+' ||
	       (!is_first && (c == '-' || c == '.'));
}

static const char *base_name(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	return base;
}

bool ptl_logname_wants_exe(const char *comm)
{
	return ptl_strlen(comm) == COMM_SIZE;
}

/*
 * The kernel's name is that of a script, not of its interpreter, but is cut to
 * 15 characters; for a program the rest is in its path.
 */
void ptl_logname_program(char *name, size_t size, const char *comm,
			 const char *exe)
{
	const char *base = base_name(exe);

	if (!*comm)
		comm = "process";
	if (ptl_logname_wants_exe(comm) && ptl_strpre(base, comm))
		comm = base;
	ptl_strcopy(name, size, comm);
	for (size_t i = 0; name[i]; i++)
		if (!is_safe(name[i], i == 0))
			name[i] = '_';
}

void ptl_logname_make(char buf[PTL_LOGNAME_SIZE], const char *name, int pid,
		      unsigned int attempt)
{
	size_t at = ptl_strcopy(buf, PTL_LOGNAME_SIZE - TAIL_SIZE, name);

	buf[at++] = '.';
	at += ptl_utoa(buf + at, (unsigned int)pid, 10);
	if (attempt > 0) {
		buf[at++] = '.';
		at += ptl_utoa(buf + at, attempt, 10);
	}
	ptl_strcopy(buf + at, sizeof(".ptlog"), ".ptlog");
}

bool ptl_logname_is_pattern(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern != '%')
			continue;
		pattern++;
		if (*pattern != 'h' && *pattern != 'p' && *pattern != 'r' &&
		    *pattern != '%')
			return false; /* or its end */
	}
	return true;
}

/* Returns how many characters. */
static size_t put_safe(char *to, const char *from, size_t max, bool is_first)
{
	size_t n = 0;

	for (; n < max && from[n]; n++)
		to[n] = is_safe(from[n], is_first && n == 0) ? from[n] : '_';
	return n;
}

const char *ptl_logname_fill(char buf[PTL_LOGNAME_PATH_SIZE],
			     const char *pattern, const char *host, int pid,
			     char *const *envp)
{
	struct ptl_rank rank = {0};
	const char *value;
	char digits[21];
	size_t at = 0;

	ptl_rank_find(&rank, envp);
	for (; *pattern; pattern++) {
		if (at + 1 >= PTL_LOGNAME_PATH_SIZE)
			return "it is too long";
		if (*pattern != '%' || *++pattern == '%') {
			buf[at++] = *pattern;
			continue;
		}
		ptl_utoa(digits, (unsigned int)pid, 10);
		value = *pattern == 'h' ? host :
			*pattern == 'p' ? digits :
					  rank.rank;
		if (!value || !*value)
			return *pattern == 'r' ? ptl_rank_none :
						 "the host has no name";
		at += put_safe(
			buf + at, value,
			PTL_MIN(VALUE_SIZE, PTL_LOGNAME_PATH_SIZE - 1 - at),
			at == 0 || buf[at - 1] == '/');
	}
	buf[at] = '\0';
	return NULL;
}
