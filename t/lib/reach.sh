# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# For the tests of ptrace-run --reach $reach, after t/lib/run.sh.

# may_seize: may a process be traced by ptrace(2) that is no child?
may_seize() {
	yama=$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)
	[ "$yama" = 0 ] || { [ "$yama" -lt 3 ] && [ "$(id -u)" = 0 ]; }
}

# need_seize: skips all where --reach static reaches nothing.
need_seize() {
	[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
	may_seize || skip_all "ptrace is for parents only"
}

# link_static NAME SOURCE NUMBER: a static program, whose code has so many more
# bytes; prints how many it has in its last page.
link_static() {
	echo ".section .note.GNU-stack; .text; .fill $3" >fill.s
	$CC -O2 -D_GNU_SOURCE -I"$abs_top_srcdir" -static -o "$1" "$2" fill.s \
		-lpthread || exit 1
	readelf -lW "$1" | while read -r kind _ from _ _ size flags e _; do
		[ "$kind $flags $e" != "LOAD R E" ] ||
			echo $(((from + size - 1) % 4096 + 1))
	done
}

# has_static: can programs be linked statically?
has_static() {
	echo 'int main(void) { return 0; }' >empty.c
	$CC -static -o empty empty.c 2>/dev/null
}

# build_static NAME SOURCE: one with room behind that for what is written there;
# false: there are none here.
build_static() {
	has_static || return 1
	used=$(link_static "$1" "$2" 0) || exit 1
	[ "$used" -lt 3900 ] || link_static "$1" "$2" 512 >/dev/null
}

# same NAME COMMAND...: is it the same traced?  What is recorded is in `all'.
same() {
	name=$1
	shift
	rm -f log
	"$@" >plain.out 2>plain.err
	echo "$?" >>plain.out
	"$PTRACE_RUN" -q --reach "$reach" -e process,file -o log "$@" \
		>traced.out 2>traced.err
	echo "$?" >>traced.out
	cmp plain.err traced.err && cmp plain.out traced.out
	ok $? "$name: the same"
	dump -f json >all
}

# info KEY: of `log'.
info() {
	"$PTRACE_DUMP" --info log 2>/dev/null | sed -n "s/^$1: *//p"
}

# has NUMBER TEXT...: so many events have all of these.
has() {
	want=$1
	shift
	cp all found
	for text; do
		grep -F -e "$text" found >fewer
		mv fewer found
	done
	is "$(grep -c . found)" "$want" "... $*"
}
