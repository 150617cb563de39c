# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests that compare our log with what strace saw of the same run, after
# t/lib/run.sh: t/lib/strace.py.
need python3
strace -o "$T/strace" true 2>/dev/null
[ -s "$T/strace" ] || skip_all "strace does not work here"

# compare NAME LEAST COMMAND...: three tests, of at least so many calls.  The
# event types that were compared are added to $T/kinds.
# as=COMMAND: all of it is run by that.  verbose=-v: strace shows whole structures.
# files=N: of at least so many descriptors both say which file they are.
compare() {
	name=$1 least=$2
	shift 2
	if ! command -v "${program:-$1}" >/dev/null; then
		skip "$name" "no ${program:-$1}" 3
		return
	fi
	rm -rf "$T/work" "$T"/theirs.* "$T/log"
	mkdir -m 777 "$T/work" && cd "$T/work" || exit
	printf 'all: b\nb: a.c\n\tcp a.c b\n' >Makefile
	echo 'int main(void) { return 0; }' >a.c
	# shellcheck disable=SC2086
	${as-} strace ${verbose-} -y -ff -T -s 4096 -e signal=none -o "$T/theirs" \
		"$PTRACE_RUN" -q -o "$T/log" --stream-policy block -b 8M \
		-e process,file,io,net,time,mem,sync --io-data 16 "$@" >/dev/null 2>&1 \
		</dev/null
	cd "$T" || exit
	"$PTRACE_DUMP" -f json log >ours
	"$PTRACE_DUMP" -y -n 'file:*' -n 'io:*' -n 'net:*' \
		-n 'mem:*' log >shown
	# shellcheck disable=SC2046
	set -- $(python3 "${abs_top_srcdir:?}/t/lib/strace.py" theirs ours shown \
		2>err)
	diag "$name: ${4-} descriptors, ${5-} not known; ${6-}"
	diag "$(head -c 9000 err)"
	echo "${6-}" | tr ',' '\n' >>"$T/kinds"
	[ "${1:-0}" -ge "$least" ] && [ "${4:-0}" -ge "${files:-0}" ]
	ok $? "$name: ${1:-no} calls, ${4:-no} descriptors"
	is "${2-}" 0 "$name: the same, in order"
	is "${3-}" 0 "$name: processes end alike"
}
