#!/bin/sh
# SPDX-License-Identifier: MIT
# A set-user-ID program that is linked with the library leaves nothing in the
# run directory of its owner, whoever runs it, however often; the names that it
# opens have types, and it can trace itself.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
plan 5

cat >"$T/v.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <trace.h>

int main(int argc, char **argv)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct posix_trace_event_info info;
	trace_event_id_t id, two;
	trace_id_t trid;
	size_t size;
	int none = 1, seen = 0;

	(void)argv;
	if (posix_trace_eventid_open("one", &id) ||
	    posix_trace_eventid_open("two", &two) || id == two ||
	    id == POSIX_TRACE_UNNAMED_USEREVENT)
		return 3;
	posix_trace_event(id, "x", 1);
	if (argc < 2)
		return getauxval(AT_SECURE) ? 0 : 4;
	if (posix_trace_create(0, NULL, &trid) || posix_trace_start(trid))
		return 5;
	posix_trace_event(two, "y", 1);
	while (!posix_trace_trygetnext_event(trid, &info, name, sizeof(name),
					     &size, &none) &&
	       !none)
		seen |= info.posix_event_id == two &&
			!posix_trace_eventid_get_name(trid, two, name) &&
			!strcmp(name, "two");
	posix_trace_shutdown(trid);
	return !seen;
}
C
cp "$LIBPTRACE" "$T/libptrace.so.0"
chmod 755 "$T/libptrace.so.0"
${CC:-cc} -I"${abs_top_srcdir:?}/include" -o "$T/v" "$T/v.c" \
	"$T/libptrace.so.0" -Wl,-rpath,"$T" 2>"$T/err" ||
	skip_all "no compiler: $(head -n 1 "$T/err")"
chmod 4755 "$T/v"
as_user "$T/v"
case $? in
4) skip_all "no set-user-ID programs here" ;;
0) pass "names have types" ;;
*) fail "names have types" ;;
esac
for _ in 1 2 3 4 5; do as_user "$T/v"; done
is "$(ls -A /dev/shm)" "" "nothing is in /dev/shm"
as_user "$T/v" traced
is $? 0 "it can trace itself"
is "$(ls /dev/shm/ptrace-0)" "$(printf 'l.0\nr.7')" \
	"and leaves no more than the registry"
"$PTRACE_RUN" -q -o "$T/log" true
is $? 0 "which others use"
