# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests that kill, or look at all traces, after t/lib/tap.sh.  When any
# process of the same user creates a stream, the streams of dead controllers are
# ended: if possible, this must not be done by another test.  Where root has a run
# directory in /run it would be used, and not /dev/shm.
#
# A user is the same user in a user namespace, in which he may mount, and then in
# another one, without privileges.
if [ -z "${PTL_T_PRIVATE_SHM-}" ]; then
	PTL_T_PRIVATE_SHM=1
	export PTL_T_PRIVATE_SHM
	alone_mounts='mount -t tmpfs -o mode=1777 none /dev/shm &&
		{ [ ! -e /run/ptrace ] || mount -t tmpfs -o mode=755 none /run; }'
	if unshare -m true 2>/dev/null; then
		rm -rf "$T"
		exec unshare -m sh -c "$alone_mounts && exec sh \"\$0\"" "$0"
	elif unshare -Ucm --keep-caps sh -c "$alone_mounts && exec unshare -Uc true" \
		2>/dev/null; then
		rm -rf "$T"
		exec unshare -Ucm --keep-caps \
			sh -c "$alone_mounts && exec unshare -Uc sh \"\$0\"" "$0"
	fi
fi
