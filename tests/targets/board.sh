#!/bin/sh
# Compiles a model for a microcontroller, links its object with main.c and gives it recorded inputs on an emulated board:
# board.sh [-c] QUERN SOURCE TRIPLE LEVEL BOARD CC_FLAGS (MODEL.tflite|SHARED NAME)
# The object alone may need what its level lists: nothing, or the compiler's integer routines on ARMv6-M.
# -c: the C output instead of an object.
# SHARED holds models/ and golden/; the environment variable QUERN_SHARED overrides it. Without it the recording is
# made here, by the interpreter of the model stage.
# SPDX-License-Identifier: Apache-2.0
form=o
[ "$1" != -c ] || { form=c; shift; }
quern=$1 source=$2 triple=$3 level=$4 board=$5 flags=$6 model=$7 golden=
scripts=$source/tests/targets/board
if [ $# -gt 7 ]; then
  shared=${QUERN_SHARED:-$7}
  model=$shared/models/$8.tflite golden=$shared/golden/litert-ref/$8
  [ -d "$golden" ] || golden=$shared/golden/tflm/$8 numerics=tflm
fi
cc=arm-none-eabi-gcc emulator=qemu-system-arm specs=--specs=rdimon.specs linker=mps2.ld
case $board in
virt) cc=riscv64-unknown-elf-gcc emulator=qemu-system-riscv32 specs=--specs=picolibc.specs ;;
mps3-an547) linker=an547.ld ;;
esac
for tool in "$cc" "$emulator"; do
  command -v "$tool" >/dev/null || { echo "SKIP: no $tool (scripts/setup boards)"; exit 77; }
done
[ -f "$model" ] || { echo "SKIP: no $model"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ -z "$golden" ]; then
  golden=$work/golden
  "$quern" verify "$model" --record "$golden" --stage model >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
"$quern" compile "$model" --target "$triple" --cpu "$level" ${numerics:+--numerics "$numerics"} --symbol model \
  -o "$work/model.$form" --header "$work/model.h" || exit 1
# shellcheck disable=SC2086  # flags are words
compile() { "$cc" $specs $flags -Wall -Wextra -Werror -O1 "$@"; }
if [ "$form" = c ]; then
  compile -std=c99 -pedantic -O2 -c "$work/model.c" -o "$work/model.o" || exit 1
else
  left=$(nm -u "$work/model.o")
  [ "$level" != cortex-m0plus ] || left=$(nm -u "$work/model.o" | grep -v -e ' __aeabi_' -e ' __clzsi2$')
  [ -z "$left" ] || { echo "the object needs $left"; exit 1; }
fi
part() { compile -print-file-name="$1"; }
compile -std=c99 -fsyntax-only -x c "$work/model.h" || exit 1
if [ "$board" = virt ]; then # picolibc has start-up code and a linker script of its own
  name= bios='-bios none'
  compile -std=c17 -I"$source" --oslib=semihost --crt0=semihost -mcmodel=medany \
    "$source/tests/targets/main.c" "$work/model.o" -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x400000 \
    -Wl,--defsym=__ram=0x80400000 -Wl,--defsym=__ram_size=0x1000000 -Wl,--defsym=__stack_size=0x10000 \
    -o "$work/model.elf" || exit 1
else
  name=arg=model, bios=
  compile -std=c17 -I"$source" -nostartfiles -L"$scripts" -T "$scripts/$linker" "$(part crti.o)" \
    "$scripts/start.c" "$source/tests/targets/main.c" "$work/model.o" "$(part rdimon-crt0.o)" "$(part crtn.o)" \
    -Wl,--no-warn-execstack -Wl,--no-warn-rwx-segments -o "$work/model.elf" || exit 1
fi
# The C library has room for 255 characters of arguments.
cd "$work" || exit 1
failed=0 number=0
for folder in "$golden"/*/; do
  ln -s "$folder" "c$number"
  # shellcheck disable=SC2086  # one option or none
  timeout 100 "$emulator" -M "$board" $bios -nographic -monitor none -serial none \
    -semihosting-config "enable=on,target=native,${name}arg=c$number" -kernel model.elf || failed=1
  number=$((number + 1))
done
exit $failed
