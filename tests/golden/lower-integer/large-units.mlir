// Constants of an exact unit with a real result are integers held in f64. Up to 16 MiB they are constants; larger ones stay as they are stored,
// and are converted before the first call. Both give the same sums.
// RUN: quern opt %s --lower-to-integer | FileCheck %s
// RUN: quern opt %s --emit=run --function main --input 'dense<3> : tensor<1x1025xi8>' | FileCheck %s --check-prefix=RESULT
// RUN: sed 's/204[68]x/130000x/g' %s | quern opt - --lower-to-loops 2>&1 | FileCheck %s --check-prefix=LIMIT
!x = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32, 0.25>
module attributes {quern.numerics = "onnx"} {
  func.func @main(%x: tensor<1x1025x!x>) -> (tensor<1x2048xf32>, tensor<1x2046xf32>) {
    %a = "ml.const"() {value = dense<-3> : tensor<2048x1025xi8>} : () -> tensor<2048x1025x!w>
    %0 = "ml.linear"(%x, %a) : (tensor<1x1025x!x>, tensor<2048x1025x!w>) -> tensor<1x2048xf32>
    %b = "ml.const"() {value = dense<-3> : tensor<2046x1025xi8>} : () -> tensor<2046x1025x!w>
    %1 = "ml.linear"(%x, %b) : (tensor<1x1025x!x>, tensor<2046x1025x!w>) -> tensor<1x2046xf32>
    return %0, %1 : tensor<1x2048xf32>, tensor<1x2046xf32>
  }
}
// CHECK: %[[A:.*]] = "ml.const"() {value = dense<-3> : tensor<2048x1025xi8>}
// CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<2048x1025xi8>) outs(%{{.*}} : tensor<2048x1025xf64>)
// CHECK: "ml.const"() {value = dense<-3.000000e+00> : tensor<2046x1025xf64>}
// CHECK-NOT: tensor<2046x1025xi8>)

// RESULT: dense<{{\[\[(-7.687500e\+02(, )?)+\]\]}}> : tensor<1x2048xf32>
// RESULT-NEXT: dense<{{\[\[(-7.687500e\+02(, )?)+\]\]}}> : tensor<1x2046xf32>

// LIMIT: error: prepared constants need {{[0-9]+}} bytes; at most 2147483647 are supported: {{.*}}split the model into parts
