/* Numerics profiles: which runtime's results are reproduced bit for bit. The module attribute
 * "quern.numerics" names one. A profile is a table of named rules; code queries a rule, never the
 * name. Rules that all profiles share are in multiplier.h and runtime/fixed.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_PROFILE_H
#define QN_QUANT_PROFILE_H

#include <stdbool.h>

#include "diag/diag.h"
#include "quant/rounding.h"

/* The precision to which a step of a formula on scales is rounded. It can change the last bit of a
 * multiplier. */
typedef enum qn_step { QN_IN_F64, QN_IN_F32 } qn_step;
/* 8-bit LOGISTIC and TANH. FLOAT: libm functions on float32. FIXED: fixed-point arithmetic that
 * produces the quantization of the result. */
typedef enum qn_sigmoidal { QN_SIGMOIDAL_FLOAT, QN_SIGMOIDAL_FIXED } qn_sigmoidal;
/* RELU6. RESCALED: the input is rescaled to the result's quantization. CLAMPED: stored values are
 * only clamped, as if input and result had equal quantization. */
typedef enum qn_relu6_rule { QN_RELU6_RESCALED, QN_RELU6_CLAMPED } qn_relu6_rule;

/* ELU. BY_EXPM1: expm1(x). BY_EXP: exp(x) - 1. */
typedef enum qn_elu_rule { QN_ELU_BY_EXPM1, QN_ELU_BY_EXP } qn_elu_rule;
/* Multiplication by a factor in 8-bit LEAKY_RELU and QUANTIZE. 31_BITS: a multiplier with a 31-bit
 * mantissa, rounded like all others. 31_BITS_BY_PLACE: the kernel has vector code, in which ties of
 * the second rounding go up, and scalar code for the remaining elements, in which they go away from
 * zero; the plan rejects scales for which the two results differ. 8_BITS: a multiplier with 8
 * fraction bits; ties go up. */
typedef enum qn_factor_rule {
  QN_FACTOR_31_BITS,
  QN_FACTOR_31_BITS_BY_PLACE,
  QN_FACTOR_8_BITS
} qn_factor_rule;
/* 16-bit recurrent cells. TABLE: logistic and tanh interpolate a table, and products are
 * requantized. FIXED: logistic and tanh are computed in fixed point, and products are shifted. */
typedef enum qn_gates { QN_GATES_TABLE, QN_GATES_FIXED } qn_gates;
#define QN_GATES_WORDS "table,fixed"

/* 8-bit SOFTMAX. FIXED: fixed-point arithmetic. FLOAT: float32 arithmetic with a table of
 * exponentials. */
typedef enum qn_softmax_rule { QN_SOFTMAX_FIXED, QN_SOFTMAX_FLOAT } qn_softmax_rule;

/* 16-bit LOGISTIC and TANH. BY_TABLE: interpolates a table. FIXED_AT_POWERS: fixed-point arithmetic
 * if the scale of the input is 2^-12, or for TANH 2^-11; otherwise by table. */
typedef enum qn_lut16_rule { QN_LUT16_BY_TABLE, QN_LUT16_FIXED_AT_POWERS } qn_lut16_rule;

/* QUANTIZE of float32. DIVIDED: the value is divided by the scale. TIMES: it is multiplied by the
 * rounded reciprocal of the scale; ties go to even. BY_PLACE: the vector code computes TIMES; the
 * code for the remaining elements divides in float64, and ties go away from zero. */
typedef enum qn_quantize_rule {
  QN_QUANTIZE_DIVIDED,
  QN_QUANTIZE_TIMES,
  QN_QUANTIZE_BY_PLACE
} qn_quantize_rule;

/* 8-bit ADD and SUB. THRICE: both terms and the result are rescaled, each with a rounding. ONCE:
 * the terms are multiplied by 21-bit integers, and their sum is rounded once; ties go up. */
typedef enum qn_add_rule { QN_ADD_THRICE, QN_ADD_ONCE } qn_add_rule;

/* 8-bit and 16-bit SUM and REDUCE_PROD. RESCALED: the sum is rescaled to the result's quantization.
 * OF_BYTES: as RESCALED, but the kernel reads and writes int8 tensors as unsigned bytes. NONE: not
 * supported, neither sums nor products. */
typedef enum qn_sum_rule { QN_SUM_RESCALED, QN_SUM_OF_BYTES, QN_SUM_NONE } qn_sum_rule;

/* 8-bit MEAN. FOLDED: 1 / count is part of the multiplier. SINGLE: all in float32, rounded once.
 * OFFSET: for means over rows and columns, a multiplier computed in float32, and an offset that
 * combines both zero points; other means as FOLDED. */
typedef enum qn_mean_rule { QN_MEAN_FOLDED, QN_MEAN_SINGLE, QN_MEAN_OFFSET } qn_mean_rule;

/* 8-bit DEQUANTIZE. ONCE: (stored value - zero point) * scale. BY_PLACE: the vector code computes
 * stored value * scale - zero point * scale; the code for the remaining elements computes ONCE. */
typedef enum qn_dequantize_rule { QN_DEQUANTIZE_ONCE, QN_DEQUANTIZE_BY_PLACE } qn_dequantize_rule;

/* Convolutions and matrix products of floats with int8 weights, whose kernels quantize the floats
 * (docs/arithmetic.md 15). NONE: not supported. REFERENCE: as LiteRT's reference kernels. VECTORS:
 * as its vector kernels, which in some convolutions multiply the sum by row scale and channel scale
 * in another order. DYNAMIC: rows always have zero points, denormals become 0, and a fused
 * multiply-add computes (sum * row scale) * channel scale + bias. With DYNAMIC, depthwise
 * convolutions and recurrent cells are computed as with VECTORS. */
typedef enum qn_hybrid_rule {
  QN_HYBRID_NONE,
  QN_HYBRID_REFERENCE,
  QN_HYBRID_VECTORS,
  QN_HYBRID_DYNAMIC
} qn_hybrid_rule;

/* Meaning of ops on quantized tensors. NONE: an op computes what a kernel computes; the other
 * fields of the profile name its rules. EXACT: each op is an exact unit, whose exact real result is
 * rounded once. FUSED: a unit is computed like the kernel of onnxruntime that replaces
 * DequantizeLinear, operator and QuantizeLinear. With EXACT and FUSED, the rules of the other
 * fields do not apply to units. */
typedef enum qn_unit_rule { QN_UNITS_NONE, QN_UNITS_EXACT, QN_UNITS_FUSED } qn_unit_rule;

typedef struct qn_profile qn_profile;
struct qn_profile {
  const char *name;            /* name in the attribute "quern.numerics" */
  qn_unit_rule units;          /* meaning of ops on quantized tensors */
  qn_rounding quantize;        /* direction of ties when reals are quantized */
  qn_quantize_rule quantize8;  /* QUANTIZE of float32 to 8 bits */
  qn_quantize_rule quantize16; /* QUANTIZE of float32 to 16 bits */
  qn_step linear_product; /* precision of input scale * weight scale in ml.linear, if the weights
                             have one scale */
  /* In the fields of matrix operators, QN_REQUANT_ONCE is of signed tensors. uint8 tensors are then
   * rounded by QN_REQUANT_DOUBLE. */
  qn_requant_rounding conv_requant;      /* 8-bit convolutions without groups */
  qn_requant_rounding grouped_requant;   /* 8-bit convolutions with groups, except depthwise ones */
  qn_requant_rounding depthwise_requant; /* int8 depthwise convolutions */
  qn_requant_rounding depthwise_u8_requant; /* uint8 depthwise convolutions */
  qn_requant_rounding linear_requant;       /* 8-bit ml.linear */
  qn_requant_rounding conv16_requant;       /* 16-bit convolutions with a 32-bit bias */
  qn_requant_rounding matmul_requant;       /* 8-bit products of two computed matrices */
  qn_requant_rounding softmax16_requant;    /* differences to the maximum in 16-bit SOFTMAX */
  qn_requant_rounding svdf_requant;         /* both sums of SVDF */
  bool linear16_real;                       /* 16-bit ml.linear is rounded by QN_REQUANT_REAL */
  bool narrow_sums16;    /* 16-bit convolutions and ml.linear with a 32-bit bias are defined */
  bool bare_linear16;    /* 16-bit FULLY_CONNECTED without a 64-bit bias is defined */
  bool zero_point_first; /* bounds of fused activations, 8-bit squares and 8-bit ELU: the kernel
                            adds the zero point before it rounds, so the plan rejects ops whose
                            result depends on this order */
  bool transpose_conv8;  /* 8-bit TRANSPOSE_CONV is defined */
  qn_step mul_ratio;     /* MUL: precision of scale a * scale b / result scale */
  qn_requant_rounding mul_requant; /* 8-bit MUL */
  bool once_where_equal;           /* ADD and MUL of int8 and int16 operands with equal shapes
                                      (leading dimensions of 1 aside): each product with a
                                      multiplier is rounded by QN_REQUANT_ONCE */
  qn_add_rule adds;                /* 8-bit ADD and SUB */
  qn_mean_rule mean;               /* 8-bit MEAN */
  qn_step sub_ratio;               /* precision of the three ratios of scales in SUB */
  qn_softmax_rule softmax8;        /* 8-bit softmax */
  qn_step softmax16;               /* 16-bit SOFTMAX: precision of the multiplier's factors */
  qn_step tables16;       /* 16-bit functions by interpolated tables: precision of their samples */
  bool add8_by_place;     /* 8-bit ADD: vector code rounds the terms differently from the code for
                             remaining elements */
  bool add16_by_place;    /* the same of 16-bit ADD of operands with equal shapes */
  bool sum_above_one;     /* ADD and SUB: an output multiplier of at least 1 is defined */
  bool clamped_sum32;     /* ADD of int32 applies its fused activation */
  qn_sigmoidal sigmoidal; /* 8-bit LOGISTIC and TANH */
  qn_relu6_rule relu6;    /* 8-bit and 16-bit RELU6 */
  qn_elu_rule elu;        /* 8-bit ELU */
  qn_factor_rule leaky;   /* 8-bit LEAKY_RELU */
  qn_factor_rule rescale; /* QUANTIZE from int8 to int8, or from uint8 to uint8 */
  qn_factor_rule recode;  /* QUANTIZE between int8 and uint8 */
  qn_gates gates;         /* 16-bit recurrent cells */
  bool quantized_lstm;    /* LSTM cells of 8 and 16 bits are defined */
  qn_sum_rule sums;       /* 8-bit and 16-bit SUM and REDUCE_PROD */
  bool stored_numbers; /* for some functions of int8 and int16, the kernel ignores the quantization
                          and computes on stored values */
  qn_hybrid_rule hybrid;         /* convolutions and matrix products of float32 with int8 weights */
  qn_dequantize_rule dequantize; /* 8-bit DEQUANTIZE */
  qn_lut16_rule lut16;           /* 16-bit LOGISTIC and TANH */
  bool log_softmax8;             /* 8-bit LOG_SOFTMAX is defined */
  bool finite_results; /* float32 operators with a fused activation clamp to finite values, also
                          for RELU and for no activation */
  bool leaky_zeros; /* LEAKY_RELU of float32: a zero is multiplied by alpha, like negative values */
  bool repeated_second;  /* float MAXIMUM and MINIMUM: an operand that is broadcast along the
                            innermost dimension counts as the second operand, which determines the
                            result for NaN and for zeros of different signs */
  bool response_closed;  /* LOCAL_RESPONSE_NORMALIZATION: the sum for channel c includes channel c +
                            radius. Otherwise it ends before that channel. */
  bool bilinear;         /* int8 RESIZE_BILINEAR is defined */
  bool bilinear_u8;      /* uint8 RESIZE_BILINEAR is defined */
  bool any_dimension_u8; /* uint8 tensors may have another quantized_dimension than 0 */
  bool all_weights;   /* int4 weights are defined, and zero points of int8 weights of ml.linear */
  bool other_weights; /* 8-bit weights of another signedness than the input are defined */
  bool conv_zero_points; /* CONV_2D: zero points of int8 weights are valid and are ignored */
  bool kept_states; /* A variable tensor in the subgraph of a branch or loop keeps its value until
                       the next invocation. Otherwise each execution of the branch or loop
                       initializes it. */
  const qn_profile *uint8_as; /* the profile whose rules apply to functions of one uint8 value */
  const char *summary;        /* one-line description, for lists of profiles */
};

extern const qn_profile qn_profile_litert_ref;
extern const qn_profile qn_profile_tflm;
extern const qn_profile qn_profile_xnnpack;
extern const qn_profile qn_profile_litert_opt;
extern const qn_profile qn_profile_onnx;
extern const qn_profile qn_profile_ort;
extern const qn_profile qn_profile_cmsis_nn;
extern const qn_profile qn_profile_cmsis_nn_single;

/* Whether the kernels of all runtimes subtract the zero points of weights: those of uint8 weights
 * always, those of int8 weights only in a FULLY_CONNECTED with one scale. */
static inline bool qn_weights_have_zero_points(bool is_signed, bool is_linear, bool one_scale) {
  return !is_signed || (is_linear && one_scale);
}

/* The profile with index i in the table; NULL if i is too large. */
const qn_profile *qn_profile_at(uint32_t i);
/* Finds a profile by its name. An unknown name is reported at `loc` with a list of all names, and
 * gives QN_NOT_FOUND. */
QN_NODISCARD qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                                       const qn_profile **out_profile);

#endif
