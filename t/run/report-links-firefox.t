#!/bin/sh
# SPDX-License-Identifier: MIT
# The same as report-links.t, in Firefox.
# shellcheck disable=SC2034 # for drive.sh
browsers='firefox-esr firefox'
. "${abs_top_srcdir:-.}/t/run/report-links.t"
