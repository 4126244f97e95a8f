#!/bin/sh
# Arguments of kernels have names: an index into them is an enumerator, not a number, so that who passes
# buffers and who reads them can't count differently. Usage: check_arguments.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
[ -d lower ] || { echo "no folder lower"; exit 1; }
found=$(grep -rnE '\bk(\.|->)args\[[0-9]' lower --include='*.[ch]')
[ -z "$found" ] && exit 0
echo "kernel arguments by number:"
printf '%s\n' "$found"
exit 1
