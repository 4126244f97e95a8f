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

/* The precision to which a step of a formula on scales is rounded. It determines the last bit. */
typedef enum qn_step { QN_IN_F64, QN_IN_F32 } qn_step;
/* Logistic and tanh: libm functions on floats; or fixed point with the result's quantization built
 * in. */
typedef enum qn_sigmoidal { QN_SIGMOIDAL_FLOAT, QN_SIGMOIDAL_FIXED } qn_sigmoidal;
/* RELU6: rescaled to the result; or only clamped, as if input and result had equal quantization. */
typedef enum qn_relu6_rule { QN_RELU6_RESCALED, QN_RELU6_CLAMPED } qn_relu6_rule;

/* ELU: by expm1, or by exp minus 1. */
typedef enum qn_elu_rule { QN_ELU_BY_EXPM1, QN_ELU_BY_EXP } qn_elu_rule;
/* LEAKY_RELU and rescaling of 8 bits: multipliers of 31 bits, rounded as everywhere; or the ties of
 * the second rounding go up in elements that vectors take and away from zero in the others, so that
 * there is a result where both are one; or multipliers with 8 bits after the point, ties up. */
typedef enum qn_factor_rule {
  QN_FACTOR_31_BITS,
  QN_FACTOR_31_BITS_BY_PLACE,
  QN_FACTOR_8_BITS
} qn_factor_rule;
/* Recurrent cells of 16 bits: logistic and tanh by an interpolated table, products requantized; or
 * in fixed point, products shifted. */
typedef enum qn_gates { QN_GATES_TABLE, QN_GATES_FIXED } qn_gates;
#define QN_GATES_WORDS "table,fixed"

/* 8-bit SOFTMAX: in fixed point; or in float32 with a table of exponentials. */
typedef enum qn_softmax_rule { QN_SOFTMAX_FIXED, QN_SOFTMAX_FLOAT } qn_softmax_rule;

/* 16-bit LOGISTIC and TANH: by interpolated table; or in fixed point if a shift brings the input's
 * scale to 2^-12, else by table. */
typedef enum qn_lut16_rule { QN_LUT16_BY_TABLE, QN_LUT16_FIXED_AT_POWERS } qn_lut16_rule;

/* QUANTIZE of floats: divided by the scale; or times its rounded reciprocal, ties to even; or the
 * latter in vector code, and in the code for remaining elements divided in float64, ties away from
 * zero. */
typedef enum qn_quantize_rule {
  QN_QUANTIZE_DIVIDED,
  QN_QUANTIZE_TIMES,
  QN_QUANTIZE_BY_PLACE
} qn_quantize_rule;

/* 8-bit ADD and SUB: terms and result rescaled and rounded (QN_ADD_THRICE); or terms times 21-bit
 * integers, whose sum is rounded once, ties up. */
typedef enum qn_add_rule { QN_ADD_THRICE, QN_ADD_ONCE } qn_add_rule;

/* 8- and 16-bit reductions by sum: rescaled to the result; or int8 is summed as unsigned bytes, for
 * operand and result; or no known rule, also for products. */
typedef enum qn_sum_rule { QN_SUM_RESCALED, QN_SUM_OF_BYTES, QN_SUM_NONE } qn_sum_rule;

/* 8-bit means: 1 / count folded into the multiplier; or all in float32, rounded once; or, over rows
 * and columns, a float32 multiplier and zero points rounded into an offset. */
typedef enum qn_mean_rule { QN_MEAN_FOLDED, QN_MEAN_SINGLE, QN_MEAN_OFFSET } qn_mean_rule;

/* DEQUANTIZE of 8 bits: the difference from the zero point times the scale; or, in vector code, the
 * stored value times the scale minus the zero point times the scale. */
typedef enum qn_dequantize_rule { QN_DEQUANTIZE_ONCE, QN_DEQUANTIZE_BY_PLACE } qn_dequantize_rule;

/* Matrix products of floats with int8 weights, which quantize the floats: not at all; as the
 * reference kernels; as those of vectors, which multiply sum and scales in another order; or, where
 * one is a matrix product or a convolution that is not depthwise, in float32 with zero points in
 * any case, without denormals, and with a fused product and sum. */
typedef enum qn_hybrid_rule {
  QN_HYBRID_NONE,
  QN_HYBRID_REFERENCE,
  QN_HYBRID_VECTORS,
  QN_HYBRID_DYNAMIC
} qn_hybrid_rule;

/* Meaning of ops on quantized tensors. NONE: kernels, whose rules the other fields name. EXACT:
 * each op is an exact unit, whose exact real result is rounded once. FUSED: a unit is computed like
 * the kernel of onnxruntime that replaces DequantizeLinear, operator and QuantizeLinear. The rules
 * of the other fields do not apply to units. */
typedef enum qn_unit_rule { QN_UNITS_NONE, QN_UNITS_EXACT, QN_UNITS_FUSED } qn_unit_rule;

typedef struct qn_profile qn_profile;
struct qn_profile {
  const char *name;                      /* name in "quern.numerics" */
  qn_unit_rule units;                    /* ops on quantized tensors */
  qn_rounding quantize;                  /* rounding of quantized reals: direction of ties */
  qn_quantize_rule quantize8;            /* floats to 8 bits */
  qn_quantize_rule quantize16;           /* to 16 bits */
  qn_step linear_product;                /* matrix products, one scale of weights: input * weight */
  qn_requant_rounding conv_requant;      /* convolutions of 8 bits */
  qn_requant_rounding grouped_requant;   /* in groups */
  qn_requant_rounding depthwise_requant; /* depthwise ones of int8 */
  qn_requant_rounding depthwise_u8_requant; /* of uint8 */
  qn_requant_rounding linear_requant;       /* matrix products of 8 bits */
  bool linear16_real;    /* 16-bit matrix products: QN_REQUANT_REAL, where it is defined */
  bool narrow_sums16;    /* 16-bit matrix products with a 32-bit bias are defined */
  bool bare_linear16;    /* 16-bit FULLY_CONNECTED without a 64-bit bias is defined */
  bool zero_point_first; /* bounds of fused activations, squares and ELU of 8 bits: the zero point
                            is added before rounding */
  bool transpose_conv8;  /* 8-bit transposed convolutions are defined */
  qn_step mul_ratio;     /* a * b / result */
  qn_requant_rounding mul_requant; /* of 8 bits */
  qn_add_rule adds;                /* ADD and SUB of 8 bits */
  qn_mean_rule mean;               /* of 8 bits */
  qn_step sub_ratio;               /* the three ratios of a subtraction */
  qn_softmax_rule softmax8;        /* 8-bit softmax */
  qn_step softmax16;               /* softmax of 16 bits: what goes into the multiplier */
  qn_step tables16;                /* functions of 16 bits by interpolated tables: their samples */
  bool add8_by_place;     /* 8-bit ADD: vector code rounds the terms differently from the code for
                             remaining elements */
  bool sum_above_one;     /* sums: an output multiplier >= 1 is defined */
  bool clamped_sum32;     /* int32 sums apply their fused activation */
  qn_sigmoidal sigmoidal; /* 8-bit logistic and tanh */
  qn_relu6_rule relu6;    /* 8-bit and 16-bit RELU6 */
  qn_elu_rule elu;        /* 8-bit ELU */
  qn_factor_rule leaky;   /* LEAKY_RELU of 8 bits */
  qn_factor_rule rescale; /* QUANTIZE of 8 bits to the same type */
  qn_factor_rule recode;  /* QUANTIZE between int8 and uint8 */
  qn_gates gates;         /* 16-bit recurrent cells */
  qn_sum_rule sums;       /* 8-bit and 16-bit SUM and REDUCE_PROD */
  bool stored_numbers;    /* some functions of int8 and int16 ignore the quantization */
  qn_hybrid_rule hybrid;  /* products of floats and int8 weights */
  qn_dequantize_rule dequantize; /* 8-bit values to floats */
  qn_lut16_rule lut16;           /* 16-bit logistic and tanh */
  bool log_softmax8;             /* 8-bit LOG_SOFTMAX is defined */
  bool finite_results;   /* operators with a fused activation, NONE included, clamp f32 results to
                            finite values */
  bool leaky_zeros;      /* LEAKY_RELU of floats: zeros are multiplied by alpha, too */
  bool repeated_second;  /* float MAXIMUM and MINIMUM: an operand that is repeated along the last
                            dimension acts as the second one, in either position */
  bool response_closed;  /* LOCAL_RESPONSE_NORMALIZATION: the channels after x are `radius` from x
                            on, not after x */
  bool bilinear;         /* int8 RESIZE_BILINEAR is defined */
  bool bilinear_u8;      /* uint8 RESIZE_BILINEAR is defined */
  bool any_dimension_u8; /* uint8 tensors may have another quantized_dimension than 0 */
  bool all_weights;      /* 4-bit weights, and int8 weights with a zero point, are defined */
  bool other_weights;    /* of the other 8-bit type */
  bool conv_zero_points; /* int8 weights of CONV_2D may have zero points, which do not enter */
  bool kept_states;      /* variable tensors of branches and loops last beyond them */
  const qn_profile *uint8_as; /* whose rules unary functions of uint8 tensors have */
  const char *summary;        /* in a line, for lists */
};

extern const qn_profile qn_profile_litert_ref;
extern const qn_profile qn_profile_tflm;
extern const qn_profile qn_profile_xnnpack;
extern const qn_profile qn_profile_litert_opt;
extern const qn_profile qn_profile_onnx;
extern const qn_profile qn_profile_ort;

/* Whether the kernels of all runtimes subtract zero points from weights: not from int8 ones, but
 * for those of a FULLY_CONNECTED with one scale. */
static inline bool qn_weights_have_zero_points(bool is_signed, bool is_linear, bool one_scale) {
  return !is_signed || (is_linear && one_scale);
}

/* Number i in the order of the table; NULL after the last. */
const qn_profile *qn_profile_at(uint32_t i);
/* Reports an unknown name at `loc`, QN_NOT_FOUND, with the names there are. */
QN_NODISCARD qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                                       const qn_profile **out_profile);

#endif
