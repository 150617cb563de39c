#!/bin/sh
# SPDX-License-Identifier: MIT
# The same in namespaces that a user without privileges may make.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
again "$abs_top_srcdir/t/run/run-namespaces.t"
