#!/bin/sh
# SPDX-License-Identifier: MIT
# Patches that are not what is there: the program does what it does without, and
# what is recorded is right.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}"
libexec=$(dirname "$PTRACE_RUN")/../libexec/libptrace
[ -x "$libexec/ptrace-functions" ] || skip_all "no ptrace-functions"
source=$abs_top_srcdir/t/run
plan 136

$CC -O2 -o known "$source/functions-known.c"
$CC -O2 -I"$abs_top_srcdir" -o lies "$source/functions-lies.c"
./known >plain

# The real one, and then what changes its answer; SEED is in the environment.
mkdir -p libexec/libptrace
cp "$libexec/ptrace-monitor" libexec/libptrace/
cat >libexec/libptrace/ptrace-functions <<END
#!/bin/sh
"$(realpath "$libexec/ptrace-functions")" "\$@" >"$T/patches"
"$T/lies" "\$SEED" <"$T/patches"
END
chmod +x libexec/libptrace/ptrace-functions
LD_LIBRARY_PATH=$(dirname "$LIBPTRACE")
export LD_LIBRARY_PATH
mkdir lib && ln -s "$LIBPTRACE" lib/libptrace.so

patched=0
for seed in $(seq 0 99); do
	SEED=$seed libexec/libptrace/ptrace-monitor -q -o log -f '*' ./known \
		>out 2>err
	is "$? $(cmp plain out) $(cat err)" "3  " "seed $seed"
	[ "$(count call:enter)" = 0 ] || patched=$((patched + 1))
done
# What is changed may be unused, as what a file without build-id is known by.
[ $patched -lt 15 ]
ok $? "what is changed is refused, but for $patched of 100"
for seed in -1 -2 -3 -4 -5; do
	SEED=$seed libexec/libptrace/ptrace-monitor -q -o log -f '*' ./known \
		>out 2>err
	is "$? $(cmp plain out) $(count call:enter)" "3  0" \
		"code that is another: a byte of it ($seed)"
done
SEED=0 libexec/libptrace/ptrace-monitor -q -o log -f '*' ./known >out
is "$(count call:enter)" 0 "random bytes are no patches"

# Prototypes, if there is debug information.
$CC -O2 -g -o typed "$source/functions-known.c"
for seed in $(seq 1000 1011); do
	SEED=$seed libexec/libptrace/ptrace-monitor -q -o log -a -f '*' \
		./typed >out 2>err
	is "$? $(cmp plain out) $(count call:enter) $(
		dump -n call:unhooked | grep -c 'prototypes are damaged')" \
		"3  0 1" "of prototypes ($seed)"
done

# Likewise what a child asks for.
for seed in $(seq 1 15); do
	SEED=$seed libexec/libptrace/ptrace-monitor -q -o log -f 'known:*' \
		sh -c './known; exit $?' >out 2>err
	is "$? $(cmp plain out)" "3 " "seed $seed, of a child"
done

# The test itself: unchanged they are taken.
cp "$libexec/ptrace-functions" libexec/libptrace/
libexec/libptrace/ptrace-monitor -q -o log -f '*' ./known >out
[ "$(count call:enter)" -gt 700 ]
ok $? "unchanged they are used"
libexec/libptrace/ptrace-monitor -q -o log -a -f '*' ./typed >out
[ "$(dump -n call:enter | grep -c 'fib .*args=(n=')" -gt 400 ]
ok $? "... with prototypes"
