#!/bin/sh
# SPDX-License-Identifier: MIT
# In the page of ptrace-report --html rows lead to events, and events to rows; the
# address has all that is shown, with a note, and Back works.
# shellcheck disable=SC2016 # of the shell that is traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
PATH=${PTRACE_EVENT%/*}:$PATH
echo text >'"><img src=x>'
run -k -e 'all,!call,!dl' sh -c 'ls / | sort; cat /none "$0"; (sleep 0.01; exit 3)
	ptrace-event --span step true; "$1"; env -S /no/such; exit 0' '"><img src=x>' \
	"$VICTIMS/victim-contexts" >/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
drive links.js 26
