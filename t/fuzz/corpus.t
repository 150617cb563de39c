#!/bin/sh
# SPDX-License-Identifier: MIT
# The fuzz targets bear what is in their corpora: seeds, and what once was found
# by one of them.  (With a fuzzer: make fuzz.)
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

corpus=$abs_top_srcdir/t/fuzz/corpus
set -- "$corpus"/*
plan $#

for dir; do
	name=${dir##*/}
	"$abs_top_builddir/t/fuzz/$name" "$dir"/* >"$T/out" 2>&1
	ok $? "$name: $(find "$dir" -type f | wc -l) inputs" ||
		diag "$(tail -n 5 "$T/out")"
done
