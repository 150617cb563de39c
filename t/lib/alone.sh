# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests that kill, after t/lib/tap.sh.  When any process of the same user
# creates a stream, the streams of dead controllers are ended: if possible, this
# must not be done by another test.  Where root has a run directory in /run it
# would be used, and not /dev/shm.
if [ -z "${PTL_T_PRIVATE_SHM-}" ] && unshare -m true 2>/dev/null; then
	PTL_T_PRIVATE_SHM=1
	export PTL_T_PRIVATE_SHM
	rm -rf "$T"
	exec unshare -m sh -c \
		'mount -t tmpfs -o mode=1777 none /dev/shm &&
		{ [ ! -e /run/ptrace ] || mount -t tmpfs -o mode=755 none /run; } &&
		exec sh "$0"' "$0"
fi
