/* Table of use-unsigned: which attributes are stored values of which tensor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/unsigned.h"
#include "ir/ops/forms.h"

/* ---- tables ---- */

static bool has_constant_table(const qn_op *op) {
  return qn_value_constant(qn_op_operand(op, 1)) != NULL;
}

/* table'[x + 128] = table[x], plus 128 if the result changes, too. */
static void shift_table(qn_pass_context *pc, qn_op *op, bool x_changes, bool y_changes) {
  const qn_attr *payload = qn_value_constant(qn_op_operand(op, 1));
  uint8_t table[256];
  for (int i = 0; i < 256; i++) {
    uint8_t y = (uint8_t)qn_dense_int(payload, x_changes ? i ^ QN_UNSIGNED_OFFSET : i);
    table[i] = y_changes ? y ^ QN_UNSIGNED_OFFSET : y;
  }
  qn_builder b = qn_builder_before(pc->module, op);
  const qn_type *element = qn_type_integer(pc->cx, 8, QN_UNSIGNED);
  if (!y_changes) element = qn_type_element(qn_op_result(op, 0)->type);
  qn_op_set_operand(op, 1, qn_plan_table(&b, table, element));
}

/* ---- records ---- */

#define FORM(stem, ...) const qn_unsigned_form qn_unsigned_form_##stem = {__VA_ARGS__}
#define REQUANTIZED .of_result = {QN_A_OUTPUT_ZERO_POINT, QN_A_MIN, QN_A_MAX}
#define OF_ONE                                                                                     \
  .mode = QN_UNSIGNED_SHIFTS, .operands = 1, .of_operand = {QN_A_INPUT_ZERO_POINT}, REQUANTIZED
FORM(ml_integer_conv, OF_ONE);
FORM(ml_integer_depthwise_conv, OF_ONE);
FORM(ml_integer_linear, OF_ONE);
FORM(ml_integer_mean, OF_ONE);
/* The second operand of byte products is signed. */
FORM(ml_integer_matmul, .mode = QN_UNSIGNED_SHIFTS, .operands = 1,
     .of_operand = {QN_A_A_ZERO_POINT}, REQUANTIZED);

#define OF_TWO                                                                                     \
  .mode = QN_UNSIGNED_SHIFTS, .operands = 2, .of_operand = {QN_A_A_ZERO_POINT, QN_A_B_ZERO_POINT}, \
  REQUANTIZED
FORM(ml_integer_add, OF_TWO);
FORM(ml_integer_sub, OF_TWO);
FORM(ml_integer_mul, OF_TWO);

FORM(ml_lut, .mode = QN_UNSIGNED_SHIFTS, .operands = 1, .can = has_constant_table,
     .shift = shift_table);
FORM(ml_quantize_float, .mode = QN_UNSIGNED_SHIFTS,
     .of_result = {QN_A_ZERO_POINT, QN_A_MIN, QN_A_MAX});
FORM(ml_dequantize_float, .mode = QN_UNSIGNED_SHIFTS, .operands = 1,
     .of_operand = {QN_A_ZERO_POINT});

FORM(ml_integer_max_pool, .mode = QN_UNSIGNED_TIES, .operands = 1,
     .of_result = {QN_A_MIN, QN_A_MAX});
FORM(ml_pad, .mode = QN_UNSIGNED_TIES, .operands = 1, .of_result = {QN_A_PAD_VALUE});
FORM(ml_concat, .mode = QN_UNSIGNED_TIES, .operands = UINT32_MAX);

/* Ops that move elements of their first operand. */
#define MOVES(stem) FORM(stem, .mode = QN_UNSIGNED_TIES, .operands = 1)
MOVES(ml_reshape);
MOVES(ml_squeeze);
MOVES(ml_expand_dims);
MOVES(ml_transpose);
MOVES(ml_slice_by_index);
MOVES(ml_split);

#define KEEPS(stem, why) FORM(stem, .none = why)
KEEPS(ml_const, "who reads a constant decides on its type");
KEEPS(ml_rows_to_depth, "rows-to-depth builds it when types are final");
KEEPS(ml_gather, "nothing before it computes: it reads a table of the model");
KEEPS(ml_integer_avg_pool, "an average of signed values rounds by their sign");
KEEPS(ml_integer_softmax, "its result begins at the lowest stored value of its type");

#define FLOAT "what is left of it at the integer stage is on floats"
KEEPS(ml_conv, FLOAT);
KEEPS(ml_depthwise_conv, FLOAT);
KEEPS(ml_linear, FLOAT);
KEEPS(ml_matmul, FLOAT);

#define GONE "the op does not exist at the integer stage"
KEEPS(ml_add, GONE);
KEEPS(ml_sub, GONE);
KEEPS(ml_mul, GONE);
KEEPS(ml_avg_pool, GONE);
KEEPS(ml_max_pool, GONE);
KEEPS(ml_reduce_mean, GONE);
KEEPS(ml_softmax, GONE);
KEEPS(ml_reexpress, GONE);

#define WIDE "its activations have 16 bits"
KEEPS(ml_integer_rescale, "an activation of it has more than 8 bits");
KEEPS(ml_integer_sigmoid, WIDE);
KEEPS(ml_integer_tanh, WIDE);
KEEPS(ml_integer_softmax16, WIDE);
KEEPS(ml_quantize_rows, "its bytes are unsigned");
KEEPS(ml_hybrid_linear, "its input is unsigned");
KEEPS(ml_hybrid_depthwise_conv, "its input is unsigned");
KEEPS(ml_hybrid_conv, "its input is unsigned");
KEEPS(ml_block_linear, "its input is signed by definition");
KEEPS(ml_integer_svdf, "its state has one type from call to call");
KEEPS(ml_integer_lstm, "its states have one type from call to call");

const qn_unsigned_form *qn_unsigned_form_of(const qn_op *op) {
  static const qn_unsigned_form other = {.none = "its dialect says nothing of quantization"};
  static const qn_unsigned_form *const forms[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_unsigned_form_##stem,
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP
  };
  return forms[op->kind] ? forms[op->kind] : &other;
}
