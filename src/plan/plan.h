/* The integer parameters of an op: one decision per rule, made here and nowhere else.
 *
 * A plan is what a profile's arithmetic needs beside the stored values: zero points, multipliers,
 * clamps, tables. It follows from the types and attributes of an op of the model stage
 * (qn_plan_of), is written as operands and attributes of an op of the integer stage
 * (qn_plan_write), and read back from there (qn_plan_read_*). The interpreter computes with a plan
 * at both stages, the lowering writes it; neither derives a parameter itself. An op without a plan
 * has a reason, and what may be done then is decided here too (qn_plan_may_fall_back).
 *
 * Whether operands are constant does not matter to a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PLAN_PLAN_H
#define QN_PLAN_PLAN_H

#include "ir/builder.h"
#include "ir/float_form/float_form.h"
#include "ir/numerics.h"
#include "ir/op_attrs.h"
#include "ir/ops/lstm.h"
#include "quant/multiplier.h"

/* ---- plans ---- */

typedef enum qn_plan_kind {
  QN_PLAN_MATRIX,  /* convolutions and matrix products */
  QN_PLAN_SUM,     /* ml.add, ml.sub */
  QN_PLAN_PRODUCT, /* ml.mul */
  QN_PLAN_POOL,    /* average and maximum of windows */
  QN_PLAN_MEAN,    /* over axes */
  QN_PLAN_SOFTMAX,
  QN_PLAN_TABLE,      /* functions of one 8-bit value */
  QN_PLAN_CONCAT,     /* joins, rescaling some operands by tables */
  QN_PLAN_QUANTIZE,   /* f32 to 8 bits */
  QN_PLAN_DEQUANTIZE, /* 8 bits to f32 */
  QN_PLAN_MOVES,      /* stored values as they are */
  QN_PLAN_FORM,       /* other ops, exactly: the form on stored values, or a table of pairs */
  QN_PLAN_RESCALE,    /* integers of any width to another scale */
  QN_PLAN_LUT16,      /* functions of 16 bits by an interpolated table */
  QN_PLAN_SOFTMAX16,
  QN_PLAN_SVDF,
  QN_PLAN_LSTM,
} qn_plan_kind;

/* Added to the requantized value, then the clamp. */
typedef struct qn_plan_output {
  int32_t zero_point, min, max;
} qn_plan_output;

typedef struct qn_plan_matrix {
  int64_t channels;
  int32_t input_zero_point, weight_zero_point; /* as the arithmetic uses them */
  qn_requant_rounding rounding;
  bool wide;                        /* accumulators of 64 bits, else of 32, which wrap */
  const qn_multiplier *multipliers; /* per channel; NULL where reals are used */
  const double *reals;              /* per channel: the accumulator's factor, rounded once */
  const double *offsets;            /* of "even", per channel: added to the product */
  float offset;                     /* of "single": added to the product (means) */
  qn_plan_output output;
} qn_plan_matrix;

/* Sums: both operands shifted left and scaled to one scale, the result scaled from there. Products
 * have the zero points and `y` only. */
typedef struct qn_plan_binary {
  int32_t a_zero_point, b_zero_point, left_shift;
  qn_multiplier a, b, y;
  qn_requant_rounding rounding; /* of products */
  double real;                  /* of products of matrices, rounded "even" */
  qn_term_rounding terms;       /* of sums */
  qn_plan_output output;
} qn_plan_binary;

typedef struct qn_plan_pool {
  int32_t min, max;
  qn_average_rounding rounding; /* of averages */
} qn_plan_pool;

typedef struct qn_plan_mean {
  int32_t input_zero_point;
  qn_multiplier multiplier; /* with 1 / count in it */
  qn_requant_rounding rounding;
  float offset; /* of "single": added to the product */
  qn_plan_output output;
} qn_plan_mean;

typedef struct qn_plan_softmax {
  qn_softmax_params params;
  int32_t output_zero_point; /* the lowest stored value */
  int32_t output_bits;
} qn_plan_softmax;

typedef struct qn_plan_cast {
  float scale;
  int32_t zero_point, min, max; /* the bounds: of quantizing */
  qn_rounding rounding;         /* of quantizing */
} qn_plan_cast;

typedef struct qn_plan_moves {
  bool pads;
  int64_t pad_value; /* stored, of the border */
  double pad_real;   /* the same of floats */
} qn_plan_moves;

typedef struct qn_plan_rescale {
  int32_t input_zero_point;
  qn_multiplier multiplier;
  qn_plan_output output;
} qn_plan_rescale;

typedef struct qn_plan_lut16 {
  bool tanh;                 /* else logistic */
  int32_t multiplier, shift; /* x * multiplier / 2^shift has the scale 1 / 12288 */
} qn_plan_lut16;

typedef struct qn_plan_softmax16 {
  qn_multiplier input; /* to the scale of the exponentials' argument */
  const int16_t *exponentials, *reciprocals;
} qn_plan_softmax16;

typedef struct qn_plan_svdf {
  int32_t input_zero_point, state_zero_point;
  qn_multiplier state, y; /* of what a feature adds to the state, and of the sum over time */
  qn_plan_output output;
} qn_plan_svdf;

typedef struct qn_plan_lstm {
  int32_t input_zero_point, hidden_zero_point;
  qn_multiplier of_input[QN_GATE_COUNT], of_hidden[QN_GATE_COUNT]; /* to the gate's scale 2^-12,
                                                                      or its own before a norm */
  qn_multiplier of_peephole[QN_GATE_COUNT];
  qn_multiplier of_gain[QN_GATE_COUNT]; /* from 2^-10 of its weights to 2^-12 */
  int32_t guards[QN_GATE_COUNT];        /* value used for a variance below 1 */
  bool wide;                            /* activations of 16 bits, sums of 64 */
  bool coupled;                         /* the input gate is what the forget gate leaves */
  int32_t cell_shift;                   /* the cell's scale is 2 to this power */
  int32_t cell_limit;                   /* of its magnitude; 0: none */
  qn_gates gates;
  qn_multiplier y;              /* of gate times tanh */
  int32_t projected_zero_point; /* of what is projected */
  qn_multiplier projection;
  qn_plan_output output;
} qn_plan_lstm;

/* Something the user should know of a plan that is carried out. */
typedef struct qn_plan_note {
  const struct qn_plan_note *next;
  qn_severity severity; /* QN_WARNING or QN_REMARK */
  qn_str text;
} qn_plan_note;

typedef struct qn_plan {
  qn_plan_kind kind;
  union {
    qn_plan_matrix matrix;
    qn_plan_binary binary; /* SUM, PRODUCT */
    qn_plan_pool pool;
    qn_plan_mean mean;
    qn_plan_softmax softmax;
    const uint8_t *table;         /* 256 results, by the stored byte */
    const uint8_t *const *concat; /* per operand: a table, or NULL where it is as the result */
    qn_plan_cast cast;            /* QUANTIZE, DEQUANTIZE */
    qn_plan_moves moves;
    const uint8_t *pairs; /* FORM: 65536 results by two stored bytes; NULL: see below */
    qn_plan_rescale rescale;
    qn_plan_lut16 lut16;
    qn_plan_softmax16 softmax16;
    qn_plan_svdf svdf;
    qn_plan_lstm lstm;
  };
  const int16_t *words;           /* FORM: 65536 results by a stored int16 */
  const qn_form_numbers *numbers; /* FORM in fixed point */
  const qn_unit_numbers *unit; /* FORM of an exact unit; without any of these: on stored values */
  const qn_plan_note *notes;
} qn_plan;

/* ---- planning ---- */

typedef struct qn_planner {
  qn_ir_context *cx;
  qn_arena *arena; /* of the plans and reasons */
  const qn_profile *profile;
  qn_rounding rounding;                /* of quant.qcast */
  bool is_named;                       /* the module names the profile */
  bool needs_opt_in;                   /* and does not allow other bits */
  qn_str reason;                       /* of the last rejection */
  const struct qn_plan_record *record; /* of the op that is planned or written */
} qn_planner;

/* By the numerics of a verified module. */
QN_NODISCARD qn_status qn_planner_of(const qn_module *module, qn_arena *arena, const qn_loc *loc,
                                     qn_planner *out_planner);

/* The parameters of a model-stage op whose record has them, or why there are none, as a whole
 * message. QN_UNSUPPORTED: the profile has no arithmetic for these types, or these numbers are
 * outside of it. Nothing is reported. */
QN_NODISCARD qn_status qn_plan_of(qn_planner *p, const qn_op *op, qn_plan *out_plan,
                                  qn_str *out_reason);

/* Whether an operand or result is quantized: of others a profile has no bits to differ from. */
bool qn_plan_is_quantized(const qn_op *op);

/* Whether an op without a plan may be computed in float: not where a profile's bits are expected of
 * quantized tensors and the user has not opted in to others. If not, *out_message says so with the
 * reason.
 */
bool qn_plan_may_fall_back(const qn_planner *p, const qn_op *op, qn_str reason,
                           qn_str *out_message);

/* Constant weights that are int8 first, where that holds them exactly (ir/types/reexpress.h): the
 * payload and its type, which take the place of operand 1. NULL for other ops and weights. */
const qn_attr *qn_plan_int8_weights(qn_planner *p, const qn_op *op, const qn_type **out_type);

/* ---- the integer stage ---- */

/* Builds the op with explicit parameters at `b`, with its constants; returns what stands for the
 * op's first result, of that type; further results are those of the op that makes it. The op
 * itself where the plan only completes it: then nothing is built in its place. */
qn_value *qn_plan_write(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan);

/* How to read an element of an operand of an integer-stage op, constant or computed. */
typedef struct qn_plan_operands {
  void *user;
  int64_t (*integer)(void *user, const qn_op *op, uint32_t operand, int64_t i);
  double (*real)(void *user, const qn_op *op, uint32_t operand, int64_t i);
} qn_plan_operands;

/* From the op's attributes and operands, checked: NULL, or what is wrong with them, in the
 * planner's arena. What the verifier has passed is not trusted for more than its types. */
typedef const char *qn_plan_read_fn(qn_planner *p, const qn_plan_operands *operands,
                                    const qn_op *op, qn_plan *out_plan);
qn_plan_read_fn qn_plan_read_matrix, qn_plan_read_sum, qn_plan_read_product, qn_plan_read_pool,
    qn_plan_read_mean, qn_plan_read_softmax, qn_plan_read_table, qn_plan_read_quantize,
    qn_plan_read_dequantize, qn_plan_read_rescale, qn_plan_read_lut16, qn_plan_read_softmax16,
    qn_plan_read_svdf, qn_plan_read_lstm;

/* ---- records: one per op of ml.def and quant.def ---- */

typedef qn_status qn_plan_fn(qn_planner *p, const qn_op *op, qn_plan *out_plan);
typedef qn_value *qn_plan_write_fn(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan);

typedef struct qn_plan_record {
  const char *none; /* why there is no plan; else NULL */
  qn_plan_fn *plan;
  qn_plan_write_fn *write; /* NULL: its plans are of kind FORM */
  qn_op_kind integer;      /* what it is written as; 0: itself */
  const char
      *needs; /* of a form in integers: what has to hold besides 8-bit tensors with one scale */
  bool exact; /* its rounding is its meaning: there is no other form */
} qn_plan_record;

/* NULL for ops of other dialects and stages. */
const qn_plan_record *qn_plan_record_of(qn_op_kind kind);

#endif
