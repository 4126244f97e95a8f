#!/bin/sh
# The tool while one call of it fails, or a signal arrives at one: clean exit code, a message, output
# whole or not there, nothing left beside it.
#   tool.sh SHIM QUERN SAMPLES all|sample faults|signals    SAMPLES: the program that writes models
# SPDX-License-Identifier: Apache-2.0
set -u
shim=$1 quern=$2 samples=$3 extent=$4 kind=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
runs=0 wrong=0

complain() {
  echo "$*" >&2
  wrong=$((wrong + 1))
}

# The outputs of a command are in $work/out, which is new for each run.
run() { # COMMAND...; status in $code
  rm -rf "$work/out"
  mkdir "$work/out"
  (cd "$work/out" && exec timeout 60 "$@" >stdout 2>"$work/stderr") 2>/dev/null
  code=$?
  runs=$((runs + 1))
}

# Every file that is there is one of the reference's, or of what was there before, byte for byte. Where
# all calls fail from one on, a temporary can't be removed either.
check_files() { # WHAT FROM
  for file in "$work/out"/* "$work/out"/.[!.]*; do
    [ -e "$file" ] || continue
    name=${file##*/}
    [ "$name" = stdout ] && continue
    case $2$name in ?*.quern-*) continue ;; esac
    cmp -s "$file" "$work/reference/$name" || complain "$1: $name is left, and not whole"
  done
}

attempt() { # NAME N FROM SIGNAL COMMAND...
  what="$1, call $2${3:+ and all from $3}${4:+, signal $4}"
  n=$2 from=$3 signal=$4
  shift 4
  # Not for timeout and the shell.
  run env LD_PRELOAD="$shim" QN_FAULT_N="$n" QN_FAULT_FROM="$from" QN_FAULT_SIGNAL="$signal" \
    QN_FAULT_KINDS="${signal:+f}" "$@"
  if [ "$code" -eq 0 ]; then
    for file in "$work/reference"/*; do
      name=${file##*/}
      cmp -s "$file" "$work/out/$name" || complain "$what: exit code 0, but another $name"
    done
  elif [ -n "$signal" ]; then
    [ "$code" -eq $((128 + signal)) ] || complain "$what: exit code $code"
    check_files "$what" "$from"
  else
    case $code in 3 | 5) ;; *) complain "$what: exit code $code: $(head -c 300 "$work/stderr")" ;; esac
    [ -s "$work/stderr" ] || complain "$what: exit code $code without a message"
    check_files "$what" "$from"
  fi
}

# sweep NAME COMMAND...
sweep() {
  title=$1
  shift
  run "$@"
  [ "$code" -eq 0 ] || { complain "$title fails without a fault: $(cat "$work/stderr")"; return; }
  rm -rf "$work/reference"
  cp -r "$work/out" "$work/reference"
  kinds=
  [ $kind = signals ] && kinds=f
  run env LD_PRELOAD="$shim" QN_FAULT_N=0 QN_FAULT_LOG="$work/log" QN_FAULT_KINDS=$kinds "$@"
  total=$(head -n 1 "$work/log" | cut -d' ' -f1)
  if [ $kind = signals ]; then
    for n in $(seq 1 "$total"); do
      attempt "$title" "$n" "" 15 "$@"
      [ $extent = all ] && attempt "$title" "$n" "" 2 "$@"
    done
    numbers=$total
  else
    # The first call of each site; what the library does has its own test, so a sample takes the
    # tool's own and each access of a file.
    numbers=$(sed 1d "$work/log" | sort -n | awk -v all="$extent" \
      'all == "all" || $3 != "m" || NR % 24 == 1 { print $1 }')
    for n in $numbers; do
      attempt "$title" "$n" "" "" "$@"
      [ $extent = all ] && attempt "$title" "$n" "$n" "" "$@"
    done
    numbers=$(echo "$numbers" | wc -w)
  fi
  echo "$title: $total calls, $(sed 1d "$work/log" | wc -l) sites, $numbers tried"
}

mkdir "$work/models"
"$samples" "$work/models" samples || exit 1
conv=$work/models/conv.tflite
cat >"$work/f.mlir" <<'END'
func.func @f(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %1 = quant.scast %0 : tensor<4x!quant.uniform<i8:f32, 0.5:3>> to tensor<4xi8>
  return %1 : tensor<4xi8>
}
END
# A recorded case of our own: relu twice is relu.
relu=$work/models/relu.tflite
mkdir -p "$work/golden/one"
(cd "$work/golden/one" && "$quern" run "$relu" --input random:1 --save . && cp out0.npy in0.npy &&
  "$quern" run "$relu" --input @in0.npy --save . &&
  echo '[{"index": 1, "name": "y", "sha256": ""}]' >tensors.json) >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
digest=$(tail -c +129 "$work/golden/one/out0.npy" | sha256sum | cut -d' ' -f1)
sed -i "s/\"sha256\": \"\"/\"sha256\": \"$digest\"/" "$work/golden/one/tensors.json"

sweep compile "$quern" compile "$conv" -o out.o --header out.h
sweep opt "$quern" opt "$work/f.mlir" --canonicalize --lower-quant-ops --cse -o out.mlir
sweep interpret "$quern" opt "$work/f.mlir" --lower-quant-ops --emit=interpret --input 4xf32=1,2,3,4
sweep run "$quern" run "$conv" --input random:1 --save . --top 2
sweep verify "$quern" verify "$relu" --golden "$work/golden" --engine interpreter
sweep inspect "$quern" inspect "$conv" --json
sweep list "$quern" list ops --json
echo "$runs runs, $wrong findings"
[ "$wrong" -eq 0 ]
