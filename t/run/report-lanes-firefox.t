#!/bin/sh
# SPDX-License-Identifier: MIT
# The same as report-lanes.t, in Firefox.
# shellcheck disable=SC2034 # for drive.sh
browsers='firefox-esr firefox'
. "${abs_top_srcdir:-.}/t/run/report-lanes.t"
