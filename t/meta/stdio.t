#!/bin/sh
# SPDX-License-Identifier: MIT
# Each function of libc that reads or writes by a stream, or by a format, is
# intercepted, or preload/libc/left-out.def says why not.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

need nm ldd
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"
libc=$(ldd "$LIBPTRACE" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
[ -f "$libc" ] || skip_all "no GNU libc"
plan 3

# names FILE: those of the functions that programs can call.
names() {
	nm -D --defined-only "$1" | grep -v '@*GLIBC_PRIVATE$' |
		sed -nE 's/^[0-9a-f]+ [TWi] ([A-Za-z0-9_]+)(@@.*)?$/\1/p' |
		sort -u
}
names "$libc" >"$T/libc"
names "$LIBPTRACE" >"$T/ours"
sed -nE 's/^LEFT_OUT\(([A-Za-z0-9_]+), ".+"\)$/\1/p' \
	"$abs_top_srcdir/preload/libc/left-out.def" >"$T/left"

# Without what is put around a name.
plain='(_IO_|__|__isoc[0-9]+_)?'
form='(_unlocked)?(_chk|_r)?'
things='.*(printf|scanf).*|s?(f?get|f?put|unget)w?(c|s|char)|(get|put)w'
things="$things|w?(over|under|u)flow|getline|getdelim|getline_info|f(read|write)"
things="$things|perror|psignal|psiginfo|v?(err|warn)x?|error|error_at_line"
things="$things|v?syslog|getpass|(get|add)mntent|(put|fget)(pw|gr|sp|sg)ent|fflush"
grep -xE "$plain($things)$form" "$T/libc" >"$T/stdio"

[ "$(wc -l <"$T/stdio")" -gt 120 ]
ok $? "more than a hundred"
awk '
	FILENAME ~ /ours$/ { known[$1] = 1; next }
	FILENAME ~ /left$/ { left[$1] = 1; next }
	{
		name = $1
		sub(/^__(isoc[0-9]+_)?/, "", name)
		sub(/_(chk|r)$/, "", name)
		# _IO_sprintf is sprintf, but _IO_sungetc is ungetc.
		sub(/^_IO_(su)?/, /^_IO_su/ ? "u" : "", name)
		if (!($1 in known || $1 in left || name in left))
			print
	}' "$T/ours" "$T/left" "$T/stdio" >"$T/forgotten"
is "$(cat "$T/forgotten")" "" "none is forgotten"

# The test of the test.
printf '%s\n' __fgets_chk __isoc99_fscanf _IO_putc fprintf getline \
	getwchar_unlocked >"$T/some"
is "$(grep -cxF -f "$T/some" "$T/stdio")" 6 "it finds them by these words"
