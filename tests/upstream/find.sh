# The beginning of run.sh and differ.sh, read by both: NAME.mlir QUERN FILECHECK and the rest of the
# arguments; sets file, or says SKIP where something is missing.
# SPDX-License-Identifier: Apache-2.0
name=$1 quern=$2 filecheck=$3
case $filecheck in
*NOTFOUND | '') echo "SKIP: FileCheck not found"; exit 77 ;;
esac
[ -n "$QUERN_UPSTREAM_TESTS" ] || { echo "SKIP: QUERN_UPSTREAM_TESTS is not set"; exit 77; }
file=$QUERN_UPSTREAM_TESTS/$name
[ -f "$file" ] || { echo "SKIP: $file does not exist"; exit 77; }
