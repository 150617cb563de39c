#!/bin/sh
# SPDX-License-Identifier: MIT
# Blocking calls that signals interrupt are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family eintr
