#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian's packages can be built, and lintian finds no error in them.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need make dpkg-buildpackage dh chrpath lintian
plan 3

unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$abs_top_builddir" dist >"$T/out" 2>&1
tarball=$(find "$abs_top_builddir" -maxdepth 1 -name 'libptrace-*.tar.gz')
[ -f "$tarball" ]
ok $? "make dist" || diag "$(cat "$T/out")"
mv "$tarball" "$T"
# What is in the packages does not depend on how hard the compiler tries.
DEB_CFLAGS_APPEND=-O1 DEB_BUILD_OPTIONS=nocheck PACKAGE_DIR=$T/package \
	"$abs_top_srcdir/scripts/package" deb "$T/${tarball##*/}" >"$T/out" 2>&1
ok $? "packages are built, without an error of lintian's" ||
	diag "$(tail -n 30 "$T/out")"
is "$(find "$T/package" -name '*.deb' ! -name '*-dbgsym_*' | wc -l)" 3 "three"
