#!/bin/sh
# SPDX-License-Identifier: MIT
# git, with its helpers, hooks and pager.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
need git
plan 2

GIT_CONFIG_NOSYSTEM=1
GIT_CONFIG_GLOBAL=/dev/null
HOME=$T
export GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL HOME
for who in AUTHOR COMMITTER; do
	export "GIT_${who}_NAME=me" "GIT_${who}_EMAIL=me@example.com" \
		"GIT_${who}_DATE=2001-01-01T00:00:00Z"
done
cat >script <<'END'
set -e
git init -q repo
cd repo
printf '#!/bin/sh\n/bin/echo hooked\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
seq 100 >file
git add file
git commit -q -m one
seq 200 >file
git commit -q -a -m two
git -c core.pager=cat -p log --oneline | cat
git -c alias.mine='!git status --short' mine
git clone -q . ../copy
git gc -q
END
prepare() {
	rm -rf repo copy
}
tree "git" sh script
is "$(cat out err)" "$(git -C repo log --oneline)
hooked
hooked" "what it said"
