#!/bin/sh
# SPDX-License-Identifier: MIT
# Of each intercepted function of libc all other names and forms are intercepted
# as well (open64, __open_2, __read_chk, _IO_fopen ...), or preload/libc/left-out.def
# says why not; and each version of it gets a wrapper that calls its code.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "$abs_top_srcdir/t/lib/versions.sh"

command -v "${CC%% *}" >/dev/null 2>&1 || CC=cc
need nm ldd "${CC%% *}"
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"
libc=$(ldd "$LIBPTRACE" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
[ -f "$libc" ] || skip_all "no GNU libc"
plan 7

# ADDRESS NAME VERSION of each function that programs can call; the version of
# the default one has two signs.
nm -D --defined-only "$libc" | grep -v '@*GLIBC_PRIVATE$' |
	sed -nE 's/^([0-9a-f]+) [TWi] ([A-Za-z0-9_]+)(@@?.*)$/\1 \2 \3/p' \
	>"$T/libc"
nm -D --defined-only "$LIBPTRACE" |
	sed -nE 's/^[0-9a-f]+ [TWi] ([A-Za-z0-9_]+)(@.*)?$/\1/p' |
	grep -v '^posix_trace_' | sort -u >"$T/ours"
awk 'NR == FNR { libc[$2] = 1; next } $1 in libc' "$T/libc" "$T/ours" \
	>"$T/intercepted"
rows=$abs_top_srcdir/preload/libc/left-out.def
sed -nE 's/^LEFT_OUT\(([A-Za-z0-9_]+), ".+"\)$/\1/p' "$rows" |
	sort >"$T/left"

[ "$(wc -l <"$T/intercepted")" -gt 300 ]
ok $? "hundreds are intercepted"

# Other names of the same code, and names that differ by what is put around.
awk '
	function base(name) {
		sub(/^_IO_/, "", name)
		sub(/^__libc_/, "", name)
		sub(/^__/, "", name)
		sub(/_chk$/, "", name)
		sub(/_2$/, "", name)
		sub(/_nocancel$/, "", name)
		sub(/_unlocked$/, "", name)
		sub(/64v2$/, "v2", name)
		sub(/64$/, "", name)
		sub(/^[flx]?xstat/, "stat", name)
		return name
	}
	FILENAME ~ /intercepted$/ { ours[$1] = 1; bases[base($1)] = $1; next }
	FILENAME ~ /left$/ { left[$1] = 1; next }
	{ name[FNR] = $2; addr[FNR] = $1; nr = FNR
	  if ($2 in ours) at[$1] = $2 }
	END {
		for (i = 1; i <= nr; i++) {
			n = name[i]
			if (n in ours || n in left || n in told)
				continue
			if (addr[i] in at)
				print n " is " at[addr[i]]
			else if (base(n) in bases)
				print n " is like " bases[base(n)]
			else
				continue
			told[n] = 1
		}
	}' "$T/intercepted" "$T/left" "$T/libc" | sort >"$T/forgotten"
is "$(cat "$T/forgotten")" "" "no other name or form is forgotten"

# Versions.
table=$abs_top_srcdir/preload/calls/versions
first=$(awk -v cpu="$(uname -m)" '$1 == "first" && $2 == cpu { print $3 }' \
	"$table")
is "$(disagree "$LIBPTRACE" "$libc" "$first")" "" \
	"each version of a function reaches a wrapper of its code"
# What would be told of a wrapper without versions, of one without an old one,
# and of one that libc has no need of.
cat >"$T/old.c" <<'END'
int read(void) { return 0; }
int kill(void) { return 0; }
int quick_exit(void) { return 0; }
int pthread_kill(void) { return 0; }
END
echo 'GLIBC_2.34 { global: pthread_kill; kill; };' >"$T/old.map"
$CC -w -fno-builtin -shared -fPIC -Wl,--version-script="$T/old.map" \
	-o "$T/old.so" "$T/old.c"
is "$(disagree "$T/old.so" "$libc" "$first" | sed -E 's/-GLIBC[0-9_.]*/ V/' |
	tr '\n' '|')" \
	"kill V: nothing of ours answers|kill: has no need of versions|kill: no V in libc|pthread_kill V: nothing of ours answers|pthread_kill: without a version|quick_exit V: is not the default one, which ours calls|" \
	"what is wrong is told"

# The list itself.
is "$(comm -12 "$T/left" "$T/intercepted")" "" \
	"what is left out is not intercepted"
sed -e '/^\/\*/,/\*\/$/d' -e '/^$/d' "$rows" |
	grep -vE '^LEFT_OUT\([A-Za-z0-9_]+, ".+"\)$' >"$T/odd"
is "$(cat "$T/odd")" "" "the list has no other lines"
is "$(awk '$1 != "first" && /^[a-z]/ { print $2 }' "$table" | sort -u |
	comm -23 - "$T/intercepted")" "" "what has versions is intercepted"
