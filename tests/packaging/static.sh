#!/bin/sh
# Links libquern.so with LLVM inside, as in a wheel, and records its size in BUILD/static_size.txt: static.sh CMAKE SOURCE BUILD
# SPDX-License-Identifier: Apache-2.0
cmake=$1 source=$2 build=$3 most=72000000
command -v ld.lld-22 >/dev/null || { echo "SKIP: lld-22 is not installed"; exit 77; }
for library in z zstd xml2; do
  [ -f "$(gcc -print-file-name=lib$library.a)" ] || { echo "SKIP: lib$library.a is not installed"; exit 77; }
done
set -e
folder=$build/static
"$cmake" -S "$source" -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release -D QN_LLVM_STATIC=ON -D QN_TESTS=OFF -D QN_PYTHON=OFF >"$build/static.log" 2>&1 ||
  { cat "$build/static.log"; exit 1; }
"$cmake" --build "$folder" --target quern_shared >"$build/static.log" 2>&1 || { cat "$build/static.log"; exit 1; }
strip -o "$folder/stripped.so" "$folder/libquern.so"
size=$(wc -c <"$folder/stripped.so")
echo "libquern.so with LLVM inside, stripped: $size bytes, at most $most" | tee "$build/static_size.txt"
[ "$size" -le "$most" ]
! readelf -d "$folder/stripped.so" | grep NEEDED | grep -v -E '\[(libc|libm|libgcc_s|libdl|ld-linux-[a-z0-9-]*)\.so\.[0-9]\]'
