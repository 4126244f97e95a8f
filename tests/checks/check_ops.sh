#!/bin/sh
# Each op of the tables is in a golden file, so that its text form is read, printed and given to
# mlir-opt. (That it has an evaluator, a lowering and an emitter is the linker's to check.)
# Usage: check_ops.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
ops=$(cat src/ir/ops/*.def | sed -n -e 's/^OP([^"]*"\([^"#]*[^"#.]\)".*/\1/p' -e 's/^\(UNARY\|BINARY\)( *\([a-z0-9_]*\),.*/ml.\2/p')
[ -n "$ops" ] || { echo "no ops found"; exit 1; }
# Input lines only: a CHECK line proves nothing about what can be read.
words=$(cat tests/golden/*/*.mlir | grep -v '^//' | tr -cs 'A-Za-z0-9_.' '\n' | LC_ALL=C sort -u)
bad=0
for op in $ops; do
  case $op in # the short names
  builtin.module) also=module ;;
  *) also=$op ;;
  esac
  printf '%s\n' "$words" | grep -qxF -e "$op" -e "$also" ||
    { echo "$op is in no file of tests/golden"; bad=1; }
done
exit $bad
