#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes point one way: tools and tests at <trace.h>, preload at the seam,
# and inside core downwards.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

# The layer of each file of core/, by its path without .c or .h; core/api/ is
# above them all.
layers='
0 base format/layout format/record sys/syscall format/sysevents
1 sys/text stream/attr sys/clock sys/vectors buffer/counter sys/wait sys/lock sys/ident sys/pidns shm/rundir shm/segment shm/names shm/family shm/map buffer/slot buffer/loss shm/untraced buffer/chunk unwind/dwarf unwind/expression unwind/object unwind/cfi unwind/cache unwind/scratch unwind/frame unwind/last unwind/unwind record/stacks buffer/cursor buffer/timeline record/backpressure shm/registry shm/allproc log/writer log/rotation log/index log/merge log/packet log/reader log/pipetail buffer/unlogged log/spool
2 record/attached process/children process/join record/acquire record/oneshot record/emit record/child record/fastpath record/fastpath_impl record/fastpath_gpr process/fork stream/stream stream/order stream/reader flush/batch flush/log_policy flush/copy flush/limit flush/overflow flush/metadata flush/clear flush/flush flush/thread control/census control/takeover flush/totals control/recover control/logopen core core
'
# All that preload/ may know of core/.
seam='core/core.h core/base.h core/sys/syscall.h core/sys/text.h'

plan 7
cd "$abs_top_srcdir" || exit 1

# "FILE: HEADER", one line for each #include "HEADER" below the directories.
includes() {
	find "$@" -name '*.[chS]' -o -name '*.def' 2>/dev/null | sort |
		xargs -r grep -EHo '^#[[:space:]]*include[[:space:]]+["<][^">]+' \
			/dev/null |
		sed -E 's/:#[[:space:]]*include[[:space:]]+/: /; s/ "/ /'
}

# none NAME COMMAND...: the command prints no line.
none() {
	name=$1
	shift
	is "$("$@")" "" "$name"
}

# all_but PATTERN FILTER: those of $T/all that match FILTER, not PATTERN.
all_but() {
	grep -E "$2" "$T/all" | grep -vE "$1"
}

includes core preload tools include t >"$T/all"

none "nothing but tests includes t/" all_but '^t/' ': <?t/'
none "core includes nothing of preload or tools" \
	grep -E '^(core|include)/.*: (preload|tools)/' "$T/all"
seam_re=$(echo "$seam" | sed 's/\./\\./g; s/ /|/g')
none "preload includes the seam only" \
	all_but ": ($seam_re)\$" '^preload/.*: (core|tools)/'
none "tools include trace.h and tools only" \
	all_but ': (<|tools/|include/trace\.h$)' '^tools/'
none "tests of the API know trace.h, t/lib, t/stress and t/preload only" \
	all_but ': (<|t/lib/|t/stress/|t/preload/|include/trace\.h$)' '^t/(api|preload)/'
none "includes are qualified from the root, or in <>" \
	all_but ': (core|preload|tools|t|include)/' ': [^<]'

awk -v layers="$layers" '
	function layer(path,	name) {
		if (path ~ /^core\/api\//)
			return 3
		name = path
		sub(/^core\//, "", name)
		sub(/\.[^.]*$/, "", name)
		if (!(name in of)) {
			print path ": has no layer yet (t/meta/layers.t)"
			of[name] = 3
		}
		return of[name]
	}
	BEGIN {
		nr = split(layers, line, "\n")
		for (i = 1; i <= nr; i++) {
			n = split(line[i], word, " ")
			for (j = 2; j <= n; j++)
				of[word[j]] = word[1]
		}
	}
	/^core\/.*: core\// {
		file = $1
		sub(/:$/, "", file)
		if (layer($2) > layer(file))
			print file " (" layer(file) ") includes " $2 \
				" (" layer($2) ")"
	}' "$T/all" >"$T/upwards"
none "core includes its own layer or a lower one" cat "$T/upwards"
