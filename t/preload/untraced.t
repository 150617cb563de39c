#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that cannot be traced runs unharmed, is told of, and does not break
# the chain: its children are traced again.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 9

cat >"$T/static.c" <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int status;
	if (fork() == 0) {
		execl("/bin/sh", "sh", "-c", "exit 8", (char *)0);
		_exit(127);
	}
	wait(&status);
	return WEXITSTATUS(status) + 1;
}
END
run() {
	same "$1" "$VICTIMS/victim-untraced" "$2"
	is "$(events process:untraced "$3" "\"path\":\"$2\"")" 2 "$1: told"
}
if ${CC:-cc} -static -o "$T/static" "$T/static.c" 2>/dev/null; then
	run static "$T/static" '"reason":"static"'
	is "$(events process:exit '"status":8')" 2 "static: its children"
else
	skip static "cannot link statically"
	skip "static: told" "cannot link statically"
	skip "static: its children" "cannot link statically"
fi
printf '#!%s\n' "$T/static" >"$T/script"
chmod +x "$T/script"
if [ -x "$T/static" ]; then
	run "script of a static interpreter" "$T/script" '"reason":"static"'
else
	skip script "cannot link statically"
	skip "script: told" "cannot link statically"
fi
# A setuid program that is not its owner's.
if [ "$(id -u)" = 0 ]; then
	cp /bin/true "$T/setuid" && chown 1:1 "$T/setuid" &&
		chmod 4755 "$T/setuid"
	run setuid "$T/setuid" '"reason":"setuid .nor is what it starts."'
else
	skip setuid "not root"
	skip "setuid: told" "not root"
fi
same "a program that can be" "$VICTIMS/victim-untraced" /bin/true
is "$(events process:untraced)" 0 "a program that can be: nothing told"
