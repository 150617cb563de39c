#!/bin/sh
# SPDX-License-Identifier: MIT
# A static program in the middle of a tree is shown, and its children follow; a
# setuid one, or one with other effective than real ids, is shown.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 5

cat >static.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int status = 0;
	if (argc < 2)
		return 3;
	if (fork() == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	wait(&status);
	return WEXITSTATUS(status);
}
END
if ${CC:-cc} -static -o static static.c 2>/dev/null; then
	unseen=1
	tree "static" sh -c './static /bin/sh -c "/bin/true; exit 4"; exit 0'
	is "$(grep -c '"process:untraced".*"reason":"static"' json)" 1 "shown"
	is "$(grep -c '"process:exit".*"status":4' json)" 2 "its end"
else
	for i in static shown "its end"; do
		skip "$i" "cannot link statically"
	done
fi

# Of a file of another user: the dynamic linker forgets us, and so do its children.
if [ "$(id -u)" = 0 ] && cp /bin/sh setuid && chown 1:1 setuid &&
	chmod 6755 setuid; then
	run -- sh -c './setuid -c "/bin/true; exit 4"; exit 0'
	check --execs 1 --untraced 1
	ok $? "setuid" || tree_diag
else
	skip "setuid" "not root"
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	run -- setpriv --euid=65534 --clear-groups sh -c '/bin/true; exit 4'
	check --execs 1 --untraced 1
	ok $? "another effective user alone" || tree_diag
else
	skip "another effective user alone" "not root"
fi
