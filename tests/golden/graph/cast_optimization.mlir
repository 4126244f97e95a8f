// Two consecutive casts become one cast or none if no value changes.
// RUN: quern opt %s --cast-optimization | FileCheck %s
// RUN: quern opt %s --cast-optimization --cast-optimization | FileCheck %s
// RUN: quern opt %s --cast-optimization="upstream-compatible=true" | FileCheck %s --check-prefix=COMPAT

// CHECK-LABEL: func.func @f16_by_f32_by_f16
// CHECK-NEXT: return %arg0
func.func @f16_by_f32_by_f16(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c0 = "ml.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// CHECK-LABEL: func.func @bf16_by_f32_by_bf16
// CHECK-NEXT: return %arg0
func.func @bf16_by_f32_by_bf16(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %c0 = "ml.cast"(%x) : (tensor<4xbf16>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}
// CHECK-LABEL: func.func @i8_by_f16_by_f32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @i8_by_f16_by_f32(%x: tensor<4xi8>) -> tensor<4xf32> {
  %c0 = "ml.cast"(%x) : (tensor<4xi8>) -> tensor<4xf16>
  %y = "ml.cast"(%c0) : (tensor<4xf16>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @f32_by_f32
// CHECK-NEXT: return %arg0
func.func @f32_by_f32(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @f32_by_f16_by_f16
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: return
func.func @f32_by_f16_by_f16(%x: tensor<4xf32>) -> tensor<4xf16> {
  %c0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  %y = "ml.cast"(%c0) : (tensor<4xf16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// CHECK-LABEL: func.func @i8_by_f32_by_i8
// CHECK-NEXT: return %arg0
func.func @i8_by_f32_by_i8(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xi8>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @i1_by_f32_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi1>) -> tensor<4xi8>
// CHECK-NEXT: return
func.func @i1_by_f32_by_i8(%x: tensor<4xi1>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xi1>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @i1_by_i8_by_i1
// CHECK-NEXT: return %arg0
func.func @i1_by_i8_by_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = "ml.cast"(%x) : (tensor<4xi1>) -> tensor<4xi8>
  %y = "ml.cast"(%c0) : (tensor<4xi8>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// CHECK-LABEL: func.func @f16_by_f32_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xi8>
// CHECK-NEXT: return
func.func @f16_by_f32_by_i8(%x: tensor<4xf16>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @i16_by_i32_by_f32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi16>) -> tensor<4xf32>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @i16_by_i32_by_f32
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi16>) -> tensor<4xf32>
// COMPAT-NEXT: return
func.func @i16_by_i32_by_f32(%x: tensor<4xi16>) -> tensor<4xf32> {
  %c0 = "ml.cast"(%x) : (tensor<4xi16>) -> tensor<4xi32>
  %y = "ml.cast"(%c0) : (tensor<4xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @ui8_by_i8_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xui8>) -> tensor<4xi8>
// CHECK-NEXT: return
func.func @ui8_by_i8_by_i8(%x: tensor<4xui8>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xui8>) -> tensor<4xi8>
  %y = "ml.cast"(%c0) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// Values that the first cast truncates would come back as other values of the same bits, so both casts stay.
// CHECK-LABEL: func.func @i32_by_i8_by_ui8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xui8>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @i32_by_i8_by_ui8
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xui8>
// COMPAT-NEXT: return
func.func @i32_by_i8_by_ui8(%x: tensor<4xi32>) -> tensor<4xui8> {
  %c0 = "ml.cast"(%x) : (tensor<4xi32>) -> tensor<4xi8>
  %y = "ml.cast"(%c0) : (tensor<4xi8>) -> tensor<4xui8>
  return %y : tensor<4xui8>
}
// CHECK-LABEL: func.func @i8_by_ui8_by_i8
// CHECK-COUNT-2: ml.cast
// CHECK-NEXT: return
func.func @i8_by_ui8_by_i8(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xi8>) -> tensor<4xui8>
  %y = "ml.cast"(%c0) : (tensor<4xui8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xi32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @chain
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xi32>
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xf16>
// COMPAT-NEXT: return
func.func @chain(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c0 = "ml.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
  %c1 = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  %c2 = "ml.cast"(%c1) : (tensor<4xf32>) -> tensor<4xi32>
  %c3 = "ml.cast"(%c2) : (tensor<4xi32>) -> tensor<4xf32>
  %c4 = "ml.cast"(%c3) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.cast"(%c4) : (tensor<4xf32>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// CHECK-LABEL: func.func @chain_of_four
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT: return
func.func @chain_of_four(%x: tensor<4xi32>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xi32>) -> tensor<4xi64>
  %c1 = "ml.cast"(%c0) : (tensor<4xi64>) -> tensor<4xi32>
  %c2 = "ml.cast"(%c1) : (tensor<4xi32>) -> tensor<4xi16>
  %y = "ml.cast"(%c2) : (tensor<4xi16>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// Both casts stay if the middle type loses values, or if saturation and wrapping differ.
// CHECK-LABEL: func.func @f32_by_f16_by_f32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @f32_by_f16_by_f32
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xf32>
// COMPAT-NEXT: return
func.func @f32_by_f16_by_f32(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  %y = "ml.cast"(%c0) : (tensor<4xf16>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @f32_by_i1_by_f16
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi1>) -> tensor<4xf16>
// CHECK-NEXT: return
func.func @f32_by_i1_by_f16(%x: tensor<4xf32>) -> tensor<4xf16> {
  %c0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  %y = "ml.cast"(%c0) : (tensor<4xi1>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// CHECK-LABEL: func.func @i32_by_ui8_by_f32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xui8>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xui8>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @i32_by_ui8_by_f32(%x: tensor<4xi32>) -> tensor<4xf32> {
  %c0 = "ml.cast"(%x) : (tensor<4xi32>) -> tensor<4xui8>
  %y = "ml.cast"(%c0) : (tensor<4xui8>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @i32_by_i8_by_i1
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xi1>
// CHECK-NEXT: return
func.func @i32_by_i8_by_i1(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = "ml.cast"(%x) : (tensor<4xi32>) -> tensor<4xi8>
  %y = "ml.cast"(%c0) : (tensor<4xi8>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// CHECK-LABEL: func.func @i16_by_f32_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi16>) -> tensor<4xf32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi8>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @i16_by_f32_by_i8
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi16>) -> tensor<4xi8>
// COMPAT-NEXT: return
func.func @i16_by_f32_by_i8(%x: tensor<4xi16>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xi16>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @f32_by_i32_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @f32_by_i32_by_i8
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi8>
// COMPAT-NEXT: return
func.func @f32_by_i32_by_i8(%x: tensor<4xf32>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  %y = "ml.cast"(%c0) : (tensor<4xi32>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @f32_by_i32_by_i1
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @f32_by_i32_by_i1
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi1>
// COMPAT-NEXT: return
func.func @f32_by_i32_by_i1(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  %y = "ml.cast"(%c0) : (tensor<4xi32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// 32-bit integers have more digits than f32 holds, so both casts stay whatever the range.
// CHECK-LABEL: func.func @i32_by_f32_by_i32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @i32_by_f32_by_i32
// COMPAT-NEXT: return
func.func @i32_by_f32_by_i32(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = "ml.cast"(%x) : (tensor<4xi32>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @i16_by_f16_by_i32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi16>) -> tensor<4xf16>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xi32>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @i16_by_f16_by_i32
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi16>) -> tensor<4xi32>
// COMPAT-NEXT: return
func.func @i16_by_f16_by_i32(%x: tensor<4xi16>) -> tensor<4xi32> {
  %c0 = "ml.cast"(%x) : (tensor<4xi16>) -> tensor<4xf16>
  %y = "ml.cast"(%c0) : (tensor<4xf16>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @ui16_by_f16_by_f32
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xui16>) -> tensor<4xf16>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @ui16_by_f16_by_f32
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xui16>) -> tensor<4xf16>
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xf32>
// COMPAT-NEXT: return
func.func @ui16_by_f16_by_f32(%x: tensor<4xui16>) -> tensor<4xf32> {
  %c0 = "ml.cast"(%x) : (tensor<4xui16>) -> tensor<4xf16>
  %y = "ml.cast"(%c0) : (tensor<4xf16>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @f32_by_f16_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf16>) -> tensor<4xi8>
// CHECK-NEXT: return
// COMPAT-LABEL: func.func @f32_by_f16_by_i8
// COMPAT-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xi8>
// COMPAT-NEXT: return
func.func @f32_by_f16_by_i8(%x: tensor<4xf32>) -> tensor<4xi8> {
  %c0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  %y = "ml.cast"(%c0) : (tensor<4xf16>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// CHECK-LABEL: func.func @f64_by_f32_by_f64
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf64>) -> tensor<4xf32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf64>
// CHECK-NEXT: return
func.func @f64_by_f32_by_f64(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = "ml.cast"(%x) : (tensor<4xf64>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
// Both casts stay, because there is no direct cast between bf16 and f16.
// CHECK-LABEL: func.func @bf16_by_f32_by_f16
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: return
func.func @bf16_by_f32_by_f16(%x: tensor<4xbf16>) -> tensor<4xf16> {
  %c0 = "ml.cast"(%x) : (tensor<4xbf16>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// Three ops read the first cast, and one of the three needs it: only the other readers skip it.
// CHECK-LABEL: func.func @first_is_used
// CHECK-NEXT: %[[C:.*]] = "ml.cast"(%arg0)
// CHECK-NEXT: %[[Z:.*]] = "ml.abs"(%[[C]])
// CHECK-NEXT: return %arg0, %[[Z]]
func.func @first_is_used(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf32>) {
  %c0 = "ml.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
  %y = "ml.cast"(%c0) : (tensor<4xf32>) -> tensor<4xf16>
  %z = "ml.abs"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf16>, tensor<4xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK-NEXT: {{.*}}scf.if
// CHECK-NEXT: scf.yield %arg1
func.func @in_branch(%c: i1, %x: tensor<4xf16>) -> tensor<4xf16> {
  %w = "ml.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
  %y = scf.if %c -> (tensor<4xf16>) {
    %g = "ml.cast"(%w) : (tensor<4xf32>) -> tensor<4xf16>
    scf.yield %g : tensor<4xf16>
  } else {
    scf.yield %x : tensor<4xf16>
  }
  return %y : tensor<4xf16>
}
// The first cast truncates nothing that fits the last type, so one cast is enough.
// CHECK-LABEL: func.func @i32_by_i16_by_i8
// CHECK-NEXT: {{.*}}"ml.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT: return
func.func @i32_by_i16_by_i8(%x: tensor<4xi32>) -> tensor<4xi8> {
  %0 = "ml.cast"(%x) : (tensor<4xi32>) -> tensor<4xi16>
  %1 = "ml.cast"(%0) : (tensor<4xi16>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
