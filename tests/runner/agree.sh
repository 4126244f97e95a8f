#!/bin/sh
# Random casts on which upstream's lowering is right, executed by upstream's tools: no element differs
# from ours, and one that is spoiled on purpose does.
#   agree.sh GENERATOR CASES
# SPDX-License-Identifier: Apache-2.0
generator=$1 cases=$2
. "$(dirname "$0")/pipeline.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# differences CASES SEED [spoil]: what @main prints, on one line.
differences() {
  "$generator" "$@" >"$work/cases.mlir" || return 1
  upstream_lower "$work/cases.mlir" "" >"$work/lowered.mlir" || return 1
  upstream_run <"$work/lowered.mlir" | tr '\n' ' '
}

spoiled=$(differences 8 1 spoil)
[ "$spoiled" = "4 1 1 " ] || { echo "one spoiled element of case 4: got '$spoiled'"; exit 1; }
got=$(differences "$cases" 1)
echo "differences: $got"
[ "$got" = "0 " ]
