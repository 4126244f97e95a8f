// The XNNPACK profile rounds differently from the reference kernels: products in float32, additions once, means with
// their zero points in a float, 8-bit factors. Expected values come from its formulas (docs/arithmetic.md), computed separately.
// RUN: quern opt %s --emit=interpret --input 2x4xi8=-128,-77,-3,0,1,50,100,127 --input 2x4xi8=9,-20,127,-128,64,3,-1,90 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 2x4xi8=-128,-77,-3,0,1,50,100,127 --input 2x4xi8=9,-20,127,-128,64,3,-1,90 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 2x4xi8=-128,-77,-3,0,1,50,100,127 --input 2x4xi8=9,-20,127,-128,64,3,-1,90 | FileCheck %s --match-full-lines
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --check-prefix=INTEGER
// RUN: sed 's/0.25:-100/0.0001:-100/' %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=FAR
// CHECK: dense<{{\[\[}}-50, 86, -123], [12, -50, 50]]> : tensor<2x3x{{.*}}>
// CHECK-NEXT: dense<{{\[\[}}-128, -128, 72, -128], [-19, -90, -76, 70]]> : tensor<2x4x{{.*}}>
// CHECK-NEXT: dense<{{\[\[}}-128, -83, -128, 108], [-128, -66, -40, -128]]> : tensor<2x4x{{.*}}>
// CHECK-NEXT: dense<{{\[\[}}-64, 127, -66, -128], [-53, -128, -128, 127]]> : tensor<2x4x{{.*}}>
// CHECK-NEXT: dense<[-121, -59]> : tensor<2x{{.*}}>
// CHECK-NEXT: dense<{{\[\[}}-15, -8, 4, 6], [6, 31, 56, 69]]> : tensor<2x4x{{.*}}>
// CHECK-NEXT: dense<{{\[\[}}-58, -33, 4, 6], [6, 31, 56, 69]]> : tensor<2x4x{{.*}}>
// INTEGER: "ml.integer_linear"{{.*}}rounding = "single"
// INTEGER: "ml.integer_add"{{.*}}left_shift = 21 : i64{{.*}}shift = 0 : i64
// INTEGER: "ml.integer_mul"{{.*}}rounding = "single"
// INTEGER: "ml.integer_mean"{{.*}}offset = {{.*}} : f32{{.*}}rounding = "single"
// FAR: error: 'ml.add' has scales whose ratios 1000 and 3700 are out of range
!a = !quant.uniform<i8:f32, 0.1:-5>
!b = !quant.uniform<i8:f32, 0.37:11>
!w = !quant.uniform<i8:f32, 0.03>
!y = !quant.uniform<i8:f32, 0.25:-100>
!z = !quant.uniform<i8:f32, 0.2:3>
module attributes {quern.numerics = "xnnpack"} {
  func.func @main(%s: tensor<2x4xi8>, %t: tensor<2x4xi8>) -> (tensor<2x3x!y>, tensor<2x4x!y>, tensor<2x4x!y>, tensor<2x4x!y>, tensor<2x!y>, tensor<2x4x!z>, tensor<2x4x!z>) {
    %a = quant.scast %s : tensor<2x4xi8> to tensor<2x4x!a>
    %b = quant.scast %t : tensor<2x4xi8> to tensor<2x4x!b>
    %w = "ml.const"() {value = dense<[[5, -60, 7, 90], [-127, 3, 44, 1], [12, 13, -14, 100]]> : tensor<3x4xi8>} : () -> tensor<3x4x!w>
    %linear = "ml.linear"(%a, %w) : (tensor<2x4x!a>, tensor<3x4x!w>) -> tensor<2x3x!y>
    %add = "ml.add"(%a, %b) : (tensor<2x4x!a>, tensor<2x4x!b>) -> tensor<2x4x!y>
    %sub = "ml.sub"(%a, %b) : (tensor<2x4x!a>, tensor<2x4x!b>) -> tensor<2x4x!y>
    %mul = "ml.mul"(%a, %b) : (tensor<2x4x!a>, tensor<2x4x!b>) -> tensor<2x4x!y>
    %mean = "ml.reduce_mean"(%b) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x4x!b>) -> tensor<2x!y>
    %leaky = "ml.leaky_relu"(%a) {alpha = 0.3 : f64} : (tensor<2x4x!a>) -> tensor<2x4x!z>
    %coarse = "ml.requantize"(%a) : (tensor<2x4x!a>) -> tensor<2x4x!z>
    return %linear, %add, %sub, %mul, %mean, %leaky, %coarse : tensor<2x3x!y>, tensor<2x4x!y>, tensor<2x4x!y>, tensor<2x4x!y>, tensor<2x!y>, tensor<2x4x!z>, tensor<2x4x!z>
  }
}
