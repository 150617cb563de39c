#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/demo in a tree that is built: installs and builds nothing, traces the
# command, by default a make of its own, shows what it saw, and ends as it did.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need autoconf automake libtoolize pkg-config gcc make
plan 13

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
# Nothing that is missing is installed for this one; it is noted.
printf '#!/bin/sh\necho "$*" >>%s/asked\nexit 1\n' "$T" >"$T/bin/sudo"
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

is "$(sed '1,/ptrace-report/d' "$T/out" | awk 'length($0) > 79')" "" \
	"which is no wider than a terminal"

demo sh -c 'pwd; exit 3'
is "$status" 3 "of a command, with its status" || diag "$(cat "$T/out")"
is "$(grep -cxF "$T" "$T/out") $(grep -c ' exit 3 ' "$T/out")" \
	"1 1" "which runs where one stands"
is "$(grep -E '^scripts/demo: (autoreconf|configure|make) ' "$T/out")" "" \
	"nothing is built"

# What only tests use is for scripts/test to install, here by a prove that is
# not there; and without what a build needs neither goes on.
is "$(cat "$T/asked" 2>/dev/null)" "" "nothing is installed for tests"
mkdir "$T/less"
for dir in $(echo "$PATH" | tr : ' '); do
	[ -d "$dir" ] && ln -s "$dir"/* "$T/less" 2>/dev/null
done
rm -f "$T/less/prove"
cp "$abs_top_srcdir/scripts/test" "$tree/scripts"
touch "$tree/build/setup.stamp"
PATH=$T/less "$tree/scripts/test" >"$T/out" 2>&1 </dev/null
like "$(cat "$T/out")" 'apt-get could not install: .*perl' \
	"the tests are not run without prove"
PATH=$T/less demo
is $status 0 "a demo is" || diag "$(cat "$T/out")"
is "$(tail -n 5 "$T/out" | head -n 1)" \
	"    PATH=\$PWD/build/scripts:\$PWD/build/tools:\$PATH" \
	"and its last lines say what to type next"
