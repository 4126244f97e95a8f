// In branches and loops too, weights are widened and packed before the first call. What is in one of them runs although it may not be
// reached, so shifts stay: their results may be undefined. So does what a branch yields, which the other one writes too.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// MLIR-OPT: none
// CHECK-LABEL: func.func @main
// CHECK-SAME: {quern.role = "prepared"}
// CHECK: kernel = @dequantize_{{.*}}quern.prepares
// CHECK: kernel = @pack_{{.*}}quern.prepares
// CHECK: scf.if
// CHECK-NEXT: kernel = @matmul_
// CHECK-NEXT: } else {
// CHECK-NEXT: kernel = @dequantize_
// CHECK-NOT: quern.prepares
// CHECK: kernel = @dequantize_{{.*}}quern.prepares
// CHECK: kernel = @pack_{{.*}}quern.prepares
// CHECK: scf.for
// CHECK-NOT: kernel = @dequantize_
// CHECK: kernel = @matmul_
// CHECK: scf.if
// CHECK-NOT: quern.prepares
// CHECK: kernel = @generic_
#map = affine_map<(d0) -> (d0)>
!w = !quant.uniform<i8<-127:127>:f32, 0.0625>
module {
  func.func @main(%c: tensor<1xi1>, %m: tensor<4x3x40xf32>, %n: tensor<200xi32>) -> (tensor<4x3x40xf32>, tensor<4x3x40xf32>, tensor<200xi32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %b = tensor.extract %c[%zero] : tensor<1xi1>
    %r = scf.if %b -> (tensor<4x3x40xf32>) {
      %w = "ml.const"() {value = dense<7> : tensor<4x40x40xi8>} : () -> tensor<4x40x40x!w>
      %0 = "ml.matmul"(%m, %w) : (tensor<4x3x40xf32>, tensor<4x40x40x!w>) -> tensor<4x3x40xf32>
      scf.yield %0 : tensor<4x3x40xf32>
    } else {
      %k = "ml.const"() {value = dense<"0x052A4F741A3F640A2F54791F44690F34597E24496E14395E04294E73193E63092E53781E43680E33587D23486D13385D03284D72183D62082D52771D42670D32577C22476C12375C02274C71173C61072C51761C41660C31567B21466B11365B01264B70163B60062B50751B40650B30557A20456A10355A00254A6F153A5F052A4F741A3F640A2F54791F44690F34597E24496E14395E04294E73193E63092E53781E43680E33587D23486D13385D03284D72183D62082D52771D42670D32577C22476C12375C02274C71173C61072C51761C41660C31567B21466B11365B01264B70163B60062B50751B40650B30557A20456A10355A00254A6F153A5F052A4F741A3F640A2F54791F44690F34597E24496E14395E04294E73193E63092E53781E43680E33587D23486D13385D03284D72183D62082D52771D42670D32577C22476C12375C02274C71173C61072C51761C41660C31567B21466B11365B01264B70163B60062B50751B40650B30557A20456A10355A00254A6F153A5F052A4F741A3F640A2F54791F44690F34597E24496E14395E04294E73193E63092E53781E43680E33587D23486D13385D03284D72183D62082D52771D42670D32577C22476C12375C02274C71173C61072C51761C41660C31567B21466B11365B01264B"> : tensor<4x3x40xi8>} : () -> tensor<4x3x40x!w>
      %1 = quant.dcast %k : tensor<4x3x40x!w> to tensor<4x3x40xf32>
      scf.yield %1 : tensor<4x3x40xf32>
    }
    %s = scf.for %i = %zero to %three step %one iter_args(%a = %r) -> (tensor<4x3x40xf32>) {
      %w = "ml.const"() {value = dense<9> : tensor<4x40x40xi8>} : () -> tensor<4x40x40x!w>
      %2 = "ml.matmul"(%a, %w) : (tensor<4x3x40xf32>, tensor<4x40x40x!w>) -> tensor<4x3x40xf32>
      scf.yield %2 : tensor<4x3x40xf32>
    }
    %t = scf.if %b -> (tensor<200xi32>) {
      %x = arith.constant dense<6> : tensor<200xi32>
      %y = arith.constant dense<32> : tensor<200xi32>
      %e = tensor.empty() : tensor<200xi32>
      %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%x, %y : tensor<200xi32>, tensor<200xi32>) outs(%e : tensor<200xi32>) {
      ^bb0(%u: i32, %v: i32, %out: i32):
        %5 = arith.shli %u, %v : i32
        linalg.yield %5 : i32
      } -> tensor<200xi32>
      %4 = "ml.reverse"(%3) {axes = array<i64: 0>} : (tensor<200xi32>) -> tensor<200xi32>
      scf.yield %4 : tensor<200xi32>
    } else {
      scf.yield %n : tensor<200xi32>
    }
    return %r, %s, %t : tensor<4x3x40xf32>, tensor<4x3x40xf32>, tensor<200xi32>
  }
}
