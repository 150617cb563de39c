#!/bin/sh
# SPDX-License-Identifier: MIT
# Names of Rust's functions are shown as they were written, by both rules; what
# only looks like one stays.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
command -v cc >/dev/null || skip_all "no compiler"
plan 12

# main() and the function of that name, which opens /none.
named() {
	cat >rust.c <<END
#include <fcntl.h>
int f(void) __asm__("$1");
__attribute__((noinline)) int f(void)
{
	return open("/none", O_RDONLY) + 1;
}
int main(void)
{
	return f();
}
END
	cc -o rust rust.c && run -k -e file ./rust &&
		dump -f json -w 'path == "/none"' |
		sed -n 's/.*"sym":"\([^"]*\)+0x.*/\1/p' | sed 's/"$//;s/+0x.*//'
}
is "$(named _ZN4core3fmt5write17h0123456789abcdefE)" "core::fmt::write" \
	"before v0"
# shellcheck disable=SC2016 # it is a name
is "$(named '_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE')" \
	"<alloc::string::String as core::fmt::Debug>::fmt" "escapes"
is "$(named _RNvNtCs1234_7mycrate3foo3bar)" "mycrate::foo::bar" "v0"
is "$(named _RNCNCNvCs_1a4main00)" "a::main::{closure#0}::{closure#0}" \
	"closures"
is "$(named _RNCNvCs_1a4mains_0)" "a::main::{closure#1}" "another closure"
is "$(named _RINvCs_1a4swaplRhTjEE)" "a::swap::<i32, &u8, (usize,)>" "types"
is "$(named _RNvXs_Cs_1aNtB4_3FooNtB4_3Bar3baz)" "<a::Foo as a::Bar>::baz" \
	"traits, and what was said before"
is "$(named _RNvMCs_1aAhj4_4tail)" "<[u8; …]>::tail" "constants"
is "$(named _ZN3foo3barEv)" "$(dump --no-demangle -f json \
	-w 'path == "/none"' | grep -q _ZN3foo3barEv && named _ZN3foo3barEv)" "C++"
is "$(named _RNvB_3foo)" "_RNvB_3foo" "one that is of itself"
is "$(named _Rest)" "_Rest" "none"
named _RNvNtCs1234_7mycrate3foo3bar >/dev/null
like "$(dump --no-demangle -f json -w 'path == "/none"')" \
	'"sym":"_RNvNtCs1234_7mycrate3foo3bar' "--no-demangle"
