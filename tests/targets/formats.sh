#!/bin/sh
# Objects for systems that no emulator runs: format, machine, exported and undefined symbols; and a linker of the
# system takes them: formats.sh QUERN MODEL
# SPDX-License-Identifier: Apache-2.0
quern=$1 model=$2 failed=0
for tool in llvm-readobj-22 llvm-nm-22; do
  command -v $tool >/dev/null || { echo "SKIP: no $tool (scripts/setup test)"; exit 77; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$1: $2"
  failed=1
}

# The linker of a format, if it is there: a library of the object alone, so every symbol must be defined.
link() {
  case $2 in
    elf*) linker="ld.lld-22 -shared -z defs" ;;
    Mach-O*) linker="ld64.lld-22 -dylib -arch $3 -platform_version macos 11 11" ;;
    COFF*) linker="lld-link-22 /dll /noentry /noimplib" out=/out: ;;
  esac
  command -v "${linker%% *}" >/dev/null || return 0
  $linker ${out:--o }"$work/linked" "$work/model.o" >"$work/log" 2>&1 || fail "$1" "$(cat "$work/log")"
}

check() {
  triple=$1 level=$2 format=$3 prefix=$4 machine=${1%%-*} out=
  "$quern" compile "$model" --target "$triple" --cpu "$level" --symbol model -o "$work/model.o" \
    --header "$work/model.h" || { fail "$triple" "not compiled"; return; }
  said=$(llvm-readobj-22 --file-headers "$work/model.o" | sed -n 's/^Format: //p')
  [ "$said" = "$format" ] || fail "$triple" "is $said, not $format"
  exported=$(llvm-nm-22 -g -j "$work/model.o" | sort | tr '\n' ' ') # with undefined ones
  [ "$exported" = "${prefix}model_invoke ${prefix}model_model ${prefix}model_supported " ] ||
    fail "$triple" "exports or needs $exported"
  link "$triple" "$format" "$machine"
}

check x86_64-linux-android x86-64-v3 elf64-x86-64
check x86_64-freebsd avx512vnni elf64-x86-64
check x86_64-none-elf x86-64 elf64-x86-64
check x86_64-apple-macos x86-64-v3 "Mach-O 64-bit x86-64" _
check x86_64-windows-gnu avx512vnni COFF-x86-64
check aarch64-linux-android armv8-i8mm elf64-littleaarch64
check aarch64-freebsd armv8-dot elf64-littleaarch64
check aarch64-none-elf armv8 elf64-littleaarch64
check arm64-apple-macos apple-m1 "Mach-O arm64" _
check aarch64-windows-gnu armv8 COFF-ARM64
check riscv64-freebsd rv64v elf64-littleriscv
check riscv64-unknown-elf rv64 elf64-littleriscv
exit $failed
