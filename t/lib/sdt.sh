# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# For tests of probes (sys/sdt.h): a compiler that has the header, or none is
# made.  $CC compiles.
# shellcheck disable=SC2154
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}"
echo '#include <sys/sdt.h>' >header.c
$CC -E -o /dev/null header.c 2>/dev/null ||
	skip_all "no <sys/sdt.h>: systemtap-sdt-dev"

# sdt: events of probes in $T/log, with their arguments.
sdt() {
	"$PTRACE_DUMP" log |
		sed -n 's/.*\(sdt:[^ ]*\)\(.*\)  at .*/\1\2/p' |
		sed 's/0x[0-9a-f]\{6,14\}\b/0xADDRESS/; s/ *$//'
}

# is_file FILE TEXT: what is on standard input.
is_file() {
	cat >expected
	diff expected "$1" >difference
	ok $? "$2"
	sed 's/^/# /' difference
}
