#!/bin/sh
# SPDX-License-Identifier: MIT
# The same as report-work.t, in Firefox.
# shellcheck disable=SC2034 # for drive.sh
browsers='firefox-esr firefox'
. "${abs_top_srcdir:-.}/t/run/report-work.t"
