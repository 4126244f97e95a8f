// Cases that upstream leaves open have one result, interpreted and compiled: minnumf and maxnumf of two zeros.
// A set i1 is minus one, and bit counts wrap in a narrow type. Shifts by the width or more are undefined:
// the interpreter reports them, and no pass folds them.
// RUN: quern opt %s --emit=interpret --function zeros --input 2xf32=0,-0.0 --input 2xf32=-0.0,0 | FileCheck %s --check-prefix=ZEROS --match-full-lines
// RUN: quern opt %s --emit=run --function zeros --input 2xf32=0,-0.0 --input 2xf32=-0.0,0 | FileCheck %s --check-prefix=ZEROS --match-full-lines
// RUN: quern opt %s --emit=interpret --function bits --input 4xi8=0,1,2,3 | FileCheck %s --check-prefix=BITS --match-full-lines
// RUN: quern opt %s --emit=run --function bits --input 4xi8=0,1,2,3 | FileCheck %s --check-prefix=BITS --match-full-lines
// RUN: quern opt %s --emit=interpret --function shift 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: quern opt %s --canonicalize | FileCheck %s --check-prefix=KEPT
// RUN: quern opt %s --emit=run --function stands_for --input "1 : i16" --input 2.0 | FileCheck %s --check-prefix=MEANT --match-full-lines
// RUN: quern opt %s --emit=interpret --function signs --input 2xi1=0,1 | FileCheck %s --check-prefix=SIGNS --match-full-lines
// RUN: quern opt %s --emit=run --function signs --input 2xi1=0,1 | FileCheck %s --check-prefix=SIGNS --match-full-lines
// ZEROS: dense<[-0.000000e+00, -0.000000e+00]> : tensor<2xf32>
// ZEROS-NEXT: dense<[0.000000e+00, 0.000000e+00]> : tensor<2xf32>
func.func @zeros(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = arith.minnumf %a, %b : tensor<2xf32>
  %1 = arith.maxnumf %a, %b : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// BITS: dense<[-2, 1, 0, 0]> : tensor<4xi2>
func.func @bits(%x: tensor<4xi8>) -> tensor<4xi2> {
  %0 = arith.trunci %x : tensor<4xi8> to tensor<4xi2>
  %1 = math.ctlz %0 : tensor<4xi2>
  return %1 : tensor<4xi2>
}
// SIGNS: dense<[false, false]> : tensor<2xi1>
// SIGNS-NEXT: dense<[false, true]> : tensor<2xi1>
func.func @signs(%x: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
  %c = arith.constant dense<false> : tensor<2xi1>
  %0 = arith.maxsi %x, %c : tensor<2xi1>
  %1 = arith.minsi %x, %c : tensor<2xi1>
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}
// SHIFT: error: 'arith.shli' op shifts by its width or more
// KEPT: arith.shli
func.func @shift() -> i16 {
  %x = arith.constant 3 : i16
  %n = arith.constant 16 : i16
  %0 = arith.shli %x, %n : i16
  return %0 : i16
}
// The function is lowered for its shapes alone, with placeholder values for which the ops are undefined.
// MEANT: 0 : i16
// MEANT-NEXT: 1 : i8
func.func @stands_for(%n: i16, %x: f32) -> (i16, i8) {
  %0 = math.ctlz %n : i16
  %1 = arith.shrui %n, %0 : i16
  %2 = arith.divf %x, %x : f32
  %3 = arith.fptosi %2 : f32 to i8
  return %1, %3 : i16, i8
}
