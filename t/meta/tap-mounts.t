#!/bin/sh
# SPDX-License-Identifier: MIT
# A test that ends removes its own directory, and nothing through what it has
# mounted there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need unshare
unshare -m true 2>/dev/null || skip_all "no mount namespace"
plan 5

cd "$T" || exit 1
mkdir other
cat >mounts.t <<'EOF'
#!/bin/sh
. "${abs_top_srcdir:?}/t/lib/tap.sh"
plan 1
mkdir -p "$T/jail/other"
mount --bind "$1" "$T/jail/other" && cd "$T/$2" && ok 0 "mounted"
EOF
chmod 755 mounts.t

# ends WHERE: such a test, whose last directory is that.
ends() {
	echo kept >other/file
	TMPDIR=$T unshare -m --propagation private ./mounts.t "$T/other" "$1" \
		>out 2>err
}

ends .
is "$(cat out)" "1..1
ok 1 - mounted" "a test that mounts another place"
is "$(cat other/file)" kept "what is there stays"
is "$(echo ptrace-test.*)" 'ptrace-test.*' "the test's own directory goes"

ends jail/other
is "$(cat other/file)" kept "so it does if it cannot be unmounted"
like "$(cat err)" '# left: .*jail/other is mounted there' "which is said"
