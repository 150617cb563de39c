#!/bin/sh
# SPDX-License-Identifier: MIT
# Loops of vfork: each child is there once, however it ends.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 5

tree "vfork" "$VICTIMS/victim-tree-vfork" 50
is "$(grep -c '"name":"process:fork"' json)" 200 "200 children"
is "$(grep -c '"name":"process:exec_failed"' json)" 100 "100 failed to exec"
is "$(grep -c '"process:exit".*"signal":9' json)" 50 "50 were killed"
is "$(grep -c '"process:exit".*"status":3' json)" 50 "50 left at once"
