#!/bin/sh
# SPDX-License-Identifier: MIT
# Tasks with thread-local storage of their own are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family tls
