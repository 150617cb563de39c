#!/bin/sh
# SPDX-License-Identifier: MIT
# The floor plan: what is included, and what is called, points downwards, and on
# no floor in a circle.  What stands beside the houses is fixed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

need nm tsort

# The floors of each house, the lowest first: folders, and files by their names
# without suffix.  Rooms of one floor, with + between them, know nothing of each
# other.
floors='
core/base core/defaults core/guest core/code core/format core/sys core/shm core/buffer core/unwind core/record core/log core/stream core/flush core/process core/control core/core core/core_aside core/core_crash core/core_exec core/core_quiet core/core_thread core/core_type core/core_user core/api
preload/libc/memory preload/settings preload/libc preload/hook preload/patch preload/launch preload/wrap preload/calls preload/raw preload/init preload/static
tools/lib tools/lib/args tools/prototypes+tools/inject+tools/symbolize tools/objects+tools/read tools/plan+tools/read/filter tools/model tools/model/files tools/dump/parts+tools/report/model+tools/report/show+tools/monitor/process+tools/monitor/output tools/sql tools/dump/text+tools/dump/export+tools/report/view+tools/monitor/wire tools/report/draw+tools/report/browse+tools/monitor/trigger+tools/monitor/symbols tools/page tools/dump+tools/report+tools/functions+tools/monitor+tools/ctl+tools/event+tools/sampler+tools/trigger tools/complete
'
# Headers of core/ that may be included from outside of their folder.  Folders
# that are not named here are open; core.h is for everybody.
doors='
core/unwind/dwarf.h core/unwind/unwind.h core/unwind/foreign.h core/unwind/cache.h core/unwind/scratch.h core/unwind/last.h
core/record/announced.h core/record/attached.h core/record/attached_names.h core/record/owner.h core/record/program.h core/record/emit.h core/record/oneshot.h core/record/fastpath.h core/record/select.h core/record/slots.h core/record/upcall.h core/record/backpressure.h core/record/stop.h core/record/crash.h
core/log/event.h core/log/reader.h core/log/writer.h core/log/packet.h core/log/rotation.h core/log/pipetail.h core/log/spool.h
core/stream/stream.h core/stream/reader.h core/stream/full.h core/stream/attr.h core/stream/bridges.h
core/flush/flush.h core/flush/thread.h core/flush/clear.h core/flush/log_policy.h core/flush/totals.h
'
# The only calls upwards.
upcalls='ptl_fork_child ptl_fork_vforked ptl_number_find'
# Where code in assembly is, for the C that it calls: no calls.
entries='ptl_stub_code ptl_site_code ptl_handler_entries ptl_entry_begin ptl_entry_loop ptl_entry_only ptl_entry_end ptl_entry_left ptl_raw_entry'
# Files here may go in circles: an event may come before the record of another
# process, which is an event.
circular='core/record/'
# All that preload/ may know of core/.
seam='core/core.h core/base.h core/defaults.h core/code/x86.h core/format/patches.h core/format/sysevents.h core/format/values.h core/sys/syscall.h core/sys/glob.h core/sys/text.h'

plan 20
cd "$abs_top_srcdir" || exit 1

if [ -e .git ] && git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	is "$(git ls-files | cut -d/ -f1 | sort -u | tr '\n' ' ')" ".ci\
 .clang-format .editorconfig .gitignore COPYING Makefile.am README configure.ac\
 core include man preload scripts t tools " "nothing else is at the top level"
else
	skip "nothing else is at the top level" "not in a repository"
fi

# includes DIR...: "FILE: HEADER", one line for each #include "HEADER" in them.
includes() {
	find "$@" -name '*.[chS]' -o -name '*.def' 2>/dev/null | sort |
		xargs -r grep -EHo '^#[[:space:]]*include[[:space:]]+["<][^">]+' \
			/dev/null |
		sed -E 's/:#[[:space:]]*include[[:space:]]+/: /; s/ "/ /'
}

# symbols DIR: "FILE: U|D SYMBOL" of the objects of our houses below it, FILE
# as the source is named.
symbols() {
	find "$1/core" "$1/preload" "$1/tools" -name '*.o' \
		-exec nm -g -A {} + 2>/dev/null | awk -v top="$1/" '
		{
			object = substr($0, length(top) + 1)
			sub(/\.o:.*/, "", object)
			folder = name = object
			sub(/\/[^\/]*$/, "", folder)
			sub(/\/\.libs$/, "", folder)
			sub(/.*\//, "", name)
			sub(/^[^-]*-/, "", name)
		}
		$(NF - 1) == "U" { print folder "/" name ": U " $NF }
		$(NF - 1) ~ /^[TDBRWVCG]$/ {
			print folder "/" name ": D " $NF
		}' | sort -u
}

# What both checks know: how high a file is; and whose house it is in.
plan_awk='
	function stem(path) {
		sub(/\.[^.\/]*$/, "", path)
		return path
	}
	function folder(path) {
		sub(/\/[^\/]*$/, "", path)
		return path
	}
	function room(path) {
		path = stem(path)
		return path in rank ? path : folder(path)
	}
	function floor(path) {
		if (room(path) in rank)
			return rank[room(path)]
		print path ": is on no floor"
		return rank[stem(path)] = 0
	}
	# Is the second above the first, or beside it?
	function is_beyond(path, other) {
		return floor(other) > floor(path) ||
			(floor(other) == floor(path) && room(other) != room(path))
	}
	function house(path) {
		sub(/\/.*/, "", path)
		return path
	}
	BEGIN {
		n = split(floors, word, " ")
		for (i = 1; i <= n; i++) {
			rooms = split(word[i], beside, "+")
			for (k = 1; k <= rooms; k++)
				rank[beside[k]] = i
		}
		n = split(doors, word, " ")
		for (i = 1; i <= n; i++) {
			door[word[i]] = 1
			closed[folder(word[i])] = 1
		}
		n = split(upcalls, word, " ")
		for (i = 1; i <= n; i++)
			upcall[word[i]] = 1
	}'

# Of lines as includes() has them those that go upwards.
upward_includes() {
	awk -v floors="$floors" "$plan_awk"'
	{ file = substr($1, 1, length($1) - 1) }
	$2 ~ /^(core|preload|tools)\// && $2 != "core/core.h" &&
	house(file) == house($2) && is_beyond(file, $2) {
		print file " includes " $2
	}'
}

# Includes that do not go through a door.
past_doors() {
	awk -v doors="$doors" "$plan_awk"'
	{ file = substr($1, 1, length($1) - 1) }
	file ~ /^(core|preload|tools)\// && folder($2) in closed &&
	folder(file) != folder($2) && !($2 in door) {
		print file " includes " $2
	}'
}

# Of lines as symbols() has them: calls upwards.
upward_calls() {
	awk -v floors="$floors" -v upcalls="$upcalls" "$plan_awk"'
	{ file = substr($1, 1, length($1) - 1) }
	$2 == "D" { at[$3] = file }
	$2 == "U" { user[++nr] = file; used[nr] = $3 }
	END {
		for (i = 1; i <= nr; i++)
			if (used[i] in at && !(used[i] in upcall) &&
			    house(at[used[i]]) == house(user[i]) &&
			    is_beyond(user[i], at[used[i]]))
				print user[i] " uses " used[i] " of " \
					at[used[i]]
	}'
}

# Of lines as includes() has them "FILE FILE", which is with its header one.
pairs_of_includes() {
	awk -v circular="^$circular" "$plan_awk"'
	{ file = substr($1, 1, length($1) - 1) }
	house(file) == house($2) && $2 != "core/core.h" &&
	stem(file) != stem($2) && !(file ~ circular && $2 ~ circular) {
		print stem(file), stem($2)
	}'
}

# Of lines as symbols() has them.
pairs_of_calls() {
	awk -v circular="^$circular" -v upcalls="$upcalls $entries" "$plan_awk"'
	{ file = substr($1, 1, length($1) - 1) }
	$2 == "D" { at[$3] = file }
	$2 == "U" { user[++nr] = file; used[nr] = $3 }
	END {
		for (i = 1; i <= nr; i++)
			if (used[i] in at && !(used[i] in upcall) &&
			    at[used[i]] != user[i] &&
			    house(at[used[i]]) == house(user[i]) &&
			    !(user[i] ~ circular && at[used[i]] ~ circular))
				print user[i], at[used[i]]
	}'
}

# Of pairs the files that are on a circle.
circles() {
	sort -u | tsort 2>&1 >"$T/sorted" |
		sed '/input contains a loop/d; s/^tsort: //' | sort -u | tr '\n' ' '
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
grep -v '^t/' "$T/all" >"$T/ours"

none "nothing but tests includes t/" all_but '^t/' ': <?t/'
none "core includes nothing of preload or tools" \
	grep -E '^(core|include)/.*: (preload|tools)/' "$T/all"
seam_re=$(echo "$seam" | sed 's/\./\\./g; s/ /|/g')
none "preload includes the seam only" \
	all_but ": ($seam_re)\$" '^preload/.*: (core|tools)/'
none "tools include trace.h, tools, settings' grammar, formats, instructions only" \
	all_but ': (<|tools/|preload/settings/|include/trace\.h$|core/format/(logfile|sysevents|patches|values)\.h$|core/code/(x86|a64)\.h$|core/unwind/(dwarf|foreign)\.h$)' '^tools/'
none "the grammar of settings includes nothing else of preload" \
	all_but ': (<|core/(base|defaults|sys/(glob|text)|format/sysevents)\.h|preload/settings/)' \
	'^preload/settings/'
none "tests of the API know trace.h, t/lib, t/stress and t/preload only" \
	all_but ': (<|t/lib/|t/stress/|t/preload/|include/trace\.h$|preload/calls/locks\.h$)' '^t/(api|preload)/'
is "$(cd t/unit && for folder in *; do [ -d "../../core/$folder" ] ||
	echo "$folder"; done)" "" "unit tests are in folders that core has"
none "includes are qualified from the root, or in <>" \
	all_but ': (core|preload|tools|t|include)/|/libptrace/trace.h: ' ': [^<]'
is "$(upward_includes <"$T/ours")" "" "includes point downwards"
is "$(past_doors <"$T/ours")" "" "and go through doors"
symbols "$abs_top_builddir" >"$T/symbols"
is "$(upward_calls <"$T/symbols")" "" "calls point downwards"

is "$(pairs_of_includes <"$T/ours" | circles)" "" "no circle of includes"
is "$(pairs_of_calls <"$T/symbols" | circles)" "" "no circle of calls"

# The test of the test: what is planted is found.
is "$({
	cat "$T/ours"
	echo "core/shm/map.c: core/record/emit.h"
} | upward_includes)" "core/shm/map.c includes core/record/emit.h" \
	"an include upwards is found"
is "$({
	cat "$T/ours"
	echo "tools/monitor/process/command.c: tools/report/model/nests.h"
} | upward_includes)" "tools/monitor/process/command.c includes tools/report/model/nests.h" \
	"an include of the room beside is found"
is "$({
	cat "$T/ours"
	echo "core/api/log.c: core/log/merge.h"
} | past_doors)" "core/api/log.c includes core/log/merge.h" \
	"an include past a door is found"
mkdir -p "$T/build/core/shm/.libs"
echo 'void ptl_flush_last(void); void f(void); void f(void) { ptl_flush_last(); }' |
	${CC:-cc} -c -x c -o "$T/build/core/shm/.libs/libcore_la-planted.o" -
is "$({
	cat "$T/symbols"
	symbols "$T/build"
} | upward_calls)" "core/shm/planted uses ptl_flush_last of core/flush/flush" \
	"a call upwards is found"
is "$({
	cat "$T/ours"
	echo "tools/lib/out.h: tools/lib/quote.h"
} | pairs_of_includes | circles)" "tools/lib/out tools/lib/quote " \
	"a circle of includes is found"
is "$({
	cat "$T/symbols"
	echo "tools/lib/out: U ptl_say"
} | pairs_of_calls | circles)" "tools/lib/out tools/lib/quote tools/lib/say " \
	"a circle of calls is found"
