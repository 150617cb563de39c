# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of function names, after t/lib/run.sh: makes logs with any file
# at any address, so that the expected names are known.
need readelf nm
cc=${CC:-cc}
need "${cc%% *}"
BASE=0x7f0000000000

# build OUTPUT SOURCE OPTION...: with a build id of its own.
build() {
	output=$1
	shift
	id=$(printf 'abcdabcd%08x' \
		"$(printf %s "$output" | cksum | cut -d ' ' -f 1)")
	# shellcheck disable=SC2086 # words
	$cc -Wl,--build-id=0x"$id" -o "$output" "$@" >build.out 2>&1 || {
		diag "$(cat build.out)"
		return 1
	}
}

id_of() {
	readelf -nW "$1" 2>/dev/null |
		sed -n 's/.*Build ID: *\([0-9a-f]*\).*/\1/p'
}

# address_of FILE SYMBOL
address_of() {
	nm "$1" 2>/dev/null | awk -v name="$2" \
		'$3 == name && $2 ~ /[tTwWi]/ { print "0x" $1; exit }'
}

# map TIME BASE FILE [PID]: a line for victim-mklog.
map() {
	echo "$1 ${4-10} ${4-10} 0 32 0 x:$2 x:0x100000 s:$3 b:$(id_of "$3")"
}

# name_at FILE ADDRESS...: what a dump shows for events recorded there, one per
# line; $options go to ptrace-dump.
options=
name_at() {
	file=$1
	shift
	{
		map 1000 $BASE "$file"
		time=2000
		for address; do
			time=$((time + 1))
			echo "$time 10 10 0 25 $((BASE + address))"
		done
	} | "$VICTIMS/victim-mklog" at.log
	# shellcheck disable=SC2086 # words
	"$PTRACE_DUMP" -f raw -n thread:exit $options at.log 2>err | sed 's/.* @ //'
}

# name_behind FILE SYMBOL [OFFSET]: the same, at this offset after a symbol.
name_behind() {
	name_at "$1" $(($(address_of "${4-$1}" "$2") + ${3-1}))
}
