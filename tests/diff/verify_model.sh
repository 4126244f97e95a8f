#!/bin/sh
# Replays the recorded answers for one model: every tensor that an operator writes, and all outputs,
# must have the recorded bytes.
#
#   verify_model.sh QUERN SHARED PROFILE MODEL (model|integer|loops|jit|aot|tiles)
#
# loops is executed by the interpreter for every CPU level, jit as machine code for every level that
# this machine has. aot links objects with aot_main.c and nothing else, and compares outputs. tiles is jit, with
# one and three threads, and aot at the level of tiles alone, which QUERN then executes on any machine with AVX-512.
# SHARED holds models/ and golden/; the environment variable QUERN_SHARED overrides it. Exit code 77: the model is not there.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1 shared=${QUERN_SHARED:-$2} profile=$3 name=$4 what=$5
model=$shared/models/$name.tflite
[ -f "$model" ] || model=$shared/models/onnx/$name.onnx
golden=$shared/golden/$profile/$name
if [ ! -f "$model" ] || [ ! -d "$golden" ]; then
  echo "SKIP: no $model with $golden (set QUERN_SHARED)"
  exit 77
fi

verify() {
  echo "$profile $name $what $*"
  "$quern" verify "$model" --golden "$golden" --numerics "$profile" "$@"
}

# The levels of this machine's architecture; with an argument, those which have it in the third column.
levels() {
  "$quern" list targets | awk -v here="${1:-}" -v machine="$(uname -m)" \
    'NR > 1 && index($0, machine) && (here == "" || $3 == here) { print $1 }'
}

# Compiles twice: the bytes must be the same. Then every recorded case, by the object alone (and, of tiles, what
# stands for the unit).
ahead_of_time() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  here=$(cd "$(dirname "$0")" && pwd)
  for cpu in "$@"; do
    for copy in a b; do
      "$quern" compile "$model" --numerics "$profile" --cpu "$cpu" --symbol model -o "$work/$copy.o"
    done
    cmp "$work/a.o" "$work/b.o"
    cc -std=c17 -I "$here/../.." -o "$work/main" "$here/aot_main.c" "$work/a.o" $beside
    for folder in "$golden"/*; do
      "$work/main" "$folder"
    done
  done
}

case $what in
model | integer) verify --engine interpreter --stage "$what" ;;
loops) for cpu in $(levels); do verify --engine interpreter --stage loops --cpu "$cpu"; done ;;
jit) for cpu in $(levels yes); do verify --engine jit --cpu "$cpu"; done ;;
aot) beside= ahead_of_time $(levels yes) ;;
tiles)
  levels yes | grep -q '^x86-64-amx$' || { echo "SKIP: no AVX-512 here"; exit 77; }
  for threads in 1 3; do verify --engine jit --cpu x86-64-amx --threads $threads; done
  unit=$(cd "$(dirname "$0")/../support/tiles" && pwd)
  beside="-D_GNU_SOURCE -DUNIT_IS_EMULATED=1 -I $unit/../../.. $unit/tile_unit.c $unit/tile_traps.c $unit/tile_start.c" ahead_of_time x86-64-amx
  ;;
*) echo "unknown: $what" >&2; exit 2 ;;
esac
