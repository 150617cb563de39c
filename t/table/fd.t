#!/bin/sh
# SPDX-License-Identifier: MIT
# Descriptors of every kind, number and state are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family fd
