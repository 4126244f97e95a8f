// C output of a linear layer for a microcontroller, whole, for readers: tests/golden/c/linear.c.txt.
// RUN: quern compile %s -o - --emit c --symbol linear --target thumbv6m-none-eabi | cmp - $(dirname %s)/linear.c.txt
!x = !quant.uniform<i8:f32, 0.05:-5>
!w = !quant.uniform<i8<-127:127>:f32, 0.01>
!b = !quant.uniform<i32:f32, 0.0005>
!y = !quant.uniform<i8:f32, 0.1:10>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4x!x>) -> tensor<1x2x!y> {
    %w = "ml.const"() {value = dense<[[50, -100, 25, 127], [100, 0, 2, -127]]> : tensor<2x4xi8>} : () -> tensor<2x4x!w>
    %b = "ml.const"() {value = dense<[1000, -500]> : tensor<2xi32>} : () -> tensor<2x!b>
    %y = "ml.linear"(%x, %w, %b) : (tensor<1x4x!x>, tensor<2x4x!w>, tensor<2x!b>) -> tensor<1x2x!y>
    return %y : tensor<1x2x!y>
  }
}
