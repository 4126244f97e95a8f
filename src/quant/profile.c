/* The numerics profiles: one record per profile. The fields and their values are documented in
 * profile.h. The check check.profiles fails unless each record sets every field, because an omitted
 * field would silently be 0, which is also a valid rule.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/profile.h"

const qn_profile qn_profile_litert_ref = {
    .name = "litert-ref",
    .units = QN_UNITS_NONE,
    .quantize = QN_ROUND_AWAY,
    .quantize8 = QN_QUANTIZE_DIVIDED,
    .quantize16 = QN_QUANTIZE_DIVIDED,
    .linear_product = QN_IN_F64,
    .conv_requant = QN_REQUANT_DOUBLE,
    .grouped_requant = QN_REQUANT_DOUBLE,
    .depthwise_requant = QN_REQUANT_DOUBLE,
    .depthwise_u8_requant = QN_REQUANT_DOUBLE,
    .linear_requant = QN_REQUANT_REAL,
    .conv16_requant = QN_REQUANT_DOUBLE,
    .matmul_requant = QN_REQUANT_DOUBLE,
    .softmax16_requant = QN_REQUANT_DOUBLE,
    .svdf_requant = QN_REQUANT_DOUBLE,
    .linear16_real = true,
    .narrow_sums16 = true,
    .bare_linear16 = true,
    .zero_point_first = false,
    .transpose_conv8 = true,
    .mul_ratio = QN_IN_F32,
    .mul_requant = QN_REQUANT_DOUBLE,
    .once_where_equal = false,
    .adds = QN_ADD_THRICE,
    .mean = QN_MEAN_FOLDED,
    .sub_ratio = QN_IN_F64,
    .softmax8 = QN_SOFTMAX_FIXED,
    .softmax16 = QN_IN_F32,
    .tables16 = QN_IN_F64,
    .add8_by_place = false,
    .add16_by_place = false,
    .sum_above_one = true,
    .clamped_sum32 = true,
    .sigmoidal = QN_SIGMOIDAL_FLOAT,
    .relu6 = QN_RELU6_RESCALED,
    .elu = QN_ELU_BY_EXPM1,
    .leaky = QN_FACTOR_31_BITS,
    .rescale = QN_FACTOR_31_BITS,
    .recode = QN_FACTOR_31_BITS,
    .gates = QN_GATES_FIXED,
    .quantized_lstm = true,
    .sums = QN_SUM_OF_BYTES,
    .stored_numbers = true,
    .hybrid = QN_HYBRID_REFERENCE,
    .dequantize = QN_DEQUANTIZE_ONCE,
    .lut16 = QN_LUT16_BY_TABLE,
    .log_softmax8 = true,
    .finite_results = true,
    .leaky_zeros = true,
    .repeated_second = false,
    .response_closed = false,
    .bilinear = true,
    .bilinear_u8 = true,
    .any_dimension_u8 = true,
    .all_weights = true,
    .other_weights = true,
    .conv_zero_points = false,
    .kept_states = false,
    .uint8_as = &qn_profile_litert_ref,
    .summary = "LiteRT with its reference op resolver",
};

/* The rules of TensorFlow Lite Micro's reference kernels, except for the roundings below. */
#define TFLM_RULES                                                                                 \
  .units = QN_UNITS_NONE, .quantize = QN_ROUND_AWAY, .quantize8 = QN_QUANTIZE_DIVIDED,             \
  .quantize16 = QN_QUANTIZE_DIVIDED, .linear_product = QN_IN_F32,                                  \
  .depthwise_u8_requant = QN_REQUANT_DOUBLE, .linear16_real = false, .narrow_sums16 = true,        \
  .bare_linear16 = true, .zero_point_first = false, .transpose_conv8 = true,                       \
  .mul_ratio = QN_IN_F64, .mul_requant = QN_REQUANT_DOUBLE, .adds = QN_ADD_THRICE,                 \
  .mean = QN_MEAN_FOLDED, .sub_ratio = QN_IN_F32, .softmax8 = QN_SOFTMAX_FIXED,                    \
  .softmax16 = QN_IN_F64, .tables16 = QN_IN_F32, .add8_by_place = false, .add16_by_place = false,  \
  .sum_above_one = false, .clamped_sum32 = false, .sigmoidal = QN_SIGMOIDAL_FIXED,                 \
  .elu = QN_ELU_BY_EXP, .relu6 = QN_RELU6_CLAMPED, .leaky = QN_FACTOR_31_BITS,                     \
  .rescale = QN_FACTOR_31_BITS, .recode = QN_FACTOR_31_BITS, .gates = QN_GATES_TABLE,              \
  .sums = QN_SUM_RESCALED, .stored_numbers = false, .hybrid = QN_HYBRID_NONE,                      \
  .dequantize = QN_DEQUANTIZE_ONCE, .lut16 = QN_LUT16_BY_TABLE, .log_softmax8 = true,              \
  .finite_results = true, .leaky_zeros = true, .repeated_second = false, .response_closed = false, \
  .bilinear = true, .bilinear_u8 = true, .any_dimension_u8 = true, .all_weights = true,            \
  .other_weights = true, .conv_zero_points = true, .kept_states = true,                            \
  .uint8_as = &qn_profile_litert_ref

/* The roundings of kernels that CMSIS-NN replaces by its own: the reference, and CMSIS-NN in the
 * default build (docs/cmsis-nn.md). */
#define TWICE_RULES                                                                                \
  .conv_requant = QN_REQUANT_DOUBLE, .grouped_requant = QN_REQUANT_DOUBLE,                         \
  .depthwise_requant = QN_REQUANT_DOUBLE, .linear_requant = QN_REQUANT_DOUBLE,                     \
  .conv16_requant = QN_REQUANT_DOUBLE, .matmul_requant = QN_REQUANT_DOUBLE,                        \
  .softmax16_requant = QN_REQUANT_DOUBLE, .svdf_requant = QN_REQUANT_DOUBLE,                       \
  .once_where_equal = false, .quantized_lstm = true

const qn_profile qn_profile_tflm = {
    .name = "tflm",
    TFLM_RULES,
    TWICE_RULES,
    .summary = "TensorFlow Lite Micro with its reference kernels",
};

const qn_profile qn_profile_cmsis_nn = {
    .name = "cmsis-nn",
    TFLM_RULES,
    TWICE_RULES,
    .summary = "TensorFlow Lite Micro with CMSIS-NN, whose default build rounds twice",
};

/* The same with CMSIS_NN_USE_SINGLE_ROUNDING. */
#define ONCE_RULES                                                                                 \
  .conv_requant = QN_REQUANT_ONCE, .grouped_requant = QN_REQUANT_ONCE,                             \
  .depthwise_requant = QN_REQUANT_ONCE, .linear_requant = QN_REQUANT_ONCE,                         \
  .conv16_requant = QN_REQUANT_ONCE, .matmul_requant = QN_REQUANT_ONCE,                            \
  .softmax16_requant = QN_REQUANT_ONCE, .svdf_requant = QN_REQUANT_ONCE, .once_where_equal = true, \
  .quantized_lstm = false

const qn_profile qn_profile_cmsis_nn_single = {
    .name = "cmsis-nn-single",
    TFLM_RULES,
    ONCE_RULES,
    .summary = "TensorFlow Lite Micro with CMSIS-NN built to round once",
};

#undef TFLM_RULES
#undef TWICE_RULES
#undef ONCE_RULES

const qn_profile qn_profile_xnnpack = {
    .name = "xnnpack",
    .units = QN_UNITS_NONE,
    .quantize = QN_ROUND_EVEN,
    .quantize8 = QN_QUANTIZE_TIMES,
    .quantize16 = QN_QUANTIZE_BY_PLACE,
    .linear_product = QN_IN_F64,
    .conv_requant = QN_REQUANT_SINGLE,
    .grouped_requant = QN_REQUANT_SINGLE,
    .depthwise_requant = QN_REQUANT_SINGLE,
    .depthwise_u8_requant = QN_REQUANT_SINGLE,
    .linear_requant = QN_REQUANT_SINGLE,
    .conv16_requant = QN_REQUANT_DOUBLE,
    .matmul_requant = QN_REQUANT_DOUBLE,
    .softmax16_requant = QN_REQUANT_DOUBLE,
    .svdf_requant = QN_REQUANT_DOUBLE,
    .linear16_real = true,
    .narrow_sums16 = false,
    .bare_linear16 = false,
    .zero_point_first = true,
    .transpose_conv8 = true,
    .mul_ratio = QN_IN_F32,
    .mul_requant = QN_REQUANT_SINGLE,
    .once_where_equal = false,
    .adds = QN_ADD_ONCE,
    .mean = QN_MEAN_SINGLE,
    .sub_ratio = QN_IN_F64,
    .softmax8 = QN_SOFTMAX_FLOAT,
    .softmax16 = QN_IN_F32,
    .tables16 = QN_IN_F64,
    .add8_by_place = false,
    .add16_by_place = true,
    .sum_above_one = true,
    .clamped_sum32 = true,
    .sigmoidal = QN_SIGMOIDAL_FLOAT,
    .relu6 = QN_RELU6_RESCALED,
    .elu = QN_ELU_BY_EXPM1,
    .leaky = QN_FACTOR_8_BITS,
    .rescale = QN_FACTOR_8_BITS,
    .recode = QN_FACTOR_31_BITS_BY_PLACE,
    .gates = QN_GATES_FIXED,
    .quantized_lstm = true,
    .sums = QN_SUM_NONE,
    .stored_numbers = true,
    .hybrid = QN_HYBRID_DYNAMIC,
    .dequantize = QN_DEQUANTIZE_ONCE,
    .lut16 = QN_LUT16_FIXED_AT_POWERS,
    .log_softmax8 = false,
    .finite_results = false,
    .leaky_zeros = false,
    .repeated_second = true,
    .response_closed = true,
    .bilinear = false,
    .bilinear_u8 = false,
    .any_dimension_u8 = false,
    .all_weights = false,
    .other_weights = false,
    .conv_zero_points = false,
    .kept_states = false,
    .uint8_as = &qn_profile_xnnpack,
    .summary = "LiteRT with its XNNPACK delegate, as on a phone",
};

const qn_profile qn_profile_litert_opt = {
    .name = "litert-opt",
    .units = QN_UNITS_NONE,
    .quantize = QN_ROUND_AWAY,
    .quantize8 = QN_QUANTIZE_BY_PLACE,
    .quantize16 = QN_QUANTIZE_BY_PLACE,
    .linear_product = QN_IN_F32,
    .conv_requant = QN_REQUANT_UP,
    .grouped_requant = QN_REQUANT_DOUBLE,
    .depthwise_requant = QN_REQUANT_UP_IN_EIGHTS,
    .depthwise_u8_requant = QN_REQUANT_DOUBLE,
    .linear_requant = QN_REQUANT_UP,
    .conv16_requant = QN_REQUANT_DOUBLE,
    .matmul_requant = QN_REQUANT_DOUBLE,
    .softmax16_requant = QN_REQUANT_DOUBLE,
    .svdf_requant = QN_REQUANT_DOUBLE,
    .linear16_real = true,
    .narrow_sums16 = false,
    .bare_linear16 = false,
    .zero_point_first = false,
    .transpose_conv8 = false,
    .mul_ratio = QN_IN_F32,
    .mul_requant = QN_REQUANT_DOUBLE,
    .once_where_equal = false,
    .adds = QN_ADD_THRICE,
    .mean = QN_MEAN_OFFSET,
    .sub_ratio = QN_IN_F64,
    .softmax8 = QN_SOFTMAX_FLOAT,
    .softmax16 = QN_IN_F32,
    .tables16 = QN_IN_F64,
    .add8_by_place = true,
    .add16_by_place = true,
    .sum_above_one = true,
    .clamped_sum32 = true,
    .sigmoidal = QN_SIGMOIDAL_FLOAT,
    .relu6 = QN_RELU6_RESCALED,
    .elu = QN_ELU_BY_EXPM1,
    .leaky = QN_FACTOR_31_BITS,
    .rescale = QN_FACTOR_31_BITS_BY_PLACE,
    .recode = QN_FACTOR_31_BITS_BY_PLACE,
    .gates = QN_GATES_FIXED,
    .quantized_lstm = true,
    .sums = QN_SUM_NONE,
    .stored_numbers = true,
    .hybrid = QN_HYBRID_VECTORS,
    .dequantize = QN_DEQUANTIZE_BY_PLACE,
    .lut16 = QN_LUT16_FIXED_AT_POWERS,
    .log_softmax8 = false,
    .finite_results = true,
    .leaky_zeros = true,
    .repeated_second = false,
    .response_closed = true,
    .bilinear = true,
    .bilinear_u8 = false,
    .any_dimension_u8 = true,
    .all_weights = true,
    .other_weights = false,
    .conv_zero_points = false,
    .kept_states = false,
    .uint8_as = &qn_profile_litert_opt,
    .summary = "LiteRT with its optimized kernels, without a delegate",
};

const qn_profile qn_profile_onnx = {
    .name = "onnx",
    .units = QN_UNITS_EXACT,
    .quantize = QN_ROUND_EVEN,
    .quantize8 = QN_QUANTIZE_DIVIDED,
    .quantize16 = QN_QUANTIZE_DIVIDED,
    .linear_product = QN_IN_F32,
    .conv_requant = QN_REQUANT_EVEN,
    .grouped_requant = QN_REQUANT_EVEN,
    .depthwise_requant = QN_REQUANT_EVEN,
    .depthwise_u8_requant = QN_REQUANT_EVEN,
    .linear_requant = QN_REQUANT_EVEN,
    .conv16_requant = QN_REQUANT_DOUBLE,
    .matmul_requant = QN_REQUANT_DOUBLE,
    .softmax16_requant = QN_REQUANT_DOUBLE,
    .svdf_requant = QN_REQUANT_DOUBLE,
    .linear16_real = false,
    .narrow_sums16 = false,
    .bare_linear16 = false,
    .zero_point_first = false,
    .transpose_conv8 = true,
    .mul_ratio = QN_IN_F32,
    .mul_requant = QN_REQUANT_EVEN,
    .once_where_equal = false,
    .adds = QN_ADD_THRICE,
    .mean = QN_MEAN_FOLDED,
    .sub_ratio = QN_IN_F64,
    .softmax8 = QN_SOFTMAX_FLOAT,
    .softmax16 = QN_IN_F32,
    .tables16 = QN_IN_F64,
    .add8_by_place = false,
    .add16_by_place = false,
    .sum_above_one = true,
    .clamped_sum32 = false,
    .sigmoidal = QN_SIGMOIDAL_FLOAT,
    .relu6 = QN_RELU6_RESCALED,
    .elu = QN_ELU_BY_EXPM1,
    .leaky = QN_FACTOR_31_BITS,
    .rescale = QN_FACTOR_31_BITS,
    .recode = QN_FACTOR_31_BITS,
    .gates = QN_GATES_FIXED,
    .quantized_lstm = true,
    .sums = QN_SUM_NONE,
    .stored_numbers = false,
    .hybrid = QN_HYBRID_NONE,
    .dequantize = QN_DEQUANTIZE_ONCE,
    .lut16 = QN_LUT16_FIXED_AT_POWERS,
    .log_softmax8 = false,
    .finite_results = false,
    .leaky_zeros = false,
    .repeated_second = false,
    .response_closed = false,
    .bilinear = false,
    .bilinear_u8 = false,
    .any_dimension_u8 = true,
    .all_weights = true,
    .other_weights = true,
    .conv_zero_points = false,
    .kept_states = false,
    .uint8_as = &qn_profile_onnx,
    .summary = "exact real results of ONNX operators, each rounded once",
};

const qn_profile qn_profile_ort = {
    .name = "ort",
    .units = QN_UNITS_FUSED,
    .quantize = QN_ROUND_EVEN,
    .quantize8 = QN_QUANTIZE_DIVIDED,
    .quantize16 = QN_QUANTIZE_DIVIDED,
    .linear_product = QN_IN_F32,
    .conv_requant = QN_REQUANT_SINGLE,
    .grouped_requant = QN_REQUANT_SINGLE,
    .depthwise_requant = QN_REQUANT_SINGLE,
    .depthwise_u8_requant = QN_REQUANT_SINGLE,
    .linear_requant = QN_REQUANT_SINGLE,
    .conv16_requant = QN_REQUANT_DOUBLE,
    .matmul_requant = QN_REQUANT_DOUBLE,
    .softmax16_requant = QN_REQUANT_DOUBLE,
    .svdf_requant = QN_REQUANT_DOUBLE,
    .linear16_real = false,
    .narrow_sums16 = false,
    .bare_linear16 = false,
    .zero_point_first = false,
    .transpose_conv8 = true,
    .mul_ratio = QN_IN_F32,
    .mul_requant = QN_REQUANT_SINGLE,
    .once_where_equal = false,
    .adds = QN_ADD_THRICE,
    .mean = QN_MEAN_FOLDED,
    .sub_ratio = QN_IN_F64,
    .softmax8 = QN_SOFTMAX_FLOAT,
    .softmax16 = QN_IN_F32,
    .tables16 = QN_IN_F64,
    .add8_by_place = false,
    .add16_by_place = false,
    .sum_above_one = true,
    .clamped_sum32 = false,
    .sigmoidal = QN_SIGMOIDAL_FLOAT,
    .relu6 = QN_RELU6_RESCALED,
    .elu = QN_ELU_BY_EXPM1,
    .leaky = QN_FACTOR_31_BITS,
    .rescale = QN_FACTOR_31_BITS,
    .recode = QN_FACTOR_31_BITS,
    .gates = QN_GATES_FIXED,
    .quantized_lstm = true,
    .sums = QN_SUM_NONE,
    .stored_numbers = false,
    .hybrid = QN_HYBRID_NONE,
    .dequantize = QN_DEQUANTIZE_ONCE,
    .lut16 = QN_LUT16_FIXED_AT_POWERS,
    .log_softmax8 = false,
    .finite_results = false,
    .leaky_zeros = false,
    .repeated_second = false,
    .response_closed = false,
    .bilinear = false,
    .bilinear_u8 = false,
    .any_dimension_u8 = true,
    .all_weights = true,
    .other_weights = true,
    .conv_zero_points = false,
    .kept_states = false,
    .uint8_as = &qn_profile_ort,
    .summary = "onnxruntime on x86-64 with its default optimizations",
};

static const qn_profile *const profiles[] = {
    &qn_profile_litert_ref, &qn_profile_tflm, &qn_profile_xnnpack,         &qn_profile_litert_opt,
    &qn_profile_onnx,       &qn_profile_ort,  &qn_profile_cmsis_nn_single, &qn_profile_cmsis_nn};

const qn_profile *qn_profile_at(uint32_t i) { return i < QN_COUNT(profiles) ? profiles[i] : NULL; }

qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                          const qn_profile **out_profile) {
  qn_text known = {0};
  for (size_t i = 0; i < QN_COUNT(profiles); i++) {
    qn_text_format(&known, " %s", profiles[i]->name);
    if (!qn_str_is(name, profiles[i]->name)) continue;
    qn_text_deinit(&known);
    *out_profile = profiles[i];
    return QN_OK;
  }
  qn_status status =
      qn_error(diag, loc, QN_NOT_FOUND, "unknown numerics profile '%.*s'; profiles:%s",
               QN_STR_ARG(name), known.data);
  qn_text_deinit(&known);
  return status;
}
