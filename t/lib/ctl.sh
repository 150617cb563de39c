# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of ptrace-ctl, after t/lib/tap.sh, alone.sh and run.sh: a traced
# shell that does what it is told, one step after the other.
PATH=${PTRACE_CTL%/*}:$PATH
mkfifo orders done

# A shell that executes each line that it reads, and then says so.
# shellcheck disable=SC2016,SC2034 # for another shell
obey='exec 3<orders 4>done; echo >&4
	while read -r order <&3; do eval "$order"; echo >&4; done'

# begin COMMAND...: which runs a shell by $obey, in the background.
begin() {
	"$@" &
	begun=$!
	exec 3>orders 4<done
	read -r answer <&4
}
# order TEXT: returns when it is done.
order() {
	echo "$1" >&3
	read -r answer <&4
}
# end: there are no more orders.  The status is that of begin's command.
end() {
	exec 3>&- 4<&-
	wait "$begun"
}

# ctl OPTION...: its exit status; what it says is in out and err.
ctl() {
	status ptrace-ctl "$@"
}
# column NAME: of the only trace, as JSON has it.
column() {
	ptrace-ctl list --json |
		sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"
}
