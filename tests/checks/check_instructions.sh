#!/bin/sh
# What is known of one architecture - its instructions, features and CPUs - is in codegen/machine, and the
# levels that are made of them in lower/target.c: everything else asks those. Counted are words of code
# outside of comments. Usage: check_instructions.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
[ -d codegen/machine ] || { echo "no folder codegen/machine"; exit 1; }
found=$(find lower codegen -name '*.[ch]' ! -path 'codegen/machine/*' ! -path lower/target.c | LC_ALL=C sort |
  xargs awk '
    FNR == 1 { comment = 0 }
    {
      line = $0
      if (comment) { if (!sub(/^.*\*\//, "", line)) next; comment = 0 }
      gsub(/\/\*[^*]*\*\//, "", line)
      if (sub(/\/\*.*$/, "", line)) comment = 1
      if (line ~ /llvm\.(x86|aarch64|arm|riscv)\.|LLVMInitialize[A-Z]|[=!]= *&qn_dot_/ ||
          tolower(line) ~ /(sse[0-9]|avx|vnni|vbmi|neon|cpuid|pmadd|pshuf|x86)/)
        print FILENAME ":" FNR ": " $0
    }')
[ -z "$found" ] && exit 0
echo "known of one architecture outside of codegen/machine:"
printf '%s\n' "$found"
exit 1
