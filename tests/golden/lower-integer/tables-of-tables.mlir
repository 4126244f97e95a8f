// A table that only reads another table's result becomes one with it, unless the other one stays and is all that reads the product
// before it: it then runs in the kernel of the product. Two tables that flip bits back and forth always become one, which changes nothing.
// RUN: quern opt --pass-pipeline simplify-integer %s | FileCheck %s
// RUN: quern opt --compile --config cpu=x86-64-v3 %s | FileCheck %s --check-prefix=LOOPS
// RUN: quern opt %s --emit interpret --input 2x4xi8=5,-7,100,-128,127,0,-1,1 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --emit run --input 2x4xi8=5,-7,100,-128,127,0,-1,1 | FileCheck %s --check-prefix=RESULT
func.func @main(%x: tensor<2x4xi8>) -> (tensor<4x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) {
  %w = "ml.const"() {value = dense<[[1, -2, 3, 4], [5, 6, -7, 8], [9, 1, 2, 3], [-4, 5, 6, 7]]> : tensor<4x4xi8>} : () -> tensor<4x4xi8>
  %b = "ml.const"() {value = dense<[10, 20, 30, -40]> : tensor<4xi32>} : () -> tensor<4xi32>
  %m = "ml.const"() {value = dense<1518500250> : tensor<4xi32>} : () -> tensor<4xi32>
  %s = "ml.const"() {value = dense<-3> : tensor<4xi32>} : () -> tensor<4xi32>
  %a = "ml.const"() {value = dense<[0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14, 14, 15, 16, 16, 17, 18, 18, 19, 20, 20, 21, 22, 22, 23, 24, 24, 25, 26, 26, 27, 28, 28, 29, 30, 30, 31, 32, 32, 33, 34, 34, 35, 36, 36, 37, 38, 38, 39, 40, 40, 41, 42, 42, 43, 44, 44, 45, 46, 46, 47, 48, 48, 49, 50, 50, 51, 52, 52, 53, 54, 54, 55, 56, 56, 57, 58, 58, 59, 60, 60, 61, 62, 62, 63, 64, 64, 65, 66, 66, 67, 68, 68, 69, 70, 70, 71, 72, 72, 73, 74, 74, 75, 76, 76, 77, 78, 78, 79, 80, 80, 81, 82, 82, 83, 84, 84, -86, -85, -84, -84, -83, -82, -82, -81, -80, -80, -79, -78, -78, -77, -76, -76, -75, -74, -74, -73, -72, -72, -71, -70, -70, -69, -68, -68, -67, -66, -66, -65, -64, -64, -63, -62, -62, -61, -60, -60, -59, -58, -58, -57, -56, -56, -55, -54, -54, -53, -52, -52, -51, -50, -50, -49, -48, -48, -47, -46, -46, -45, -44, -44, -43, -42, -42, -41, -40, -40, -39, -38, -38, -37, -36, -36, -35, -34, -34, -33, -32, -32, -31, -30, -30, -29, -28, -28, -27, -26, -26, -25, -24, -24, -23, -22, -22, -21, -20, -20, -19, -18, -18, -17, -16, -16, -15, -14, -14, -13, -12, -12, -11, -10, -10, -9, -8, -8, -7, -6, -6, -5, -4, -4, -3, -2, -2, -1]> : tensor<256xi8>} : () -> tensor<256xi8>
  %c = "ml.const"() {value = dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -100, -99, -98, -97, -96, -95, -94, -93, -92, -91, -90, -89, -88, -87, -86, -85, -84, -83, -82, -81, -80, -79, -78, -77, -76, -75, -74, -73, -72, -71, -70, -69, -68, -67, -66, -65, -64, -63, -62, -61, -60, -59, -58, -57, -56, -55, -54, -53, -52, -51, -50, -49, -48, -47, -46, -45, -44, -43, -42, -41, -40, -39, -38, -37, -36, -35, -34, -33, -32, -31, -30, -29, -28, -27, -26, -25, -24, -23, -22, -21, -20, -19, -18, -17, -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4]> : tensor<256xi8>} : () -> tensor<256xi8>
  %f = "ml.const"() {value = dense<[-128, -127, -126, -125, -124, -123, -122, -121, -120, -119, -118, -117, -116, -115, -114, -113, -112, -111, -110, -109, -108, -107, -106, -105, -104, -103, -102, -101, -100, -99, -98, -97, -96, -95, -94, -93, -92, -91, -90, -89, -88, -87, -86, -85, -84, -83, -82, -81, -80, -79, -78, -77, -76, -75, -74, -73, -72, -71, -70, -69, -68, -67, -66, -65, -64, -63, -62, -61, -60, -59, -58, -57, -56, -55, -54, -53, -52, -51, -50, -49, -48, -47, -46, -45, -44, -43, -42, -41, -40, -39, -38, -37, -36, -35, -34, -33, -32, -31, -30, -29, -28, -27, -26, -25, -24, -23, -22, -21, -20, -19, -18, -17, -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127]> : tensor<256xi8>} : () -> tensor<256xi8>
  %0 = "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 3 : i64, weight_zero_point = 0 : i64, output_zero_point = 5 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<2x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<2x4xi8>
  // %1 stays for the concatenation, so %2 reads it
  %1 = "ml.lut"(%0, %a) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  %2 = "ml.lut"(%1, %c) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  %3 = "ml.concat"(%1, %2) {axis = 0 : i64} : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<4x4xi8>
  // tables alone read %5, which goes
  %4 = "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 9 : i64, weight_zero_point = 0 : i64, output_zero_point = 5 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<2x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<2x4xi8>
  %5 = "ml.lut"(%4, %a) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  %6 = "ml.lut"(%5, %c) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  // the product is what %9 is
  %7 = "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 7 : i64, weight_zero_point = 0 : i64, output_zero_point = 5 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<2x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<2x4xi8>
  %8 = "ml.lut"(%7, %f) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  %9 = "ml.lut"(%8, %f) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  return %3, %6, %8, %9 : tensor<4x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>
}

// CHECK: [[P:%.*]] = "ml.integer_linear"(%arg0, {{.*}}input_zero_point = 3
// CHECK-NEXT: [[A:%.*]] = "ml.lut"([[P]],
// CHECK-NEXT: [[B:%.*]] = "ml.lut"([[A]],
// CHECK-NEXT: "ml.concat"([[A]], [[B]])
// CHECK: [[Q:%.*]] = "ml.integer_linear"(%arg0, {{.*}}input_zero_point = 9
// CHECK: "ml.lut"([[Q]],
// CHECK-NOT: ml.lut
// CHECK: [[R:%.*]] = "ml.integer_linear"(%arg0, {{.*}}input_zero_point = 7
// CHECK: "ml.lut"([[R]],
// CHECK: "ml.lut"([[R]],
// CHECK: return

// LOOPS: "quern.launch"({{.*}}kernel = @linear_0, {{.*}}quern.followers = ["17:8 (ml.lut)"]
// LOOPS: "quern.launch"({{.*}}kernel = @lut_1

// RESULT: dense<{{\[\[}}-9, -86, -6, -22], [10, 40, 70, -32], [-4, -81, -1, -17], [15, 45, 75, -27]]>
// RESULT: dense<{{\[\[}}-6, -81, -7, -23], [13, 41, 69, -32]]>
// RESULT: dense<{{\[\[}}113, 0, 113, 90], [-114, -71, -28, 76]]>
// RESULT: dense<{{\[\[}}-15, -128, -15, -38], [14, 57, 100, -52]]>
