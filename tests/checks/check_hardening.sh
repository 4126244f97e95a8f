#!/bin/sh
# SECURITY.md's promises about our binaries, read from the binaries: the tool, the shared library, the
# objects that they are linked from, and an object that the tool emits.
#   check_hardening.sh QUERN LIBRARY ARCHIVE FORTIFIED
# SPDX-License-Identifier: Apache-2.0
quern=$1 library=$2 archive=$3 fortified=$4
command -v readelf >/dev/null || { echo "SKIP: readelf not found"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
# has/lacks WHAT FILE PATTERN READELF-FLAGS
has() { readelf -W "$4" "$2" 2>/dev/null | grep -qE -e "$3" || { echo "$2: not $1"; failed=1; }; }
lacks() { ! readelf -W "$4" "$2" 2>/dev/null | grep -E -e "$3" || { echo "$2: $1"; failed=1; }; }

for file in "$quern" "$library"; do
  has "position independent" "$file" 'Type: +DYN' -h
  has "bound at the start" "$file" 'FLAGS_1.*NOW' -d
  has "read-only after relocation" "$file" 'GNU_RELRO' -l
  has "with a stack that can't be executed" "$file" 'GNU_STACK .* RW +0x' -l
  lacks "memory that is writable and executable" "$file" ' RWE +0x' -l
  lacks "relocations in code" "$file" 'TEXTREL' -d
  lacks "a path that libraries are looked for in" "$file" 'R(UN)?PATH.*(\[|:)(\.|/tmp|\])' -d
  has "with guarded stacks" "$file" '__stack_chk_fail' --dyn-syms
  [ "$fortified" = 0 ] || has "fortified" "$file" '__[a-z]+_chk@' --dyn-syms
done
has "a program" "$quern" 'FLAGS_1.*PIE' -d

objects=$(readelf -hW "$archive" | grep -c '^File:')
marked=$(readelf -nW "$archive" | grep -c 'IBT, SHSTK')
[ "$(uname -m)" != x86_64 ] || [ "$objects" -gt 0 -a "$objects" -eq "$marked" ] ||
  { echo "$archive: $marked of $objects objects are marked for control-flow enforcement"; failed=1; }

cat >"$work/m.mlir" <<'END'
!q = !quant.uniform<i8:f32, 0.5:-1>
func.func @main(%x: tensor<1x64x64x8x!q>) -> tensor<1x64x64x8x!q> {
  %y = "ml.max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x64x8x!q>) -> tensor<1x64x64x8x!q>
  return %y : tensor<1x64x64x8x!q>
}
END
object=$work/m.o
"$quern" compile "$work/m.mlir" -o "$object" --cpu x86-64-v3 || exit 1
has "without a need for an executable stack" "$object" ' \.note\.GNU-stack +PROGBITS +[0-9a-f]+ [0-9a-f]+ 000000 00 +0' -S
has "marked for control-flow enforcement" "$object" 'IBT, SHSTK' -n
lacks "memory that is writable and executable" "$object" ' (WAX|AXW) ' -S
lacks "data that is written" "$object" ' \.(data|bss|tdata|tbss) +(PROGBITS|NOBITS) +[0-9a-f]+ [0-9a-f]+ 0*[1-9a-f][0-9a-f]* ' -S
lacks "needs of a library" "$object" 'GLOBAL +DEFAULT +UND +[a-z]' -s
extra=$(readelf -sW "$object" | awk '$5 == "GLOBAL" && $7 != "UND" && $8 !~ /^m_/ { print $8 }')
[ -z "$extra" ] || { echo "$object: exports $extra"; failed=1; }
exit $failed
