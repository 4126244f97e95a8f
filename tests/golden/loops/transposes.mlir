// Transposes as tiles of vectors that are shuffled: few columns joined, squares, few rows cut apart. Most extents are no
// multiples of a tile, so that the last tile overlaps the one before. The last three are copied as rows and element by element.
// golden_engines compares all with the interpreter.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 | FileCheck %s
// CHECK-LABEL: func.func private @transpose_
// CHECK-COUNT-2: vector.load
// CHECK-NOT: vector.load
// CHECK: vector.store {{.*}} vector<64xi8>
// CHECK-LABEL: func.func private @transpose_
// CHECK-COUNT-16: vector.load {{.*}} vector<16xi8>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.store {{.*}} vector<16xi8>
func.func @main(%x0: tensor<2x40xi8>, %x1: tensor<3x18x2x17xi8>, %x2: tensor<1x3x9x31xi8>, %x3: tensor<2x2x67xi16>, %x4: tensor<4x71xi8>, %x5: tensor<3x37xf32>, %x6: tensor<1x9x31x3xi8>, %x7: tensor<5x37x2xf32>, %x8: tensor<37x23xi8>, %x9: tensor<37x12xi8>, %x10: tensor<19x5x35xi8>, %x11: tensor<21x19xi32>, %x12: tensor<7x5xi64>, %x13: tensor<16x100xi8>, %x14: tensor<4x5x33xi8>, %x15: tensor<5x3xi8>, %x16: tensor<2x2x4xi8>) -> (tensor<40x2xi8>, tensor<3x17x2x18xi8>, tensor<1x9x31x3xi8>, tensor<2x67x2xi16>, tensor<71x4xi8>, tensor<37x3xf32>, tensor<1x3x9x31xi8>, tensor<5x2x37xf32>, tensor<23x37xi8>, tensor<12x37xi8>, tensor<5x35x19xi8>, tensor<19x21xi32>, tensor<5x7xi64>, tensor<100x16xi8>, tensor<5x4x33xi8>, tensor<3x5xi8>, tensor<4x2x2xi8>) {
  %0 = "ml.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x40xi8>) -> tensor<40x2xi8>
  %1 = "ml.transpose"(%x1) {perm = array<i64: 0, 3, 2, 1>} : (tensor<3x18x2x17xi8>) -> tensor<3x17x2x18xi8>
  %2 = "ml.transpose"(%x2) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x9x31xi8>) -> tensor<1x9x31x3xi8>
  %3 = "ml.transpose"(%x3) {perm = array<i64: 0, 2, 1>} : (tensor<2x2x67xi16>) -> tensor<2x67x2xi16>
  %4 = "ml.transpose"(%x4) {perm = array<i64: 1, 0>} : (tensor<4x71xi8>) -> tensor<71x4xi8>
  %5 = "ml.transpose"(%x5) {perm = array<i64: 1, 0>} : (tensor<3x37xf32>) -> tensor<37x3xf32>
  %6 = "ml.transpose"(%x6) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x9x31x3xi8>) -> tensor<1x3x9x31xi8>
  %7 = "ml.transpose"(%x7) {perm = array<i64: 0, 2, 1>} : (tensor<5x37x2xf32>) -> tensor<5x2x37xf32>
  %8 = "ml.transpose"(%x8) {perm = array<i64: 1, 0>} : (tensor<37x23xi8>) -> tensor<23x37xi8>
  %9 = "ml.transpose"(%x9) {perm = array<i64: 1, 0>} : (tensor<37x12xi8>) -> tensor<12x37xi8>
  %10 = "ml.transpose"(%x10) {perm = array<i64: 1, 2, 0>} : (tensor<19x5x35xi8>) -> tensor<5x35x19xi8>
  %11 = "ml.transpose"(%x11) {perm = array<i64: 1, 0>} : (tensor<21x19xi32>) -> tensor<19x21xi32>
  %12 = "ml.transpose"(%x12) {perm = array<i64: 1, 0>} : (tensor<7x5xi64>) -> tensor<5x7xi64>
  %13 = "ml.transpose"(%x13) {perm = array<i64: 1, 0>} : (tensor<16x100xi8>) -> tensor<100x16xi8>
  %14 = "ml.transpose"(%x14) {perm = array<i64: 1, 0, 2>} : (tensor<4x5x33xi8>) -> tensor<5x4x33xi8>
  %15 = "ml.transpose"(%x15) {perm = array<i64: 1, 0>} : (tensor<5x3xi8>) -> tensor<3x5xi8>
  %16 = "ml.transpose"(%x16) {perm = array<i64: 2, 1, 0>} : (tensor<2x2x4xi8>) -> tensor<4x2x2xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16 : tensor<40x2xi8>, tensor<3x17x2x18xi8>, tensor<1x9x31x3xi8>, tensor<2x67x2xi16>, tensor<71x4xi8>, tensor<37x3xf32>, tensor<1x3x9x31xi8>, tensor<5x2x37xf32>, tensor<23x37xi8>, tensor<12x37xi8>, tensor<5x35x19xi8>, tensor<19x21xi32>, tensor<5x7xi64>, tensor<100x16xi8>, tensor<5x4x33xi8>, tensor<3x5xi8>, tensor<4x2x2xi8>
}
