#!/bin/sh
# SPDX-License-Identifier: MIT
# libptrace-format.5 is about the version of the log that core/format/logfile.h defines,
# and gives its numbers as they are.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

plan 6
cd "$abs_top_srcdir" || exit 1
page=man/libptrace-format.5

# constant NAME: its value in logfile.h.
constant() {
	sed -n "s/^#define $1[[:space:]]\{1,\}\([0-9a-fx]*[0-9a-f]\).*/\1/p" \
		core/format/logfile.h
}

# size STRUCT: what its static_assert says.
size() {
	sed -n "s/^static_assert(sizeof(struct $1) == \([0-9]*\),.*/\1/p" \
		core/format/logfile.h
}

# told OFFSET FIELD: what the page says of a field of a table.
told() {
	sed -n "s/^$1	$2	\([0-9a-fx]*\).*/\1/p" "$page"
}

major=$(constant PTL_LOG_MAJOR)
minor=$(constant PTL_LOG_MINOR)
like "$(cat "$page")" "describes version $major\.$minor of the log" "version"
is "$(told 12 'u16 major')" "$major" "major"
is "$(told 14 'u16 minor')" "$minor" "minor"
is "$(told 16 'u32 head_size')" "$(size ptl_log_head)" "size of the head"
like "$(cat "$page")" "a header of $(size ptl_log_packet) bytes" \
	"size of a packet's header"
is "$(told 0 'u32 magic')" "$(constant PTL_PACKET_MAGIC)" "magic of a packet"
