#!/bin/sh
# SPDX-License-Identifier: MIT
# Addresses in stubs have the names that objdump gives them: puts@plt.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
need objdump
plan 8

cat >calls.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void *(*address)(size_t) = malloc;
int call(const char *, int);
int call(const char *s, int i)
{
	char *copy = address((size_t)i + 1);
	size_t (*length)(const char *) = strlen;

	puts(strcpy(copy, s));
	free(copy);
	write(1, s, length(s));
	return getpid() + atoi(s) + (int)strlen(s);
}
END

# stubs NAME COMPILER OPTION...: each byte of each stub.
stubs() {
	name=$1
	compiler=$2
	prefix=
	case $compiler in *-gcc) prefix=${compiler%gcc} ;; esac
	shift 2
	# shellcheck disable=SC2086 # words
	if ! command -v "${compiler%% *}" >/dev/null ||
		! command -v "${prefix}objdump" >/dev/null ||
		! $compiler -shared -fPIC -O1 -fno-builtin -o plt.so calls.c \
			"$@" >out 2>&1; then
		skip "$name" "cannot be built here"
		return
	fi
	"${prefix}strip" plt.so
	"${prefix}objdump" -d plt.so 2>/dev/null |
		sed -n 's/^0*\([0-9a-f]*\) <\([^@>]*@plt\)>:$/\1 \2/p' >want
	while read -r _ what; do
		echo "$what+0x1 (plt.so) $what+0x8 (plt.so)"
	done <want >want.names
	# shellcheck disable=SC2046 # words
	name_at "$T/plt.so" $(while read -r at what; do
		echo $((0x$at + 1)) $((0x$at + 8))
	done <want) | paste -d ' ' - - >got.names
	[ -s want ] && [ "$(grep -c 'puts@plt+' got.names)" -ge 1 ] &&
		cmp got.names want.names >&2
	ok $? "$name" || diag "$(diff want.names got.names)"
}

stubs "as the compiler does" "$cc"
stubs "bound at once" "$cc" -Wl,-z,now
stubs "bound lazily" "$cc" -Wl,-z,lazy
stubs "with marks for IBT" "$cc" -fcf-protection=full -Wl,-z,ibtplt,-z,lazy
stubs "by lld" "$cc" -fuse-ld=lld
stubs "aarch64" aarch64-linux-gnu-gcc
stubs "aarch64 with BTI" aarch64-linux-gnu-gcc -mbranch-protection=standard \
	-nostdlib -Wl,-z,force-bti,-z,lazy

# With IBT and lazy binding each function has a second one.
case $(uname -m) in
x86_64)
	# shellcheck disable=SC2086 # words
	$cc -shared -fPIC -fno-builtin -o ibt.so calls.c \
		-fcf-protection=full -Wl,-z,ibtplt,-z,lazy
	first=0x$(readelf -SW ibt.so |
		sed -n 's/.* \.plt  *PROGBITS *0*\([^ ]*\).*/\1/p')
	is "$(name_at ibt.so $((first + 17)) | sed 's/.*@/@/')" \
		"@plt+0x1 (ibt.so)" "lazy stubs"
	;;
*) skip "lazy stubs" "x86-64 only" ;;
esac
