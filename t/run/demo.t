#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/demo in a tree that is built: installs and builds nothing, traces the
# command, by default a make of its own, shows what it saw, and ends as it did.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need autoconf automake libtoolize pkg-config gcc make prove
plan 8

# A clone that was set up, but for what is in it.
tree=$T/tree
mkdir -p "$tree/build" "$tree/scripts" "$tree/t" "$T/bin"
cp "$abs_top_srcdir/scripts/demo" "$abs_top_srcdir/scripts/setup" \
	"$tree/scripts"
(cd "$tree" && mkdir core include preload tools man &&
	touch configure configure.ac Makefile.am Makefile.in t/files.am)
for part in lib libexec scripts tools; do
	ln -s "$abs_top_builddir/$part" "$tree/build/$part"
done
touch "$tree/build/Makefile" "$tree/build/setup.stamp"
# What tests could use is not installed for this one.
printf '#!/bin/sh\nexit 1\n' >"$T/bin/sudo"
cp "$T/bin/sudo" "$T/bin/apt-get"
chmod +x "$T/bin/sudo" "$T/bin/apt-get"
PATH=$T/bin:$PATH
unset CONFIGURE_FLAGS MAKEFLAGS MFLAGS MAKELEVEL

# demo COMMAND...: $status, and what it printed in $T/out.
demo() {
	(cd "$T" && exec "$tree/scripts/demo" "$@") >"$T/out" 2>&1 </dev/null
	status=$?
}

demo
is $status 0 "a demo" || diag "$(cat "$T/out")"
like "$(cat "$T/out")" '^made by two jobs at a time$' "what it traced ran"
like "$(cat "$T/out")" ' make\[[0-9]+\] +start make ' "the dump shows it"
like "$(cat "$T/out")" '^ptrace-run: .* events, 0 lost, ' "nothing was lost"
like "$(cat "$T/out")" '^ *WALL +CPU +MAXRSS +EXIT +PROCESS$' \
	"and a report is shown"

demo sh -c 'pwd; exit 3'
is "$status" 3 "of a command, with its status" || diag "$(cat "$T/out")"
is "$(grep -cxF "$T" "$T/out") $(grep -c ' exit 3 ' "$T/out")" \
	"1 1" "which runs where one stands"
is "$(grep -E '^scripts/demo: (autoreconf|configure|make) ' "$T/out")" "" \
	"nothing is built"
