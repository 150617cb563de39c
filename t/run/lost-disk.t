#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program offered is in the log or counted as lost, and why, when the disk
# is full; also if the controller is killed then.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
plan 64

mkdir "$T/disk"

# full STREAM LOG...: with these policies.  When there is room again, whoever
# reads the log completes it.
full() {
	name="$*, on a full disk"
	mount -t tmpfs -o size=64k none "$T/disk" || exit 1
	stream=$1
	shift
	offer "$T/disk/log" --stream-policy "$stream" --log-policy "$@"
	sums "$name" 'No space left on device'
	holds "$T/disk/log" "$name"
	is "$(info "$T/disk/log" log-state), $(info "$T/disk/log" flush-error)" \
		"incomplete, No space left on device" "$name: --info says why"
	cp "$T/disk/log" "$T/copy"
	holds "$T/copy" "$name, a copy of it"
	mount -o remount,size=16m "$T/disk"
	holds "$T/disk/log" "$name, room made"
	is "$(info "$T/disk/log" log-state)" complete "$name: complete"
	umount "$T/disk"
}

for policy in loop until-full flush; do
	full $policy append
	full $policy loop -m 512K
	full $policy until-full -m 512K
done
full block append

for policy in loop until-full flush block; do
	name="$policy, killed on a full disk"
	mount -t tmpfs -o size=64k none "$T/disk" || exit 1
	kill_controller "$T/disk/log" --stream-policy "$policy"
	holds "$T/disk/log" "$name"
	umount "$T/disk"
done
