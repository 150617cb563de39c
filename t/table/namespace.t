#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs in namespaces of their own are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/table/table.sh"
# A monitor that cannot run says so on standard error.
known="no-proc"
family namespace
