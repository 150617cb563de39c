# SPDX-License-Identifier: MIT
# Makes of preload/calls/versions what a processor needs of it.
#
# usage: awk -v make=WHAT -v cpu=PROCESSOR -f preload/calls/versions.awk
#		preload/calls/versions [core/api/versions.map]
#
#   make=header  preload/libc/versions.h: PTL_NOW_NAME, and PTL_OLD_NAME where
#                there is one
#   make=names   preload/calls/by_version.inc: the names of the wrappers, for
#                preload/calls/by_version.S
#   make=map     the linker's script: that of the API, and libc's versions
#
# What is wrong in the table is told with its line; the exit status is 1 then.

function wrong(text)
{
	print FILENAME ":" FNR ": " text | "cat 1>&2"
	bad = 1
}

FILENAME ~ /\.map$/ {
	if (make == "map")
		print
	next
}

/^#/ || /^$/ { next }

$1 == "first" && NF == 3 {
	first[$2] = $3
	next
}

!($1 in first) || NF < 4 {
	wrong("neither first PROCESSOR VERSION, nor PROCESSOR NAME OLD CURRENT...")
	next
}

($1, $2) in has {
	wrong($2 " is there already")
	next
}

{ has[$1, $2] = 1 }

!($2 in nr) {
	nr[$2] = ++nr_names
	names[nr_names] = $2
}

$1 == cpu {
	old[$2] = $3
	now[$2] = $NF
	for (i = 3; i <= NF; i++) {
		if (!($i in node))
			order[++nr_nodes] = $i
		node[$i] = node[$i] (i == NF ? "\t" $2 ";\n" : "")
	}
	for (i = 4; i < NF; i++)
		same[$2] = same[$2] " " $i
}

# The names of our wrappers: name, and what the linker is to make of it.
function write_names(name,    part, n, i)
{
	print "VERSION old, " name ", " old[name]
	n = split(same[name], part, " ")
	for (i = 1; i <= n; i++)
		print "VERSION now, " name ", " part[i]
	if (old[name] == first[cpu])
		print "UNVERSIONED " name
}

END {
	if (make != "map")
		print "/* Made of preload/calls/versions by versions.awk there. */"
	for (i = 1; i <= nr_nodes && make == "map"; i++)
		print "\n" order[i] " {\n" (node[order[i]] ? "global:\n" : "") \
			node[order[i]] "};"
	for (i = 1; i <= nr_names; i++) {
		name = names[i]
		if (make == "header") {
			print "#define PTL_NOW_" name " " (name in now ? \
				"\"" now[name] "\"" : "NULL")
			if (name in old)
				print "#define PTL_OLD_" name " \"" old[name] "\""
		} else if (make == "names" && name in old) {
			write_names(name)
		}
	}
	if (bad) {
		close("cat 1>&2")
		exit 1
	}
}
