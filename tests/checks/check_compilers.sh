#!/bin/sh
# Two compilers, one Quern: the tool as clang builds it prints and emits the same bytes as ours, for all
# .mlir files of the tests and the models at hand. C leaves the order of arguments open, and the order
# in which ops are built must not depend on it.
#   check_compilers.sh SOURCE_DIR QUERN BUILD_DIR SHARED CLANG CLANGXX
# Skips without clang. SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
ours=$2 build=$3 shared=${QUERN_SHARED:-$4} clang=$5 clangxx=$6
case $clang$clangxx in *NOTFOUND*) echo "SKIP: clang not found"; exit 77 ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DQN_TESTS=OFF "-DCMAKE_C_COMPILER=$clang" \
  "-DCMAKE_CXX_COMPILER=$clangxx" >"$work/log" 2>&1 &&
  cmake --build "$build" -- --quiet quern >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
theirs=$build/quern

# What a file's own RUN lines print, as far as the tool does it, and then everything that the tool makes
# of any module, messages and exit codes included.
of_module() {
  sed -n 's|^// RUN: *\(! \)*quern |quern |p' "$2" | sed 's/| *FileCheck.*//' | while IFS= read -r line; do
    echo "== $line"
    sh -c "$(printf '%s\n' "$line" | sed -e "s|quern |$1 |" -e "s|%s|$2|g")" 2>&1
  done
  for flags in --verify-roundtrip --lower-quant-ops --dequantize-ops --strip-func-quant-types \
    --lower-to-integer "--lower-quant-ops=rounding=stochastic" "--canonicalize --cse --inline" --emit=interpret --emit=run; do
    echo "== opt $flags"
    # shellcheck disable=SC2086 # a list of flags
    "$1" opt "$2" --allow-unregistered-dialect --split-input-file='// -----' $flags 2>&1
    echo "exit $?"
  done
}
of_model() {
  for form in "integer --cpu x86-64" "loops --cpu x86-64" "obj --cpu x86-64" "loops --cpu x86-64-v3" \
    "obj --cpu x86-64-v3"; do
    echo "== compile $form"
    # shellcheck disable=SC2086 # a form and its flags
    "$1" compile "$2" -o - --emit $form 2>&1
    echo "exit $?"
  done
}
compare() { # FUNCTION FILE
  scratch=$(mktemp -d -p "$work")
  $1 "$ours" "$2" >"$scratch/ours"
  $1 "$theirs" "$2" >"$scratch/theirs"
  echo "$2" >>"$work/compared"
  cmp -s "$scratch/ours" "$scratch/theirs" || {
    echo "$2: not the same"
    diff -a "$scratch/ours" "$scratch/theirs" | head -n 8
  } >>"$work/differ"
  rm -r "$scratch"
}
half() { # REMAINDER: every second file
  find tests -name '*.mlir' | LC_ALL=C sort | awk -v "r=$1" 'NR % 2 == r' | while IFS= read -r file; do
    compare of_module "$file"
    compare of_model "$file"
  done
}

half 0 &
half 1
for name in hello_world_int8 split_concat kws_ref_model person_detect; do
  [ ! -f "$shared/models/$name.tflite" ] || compare of_model "$shared/models/$name.tflite"
done
wait
echo "$(wc -l <"$work/compared") compared"
[ ! -f "$work/differ" ] || { cat "$work/differ"; exit 1; }
