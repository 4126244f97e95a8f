#!/bin/sh
# The C sources compile with clang too, without a warning: one parse of each, no code. The start-up code of
# boards has another architecture and C library; the tests on boards compile it with warnings as errors.
#   check_clang.sh SOURCE_DIR CLANG FLAG...
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
clang=$2
shift 2
sources=$(find src lower codegen runtime tests -path src/cli/board/device -prune -o -name '*.c' -print | LC_ALL=C sort)
[ -n "$sources" ] || { echo "no sources found"; exit 1; }
# shellcheck disable=SC2086 # a list of words
exec "$clang" -std=c17 -fsyntax-only "$@" $sources
