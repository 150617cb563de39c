#!/bin/sh
# SPDX-License-Identifier: MIT
# preload/calls/calls.awk, versions.awk: a mistake in a table is told with its line,
# and nothing is said of a good one; any awk makes the same of it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

plan 20
cd "$abs_top_srcdir/preload/calls" || exit 1
tab='	'
good=$(wc -l <sync.tbl)

# make WHAT TABLE...: into $T/made.
make() {
	what=$1
	shift
	${awk:-awk} -v make="$what" -f calls.awk ../../core/format/sysevents.h \
		./versions "$@" >"$T/made" 2>"$T/err"
}
# tells MESSAGE NAME: that is wrong with $T/table, lines counted from the end of
# sync.tbl.
tells() {
	make "${what:-wrap}" "$T/table"
	is "$? $(sed "s|^$T/table:||" "$T/err" | awk -F : -v good="$good" '
		{ sub(/^[0-9]*/, $1 > good ? $1 - good : "early"); print }')" \
		"1 $1" "$2"
}
# plant LINE...: behind those of sync.tbl, of which the last give
# sync:cnd_broadcast.
plant() {
	{ cat sync.tbl && printf '%s\n' "$@"; } >"$T/table"
}

plant "${tab}int f(cnd_t *cnd)" "${tab}int g(int a, void *const x[2]): cnd=x[a]"
make wrap "$T/table"
is "$? $(cat "$T/err")" "0 " "a function more"
plant "${tab}int f(cnd_t *c)"
tells "1: field cnd of sync:cnd_broadcast is no parameter of f(): say cnd=" \
	"a field that nothing is said of"
plant "${tab}int f(cnd_t *cnd): mutex=0"
tells "1: sync:cnd_broadcast has no field mutex" "no such field"
plant "" "${tab}int f(cnd_t *cnd): 5"
tells "2: not FIELD=VALUE: 5" "no field at all"
plant "${tab}f" "${tab}int f(cnd_t *cnd" "${tab}int h(cnd_t *cnd) cnd=0"
tells "1: not a prototype: f
2: not a prototype: int f(cnd_t *cnd
3: not a prototype: int h(cnd_t *cnd) cnd=0" "no prototypes"
plant "${tab}int f(cnd_t *)"
tells "1: not a parameter: cnd_t *" "a parameter without a name"
plant "${tab}int f(cnd_t *cnd)" "# Again." "${tab}int f(cnd_t *cnd)"
make wrap "$T/table"
is "$? $(cat "$T/err")" \
	"1 $T/table:$((good + 3)): f() is in $T/table:$((good + 1)), too" \
	"a function twice"
plant "sync:none" "${tab}int f(void)"
tells "1: no call in core/format/sysevents.h has the name sync:none" \
	"no such event"
plant "sync:lock"
make wrap "$T/table"
like "$? $(cat "$T/err")" \
	"^1 [^ ]*:$((good + 1)): sync:lock has functions in [^ ]*:[0-9]*\$" \
	"an event twice"
plant "int f(cnd_t *cnd)"
tells "1: neither an event nor a function: int f(cnd_t *cnd)" "no tab"
printf '\tint f(void)\n' >"$T/table"
tells "early: neither an event nor a function: ${tab}int f(void)" "no event"
sed '/^sync:wait$/,/^$/d' sync.tbl >"$T/table"
tells "early: no function gives sync:wait" "an event without functions"
printf 'by hand, x.c\n\tint f(void): calls=g\n' >"$T/table"
what=real
tells "early: there is no function g" "an alias of nothing"
printf 'by hand, x.c\n\tint f(int a): path=a\n' >"$T/table"
tells "early: nothing is recorded of f(): no path=" "a field of what is by hand"

# Of versions.
versions() {
	${awk:-awk} -v make="$1" -v cpu="$2" -f versions.awk "$3" \
		../../core/api/versions.map >"$T/made" 2>"$T/err"
}
printf 'first a V1\na f V1 V2\na f V1\nb g V1\na h V1\n' >"$T/table"
versions map a "$T/table"
is "$? $(sed "s|^$T/table:||" "$T/err" | tr '\n' '|')" \
	"1 3: neither first PROCESSOR VERSION, nor PROCESSOR NAME OLD CURRENT...|4: neither first PROCESSOR VERSION, nor PROCESSOR NAME OLD CURRENT...|5: neither first PROCESSOR VERSION, nor PROCESSOR NAME OLD CURRENT...|" \
	"versions: too few, and another processor"
printf 'first a V1\na f V1 V2\na f V1 V3\n' >"$T/table"
versions map a "$T/table"
is "$? $(sed "s|^$T/table:||" "$T/err")" "1 3: f is there already" \
	"versions: a function twice"

# Those that are there.
what=
for table in [!h]*.tbl; do
	make wrap "$table" || diag "$(cat "$T/err")"
	cat "$T/made"
done >"$T/theirs"
is "$(grep -c '^PTL_[JW][A-Z]* ' "$T/theirs")" "$(make names [!h]*.tbl
	wc -l <"$T/made")" "a wrapper of each that is only recorded"
make real hand.tbl
is "$? $(grep -c '^REAL' "$T/made")" "0 $(grep -c "^${tab}[a-zA-Z_]" hand.tbl |
	awk -v calls="$(grep -c 'calls=' hand.tbl)" '{ print $1 - calls }')" \
	"a variable for each that is written out and libc's"
: >"$T/unlike"
for awk in mawk gawk 'busybox awk' original-awk; do
	$awk 'BEGIN { exit 0 }' 2>/dev/null || continue
	for table in [!h]*.tbl; do
		make wrap "$table"
		cat "$T/made"
	done >"$T/ours"
	cmp -s "$T/theirs" "$T/ours" || echo "$awk"
done >"$T/unlike"
is "$(cat "$T/unlike")" "" "any awk makes the same"
for awk in mawk gawk 'busybox awk' original-awk; do
	$awk 'BEGIN { exit 0 }' 2>/dev/null || continue
	for cpu in x86_64 aarch64 riscv64; do
		for what in header names map; do
			versions $what $cpu versions || echo "$awk"
			cat "$T/made"
		done
	done >"$T/ours"
	[ -s "$T/theirs-too" ] || cp "$T/ours" "$T/theirs-too"
	cmp -s "$T/theirs-too" "$T/ours" || echo "$awk"
done >"$T/unlike"
is "$(cat "$T/unlike")" "" "and of the versions"
