#!/bin/sh
# Quern itself on another architecture, in an emulator. Without ctest options: compiles the digits model there by the JIT at
# each level that the emulated CPU runs, and compares with the interpreter here. With options: runs those tests there.
#   host.sh QUERN SOURCE MACHINE [CTEST OPTION...]
# Skipped where scripts/emulated has not built it.
# SPDX-License-Identifier: Apache-2.0
quern=$1 source=$2 machine=$3
shift 3
there=$source/build/$machine/quern
[ -x "$there" ] || { echo "SKIP: no $there (scripts/emulated $machine --build)"; exit 77; }
if [ $# -gt 0 ]; then exec "$source/scripts/emulated" "$machine" "$@"; fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
model=$source/examples/digits/digits_int8.tflite
"$quern" verify "$model" --record "$work/golden" --stage model >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
levels=$("$there" list targets | awk -v machine="$machine" '$3 == "yes" && $4 == machine { print $1 }')
[ -n "$levels" ] || { echo "$there runs no level of $machine"; exit 1; }
if [ "$machine" = riscv64 ]; then # LLVM's linker leaves the instruction caches to the caller
  preloaded=LD_PRELOAD=$work/preloaded.so
  riscv64-linux-gnu-gcc -shared -fPIC -o "$work/preloaded.so" "$source/tests/targets/preloaded.c" || exit 1
  QEMU_SET_ENV=$preloaded "$there" run "$model" --engine jit --input random:1 >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  grep -q 'flushed for all threads' "$work/log" || { echo "linked code is not flushed from the instruction caches"; exit 1; }
  if QEMU_SET_ENV=$preloaded,NO_V=1 "$there" list targets | awk '$1 == "rv64v" && $3 == "yes"' | grep .; then
    echo "rv64v runs where the system denies V"
    exit 1
  fi
fi
for level in $levels; do
  echo "$level"
  "$there" verify "$model" --golden "$work/golden" --engine jit --cpu "$level" --threads 2 || exit 1
done
