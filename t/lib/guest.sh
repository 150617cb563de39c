# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of programs that change their user, after t/lib/tap.sh: as root,
# with shared memory and a /dev/shm of their own.
if [ "$(id -u)" != 0 ]; then
	skip_all "not root"
fi
need setpriv unshare ipcs
if [ -z "${PTL_T_GUEST-}" ]; then
	unshare -mi true 2>/dev/null || skip_all "no namespaces"
	PTL_T_GUEST=1
	PTL_T_PRIVATE_SHM=1
	export PTL_T_GUEST PTL_T_PRIVATE_SHM
	rm -rf "$T"
	exec unshare -mi sh -c \
		'mount -t tmpfs -o mode=1777 none /dev/shm && exec sh "$0"' "$0"
fi
chmod 755 "$T"

# as_user COMMAND...
as_user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

as_user test -x "$LIBPTRACE" -a -r "${abs_top_srcdir:?}" ||
	skip_all "the tree is closed to others"

# What a guest's shell is to do: programs, and another shell's.
# shellcheck disable=SC2034
brood='/bin/true; sh -c "/bin/true; exit 3"; (exit 5); exit 4'

# bridges: how many there are.
bridges() {
	ipcs -m | grep -c '^0x'
}
