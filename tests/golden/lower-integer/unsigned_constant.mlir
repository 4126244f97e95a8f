// Constants with unsigned storage become ml.const, because arith.constant has signless integers only.
// mlir-opt reads no numbers in constants of quantized types.
// MLIR-OPT: none
// RUN: quern opt --lower-to-integer %s | FileCheck %s
// RUN: quern opt --emit=interpret %s | FileCheck %s --check-prefix=VALUE --match-full-lines
// RUN: quern opt --lower-to-integer --emit=interpret %s | FileCheck %s --check-prefix=VALUE --match-full-lines
// RUN: quern opt --lower-to-integer --emit=run %s | FileCheck %s --check-prefix=VALUE --match-full-lines
// CHECK: "ml.const"() {value = dense<[10, 200]> : tensor<2xui8>} : () -> tensor<2xui8>
// VALUE: dense<[0.000000e+00, 9.500000e+01]> : tensor<2xf32>
!q = !quant.uniform<u8:f32, 0.5:10>
func.func @main() -> tensor<2xf32> {
  %0 = arith.constant dense<[10, 200]> : tensor<2x!q>
  %1 = quant.dcast %0 : tensor<2x!q> to tensor<2xf32>
  return %1 : tensor<2xf32>
}
