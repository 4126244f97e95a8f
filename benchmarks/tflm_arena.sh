#!/bin/sh
# RAM that TensorFlow Lite Micro really uses: builds it for a Cortex-M4, runs each model on an emulated board, and prints its name, arena_used_bytes()
# after a call, and its SHA-256, which is a line of the table for 'quern compile --report --tflm-arena TABLE':
# tflm_arena.sh BUILD TFLM FLATBUFFERS GEMMLOWP RUY MODEL.tflite...
# BUILD: a directory outside of this tree for objects, which are made once. The others are checkouts; the versions that belong together are in
# tensorflow/lite/micro/tools/make of TFLM. The kernels are the reference kernels.
# It needs arm-none-eabi-g++ with its C++ library (Debian: libstdc++-arm-none-eabi-newlib) and qemu-system-arm. ARM_CXX_ROOT: the directory into which that
# package was unpacked, if it is not installed.
# SPDX-License-Identifier: Apache-2.0
set -e
here=$(cd "$(dirname "$0")" && pwd)
build=$1 tflm=$2 flatbuffers=$3 gemmlowp=$4 ruy=$5
shift 5
core=thumb/v7e-m/nofp
flags="-mcpu=cortex-m4 -mthumb -O1 -std=c++17 -fno-rtti -fno-exceptions -fno-threadsafe-statics -ffunction-sections -fdata-sections -w
  -DTF_LITE_STATIC_MEMORY -DNDEBUG -I$tflm -I$flatbuffers/include -I$gemmlowp -I$ruy"
if [ -n "$ARM_CXX_ROOT" ]; then
  for headers in "$ARM_CXX_ROOT"/usr/include/newlib/c++/*; do
    flags="$flags -isystem $headers -isystem $headers/arm-none-eabi/$core -isystem $headers/backward"
  done
  flags="$flags -isystem /usr/include/newlib"
  libraries="-L$ARM_CXX_ROOT/usr/lib/arm-none-eabi/newlib/$core"
fi
mkdir -p "$build"
# All sources of the runtime; of the kernels, those of the operators that tflm_arena.cc registers, and what they share.
kernels='add|conv|depthwise_conv|dequantize|fully_connected|kernel_util|lstm|micro_tensor_utils|pooling|quantize|reduce|reshape|softmax|svdf|unidirectional'
(cd "$tflm" && {
  find tensorflow/lite/micro -maxdepth 1 -name '*.cc'
  find tensorflow/lite/micro/kernels -maxdepth 1 -name '*.cc' | grep -E "/($kernels)[a-z_]*\.cc"
  find tensorflow/lite/micro/arena_allocator tensorflow/lite/micro/memory_planner tensorflow/lite/micro/tflite_bridge tensorflow/lite/core \
    tensorflow/lite/kernels tensorflow/compiler -name '*.cc'
}) | grep -v -E '_test|test_helper|fake_|mock_|testdata|benchmark' | sort -u >"$build/sources"
{ sed "s|.*|$tflm/& &|" "$build/sources"; echo "$here/tflm_arena.cc tflm_arena.cc"; } |
  while read -r source name; do echo "$source $build/$(echo "$name" | tr / _).o"; done >"$build/jobs"
xargs -P "$(nproc)" -L 1 sh -c '[ "$2" -nt "$1" ] || arm-none-eabi-g++ $0 -c "$1" -o "$2"' "$flags" <"$build/jobs"
rm -f "$build/libtflm.a"
cut -d' ' -f2 "$build/jobs" | grep -v tflm_arena.cc.o | xargs arm-none-eabi-ar rcs "$build/libtflm.a"
arm-none-eabi-g++ -mcpu=cortex-m4 -mthumb --specs=rdimon.specs -Wl,--gc-sections,--section-start=.vectors=0,-Ttext-segment=0x1000,--undefined=vectors \
  "$build/tflm_arena.cc.o" "$build/libtflm.a" $libraries -lstdc++ -o "$build/tflm.elf"
for model; do
  bytes=$(qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -kernel "$build/tflm.elf" \
    -semihosting-config "enable=on,target=native,arg=x,arg=$model" </dev/null)
  echo "$(basename "$model" .tflite) $bytes $(sha256sum <"$model" | cut -d' ' -f1)"
done
