// Quantized types: every invariant, with the offending place. One type per line; each is an error.
// RUN: %opt --allow-unregistered-dialect %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: quern opt --allow-unregistered-dialect %s 2>/dev/null; test $? = 3
// MLIR-OPT: none
// Kinds and punctuation.
!kind = !quant.linear
!word = !quant._
!quoted = !quant<"any">
!tail = !quant.uniform<i16:f32, 0.25:7 7>
!range = !quant.uniform<i8<5>:f32, 0.25>
!open = !quant<uniform<i8<-2:5:f32, 0.25>>
!colon = !quant.uniform<i8<-2:5>f32, 0.25>
!comma = !quant.uniform<i8:f32 0.25:7>
// Storage.
!prefix = !quant.uniform<integer8:f32, 0.25>
!no_width = !quant.uniform<i<-2:5>:f32, 0.25>
!no_width_unsigned = !quant.uniform<u:f32, 0.25>
!not_integer = !quant.uniform<f32:f32, 0.25>
!too_narrow = !quant.uniform<i0:f32, 0.25>
!too_wide = !quant.uniform<u40:f32, 0.25>
!far_too_wide = !quant.uniform<si77777777777:f32, 0.25>
!negative_width = !quant.uniform<i-8:f32, 0.25>
!empty_range = !quant.uniform<i8<6:-6>:f32, 0.25>
!one_value = !quant.any<u8<3:3>>
!below = !quant.uniform<i5<-17:15>:f32, 0.25>
!above = !quant.uniform<u4<0:16>:f32, 0.25>
// Expressed type, scale and zero point.
!unknown_expressed = !quant.uniform<i8:float, 0.25>
!integer_expressed = !quant.any<i8:i8>
!no_scale = !quant.uniform<i8:f32, z>
!glued = !quant.uniform<i8:f32, 0.25zero>
!no_zero_point = !quant.uniform<i8:f32, 0.25:>
!float_zero_point = !quant.uniform<i8:f32, 0.25:z>
!integer_scale = !quant.uniform<i8:f32, 4>
!negative = !quant.uniform<i8:f32, -0.25>
!not_a_number = !quant.uniform<i8:f32, 0x7FF8000000000001>
!infinite = !quant.uniform<i8:f64, 0x7FF0000000000000>
!zero = !quant.uniform<i8:f80, 1.0e-5000>
!underflow = !quant.uniform<u8:f16, 2.0e-8>
!overflow = !quant.uniform<u8:f16:0, {0.25, 7.0e4}>
// Per axis.
!no_axis = !quant.uniform<i8:f32:, {0.25, 0.5}>
!no_list = !quant.uniform<i8:f32:1, 0.25>
!list_per_layer = !quant.uniform<i8:f32, {0.25, 0.5}>
!negative_axis = !quant.uniform<i8:f32:-2, {0.25, 0.5}>
!huge_axis = !quant.uniform<i8:f32:4294967296, {0.25}>
!nested = !quant.uniform<i8:f32:0, {{0.25}, {0.5}}>
// Sub-channel.
!block_size = !quant.uniform<i8:f32:{0:4, 1:0}, {{0.25, 0.5}}>
!twice = !quant.uniform<i8:f32:{2:1, 2:4}, {{0.25, 0.5}}>
!ragged = !quant.uniform<i8:f32:{0:1, 1:4}, {{0.25, 0.5}, {0.125}}>
!mixed = !quant.uniform<i8:f32:{0:1, 1:4}, {{0.25}, 0.5}>
!zero_point_above = !quant.uniform<i8:f32:{0:4}, {0.25:128}>
!zero_point_below = !quant.uniform<u8:f32:{0:4}, {0.25:-1}>
// Calibrated.
!no_range = !quant.calibrated<f64>
!half_range = !quant.calibrated<f64<2.5>>
!backwards = !quant.calibrated<f64<2.5:2.0>>
!nan_range = !quant.calibrated<f64<2.5:0x7FF8000000000000>>
!calibrated_integer = !quant.calibrated<i8<0.0:1.0>>
// Containers that do not accept quantized elements.
!buffer = memref<2x!quant.any<i8>>
!lanes = vector<2x!quant.any<i8>>

// CHECK: {{.*}}quant_errors.mlir:6:16: error: unknown quantized type linear
// CHECK-NEXT: {{.*}}quant_errors.mlir:7:16: error: unknown quantized type _
// CHECK-NEXT: {{.*}}quant_errors.mlir:8:18: error: expected valid keyword
// CHECK-NEXT: {{.*}}quant_errors.mlir:9:39: error: expected '>'
// CHECK-NEXT: {{.*}}quant_errors.mlir:10:29: error: expected ':'
// CHECK-NEXT: {{.*}}quant_errors.mlir:11:15: error: unbalanced '<' character in pretty dialect name
// CHECK-NEXT: {{.*}}quant_errors.mlir:12:33: error: expected ':'
// CHECK-NEXT: {{.*}}quant_errors.mlir:13:31: error: expected ','
// CHECK-NEXT: {{.*}}quant_errors.mlir:15:26: error: illegal storage type prefix
// CHECK-NEXT: {{.*}}quant_errors.mlir:16:28: error: illegal storage type prefix
// CHECK-NEXT: {{.*}}quant_errors.mlir:17:37: error: expected storage type width
// CHECK-NEXT: {{.*}}quant_errors.mlir:18:31: error: illegal storage type prefix
// CHECK-NEXT: {{.*}}quant_errors.mlir:19:30: error: illegal storage type size: 0
// CHECK-NEXT: {{.*}}quant_errors.mlir:20:28: error: illegal storage type size: 40
// CHECK-NEXT: {{.*}}quant_errors.mlir:21:32: error: invalid integer width
// CHECK-NEXT: {{.*}}quant_errors.mlir:22:34: error: illegal storage type prefix
// CHECK-NEXT: {{.*}}quant_errors.mlir:23:36: error: illegal storage min and storage max: (6:-6)
// CHECK-NEXT: {{.*}}quant_errors.mlir:24:30: error: illegal storage min and storage max: (3:3)
// CHECK-NEXT: {{.*}}quant_errors.mlir:25:28: error: illegal storage type minimum: -17
// CHECK-NEXT: {{.*}}quant_errors.mlir:26:30: error: illegal storage type maximum: 16
// CHECK-NEXT: {{.*}}quant_errors.mlir:28:40: error: expected non-function type
// CHECK-NEXT: {{.*}}quant_errors.mlir:29:36: error: invalid kind of type specified
// CHECK-NEXT: {{.*}}quant_errors.mlir:30:36: error: expected floating point literal
// CHECK-NEXT: {{.*}}quant_errors.mlir:31:37: error: expected '>'
// CHECK-NEXT: {{.*}}quant_errors.mlir:32:46: error: expected integer value
// CHECK-NEXT: {{.*}}quant_errors.mlir:33:49: error: expected integer value
// CHECK-NEXT: {{.*}}quant_errors.mlir:34:41: error: unexpected decimal integer literal for a floating point value
// CHECK-NEXT: {{.*}}quant_errors.mlir:34:41: note: add a trailing dot to make the literal a float
// CHECK-NEXT: {{.*}}quant_errors.mlir:35:36: error: scale -2.500000e-01 out of expressed type range [1.401298e-45, 3.402823e+38]
// CHECK-NEXT: {{.*}}quant_errors.mlir:36:40: error: scale nan out of expressed type range [1.401298e-45, 3.402823e+38]
// CHECK-NEXT: {{.*}}quant_errors.mlir:37:36: error: scale INF out of expressed type range [4.940656e-324, 1.797693e+308]
// CHECK-NEXT: {{.*}}quant_errors.mlir:38:32: error: scale 0.000000e+00 out of expressed type range [4.940656e-324, 1.797693e+308]
// CHECK-NEXT: {{.*}}quant_errors.mlir:39:37: error: scale 2.000000e-08 out of expressed type range [5.960464e-08, 6.550400e+04]
// CHECK-NEXT: {{.*}}quant_errors.mlir:40:45: error: scale 7.000000e+04 out of expressed type range [5.960464e-08, 6.550400e+04]
// CHECK-NEXT: {{.*}}quant_errors.mlir:42:34: error: expected integer value
// CHECK-NEXT: {{.*}}quant_errors.mlir:43:36: error: expected '{'
// CHECK-NEXT: {{.*}}quant_errors.mlir:44:42: error: expected floating point literal
// CHECK-NEXT: {{.*}}quant_errors.mlir:45:40: error: illegal quantized dimension: -2
// CHECK-NEXT: {{.*}}quant_errors.mlir:46:36: error: integer value too large
// CHECK-NEXT: {{.*}}quant_errors.mlir:47:37: error: per-axis scales are a flat list
// CHECK-NEXT: {{.*}}quant_errors.mlir:49:45: error: illegal block size: 0
// CHECK-NEXT: {{.*}}quant_errors.mlir:50:38: error: axis 2 has two block sizes
// CHECK-NEXT: {{.*}}quant_errors.mlir:51:65: error: tensor literal is invalid; ranks are not consistent between elements
// CHECK-NEXT: {{.*}}quant_errors.mlir:52:53: error: tensor literal is invalid; ranks are not consistent between elements
// CHECK-NEXT: {{.*}}quant_errors.mlir:53:56: error: zero point 128 out of storage type range [-128, 127]
// CHECK-NEXT: {{.*}}quant_errors.mlir:54:56: error: zero point -1 out of storage type range [0, 255]
// CHECK-NEXT: {{.*}}quant_errors.mlir:56:34: error: expected '<'
// CHECK-NEXT: {{.*}}quant_errors.mlir:56:31: error: calibrated values must be present
// CHECK-NEXT: {{.*}}quant_errors.mlir:57:40: error: expected ':'
// CHECK-NEXT: {{.*}}quant_errors.mlir:57:33: error: calibrated values must be present
// CHECK-NEXT: {{.*}}quant_errors.mlir:58:21: error: illegal min and max: (2.500000e+00:2.000000e+00)
// CHECK-NEXT: {{.*}}quant_errors.mlir:59:21: error: illegal min and max: (2.500000e+00:nan)
// CHECK-NEXT: {{.*}}quant_errors.mlir:60:41: error: invalid kind of type specified
// CHECK-NEXT: {{.*}}quant_errors.mlir:60:41: error: expecting float expressed type
// CHECK-NEXT: {{.*}}quant_errors.mlir:62:20: error: invalid memref element type
// CHECK-NEXT: {{.*}}quant_errors.mlir:63:19: error: failed to verify 'elementType': VectorElementTypeInterface instance
