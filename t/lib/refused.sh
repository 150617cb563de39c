# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of what needs perf_event_open(2), after t/lib/run.sh.
refuse=$VICTIMS/victim-refuse
"$refuse" perf_event_open EPERM /bin/true ||
	skip_all "there are no filters of system calls here"

# refused OPTION ERROR PATTERN NAME: where the kernel answers so, nothing is run.
refused() {
	rm -f ran log
	is "$(status "$refuse" perf_event_open "$2" "$PTRACE_RUN" -o log \
		"$1" touch ran)" 125 "$4: status 125"
	like "$(cat err)" "$3" "$4: the reason"
	[ ! -e ran ]
	ok $? "$4: before COMMAND is run"
}
