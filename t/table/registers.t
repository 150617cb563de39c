#!/bin/sh
# SPDX-License-Identifier: MIT
# What calls keep, give and return in registers are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family registers
