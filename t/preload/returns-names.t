#!/bin/sh
# SPDX-License-Identifier: MIT
# -r: a call and its return name one function, of one library, also when it is
# the call that binds it: to one of several (IFUNC), or not to the one that was
# to be expected.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
source=$abs_top_srcdir/t/preload/picked.c

{
	compile -O2 -fPIC -shared -DLIBRARY -o libpicked.so "$source" &&
		compile -O2 -fPIC -shared -DTWIN=10 -Wl,-z,lazy -o libtwin1.so \
			"$source" &&
		compile -O2 -fPIC -shared -DTWIN=100 -Wl,-z,lazy \
			-o libtwin2.so "$source" &&
		compile -O2 -Wl,-z,lazy -o lazy "$source" -L. -lpicked -ldl \
			-Wl,-rpath,"$T" &&
		compile -O2 -Wl,-z,now -o now "$source" -L. -lpicked -ldl \
			-Wl,-rpath,"$T"
} >cc.out 2>&1 || skip_all "$(head -n 1 cc.out)"
plan 12

# pairs PATTERN: how many exits of it are of the function that was entered
# before, as it is named there.
pairs() {
	"$PTRACE_DUMP" -f json log | grep -E '"name":"call:(enter|exit)"' |
		grep -E "$1" | awk '
		{
			if (!match($0, /"function":"[^"]*","library":"[^"]*","callee":"[^"]*"/))
				exit 1
			now = substr($0, RSTART, RLENGTH)
		}
		/call:exit/ && now == last { nr++ }
		{ last = now }
		END { print nr + 0 }'
}

for how in now lazy; do
	same_calls "$how: as untraced" -r picked -r twin -- "./$how"
	is "$(events call:enter) $(events call:exit)" "9 9" "$how: all of it"
	is "$(pairs '"function":"picked"')" 3 "$how: one of several"
	is "$(events call:exit '"function":"picked","library":"libpicked.so"')" \
		3 "$how: by its name"
	is "$(pairs '"function":"twin"')" 6 "$how: of another library"
	is "$(events call:exit '"duration":[0-9]+')" 9 "$how: how long"
done
