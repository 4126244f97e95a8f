// lower-to-integer reports ops that it can't lower, also outside of functions, with exit code 4 instead of
// a broken module. Elided constants are invalid.
// RUN: quern opt --lower-to-integer --allow-unregistered-dialect %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: quern opt --lower-to-integer --allow-unregistered-dialect %s 2>&1 | FileCheck %s --check-prefix=NOT --allow-empty
// NOT-NOT: is not valid after
// MLIR-OPT: none
// CHECK: [[#@LINE+1]]:1: error: 't.top' has no integer form
"t.top"() : () -> ()
func.func @main() -> tensor<2xf32> {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'arith.constant' op has an elided value, which can't be lowered
  %0 = arith.constant dense_resource<__elided__> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  %1 = quant.dcast %0 : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  return %1 : tensor<2xf32>
}
