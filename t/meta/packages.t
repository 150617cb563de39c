#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed is in one package each, of Debian's and of the RPMs, and what
# these say of themselves can be read by the tools that do.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need make tar readelf
plan 20

# As a release has it.
packaging=$T/release/scripts/packaging
debian=$packaging/debian
version=$("$PTRACE_DUMP" --version | sed 's/.* //')

unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p "$T/release/scripts"
cp -R "$abs_top_srcdir/scripts/packaging" "$T/release/scripts"
cp -R "$abs_top_builddir/scripts/packaging" "$T/release/scripts"
maintainer=$(sed -n 's/^PTL_MAINTAINER = //p' "$abs_top_builddir/Makefile")
is "$(grep -lF "$maintainer" -r "$T/release" | sed 's|.*/||' | sort |
	tr '\n' ' ')" "changelog control libptrace.spec " "one maintainer"
url=$(sed -n 's/^PTL_URL = //p' "$abs_top_builddir/Makefile")
is "$(grep -lF "$url" -r "$T/release" | sed 's|.*/||' | sort | tr '\n' ' ')" \
	"control copyright libptrace.spec watch " "and one URL"

# Installed as Debian does it, which is configured with --disable-32bit.
lib=usr/lib/x86_64-linux-gnu
make -s -C "$abs_top_builddir" install DESTDIR="$T/root" prefix=/usr \
	exec_prefix=/usr libdir=/$lib libexecdir=/usr/libexec \
	datadir=/usr/share mandir=/usr/share/man \
	pythondir=/usr/lib/python3/dist-packages M32_CFLAGS= >"$T/out" 2>&1
ok $? "make install" || diag "$(cat "$T/out")"
(cd "$T/root" && find . ! -type d | sed 's|^\./||' | sort) >"$T/installed"

# in_packages LIST: each "PATTERN PACKAGE" of the list with the files that it has;
# a directory means all that is below it.
in_packages() {
	while read -r pattern package; do
		(cd "$T/root" && for found in $pattern; do
			find "$found" ! -type d 2>/dev/null || :
		done) | sed "s|\$| $package|" >"$T/found"
		[ -s "$T/found" ] || echo "$pattern $package" >>"$T/useless"
		cat "$T/found"
	done <"$1" | sort
}

# judge NAME LIST: every file in one package, each pattern has a file.
judge() {
	: >"$T/useless"
	in_packages "$2" >"$T/packed"
	is "$(cut -d ' ' -f 1 "$T/packed" | uniq -d)" "" "$1: no file twice"
	is "$(cut -d ' ' -f 1 "$T/packed" | uniq | comm -3 - "$T/installed")" "" \
		"$1: every file"
	is "$(cat "$T/useless")" "" "$1: nothing that is not there"
}

for file in "$debian"/*.install; do
	package=${file##*/}
	awk -v package="${package%.install}" '{ print $1, package }' "$file"
done >"$T/list"
judge debian "$T/list"

# What %files has: macros as they would be with Debian's directories.
awk '
	/^%files/ { package = $NF; next }
	/^%changelog/ { package = "" }
	package && $NF ~ /^%\{/ { print $NF, package }' \
	"$packaging/libptrace.spec" | sed -e 's/%{name}/libptrace/g' \
	-e "s|%{_libdir}|$lib|; s|%{_bindir}|usr/bin|" \
	-e 's|%{_docdir}|usr/share/doc|; s|%{_mandir}|usr/share/man|' \
	-e 's|%{_datadir}|usr/share|; s|%{_includedir}|usr/include|' \
	-e 's|%{_libexecdir}|usr/libexec|' \
	-e 's|%{python3_sitelib}|usr/lib/python3/dist-packages|' >"$T/list"
judge rpm "$T/list"

# Our own build finds the library by its place in a prefix that may be moved.
(cd "$T/root" && find usr/bin usr/libexec -type f | sort | while read -r file; do
	! readelf -d "$file" 2>/dev/null | grep -q RUNPATH || echo "${file##*/}"
done) >"$T/runpath"
for file in "$debian/rules" "$packaging/libptrace.spec"; do
	while read -r program; do
		grep -q "[/ ]$program\\( \\|\$\\)" "$file" || echo "$program"
	done <"$T/runpath" >"$T/kept"
	is "$(cat "$T/kept")" "" "${file##*/}: no program keeps its RUNPATH"
done

is "$(sed -n '1s/libptrace \([0-9.]*\) .*/\1/p' "$packaging/NEWS")" "$version" \
	"NEWS begins with this version"
is "$(sed -n 's/^Version: *//p' "$packaging/libptrace.spec")" "$version" \
	"and so does the spec"
is "$(sed -n '1s/^libptrace (\([^-]*\)-.*/\1/p' "$debian/changelog")" \
	"$version" "and debian/changelog"

# A release with as little as the packages' own files need.
release=libptrace-$version
mkdir "$T/$release"
(cd "$abs_top_srcdir" && tar -cf - README configure.ac scripts/package) |
	tar -xf - -C "$T/$release"
cp -R "$packaging" "$T/$release/scripts"
tar -czf "$T/$release.tar.gz" -C "$T" "$release"
PACKAGE_DIR=$T/package "$abs_top_srcdir/scripts/package" tree \
	"$T/$release.tar.gz" >"$T/out" 2>&1
ok $? "scripts/package tree" || diag "$(cat "$T/out")"
is "$("$abs_top_srcdir/scripts/package" zip 2>&1 >/dev/null | head -n 1)" \
	"scripts/package: 'zip' is not deb, rpm or tree" "and no other kind"

# Without the tables of dpkg the tools of dpkg-dev do nothing.
if ! dpkg-architecture -qDEB_HOST_ARCH >/dev/null 2>&1; then
	skip debian/ "no dpkg-dev, or it does not know this architecture" 4
else
	cd "$T/package/$release" || exit 1
	is "$(dpkg-parsechangelog -SVersion 2>&1)" "$version-1" \
		"debian/: the changelog"
	dpkg-source -b . >"$T/out" 2>&1
	ok $? "debian/: a source package" || diag "$(cat "$T/out")"
	for package in libptrace0 libptrace-dev ptrace-tools; do
		mkdir -p "$T/$package/DEBIAN"
		dpkg-gencontrol -p$package -P"$T/$package" 2>/dev/null
		grep -c '^Version: ' "$T/$package/DEBIAN/control"
	done >"$T/out" 2>&1
	is "$(tr '\n' ' ' <"$T/out")" "1 1 1 " "debian/: the fields"
	dpkg-gensymbols -c4 -plibptrace0 -v"$version-1" \
		-e"$T/root/$lib/libptrace.so.0" \
		-O"$T/symbols" -P"$T/libptrace0" >"$T/out" 2>&1
	ok $? "debian/: the symbols" || diag "$(cat "$T/out")"
fi
