#!/bin/sh
# SPDX-License-Identifier: MIT
# What report-puzzle-disk.t asks, in Firefox.
# shellcheck disable=SC2034 # for drive.sh
browsers='firefox-esr firefox'
. "${abs_top_srcdir:-.}/t/run/report-puzzle-disk.t"
