#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that load, unload and look up are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family dl
