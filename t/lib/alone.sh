# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests that kill, or look at all traces, after t/lib/tap.sh.  When any
# process of the same user creates a stream, the streams of dead controllers are
# ended: if possible, this must not be done by another test.  Where root has a run
# directory in /run it would be used, and not /dev/shm.
#
# A user is the same user in a user namespace, in which he may mount, and then in
# another one, without privileges.  PTL_T_PRIVATE_SHM: the test may mount.
if [ -z "${PTL_T_PRIVATE_SHM-}${PTL_T_OWN_SHM-}" ]; then
	PTL_T_OWN_SHM=1
	alone_mounts='mount -t tmpfs -o mode=1777 none /dev/shm &&
		{ [ ! -e /run/ptrace ] || mount -t tmpfs -o mode=755 none /run; }'
	alone_as=
	alone_then=
	if unshare -m true 2>/dev/null; then
		export PTL_T_PRIVATE_SHM=1
	else
		alone_as="unshare -Uc --keep-caps"
		alone_then="unshare -Uc"
	fi
	export PTL_T_OWN_SHM
	if $alone_as unshare -m sh -c "$alone_mounts && exec $alone_then true" \
		2>/dev/null; then
		rm -rf "$T"
		exec $alone_as unshare -m \
			sh -c "$alone_mounts && exec $alone_then sh \"\$0\"" "$0"
	fi
	unset PTL_T_PRIVATE_SHM
fi
