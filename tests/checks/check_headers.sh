#!/bin/sh
# Every header compiles alone: all as C17, the public ones as C++17 too. Usage:
#   check_headers.sh SOURCE_DIR CC CXX LLVM_INCLUDE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
cc=$2 cxx=$3 llvm=$4
flags="-fsyntax-only -Wall -Wextra -Wpedantic -Werror -I. -Isrc -Iinclude -isystem $llvm -D_GNU_SOURCE"
headers=$(find include runtime src lower codegen -name '*.h' | LC_ALL=C sort)
[ -n "$headers" ] || { echo "no headers found"; exit 1; }
bad=0
for header in $headers; do
  # Included, not compiled as the main file, which would warn of #pragma once and the like.
  printf '#include "%s"\n' "$header" | "$cc" -std=c17 $flags -x c - || { echo "$header: not as C17"; bad=1; }
  case $header in
  include/*)
    printf '#include "%s"\n' "$header" | "$cxx" -std=c++17 $flags -x c++ - ||
      { echo "$header: not as C++17"; bad=1; }
    ;;
  esac
done
exit $bad
