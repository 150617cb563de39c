#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever a program does to the environment, its children are traced.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 3

tree "no environment" "$VICTIMS/victim-tree-env"
# shellcheck disable=SC2016
tree "unset" sh -c 'for i in $(env | sed "s/=.*//"); do unset "$i" || :; done
	/bin/true; /usr/bin/env /bin/sh -c "/bin/true; exit 1"'
# A library of the user's own is not lost, and not ours either.
tree "LD_PRELOAD of the program's own" env LD_PRELOAD= sh -c \
	'LD_PRELOAD=libc.so.6 /bin/true; export LD_PRELOAD=; sh -c "/bin/true; :"'
