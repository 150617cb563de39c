# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # for those who read it
# A program that answers lines, in the background, after t/lib/tap.sh.

# begin COMMAND...: its input and output are pipes.
begin() {
	rm -f input output
	mkfifo input output
	"$@" <input >output &
	pid=$!
	exec 5>input 6<output
}
# ask LINE: its answer is in $got.
ask() {
	echo "$1" >&5
	read -r got <&6
}
# finish: its last words and its status are in $got.
finish() {
	exec 5>&-
	got=$(cat <&6)
	wait "$pid"
	got="$got $?"
	exec 6<&-
}
