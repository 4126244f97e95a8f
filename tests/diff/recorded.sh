#!/bin/sh
# Compares every tensor with digests that are kept here, of runtimes that ../shared has no recordings of:
#
#   recorded.sh QUERN SHARED PROFILE MODEL
#
# recorded/PROFILE.txt has a line per tensor: model, case of golden/litert-ref whose input it is, tensor, SHA-256. The
# interpreter computes at the stage of the model, machine code at every level that this machine has; QUERN_SHARED
# overrides SHARED. Exit code 77: the model is not there.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1 shared=${QUERN_SHARED:-$2} profile=$3 name=$4
model=$shared/models/$name.tflite
list=$(dirname "$0")/recorded/$profile.txt
if [ ! -f "$model" ]; then
  echo "SKIP: no $model (set QUERN_SHARED)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case=$(awk -v name="$name" '$1 == name { print $2; exit }' "$list")
awk -v name="$name" '$1 == name { print $3, $4 }' "$list" | sort -n >"$work/expected"
inputs= # of several invocations: those of the first
folder=$shared/golden/litert-ref/$name/$case
[ -f "$folder/in0.npy" ] && every='in*.npy' || every='in*.0.npy'
for file in "$folder"/$every; do inputs="$inputs --input @$file"; done

compare() {
  rm -rf "$work/dump"
  # shellcheck disable=SC2086  # one option per input
  "$quern" run "$model" --numerics "$profile" $inputs --dump "$work/dump" "$@" >/dev/null
  sed -n 's/^ *"tensor": \([0-9]*\),$/\1/p; s/^ *"sha256": "\(.*\)",$/\1/p' "$work/dump/index.json" |
    paste -d ' ' - - | sort -n |
    awk 'NR == FNR { known[$1]; next } $1 in known' "$work/expected" - >"$work/got" # not: new states
  if ! cmp -s "$work/expected" "$work/got"; then
    echo "$profile $name $*: these tensors differ from the recording:"
    diff "$work/expected" "$work/got"
    exit 1
  fi
  echo "$profile $name $*: all $(wc -l <"$work/got") tensors as recorded"
}

[ -s "$work/expected" ] || { echo "no tensor of $name in $list"; exit 1; }
compare --engine interpreter --stage model
for cpu in $("$quern" list targets | awk 'NR > 1 && $3 == "yes" { print $1 }'); do
  compare --engine jit --cpu "$cpu"
done
