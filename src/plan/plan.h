/* Integer parameters of an op. Every rule is implemented here, once.
 *
 * A plan contains what a profile's arithmetic needs in addition to the stored values: zero points,
 * multipliers, clamp bounds, tables. It is derived from the types and attributes of a model-stage
 * op (qn_plan_of), written as operands and attributes of an integer-stage op (qn_plan_write), and
 * read back from there (qn_plan_read_*). The interpreter computes with the same plan at both
 * stages; the lowering writes it; neither derives a parameter itself. For an op without a plan
 * there is a reason, and qn_plan_may_fall_back decides whether the float fallback is permitted.
 *
 * A plan does not depend on whether operands are constant.
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
  QN_PLAN_MOVES,      /* data movement: stored values are unchanged */
  QN_PLAN_FORM,       /* exact decomposition on stored values, or a table of pairs */
  QN_PLAN_RESCALE,    /* integers of any width, requantized to another scale */
  QN_PLAN_LUT16,      /* 16-bit functions by interpolated table */
  QN_PLAN_SOFTMAX16,
  QN_PLAN_SVDF,
  QN_PLAN_LSTM,
} qn_plan_kind;

/* Output parameters: the zero point is added to the requantized value, then it is clamped. */
typedef struct qn_plan_output {
  int32_t zero_point, min, max;
} qn_plan_output;

typedef struct qn_plan_matrix {
  int64_t channels;
  int32_t input_zero_point, weight_zero_point; /* zero points that the kernels subtract */
  qn_requant_rounding rounding;
  bool wide;                        /* int64 accumulators; if not, int32, which wrap */
  const qn_multiplier *multipliers; /* [channel]; NULL if reals are used */
  const double *reals;              /* [channel] factor of the accumulator, rounded once */
  const double *offsets;            /* rounding "even": [channel] offset added to the product */
  float offset;                     /* of "single": added to the product (means) */
  qn_plan_output output;
} qn_plan_matrix;

/* Sums: both operands are shifted left and scaled to a common scale; their sum is scaled to the
 * result. Products use the zero points and `y` only. */
typedef struct qn_plan_binary {
  int32_t a_zero_point, b_zero_point, left_shift;
  qn_multiplier a, b, y;
  qn_requant_rounding rounding; /* rounding of products */
  double real;                  /* multiplier of matrix products with rounding "even" */
  qn_term_rounding terms;       /* rounding of the terms of sums */
  qn_plan_output output;
} qn_plan_binary;

typedef struct qn_plan_pool {
  int32_t min, max;
  qn_average_rounding rounding; /* rounding of averages */
} qn_plan_pool;

typedef struct qn_plan_mean {
  int32_t input_zero_point;
  qn_multiplier multiplier; /* multiplier that includes 1 / count */
  qn_requant_rounding rounding;
  float offset; /* rounding "single": offset added to the product (means) */
  qn_plan_output output;
} qn_plan_mean;

typedef struct qn_plan_softmax {
  qn_softmax_params params;
  int32_t output_zero_point; /* minimum stored value */
  int32_t output_bits;
} qn_plan_softmax;

typedef struct qn_plan_cast {
  float scale;
  int32_t zero_point, min, max; /* bounds of quantize */
  qn_rounding rounding;         /* rounding of quantize */
} qn_plan_cast;

typedef struct qn_plan_moves {
  bool pads;
  int64_t pad_value; /* stored padding value */
  double pad_real;   /* padding value of floats */
} qn_plan_moves;

typedef struct qn_plan_rescale {
  int32_t input_zero_point;
  qn_multiplier multiplier;
  qn_plan_output output;
} qn_plan_rescale;

typedef struct qn_plan_lut16 {
  bool tanh;                 /* tanh; if not, logistic */
  int32_t multiplier, shift; /* such that x * multiplier / 2^shift has scale 1 / 12288 */
} qn_plan_lut16;

typedef struct qn_plan_softmax16 {
  qn_multiplier input; /* to the scale of the argument of the exponentials */
  const int16_t *exponentials, *reciprocals;
  qn_requant_rounding rounding; /* of the argument: double or once */
} qn_plan_softmax16;

typedef struct qn_plan_svdf {
  qn_requant_rounding rounding; /* of both sums: double or once */
  int32_t input_zero_point, state_zero_point;
  qn_multiplier state, y; /* of a feature's contribution to the state; of the sum over time */
  qn_plan_output output;
} qn_plan_svdf;

typedef struct qn_plan_lstm {
  int32_t input_zero_point, hidden_zero_point;
  qn_multiplier of_input[QN_GATE_COUNT],
      /* multiplier to the gate's scale 2^-12; with normalization, to the scale before it */
      of_hidden[QN_GATE_COUNT];
  qn_multiplier of_peephole[QN_GATE_COUNT];
  qn_multiplier of_gain[QN_GATE_COUNT]; /* from 2^-10 * scale of the gains to 2^-12 */
  int32_t guards[QN_GATE_COUNT];        /* value that replaces a variance below 1 */
  bool wide;                            /* 16-bit activations, int64 accumulators */
  bool coupled;                         /* coupled input gate: 1 - forget gate */
  int32_t cell_shift;                   /* log2 of the cell state's scale */
  int32_t cell_limit;                   /* limit of the cell state's magnitude; 0: none */
  qn_gates gates;
  qn_multiplier y;              /* of output gate times tanh */
  int32_t projected_zero_point; /* zero point of the projection's input */
  qn_multiplier projection;
  qn_plan_output output;
} qn_plan_lstm;

/* A note for the user, reported when the plan is carried out. */
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
    const uint8_t *table; /* [256] results by the unsigned stored byte */
    const uint8_t *const
        *concat;       /* [operand] rescaling table; NULL if its parameters equal the result's */
    qn_plan_cast cast; /* QUANTIZE, DEQUANTIZE */
    qn_plan_moves moves;
    const uint8_t
        *pairs; /* FORM: [65536] results by two stored bytes; NULL: see the following fields */
    qn_plan_rescale rescale;
    qn_plan_lut16 lut16;
    qn_plan_softmax16 softmax16;
    qn_plan_svdf svdf;
    qn_plan_lstm lstm;
  };
  const int16_t *words;           /* FORM: [65536] results by a stored int16 */
  const qn_form_numbers *numbers; /* parameters of a fixed-point FORM; else NULL */
  const qn_unit_numbers
      *unit; /* FORM of an exact unit; if all four are NULL, the decomposition on stored values */
  const qn_plan_note *notes;
} qn_plan;

/* ---- planning ---- */

typedef struct qn_planner {
  qn_ir_context *cx;
  qn_arena *arena; /* memory of plans and reasons */
  const qn_profile *profile;
  qn_rounding rounding;                /* rounding of quant.qcast */
  bool is_named;                       /* the module names the profile */
  bool needs_opt_in;                   /* the fallback needs an opt-in, and the module has none */
  qn_str reason;                       /* reason of the last rejection */
  const struct qn_plan_record *record; /* table entry of the current op */
} qn_planner;

/* Creates a planner for the numerics of a verified module. */
QN_NODISCARD qn_status qn_planner_of(const qn_module *module, qn_arena *arena, const qn_loc *loc,
                                     qn_planner *out_planner);

/* Plans a model-stage op that has a table entry. On failure *out_reason has the reason as a whole
 * message. QN_UNSUPPORTED: the profile does not define these types or parameters. Nothing is
 * reported. */
QN_NODISCARD qn_status qn_plan_of(qn_planner *p, const qn_op *op, qn_plan *out_plan,
                                  qn_str *out_reason);

/* Whether an operand or result is quantized. If none is, the profile does not define the op's
 * results. */
bool qn_plan_is_quantized(const qn_op *op);

/* Whether an op without a plan may use the float fallback. Not if the module names a profile, the
 * op has quantized tensors, and the user has not opted in. If not, *out_message has the message
 * with the reason. */
bool qn_plan_may_fall_back(const qn_planner *p, const qn_op *op, qn_str reason,
                           qn_str *out_message);

/* Constant weights converted to int8, where that represents them exactly (ir/types/reexpress.h):
 * the payload and its type, which replace operand 1. NULL for other ops and weights. */
const qn_attr *qn_plan_int8_weights(qn_planner *p, const qn_op *op, const qn_type **out_type);

/* ---- the integer stage ---- */

/* Builds the op with explicit parameters, and its constants, at `b`. Returns the value that
 * replaces the op's first result and has its type; further results are results of the same new op.
 * Returns a result of `op` itself if the plan only adds attributes to it: no op is built then. */
qn_value *qn_plan_write(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan);

/* How to read an element of an operand of an integer-stage op, constant or computed. */
typedef struct qn_plan_operands {
  void *user;
  int64_t (*integer)(void *user, const qn_op *op, uint32_t operand, int64_t i);
  double (*real)(void *user, const qn_op *op, uint32_t operand, int64_t i);
} qn_plan_operands;

/* Reads a plan from attributes and operands of a verified op. Returns NULL on success, else the
 * error, in the planner's arena. Values are checked, because the verifier checks types only. */
typedef const char *qn_plan_read_fn(qn_planner *p, const qn_plan_operands *operands,
                                    const qn_op *op, qn_plan *out_plan);
qn_plan_read_fn qn_plan_read_matrix, qn_plan_read_sum, qn_plan_read_product, qn_plan_read_pool,
    qn_plan_read_mean, qn_plan_read_softmax, qn_plan_read_table, qn_plan_read_quantize,
    qn_plan_read_dequantize, qn_plan_read_rescale, qn_plan_read_lut16, qn_plan_read_softmax16,
    qn_plan_read_svdf, qn_plan_read_lstm;

/* ---- table entries: one per op of ml.def and quant.def ---- */

typedef qn_status qn_plan_fn(qn_planner *p, const qn_op *op, qn_plan *out_plan);
typedef qn_value *qn_plan_write_fn(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan);

typedef struct qn_plan_record {
  const char *none; /* reason why ops of the kind have no plan; NULL if they can have one */
  qn_plan_fn *plan;
  qn_plan_write_fn *write; /* NULL: all plans are of kind FORM */
  qn_op_kind integer;      /* kind of the integer-stage op; 0: the same kind */
  /* Text for documentation: conditions of the integer form in addition to 8-bit tensors with one
   * scale. */
  const char *needs;
  bool exact; /* the op's definition includes its rounding, so every profile has the same results */
} qn_plan_record;

/* The table entry of an op kind; NULL for ops of other dialects and stages. */
const qn_plan_record *qn_plan_record_of(qn_op_kind kind);

#endif
