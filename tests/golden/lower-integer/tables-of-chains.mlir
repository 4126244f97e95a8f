// A function of one 8-bit tensor becomes a table, whatever computes it. The interpreter, at the model stage and with
// the tables, returns the same byte for every input.
// RUN: quern opt %s --lower-to-integer --tabulate-bytes --simplify-integer 2>/dev/null | FileCheck %s
// RUN: quern opt %s --lower-to-integer --tabulate-bytes --config keep-tensors=true 2>/dev/null | FileCheck %s --check-prefix=KEEP
// RUN: quern opt %s --emit=interpret --function silu --input "256xi8=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,-128,-127,-126,-125,-124,-123,-122,-121,-120,-119,-118,-117,-116,-115,-114,-113,-112,-111,-110,-109,-108,-107,-106,-105,-104,-103,-102,-101,-100,-99,-98,-97,-96,-95,-94,-93,-92,-91,-90,-89,-88,-87,-86,-85,-84,-83,-82,-81,-80,-79,-78,-77,-76,-75,-74,-73,-72,-71,-70,-69,-68,-67,-66,-65,-64,-63,-62,-61,-60,-59,-58,-57,-56,-55,-54,-53,-52,-51,-50,-49,-48,-47,-46,-45,-44,-43,-42,-41,-40,-39,-38,-37,-36,-35,-34,-33,-32,-31,-30,-29,-28,-27,-26,-25,-24,-23,-22,-21,-20,-19,-18,-17,-16,-15,-14,-13,-12,-11,-10,-9,-8,-7,-6,-5,-4,-3,-2,-1" 2>/dev/null | FileCheck %s --check-prefix=SILU --match-full-lines
// RUN: quern opt %s --emit=run --function silu --input "256xi8=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,-128,-127,-126,-125,-124,-123,-122,-121,-120,-119,-118,-117,-116,-115,-114,-113,-112,-111,-110,-109,-108,-107,-106,-105,-104,-103,-102,-101,-100,-99,-98,-97,-96,-95,-94,-93,-92,-91,-90,-89,-88,-87,-86,-85,-84,-83,-82,-81,-80,-79,-78,-77,-76,-75,-74,-73,-72,-71,-70,-69,-68,-67,-66,-65,-64,-63,-62,-61,-60,-59,-58,-57,-56,-55,-54,-53,-52,-51,-50,-49,-48,-47,-46,-45,-44,-43,-42,-41,-40,-39,-38,-37,-36,-35,-34,-33,-32,-31,-30,-29,-28,-27,-26,-25,-24,-23,-22,-21,-20,-19,-18,-17,-16,-15,-14,-13,-12,-11,-10,-9,-8,-7,-6,-5,-4,-3,-2,-1" 2>/dev/null | FileCheck %s --check-prefix=SILU --match-full-lines
// RUN: quern opt %s --lower-to-integer --tabulate-bytes --emit=interpret --function silu --input "256xi8=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,-128,-127,-126,-125,-124,-123,-122,-121,-120,-119,-118,-117,-116,-115,-114,-113,-112,-111,-110,-109,-108,-107,-106,-105,-104,-103,-102,-101,-100,-99,-98,-97,-96,-95,-94,-93,-92,-91,-90,-89,-88,-87,-86,-85,-84,-83,-82,-81,-80,-79,-78,-77,-76,-75,-74,-73,-72,-71,-70,-69,-68,-67,-66,-65,-64,-63,-62,-61,-60,-59,-58,-57,-56,-55,-54,-53,-52,-51,-50,-49,-48,-47,-46,-45,-44,-43,-42,-41,-40,-39,-38,-37,-36,-35,-34,-33,-32,-31,-30,-29,-28,-27,-26,-25,-24,-23,-22,-21,-20,-19,-18,-17,-16,-15,-14,-13,-12,-11,-10,-9,-8,-7,-6,-5,-4,-3,-2,-1" 2>/dev/null | FileCheck %s --check-prefix=SILU --match-full-lines
!q = !quant.uniform<i8:f32, 0.05:3>
!u = !quant.uniform<u8:f32, 0.05:3>
!n = !quant.uniform<i4:f32, 0.5:1>
func.func @silu(%x: tensor<256x!q>) -> tensor<256x!q> {
  %0 = "ml.silu"(%x) : (tensor<256x!q>) -> tensor<256x!q>
  return %0 : tensor<256x!q>
}
// CHECK-LABEL: @silu
// CHECK-NEXT: ml.const
// CHECK-NEXT: "ml.lut"(%arg0, %0) : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
// CHECK-NEXT: return

// Storage of another sign, and 4-bit storage, which is stored in bytes.
func.func @others(%x: tensor<2x3x!u>, %y: tensor<1x!n>) -> (tensor<2x3x!u>, tensor<1x!n>) {
  %0 = "ml.softplus"(%x) : (tensor<2x3x!u>) -> tensor<2x3x!u>
  %1 = "ml.sin"(%y) : (tensor<1x!n>) -> tensor<1x!n>
  return %0, %1 : tensor<2x3x!u>, tensor<1x!n>
}
// CHECK-LABEL: @others
// CHECK-NEXT: ml.const
// CHECK-NEXT: "ml.lut"(%arg0, %0) : (tensor<2x3xui8>, tensor<256xui8>) -> tensor<2x3xui8>
// CHECK-NEXT: ml.const
// CHECK-NEXT: "ml.lut"(%arg1, %2) : (tensor<1xi8>, tensor<256xi8>) -> tensor<1xi8>
// CHECK-NEXT: return

// x times a function of x, minus a constant; the first table has another reader, too.
func.func @product(%x: tensor<4x!q>) -> (tensor<4x!q>, tensor<4x!q>) {
  %c = "ml.const"() {value = dense<7> : tensor<4xi8>} : () -> tensor<4x!q>
  %0 = "ml.sigmoid"(%x) {quern.tensors = array<i64: 1>} : (tensor<4x!q>) -> tensor<4x!q>
  %1 = "ml.mul"(%x, %0) {quern.tensors = array<i64: 2>} : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  %2 = "ml.sub"(%1, %c) {quern.tensors = array<i64: 3>} : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  return %0, %2 : tensor<4x!q>, tensor<4x!q>
}
// CHECK-LABEL: @product
// CHECK-DAG: %[[S:.*]] = "ml.lut"(%arg0, {{.*}}) {quern.tensors = array<i64: 1>}
// CHECK-DAG: %[[P:.*]] = "ml.lut"(%arg0, {{.*}}) {quern.tensors = array<i64: 3>}
// CHECK-NOT: ml.integer
// CHECK: return %[[S]], %[[P]]
// KEEP-LABEL: @product
// KEEP: "ml.lut"(%arg0, {{.*}}) {quern.tensors = array<i64: 1>}
// KEEP: "ml.integer_mul"(%arg0, {{.*}}quern.tensors = array<i64: 2>
// KEEP: "ml.integer_sub"({{.*}}quern.tensors = array<i64: 3>

// Unchanged: two tensors, a constant that is not a splat, and a single op on bytes.
func.func @left(%x: tensor<4x!q>, %y: tensor<4x!q>) -> (tensor<4x!q>, tensor<4x!q>, tensor<4x!q>) {
  %c = "ml.const"() {value = dense<[7, 8, 9, 10]> : tensor<4xi8>} : () -> tensor<4x!q>
  %s = "ml.const"() {value = dense<7> : tensor<4xi8>} : () -> tensor<4x!q>
  %0 = "ml.mul"(%x, %y) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  %1 = "ml.add"(%x, %c) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  %2 = "ml.maximum"(%x, %s) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  return %0, %1, %2 : tensor<4x!q>, tensor<4x!q>, tensor<4x!q>
}
// CHECK-LABEL: @left
// CHECK-NOT: ml.lut
// CHECK: return

// SILU: dense<[2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 17, 18, 19, 20, 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -3, -3, -3, -3, -3, -3, -3, -2, -2, -2, -2, -2, -2, -2, -2, -2, -1, -1, -1, -1, -1, 0, 0, 0, 1, 1]> : tensor<256x{{.*}}>
