# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of -l and -r: t/preload/called.c with its library, or another
# program, built in many ways.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"

source=$abs_top_srcdir/t/preload
cd "$T" || exit 1

# build NAME FLAG...: program NAME, of called.c or $program.
program=called
build() {
	name=$1
	shift
	compile "$@" -O1 -pthread -o "$name" "$source/$program.c" \
		-L. -lcalled -ldl -Wl,-rpath,"$T" >cc.out 2>&1 && return
	diag "$(cat cc.out)"
	return 1
}

# build_linked HOW: program HOW, linked as that says: now, lazy, or no-pie.
build_linked() {
	case $1 in
	now) build "$1" -Wl,-z,now ;;
	lazy) build "$1" -Wl,-z,lazy ;;
	no-pie) build "$1" -no-pie -fno-pie -Wl,-z,lazy ;;
	esac
}

# As make has it: CC may be several words.
# shellcheck disable=SC2086
compile() {
	${CC:-cc} "$@"
}
command -v "${CC%% *}" >/dev/null 2>&1 || CC=cc
need "${CC%% *}"
{
	compile -O2 -fPIC -shared -o libcalled.so \
		-DLIBRARY "$source/called.c" &&
		compile -O1 -fPIC -shared -Wl,-z,lazy -o plugin.so \
			-DPLUGIN "$source/called.c" -L. -lcalled
} >cc.out 2>&1 || skip_all "$(head -n 1 cc.out)"

# run_calls OPTION... -- COMMAND...: like run_traced, with -l or -r; no event
# may be lost.
run_calls() {
	rm -f "$T/log"
	"$PTRACE_RUN" -q --stream-policy block -o "$T/log" "$@" \
		>"$T/traced.out" 2>"$T/traced.err" </dev/null
	echo $? >"$T/traced.status"
}

# same_calls NAME OPTION... -- COMMAND...: output and status are the same.
same_calls() {
	name=$1
	shift
	run_calls "$@"
	while [ "$1" != -- ]; do
		shift
	done
	shift
	run_plain "$@"
	compare "$name"
}
