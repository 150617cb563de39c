#!/bin/sh
# SPDX-License-Identifier: MIT
# Shells complete each long option of each command, and the words that an
# argument is one of.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need bash
plan 28

completions=$abs_top_builddir/completions
# offered COMMAND WORD...: what bash offers for the last word, sorted.
offered() {
	bash --norc -c '. "$1/bash/$2"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"_${1//-/_}"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$completions" "$@" | sort
}

for command in "$PTRACE_RUN" "$PTRACE_DUMP" "$PTRACE_CTL" "$PTRACE_EVENT" \
	"$PTRACE_REPORT"; do
	name=${command##*/}
	"$command" --help | grep -oE -e '--[a-z][a-z-]+' | sort -u >options
	[ -s options ] || printf -- '--help\n--version\n' >options
	is "$(offered "$name" -- | grep -e ^--)" "$(cat options)" \
		"$name: all of them, and no others"
	missed=
	while IFS= read -r option; do
		offered "$name" "${option%?}" | grep -qxF -e "$option" ||
			missed="$missed $option"
	done <options
	is "$missed" "" "$name: each by its beginning"
	missed=
	while IFS= read -r option; do
		grep -q -e "'\*${option}[=']" "$completions/zsh/_$name" ||
			missed="$missed $option"
	done <options
	is "$missed" "" "$name: zsh knows each"
done

is "$(offered ptrace-dump --time '' | tr '\n' ' ')" \
	"absolute clock delta relative " "words"
is "$(offered ptrace-dump --time = r)" "relative" "... behind an ="
is "$(offered ptrace-dump --time = | head -n 1)" "absolute" "... right there"
is "$(offered ptrace-dump -f j)" json "formats"
is "$(offered ptrace-run --stream-policy '' | tr '\n' ' ')" \
	"block flush loop until-full " "words of a setting"
is "$(offered ptrace-run -e s | tr '\n' ' ')" "sched signal sync " "event families"
touch one.ptlog
is "$(offered ptrace-dump one)" one.ptlog "files"
mkdir dir
is "$(offered ptrace-dump --symfs d)" dir "directories"
is "$(offered ptrace-report --html o)" "$(offered ptrace-report --flame o)" \
	"a file to make"
is "$(offered ptrace-ctl sn)" snapshot "commands of ptrace-ctl"
is "$(offered ptrace-run --att)" "" "what is not for users is not offered"
if command -v zsh >/dev/null; then
	for file in "$completions"/zsh/*; do
		zsh -n "$file" || echo "$file"
	done >wrong 2>&1
	is "$(cat wrong)" "" "zsh can read its files"
else
	skip "zsh can read its files" "no zsh"
fi
make -s -C "$abs_top_builddir" install-data DESTDIR="$T/root" >out 2>&1
is "$(cd root && find . -path '*completions/ptrace-*' -o \
	-path '*site-functions/_ptrace-*' | wc -l)" 10 "they are installed"
