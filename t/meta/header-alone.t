#!/bin/sh
# SPDX-License-Identifier: MIT
# <trace.h> alone gives a program all that it needs to use it: in C of each
# standard, in C++, and behind or before the headers it brings along.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cc=${CC:-cc}
cxx=${CXX:-g++}
strict="-fsyntax-only -pedantic -Wall -Wextra -Werror -I$abs_top_srcdir/include"

cat >"$T/use.c" <<'END'
#include <trace.h>

#if _POSIX_TRACE < 200112L || _POSIX_TRACE_EVENT_FILTER < 200112L
#error "no Trace option"
#endif
#if _POSIX_TRACE_INHERIT < 200112L || _POSIX_TRACE_LOG < 200112L
#error "no options of the Trace option"
#endif
#if POSIX_TRACE_LOOP == POSIX_TRACE_FLUSH || TRACE_NAME_MAX < 8
#error "constants cannot be used here"
#endif

int use(int fd, pid_t pid);

static trace_event_set_t filter;
static char name[TRACE_EVENT_NAME_MAX + 1];
static const trace_event_id_t types[] = {
	POSIX_TRACE_ERROR, POSIX_TRACE_START, POSIX_TRACE_UNNAMED_USER_EVENT
};

static int role(int status)
{
	switch (status) {
	case POSIX_TRACE_RUNNING:
		return 1;
	case POSIX_TRACE_SUSPENDED:
		return 2;
	}
	return 0;
}

int use(int fd, pid_t pid)
{
	struct posix_trace_status_info status;
	struct posix_trace_event_info event;
	struct timespec when;
	char data[sizeof(when)];
	pthread_t thread;
	trace_attr_t attr;
	trace_id_t trid;
	trace_event_id_t id;
	size_t size;
	int unavailable;

	if (posix_trace_attr_init(&attr) ||
	    posix_trace_attr_getclockres(&attr, &when) ||
	    posix_trace_attr_getstreamsize(&attr, &size) ||
	    posix_trace_create(pid, &attr, &trid) ||
	    posix_trace_create_withlog(pid, &attr, fd, &trid) ||
	    posix_trace_eventid_open("name", &id) ||
	    posix_trace_eventset_fill(&filter, POSIX_TRACE_SYSTEM_EVENTS) ||
	    posix_trace_set_filter(trid, &filter, POSIX_TRACE_SET_EVENTSET) ||
	    posix_trace_eventid_get_name(trid, types[1], name) ||
	    posix_trace_get_status(trid, &status))
		return role(status.posix_stream_status);
	posix_trace_event(id, &when, sizeof(when));
	when.tv_sec += 1;
	if (posix_trace_timedgetnext_event(trid, &event, data, sizeof(data),
					   &size, &unavailable, &when))
		return 1;
	thread = event.posix_thread_id;
	return event.posix_pid == pid && thread == event.posix_thread_id &&
	       event.posix_prog_address != 0 && event.posix_timestamp.tv_nsec;
}
END
cp "$T/use.c" "$T/use.cc"
for order in 'limits unistd trace limits unistd' 'sys/types time pthread trace'
do
	for header in $order; do
		echo "#include <$header.h>"
	done >"$T/$(echo "$order" | tr ' /' '__').c"
	cat "$T/use.c" >>"$T/$(echo "$order" | tr ' /' '__').c"
done

# compiles NAME COMMAND...
compiles() {
	name=$1
	shift
	if "$@" >"$T/out" 2>&1; then
		pass "$name"
	else
		fail "$name"
		diag "$*"
		diag "$(head -n 20 "$T/out")"
	fi
}

plan 20
for how in '-std=c99' '-std=c99 -D_POSIX_C_SOURCE=200112L' \
	'-std=c99 -D_POSIX_C_SOURCE=200809L' '-std=c99 -D_XOPEN_SOURCE=600' \
	'-std=c11' '-std=gnu99' '-std=gnu11 -D_GNU_SOURCE' '-std=gnu17' \
	'-std=c99 -D_FILE_OFFSET_BITS=64'; do
	# shellcheck disable=SC2086 # words
	compiles "[trace_h.9] $how" $cc $how $strict "$T/use.c"
done
for file in "$T"/*_trace*.c; do
	# shellcheck disable=SC2086 # words
	compiles "[trace_h.9] $(basename "$file")" \
		$cc -std=c99 -D_POSIX_C_SOURCE=200809L $strict "$file"
done
for how in '-std=c++98 -Wno-long-long' '-std=c++11' '-std=c++17' '-std=gnu++20'
do
	if ! command -v "$cxx" >/dev/null 2>&1; then
		skip "[trace_h.10] $how" "no $cxx"
	else
		# shellcheck disable=SC2086 # words
		compiles "[trace_h.10] $how" $cxx $how $strict "$T/use.cc"
	fi
done

# Names that a program may have for macros of its own.
for header in limits pthread sys/types time unistd; do
	echo "#include <$header.h>"	# the system's are its own affair
done >"$T/names.c"
for name in attr data event event_id event_name fd how id info ismember name \
	num_bytes pid set size trid unavailable what where ptl_bits PTL_API \
	events lost log_size bad_offset bad_size processes live_processes \
	log_state clock host; do
	echo "#define $name not this name"
done >>"$T/names.c"
echo '#include <trace.h>' >>"$T/names.c"
for how in '' -DTRACE_WEAK; do
	# shellcheck disable=SC2086 # words
	compiles "[trace_h.14] no argument's or member's name $how" \
		$cc -std=c99 $how $strict "$T/names.c"
done

# Linked and run: C linkage, and no name of the header is a macro in the way.
cat >"$T/run.cc" <<'END'
#include <trace.h>
namespace other {
struct tracer {
	int posix_trace_start, POSIX_member;
};
}
int main()
{
	trace_attr_t attr;
	trace_event_set_t set;

	return ::posix_trace_attr_init(&attr) ||
	       ::posix_trace_eventset_empty(&set) ||
	       ::posix_trace_attr_destroy(&attr);
}
END
if command -v "$cxx" >/dev/null 2>&1; then
	$cxx "-I$abs_top_srcdir/include" -o "$T/run" "$T/run.cc" "$LIBPTRACE" \
		"-Wl,-rpath,$(dirname "$LIBPTRACE")" >"$T/out" 2>&1
	ok $? "[trace_h.10] a C++ program links" || diag "$(cat "$T/out")"
	"$T/run"
	ok $? "[trace_h.10] and runs"
else
	skip "[trace_h.10] a C++ program links" "no $cxx"
	skip "[trace_h.10] and runs" "no $cxx"
fi

# Each name that a program sees begins as the standard reserves it.
echo '#include <trace.h>' | $cc -std=c99 -D_POSIX_C_SOURCE=200809L \
	"-I$abs_top_srcdir/include" -E -dM - | sort >"$T/with"
printf '#include <%s.h>\n' limits pthread sys/types time unistd |
	$cc -std=c99 -D_POSIX_C_SOURCE=200809L -E -dM - | sort >"$T/without"
is "$(comm -23 "$T/with" "$T/without" | awk '{ print $2 }' | sed 's/(.*//' |
	grep -vE '^(POSIX_TRACE_|_POSIX_TRACE|TRACE_[A-Z_]*_MAX$|_PTL_|posix_trace_event$|posix_trace_set_(name|tag)_np$|posix_trace_span_(begin|end|link)_np$)')" "" \
	"no macro outside the reserved names"
