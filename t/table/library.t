#!/bin/sh
# SPDX-License-Identifier: MIT
# Callbacks of libraries, and ways out of them, are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family library
