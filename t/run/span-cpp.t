#!/bin/sh
# SPDX-License-Identifier: MIT
# <libptrace/trace_span.hpp>: a span is as long as its object, in each C++; and
# <libptrace/trace_value.hpp>: gauges and counters.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need g++
plan 16

cat >spans.cc <<'END'
#include <libptrace/trace_span.hpp>
#include <libptrace/trace_value.hpp>

static const libptrace::gauge depth("depth");
static const libptrace::counter served("served");
static const libptrace::span_type kind("kind");

static void throws()
{
	libptrace::span span(kind, "thrown");

	throw 1;
}

int main()
{
	libptrace::span outer(kind);

	try {
		throws();
	} catch (int) {
	}
	libptrace::span ended(kind, "ended", 5);
	ended.end();
	ended.end();
	libptrace::span given(kind, "given");
	trace_span_np_t number = given.release();
#if __cplusplus >= 201103L
	libptrace::span moved(static_cast<libptrace::span &&>(outer));
#endif
	posix_trace_span_end_np(number);
	depth.set(2.5);
	served.add(3);
	served.add();
	return 0;
}
END
for how in '-std=c++98 -Wno-long-long' -std=c++11 -std=c++17; do
	# shellcheck disable=SC2086 # words
	g++ $how -pedantic -Wall -Wextra -Werror -DTRACE_WEAK \
		-I"$abs_top_srcdir/include" -o spans spans.cc 2>why
	ok $? "$how: compiled" || diag "$(cat why)"
	./spans
	ok $? "$how: it runs without the library"
	run ./spans
	is "$(dump -f json -n 'span:*' | sed 's/.*"name":"span:\([a-z]*\)".*"type":"kind"\(,"data":"\([a-z]*\)"\)*.*/\1 \3/')" \
		"begin 
begin thrown
end thrown
begin ended
end ended
begin given
end given
end " "$how: each has its end"
	is "$(dump -f json -n span:end | grep -c '"dur":')" 4 \
		"$how: and its duration"
	is "$(dump -f json -n depth -n served | sed 's/.*"args"://')" '{"value":2.5}}
{"value":3}}
{"value":1}}' "$how: a gauge and a counter"
done
like "$(dump -n span:begin | sed -n 2p)" 'throws\(\)?' "the place is the program's"
