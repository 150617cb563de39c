# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests that run other tests as a user without privileges, after
# t/lib/tap.sh.  On some machines only root may write to /dev/shm: then we use
# our own.
. "${abs_top_srcdir:-.}/t/lib/alone.sh"

as_user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		env HOME="$T/home" TMPDIR="$T/home" "$@"
}

[ "$(id -u)" = 0 ] || skip_all "not root: all of these tests are run so"
need setpriv
chmod 755 "$T"
mkdir -m 777 "$T/home"
as_user test -x "$LIBPTRACE" -a -x "$PTRACE_RUN" -a -r "${abs_top_srcdir:?}" ||
	skip_all "the tree is closed to others"

# again TEST...: one test each.
again() {
	plan $#
	for test; do
		as_user "$test" >"$T/out" 2>&1
		# shellcheck disable=SC2181
		if [ $? != 0 ]; then
			fail "${test##*/}"
			diag "$(grep -v '^ok ' "$T/out" | head -n 30)"
		elif grep -q '^1\.\.0 # SKIP' "$T/out"; then
			skip "${test##*/}" "$(sed 's/.*SKIP //; q' "$T/out")"
		else
			pass "${test##*/}"
		fi
	done
}
