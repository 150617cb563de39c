#!/bin/sh
# SPDX-License-Identifier: MIT
# -l and -r: programs of all linkers, bound at once or call by call, and of every
# kind of linkage table: each call and return is an event, and all registers are
# as without us, also where nothing traces the process.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64; see t/meta/aarch64.t"

# linked NAME FLAG...: both programs, if they can be made here.
linked() {
	of=$1
	shift
	call='call registers_get@PLT'
	case " $* " in
	*' -fno-plt '*) call='call *registers_get@GOTPCREL(%%rip)' ;;
	esac
	compile -O1 -pthread "$@" -o called "$source/called.c" -L. -lcalled -ldl \
		-Wl,-rpath,"$T" >cc.out 2>&1 &&
		compile -O1 "$@" "-DCALL=\"$call\"" -o linked "$source/linked.c" \
			-L. -llinked -Wl,-rpath,"$T" >cc.out 2>&1 && return
	skip "$of" "$(head -n 1 cc.out)" 7
	return 1
}

check() {
	linked "$@" || return 0
	run_calls -l called_leaf -- ./called loop 1000
	is "$(cat traced.status) $(events call:enter)" "0 1000" "$of: calls"
	run_calls -r called_leaf -- ./called loop 1000
	is "$(cat traced.status) $(events call:exit)" "0 1000" "$of: returns"
	same_calls "$of: all calls" -l '*' -- ./called values
	same_calls "$of: all returns" -r '*' -- ./called values
	same_calls "$of: registers" -l '*' -- ./linked
	same_calls "$of: registers, with returns" -r '*' -- ./linked
	same_calls "$of: and in a child that is not traced" --no-follow \
		-r '*' -- ./linked child
}

compile -shared -fPIC -DLIBRARY -o liblinked.so "$source/linked.c" || exit 1
plan 141
for linker in bfd gold lld mold; do
	for bound in now lazy; do
		check "$linker, $bound" -fuse-ld=$linker -Wl,-z,$bound
	done
	check "$linker, no pie" -fuse-ld=$linker -Wl,-z,lazy -no-pie -fno-pie
	check "$linker, -fno-plt" -fuse-ld=$linker -fno-plt -Wl,-z,now
	case $linker in
	bfd) set -- ibtplt -fcf-protection ;;
	lld) set -- retpolineplt -fcf-protection=none ;;
	*) set -- lazy -fcf-protection=none ;;
	esac
	check "$linker, $1, $2" -fuse-ld=$linker "-Wl,-z,$1" "$2" -Wl,-z,lazy
done

# A constant that is as far from the slot as a reference to it would be.
cat >chance.s <<'EOF'
	.text
	.byte 0xbf
	.long called_leaf@GOTPCREL - 8
	.section .note.GNU-stack,"",@progbits
EOF
compile -O1 -pthread -fno-plt -o called "$source/called.c" chance.s -L. \
	-lcalled -ldl -Wl,-rpath,"$T" || exit 1
run_calls -l called_leaf -- ./called loop 1000
is "$(cat traced.status) $(events call:enter)" "0 1000" "a constant by chance"
