#!/bin/sh
# Runs the scenarios of the library with the shared object before libc.
#   library.sh SHIM PROGRAM [all [SCENARIO]]
# SPDX-License-Identifier: Apache-2.0
set -eu
shim=$1 program=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
LD_PRELOAD=$shim "$program" "$folder" "$@"
