/* SPDX-License-Identifier: MIT */
/* The default name of a log; see logname.h. */
#include "preload/settings/logname.h"

#include "core/sys/text.h"

/* The kernel cuts a name to this size, without the null. */
#define COMM_SIZE 15
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
