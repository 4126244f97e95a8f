#!/bin/sh
# Calls every function without arguments of some MLIR files in the interpreter and as machine code,
# after lower-quant-ops: both print the same.
#
#   compiled_functions.sh QUERN FILE...
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1
shift
ran=0 differ=0
for file in "$@"; do
  for function in $(sed -n 's/^func\.func @\([a-z0-9_]*\)() .*/\1/p' "$file"); do
    call="$quern opt $file --lower-quant-ops --function $function"
    expected=$($call --emit=interpret)
    got=$($call --emit=run)
    ran=$((ran + 1))
    [ "$got" = "$expected" ] && continue
    differ=$((differ + 1))
    echo "$file @$function: compiled gives $got, interpreted $expected"
  done
done
echo "$ran functions, $differ differ"
[ "$ran" -gt 0 ] && [ "$differ" -eq 0 ]
