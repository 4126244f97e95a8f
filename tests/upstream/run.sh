#!/bin/sh
# Runs the RUN lines of one of MLIR's own tests of the quant dialect, with "quern opt" in the place of
# mlir-opt. The tests are not part of this repository: QUERN_UPSTREAM_TESTS names the folder
# mlir/test/Dialect/Quant of an llvm-project checkout.
#   run.sh NAME.mlir QUERN FILECHECK [OPTION]...
# SPDX-License-Identifier: Apache-2.0
. "${0%/*}/find.sh"
shift 3
lines=$(sed -n 's|^// RUN: *||p' "$file")
[ -n "$lines" ] || { echo "$file: no RUN line"; exit 1; }
printf '%s\n' "$lines" | while IFS= read -r line; do
  command=$(printf '%s\n' "$line" |
    sed -e "s|mlir-opt|$quern opt $*|g" -e "s|%s|$file|g" -e "s|FileCheck|$filecheck|g")
  sh -c "$command" >/dev/null || { echo "failed: $command"; exit 1; }
done
