/* Reads attributes of ops by the declarations of ops/attributes.def: one accessor qn_op_<ident> per
 * attribute, whose type follows from its kind. In verified ops, attributes have the declared kind
 * and values. For any other attribute, an accessor returns the value for an absent one: the row's
 * `absent`, the first word, an empty string or list, NULL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OP_ATTRS_H
#define QN_IR_OP_ATTRS_H

#include "ir/op.h"
#include "quant/range.h"
#include "quant/rounding.h"

/* ---- words ---- */

typedef enum qn_reexpress_mode { QN_REEXPRESS_EXACT, QN_REEXPRESS_CHECKED } qn_reexpress_mode;
#define QN_REEXPRESS_MODE_WORDS "exact,checked"
typedef enum qn_overflow { QN_OVERFLOW_SATURATE, QN_OVERFLOW_ERROR } qn_overflow;
#define QN_OVERFLOW_WORDS "saturate,error"
#define QN_NEAREST_WORDS "even,away" /* the first values of qn_rounding */
#define QN_SAMPLING_MODE_WORDS "asymmetric,align_corners,half_pixel"
typedef enum qn_sampling_mode {
  QN_SAMPLING_ASYMMETRIC,
  QN_SAMPLING_ALIGN_CORNERS,
  QN_SAMPLING_HALF_PIXEL
} qn_sampling_mode;
#define QN_GELU_MODE_WORDS "exact,tanh_approximation,sigmoid_approximation"
typedef enum qn_gelu_mode { QN_GELU_EXACT, QN_GELU_TANH, QN_GELU_SIGMOID } qn_gelu_mode;
#define QN_MIRROR_MODE_WORDS "reflect,symmetric"
typedef enum qn_mirror_mode { QN_MIRROR_REFLECT, QN_MIRROR_SYMMETRIC } qn_mirror_mode;
typedef enum qn_average_rounding { QN_AVERAGE_HALF_AWAY, QN_AVERAGE_HALF_UP } qn_average_rounding;
#define QN_AVERAGE_ROUNDING_WORDS "half_away,half_up"
#define QN_CELL_ACTIVATION_WORDS "tanh,none,relu,relu_n1_to_1,relu6"
typedef enum qn_cell_activation {
  QN_CELL_TANH,
  QN_CELL_NONE,
  QN_CELL_RELU,
  QN_CELL_RELU_N1_TO_1,
  QN_CELL_RELU6
} qn_cell_activation;
#define QN_LINEAR_KERNEL_WORDS "fully_connected,batch_matmul,cell"
typedef enum qn_linear_kernel {
  QN_LINEAR_FULLY_CONNECTED,
  QN_LINEAR_BATCH_MATMUL,
  QN_LINEAR_CELL
} qn_linear_kernel;
/* Quantization of a row of floats to bytes (docs/arithmetic.md 15). */
#define QN_ROW_SCHEME_WORDS "symmetric,asymmetric,dynamic,row8"
typedef enum qn_row_scheme {
  QN_ROWS_SYMMETRIC,  /* from the maximum magnitude; the zero point is 128 */
  QN_ROWS_ASYMMETRIC, /* from minimum and maximum; the zero point is computed in f64 */
  QN_ROWS_DYNAMIC,    /* from minimum and maximum, in f32 with denormals as 0 */
  QN_ROWS_ROW8        /* from the maximum magnitude, to i8 (docs/arithmetic.md 15) */
} qn_row_scheme;
/* How the sum of products, the row's scale and the channel's scale give a real result. */
#define QN_SCALE_ORDER_WORDS "scales,channel_first,fours,fused"
typedef enum qn_scale_order {
  QN_ORDER_SCALES,        /* sum * (row * channel) + bias */
  QN_ORDER_CHANNEL_FIRST, /* (sum * channel) * row + bias */
  QN_ORDER_FOURS, /* CHANNEL_FIRST in whole groups of 4 channels; (sum * row) * channel + bias in
                     the remaining ones */
  QN_ORDER_FUSED  /* fma(sum * row, channel, bias), denormals as 0 */
} qn_scale_order;

/* ---- declarations ---- */

typedef struct qn_attr_decl {
  const char *name;
  uint32_t name_size; /* interpreters look attributes up for each op they run */
  qn_attr_spec_kind kind;
  double absent;
  int64_t low, high; /* range of integers */
  const char *words; /* comma-separated words */
  const char *summary;
} qn_attr_decl;
extern const qn_attr_decl qn_attr_decls[QN_A_COUNT];

/* The attribute of any kind; NULL if absent. */
static inline const qn_attr *qn_op_find(const qn_op *op, qn_attr_id id) {
  const qn_attr_decl *decl = &qn_attr_decls[id];
  return qn_op_named(op, (qn_str){decl->name, decl->name_size});
}
/* The attribute of a word, which accessors read as `value`. */
const qn_attr *qn_attr_word(qn_ir_context *cx, qn_attr_id id, uint32_t value);

/* ---- accessors ---- */

/* The values of array<i64: ...>; count is 0 if absent. */
typedef struct qn_i64s {
  const int64_t *data;
  uint32_t count;
} qn_i64s;

int64_t qn_op_read_i64(const qn_op *op, qn_attr_id id);
double qn_op_read_float(const qn_op *op, qn_attr_id id);
bool qn_op_read_bool(const qn_op *op, qn_attr_id id);     /* unit and bool */
qn_str qn_op_read_string(const qn_op *op, qn_attr_id id); /* string and symbol */
qn_i64s qn_op_read_i64s(const qn_op *op, qn_attr_id id);
const qn_type *qn_op_read_type(const qn_op *op, qn_attr_id id);
uint32_t qn_op_read_word(const qn_op *op, qn_attr_id id);

#define QN_READ_ANY const qn_attr *, qn_op_find
#define QN_READ_ELEMENTS const qn_attr *, qn_op_find
#define QN_READ_ARRAY const qn_attr *, qn_op_find
#define QN_READ_DICT const qn_attr *, qn_op_find
#define QN_READ_UNIT bool, qn_op_read_bool
#define QN_READ_BOOL bool, qn_op_read_bool
#define QN_READ_I64 int64_t, qn_op_read_i64
#define QN_READ_FLOAT double, qn_op_read_float
#define QN_READ_STRING qn_str, qn_op_read_string
#define QN_READ_SYMBOL qn_str, qn_op_read_string
#define QN_READ_I64S qn_i64s, qn_op_read_i64s
#define QN_READ_TYPE const qn_type *, qn_op_read_type
#define QN_ACCESSOR(ident, id, ...) QN_ACCESSOR_OF(ident, id, __VA_ARGS__)
#define QN_ACCESSOR_OF(ident, id, type, read)                                                      \
  static inline type qn_op_##ident(const qn_op *op) { return read(op, id); }

#define ATTR(ident, id, name, kind, ...) QN_ACCESSOR(ident, QN_A_##id, QN_READ_##kind)
#define WORD(ident, id, name, type, ...) QN_ACCESSOR_OF(ident, QN_A_##id, type, qn_op_read_word)
#include "ir/ops/attributes.def"
#undef ATTR
#undef WORD

/* Whether ml.pad specifies its padding value; else it is the zero point, or 0. */
static inline bool qn_pad_names_border(const qn_op *pad) {
  return qn_op_find(pad, QN_A_PAD_VALUE) || qn_op_find(pad, QN_A_PAD_REAL);
}
/* The padding value of ml.pad on floats, before rounding to their type. */
static inline double qn_pad_border_real(const qn_op *pad) {
  return qn_op_find(pad, QN_A_PAD_REAL) ? qn_op_pad_real(pad) : (double)qn_op_pad_value(pad);
}
/* Whether the padding value of ml.pad on integers is `value`, given as integer or as an equal
 * real_value; -0 counts as different from 0. */
static inline bool qn_pad_border_is(const qn_op *pad, int64_t value) {
  if (!qn_op_find(pad, QN_A_PAD_REAL)) return qn_op_pad_value(pad) == value;
  double real = qn_op_pad_real(pad);
  return real == (double)value && !(real == 0 && __builtin_signbit(real));
}

/* Element i of "operandSegmentSizes"; 0 if absent. */
uint32_t qn_op_segment(const qn_op *op, uint32_t i);

/* Whether the op is a launch of each call, not one that prepares. */
static inline bool qn_op_is_step(const qn_op *op) {
  return op->kind == QN_OP_QUERN_LAUNCH && !qn_op_prepares(op);
}

/* Whether no activation is fused into the op ("plain" in patterns of passes and rules). */
static inline bool qn_op_is_plain(const qn_op *op) { return qn_op_activation(op) == QN_ACT_NONE; }

#endif
