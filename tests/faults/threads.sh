#!/bin/sh
# Runs the program in a folder of its own.
#   threads.sh PROGRAM
# SPDX-License-Identifier: Apache-2.0
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
