#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes point one way: tools and tests at <trace.h>, preload at the seam,
# and inside core downwards.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

# The layer of each file of core/, by its name without .c or .h; core/api/ is
# above them all.
layers='
0 base layout record sys sysevents
1 str attr clock vectors counter wait lock ident pidns rundir shm names family map slot loss untraced chunk dwarf expression loaded cfi rows aside frame walked unwind stacks cursor timeline room block everyone logfile logring logindex logmerge logpack logread logtail left spool
2 self came join hold once emit child short shortly general fork stream merge reader batch policy pass fit gap legend clear flush flusher census resume totals recover logopen life core
'
# All that preload/ may know of core/.
seam='core/core.h core/base.h core/sys.h core/str.h'

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
