#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that start and end are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family thread
