/* SPDX-License-Identifier: MIT */
/*
 * A program that is a span of a trace (W3C Trace Context, in the environment).
 * TRACEPARENT says which span it was begun in: that is recorded, and its own,
 * which takes the place of the other one in the very text that the program has
 * been given.  So whatever the program does with its environment is what it
 * would do without us, it starts others with its own span, or with another one
 * that it has put there, and no launch has to know of any of it; except where
 * the variable is missing, as after env -i: that is env.c's.
 *
 *   TRACEPARENT=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *               version, trace (at 3), span (at 36), flags
 */
#include "preload/launch/traceparent.h"

#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/env.h"
#include "preload/libc/payload.h"

#define NAME "TRACEPARENT="
#define NAME_SIZE (sizeof(NAME) - 1)
#define TRACE_AT 3
#define TRACE_DIGITS 32
#define SPAN_AT 36
#define SPAN_DIGITS 16
#define VALUE_SIZE 55

static bool are_digits(const char *s, size_t nr)
{
	for (; nr > 0; nr--, s++)
		if (!(*s >= '0' && *s <= '9') && !(*s >= 'a' && *s <= 'f'))
			return false;
	return true;
}

static bool are_nulls(const char *s, size_t nr)
{
	while (nr > 0 && *s == '0')
		s++, nr--;
	return nr == 0;
}

/* More may follow in versions to come, which 255 is none of.  A span of nulls
 * is ptrace-run's: nobody has begun the program. */
static bool is_valid(const char *value)
{
	return ptl_strnlen(value, VALUE_SIZE) == VALUE_SIZE &&
	       are_digits(value, 2) && value[2] == '-' &&
	       are_digits(value + TRACE_AT, TRACE_DIGITS) &&
	       value[SPAN_AT - 1] == '-' &&
	       are_digits(value + SPAN_AT, SPAN_DIGITS) &&
	       value[SPAN_AT + SPAN_DIGITS] == '-' &&
	       are_digits(value + VALUE_SIZE - 2, 2) &&
	       !are_nulls(value + TRACE_AT, TRACE_DIGITS) &&
	       !(value[0] == 'f' && value[1] == 'f') &&
	       (value[VALUE_SIZE] == '\0' ||
		(value[VALUE_SIZE] == '-' && !are_nulls(value, 2)));
}

/* The variable as getenv() has it; NULL: there is none. */
static char *find(char *const *envp)
{
	for (; envp && *envp; envp++)
		if (ptl_strpre(*envp, NAME))
			return *envp + NAME_SIZE;
	return NULL;
}

/* Is the text where the kernel has put it?  What a program has made itself may
 * be read-only. */
static bool is_ours_to_write(char *const *envp, const char *text)
{
	uintptr_t end = getauxval(AT_EXECFN);

	return (uintptr_t)text > (uintptr_t)envp && (uintptr_t)text < end;
}

static uint64_t mixed(uint64_t hash)
{
	hash ^= hash >> 32;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	hash ^= hash >> 29;
	hash *= UINT64_C(0xbf58476d1ce4e5b9);
	return hash ^ hash >> 32;
}

/* No two programs have it: their parents' span, the process and the time. */
static uint64_t new_number(const char *before, uint64_t salt)
{
	struct ptl_ktimespec now = {0};
	uint64_t hash = salt;

	ptl_sys(PTL_SYS_CLOCK, CLOCK_REALTIME, &now, 0, 0);
	for (; *before; before++)
		hash = (hash ^ (unsigned char)*before) *
		       UINT64_C(0x100000001b3);
	hash = mixed(hash ^ (uint64_t)ptl_sys_getpid());
	hash = mixed(hash + (uint64_t)now.tv_sec);
	hash = mixed(hash + (uint64_t)now.tv_nsec);
	return hash ? hash : 1;
}

static void put_digits(char *to, uint64_t number)
{
	for (int shift = 60; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[number >> shift & 15];
}

/* As the program was given it, and as it has it. */
static void record(const char *given, const char *own)
{
	unsigned char data[2 * (NAME_SIZE + VALUE_SIZE + 1)];
	struct ptl_payload payload = {data, sizeof(data) / 2, 0};
	char value[VALUE_SIZE + 1];

	ptl_strcopy(value, sizeof(value), given);
	ptl_put_bytes(&payload, NAME, NAME_SIZE);
	ptl_put_string(&payload, value);
	payload.room = sizeof(data);
	ptl_put_string(&payload, own);
	ptl_core_event(PTL_EV_PROCESS_ENVIRONMENT, data, payload.size, NULL);
}

void ptl_traceparent_begin(char *const *envp)
{
	char own[] = NAME "00-00000000000000000000000000000000"
			  "-0000000000000000-01";
	const char *wanted = ptl_env_setting("PTRACE_TRACEPARENT=");
	char *given = find(envp);
	uint64_t span;

	if (!wanted || !ptl_streq(wanted, "1") ||
	    !ptl_core_wants(PTL_EV_PROCESS_ENVIRONMENT))
		return;
	/* Whatever else a program has put there is its own. */
	if (given && (!is_valid(given) || !is_ours_to_write(envp, given)))
		return;
	if (given) {
		ptl_strcopy(own + NAME_SIZE, VALUE_SIZE + 1, given);
	} else {
		put_digits(own + NAME_SIZE + TRACE_AT, new_number("", 1));
		put_digits(own + NAME_SIZE + TRACE_AT + 16, new_number("", 2));
	}
	span = new_number(own, 0);
	put_digits(own + NAME_SIZE + SPAN_AT, span);
	record(given ? given : "", own);
	if (given)
		put_digits(given + SPAN_AT, span);
	ptl_env_keep(own);
}
