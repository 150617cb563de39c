#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes made in handlers, threads and odd ways are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family fork
