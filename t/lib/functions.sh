# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests of ptrace-run -f, after t/lib/run.sh.

# events PATTERN: "NAME entries ends" of the functions in $T/log of that name.
events() {
	"$PTRACE_DUMP" -f json log |
		sed -n 's/.*"name":"call:\(enter\|exit\)".*"function":"\([a-z_]*\)(*)*".*/\2 \1/p' |
		awk '{ nr[$1 " " $2]++; name[$1] = 1 }
		END {
			for (each in name)
				print each, nr[each " enter"] + 0, nr[each " exit"] + 0
		}' | sort | grep -E "^($1) "
}

names='adds|fib|even|odd|loops|leaves|switches|by_pointer|tiny'

# compare NAME: are the calls as the program has counted them?  There is not
# always room at an exit: then all of the function's are not recorded.
compare() {
	"$PTRACE_RUN" --functions-list -v -f '*' ./known |
		awk '$3 == "-" { sub(":", "", $4); print $4 }' >entry_only
	awk -v names="^($names)\$" '
		FILENAME == "entry_only" { has_none[$1] = 1 }
		FILENAME == "out" && $1 ~ names {
			print $1, $2, has_none[$1] ? 0 : $3
		}' entry_only out | sort >counted
	events "$names" >recorded
	is "$(diff counted recorded)" "" "$1: as many as there were"
}

# same NAME COMMAND...: output and status with -f '*' as without.
same() {
	name=$1
	shift
	expected=$("$@" 2>&1 >plain </dev/null; echo $?)
	got=$(run -f '*' "$@" 2>&1 >out </dev/null; echo $?)
	is "$got" "$expected" "$name: its errors and status"
	is "$(cmp plain out)" "" "$name: its output"
}
