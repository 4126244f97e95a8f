// An index is as wide as the target's pointers: 64 bits, or the module's quern.index_bits. Its arithmetic
// wraps at that width, in the interpreter and in constant folding.
// RUN: quern opt %s --emit=interpret --input i64=70000 | FileCheck %s --check-prefix=NARROW --match-full-lines
// RUN: quern opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED
// RUN: sed 's/quern.index_bits = 32/quern.index_bits = 64/' %s | quern opt - --emit=interpret --input i64=70000 | FileCheck %s --check-prefix=WIDE --match-full-lines
// RUN: sed 's/quern.index_bits = 32/quern.index_bits = 16/' %s | quern opt - 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: sed 's/constant 65537/constant 4294967296/' %s | quern opt - --emit=interpret --input i64=70000 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: quern opt %s --emit=run --input i64=70000 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: this op computes with an index of 32 bits; the level {{.*}} has one of 64 bits
// NARROW: 605032704 : i64
// NARROW-NEXT: 605032704 : i64
// NARROW-NEXT: true : i1
// NARROW-NEXT: 131073 : i64
// WIDE: 4900000000 : i64
// WIDE-NEXT: 4900000000 : i64
// WIDE-NEXT: true : i1
// WIDE-NEXT: 4295098369 : i64
// FOLDED: arith.constant 131073 : i64
// RANGE: has 'quern.index_bits' 16: an index has 32 or 64 bits
// LARGE: 'arith.constant' op does not fit an index of 32 bits
module attributes {quern.index_bits = 32 : i64} {
  func.func @main(%x: i64) -> (i64, i64, i1, i64) {
    %k = arith.constant 65537 : index
    %i = arith.index_cast %x : i64 to index
    %square = arith.muli %i, %i : index
    %back = arith.index_cast %square : index to i64
    %unsigned = arith.index_castui %square : index to i64
    %negative = arith.subi %i, %square : index
    %below = arith.cmpi ult, %i, %negative : index
    %constant = arith.muli %k, %k : index
    %wrapped = arith.index_cast %constant : index to i64
    return %back, %unsigned, %below, %wrapped : i64, i64, i1, i64
  }
}
