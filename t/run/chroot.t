#!/bin/sh
# SPDX-License-Identifier: MIT
# A root directory with nothing in it but the programs: no /dev/shm, no /proc.
# What is started there is traced, and each process is told once; where the
# library is not there, too, that is said.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/guest.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need chroot ldd
plan 14

# copy FILE...: with what each needs.
copy() {
	for file in "$@" $(ldd "$@" 2>/dev/null | grep -o '/[^ :)]*'); do
		[ -f "$file" ] || continue
		mkdir -p "root$(dirname "$file")"
		cp -L "$file" "root$file"
	done
}
# By each of its names.
copy /bin/sh /bin/true "${LIBPTRACE%/*}"/libptrace.so*
chroot root /bin/sh -c /bin/true 2>/dev/null ||
	skip_all "programs cannot be copied"

# chrooted OPTION... COMMAND...: in that directory.
chrooted() {
	rm -f log
	"$PTRACE_RUN" -o log chroot "$@" >out 2>err
	echo $?
}

# ends: how all ended, in the order of the log.
ends() {
	dump -n process:exit | grep -oE '(status|signal)=[0-9]+' | tr '\n' ' '
}
here='/bin/true; /bin/sh -c "/bin/true; exit 3"; exit 4'

is "$(chrooted root /bin/sh -c "$here")" 4 "the status is the command's"
like "$(tail -n 1 err)" ' 0 lost, 4 processes, [^,]*$' "four processes, all traced"
is "$(count process:start)" 5 "five images"
is "$(count process:fork)" 3 "three births"
is "$(ends)" "status=0 status=0 status=3 status=4 " "each end once"

# Another user, too.
if chroot --userspec=65534:65534 root /bin/sh -c /bin/true 2>/dev/null; then
	is "$(chrooted --userspec=65534:65534 root /bin/sh -c "$here")" 4 \
		"another user: the status"
	like "$(tail -n 1 err)" ' 0 lost, 4 processes, [^,]*$' "four processes"
	is "$(count process:start)" 5 "five images"
	is "$(ends)" "status=0 status=0 status=3 status=4 " "each end once"
else
	skip "another user" "chroot has no --userspec" 4
fi

rm -f "root${LIBPTRACE%/*}"/libptrace.so*
is "$(chrooted root /bin/sh -c "$here")" 4 "no library: the status"
like "$(sed -n 's/^ptrace-run: not traced: //p' err)" \
	"^/bin/sh: libptrace.so is not there: /.*/libptrace.so[.0-9]*\$" \
	"it is told as not traced, and which file it lacks"
is "$(grep -v '^ptrace-run: ' err)" "" "and nobody else says so"
is "$(ends)" "status=4 " "and its end once"
is "$(bridges)" 0 "no shared memory is left"
