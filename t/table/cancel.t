#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that are cancelled, wherever they block, are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family cancel
