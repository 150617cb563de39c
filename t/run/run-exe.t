#!/bin/sh
# SPDX-License-Identifier: MIT
# The program that process:start names is that of /proc/self/exe, however it
# was found.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"

# Says which program it is itself.
reader=$(readlink -f "$(command -v readlink)")
loader=$(readlink -f /lib64/ld-linux-x86-64.so.2 || :)
here=$(pwd -P)

# same NAME COMMAND...: of the last program that is started.
same() {
	name=$1
	shift
	rm -f log
	"$PTRACE_RUN" -q -o log "$@" >out 2>err
	is "$(dump -n process:start | sed -n 's/.* exe="\([^"]*\)".*/\1/p' |
		tail -n 1)" "$(tail -n 1 out)" "$name"
}

plan 13
same "an absolute path" "$reader" /proc/self/exe
like "$(cat out)" '^/.' "which it says"
cp "$reader" me
same "a relative path" ./me /proc/self/exe
same "the current directory in the way" "$here/./me" /proc/self/exe
same "two slashes" "$here//me" /proc/self/exe
same "the directory above" "$here/../${here##*/}/me" /proc/self/exe
ln -s me link
same "a link beside it" "$here/link" /proc/self/exe
ln -s "$here" dir
ln -s "$here/dir/link" far
same "links of links" "$here/far" /proc/self/exe
mkdir below
ln -s ../me below/up
same "a link upwards" "$here/below/up" /proc/self/exe
printf '#!%s/me -f\n' "$here" >script
chmod +x script
same "a script's interpreter" "$here/script" /proc/self/exe
like "$(tail -n 1 out)" '/me$' "which is not the script"
same "its name is an argument, too" "$here/me" "$here/me" /proc/self/exe
if [ -x "$loader" ] && "$loader" "$reader" /proc/self/exe >/dev/null 2>&1; then
	same "run by a loader" "$loader" "$reader" /proc/self/exe
else
	skip 1 "no loader known here"
fi
