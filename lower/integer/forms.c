/* The table of integer forms, the choice between them, and the fall-back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/forms.h"

#include "ir/verify/check.h"

static const qn_integer_form forms[] = {
    {.op = QN_OP_ML_CONV, .integer = QN_OP_ML_INTEGER_CONV},
    {.op = QN_OP_ML_DEPTHWISE_CONV, .integer = QN_OP_ML_INTEGER_DEPTHWISE_CONV},
    {.op = QN_OP_ML_LINEAR, .integer = QN_OP_ML_INTEGER_LINEAR},
    {QN_OP_ML_ADD, QN_OP_ML_INTEGER_ADD, true, QN_OP_ARITH_ADDF, QN_ACT_NONE},
    {QN_OP_ML_SUB, QN_OP_ML_INTEGER_SUB, true, QN_OP_ARITH_SUBF, QN_ACT_NONE},
    {QN_OP_ML_MUL, QN_OP_ML_INTEGER_MUL, true, QN_OP_ARITH_MULF, QN_ACT_NONE},
    {.op = QN_OP_ML_AVG_POOL, .integer = QN_OP_ML_INTEGER_AVG_POOL},
    {.op = QN_OP_ML_MAX_POOL, .integer = QN_OP_ML_INTEGER_MAX_POOL},
    {.op = QN_OP_ML_REDUCE_MEAN, .integer = QN_OP_ML_INTEGER_MEAN},
    {.op = QN_OP_ML_SOFTMAX, .integer = QN_OP_ML_INTEGER_SOFTMAX},
    {.op = QN_OP_ML_SIGMOID, .integer = QN_OP_ML_LUT},
    {.op = QN_OP_ML_TANH, .integer = QN_OP_ML_LUT},
    {QN_OP_ML_RELU, QN_OP_ML_LUT, true, QN_OP_ARITH_MAXIMUMF, QN_ACT_RELU},
    {QN_OP_ML_RELU6, QN_OP_ML_LUT, true, QN_OP_ARITH_MINIMUMF, QN_ACT_RELU6},
    {QN_OP_ML_REQUANTIZE, QN_OP_ML_LUT, true, QN_OP_UNREGISTERED, QN_ACT_NONE},
    {.op = QN_OP_ML_REEXPRESS, .integer = QN_OP_ML_LUT},
};

const qn_integer_form *qn_integer_forms(uint32_t *out_count) {
  *out_count = QN_COUNT(forms);
  return forms;
}

static const qn_integer_form *form_of(qn_op_kind op) {
  for (size_t i = 0; i < QN_COUNT(forms); i++)
    if (forms[i].op == op) return &forms[i];
  return NULL;
}

/* ---- lists of names ---- */

/* Takes the text up to the next comma off the list; false at its end. */
static bool next_name(qn_str *list, qn_str *out_name) {
  if (list->size == 0) return false;
  const char *comma = memchr(list->data, ',', list->size);
  size_t size = comma ? (size_t)(comma - list->data) : list->size;
  *out_name = (qn_str){list->data, size};
  size_t taken = size + (comma ? 1 : 0);
  *list = (qn_str){list->data + taken, list->size - taken};
  return true;
}

static bool has_name(qn_str list, qn_str name) {
  qn_str each;
  while (next_name(&list, &each))
    if (qn_str_equal(each, name)) return true;
  return false;
}

static bool is_row(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(forms); i++)
    if (qn_str_is(name, qn_op_infos[forms[i].op].name)) return true;
  return false;
}

static qn_status check_names(qn_integer *in, const char *option, qn_str list, qn_str other) {
  qn_status status = QN_OK;
  qn_str name;
  while (next_name(&list, &name)) {
    if (!is_row(name))
      status = qn_error(&in->cx->diag, in->module->op->loc, QN_NOT_FOUND,
                        "'%s' names '%.*s', which is no op of 'quern list integer-forms'", option,
                        QN_STR_ARG(name));
    else if (has_name(other, name))
      status = qn_error(&in->cx->diag, in->module->op->loc, QN_INVALID,
                        "'%.*s' is both forced and forbidden", QN_STR_ARG(name));
  }
  return status;
}

qn_status qn_integer_check_choice(qn_integer *in, const qn_integer_choice *choice) {
  qn_status forced = check_names(in, "force", choice->force, choice->forbid);
  qn_status forbidden = check_names(in, "forbid", choice->forbid, (qn_str){NULL, 0});
  return forced != QN_OK ? forced : forbidden;
}

/* ---- the fall-back ---- */

static const char *tensor_problem(const qn_op *op, const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q || q->scheme != QN_PER_LAYER || q->storage->integer.width != 8)
    return "it casts 8-bit tensors with one scale only";
  if (!qn_type_is_float(q->expressed, QN_F32)) return "it computes in f32 only";
  return qn_same_shape(type, op->results[0].type) ? NULL : "it does not broadcast";
}

/* Why the op has no fall-back; NULL if it has one. */
static const char *fall_back_problem(const qn_op *op, const qn_integer_form *form) {
  if (!form->has_fall_back) return "there is no float op for it";
  qn_activation unused;
  if (!qn_activation_of_name(qn_op_string(op, "activation", "none"), &unused))
    return "its activation is unknown";
  const char *problem = tensor_problem(op, op->results[0].type);
  for (uint32_t i = 0; i < op->operand_count && !problem; i++)
    problem = tensor_problem(op, op->operands[i].value->type);
  return problem;
}

static qn_value *activate(qn_builder *b, qn_value *x, qn_activation activation) {
  if (activation == QN_ACT_NONE) return x;
  double low = activation == QN_ACT_RELU_N1_TO_1 ? -1.0 : 0.0;
  x = qn_build_binary(b, QN_OP_ARITH_MAXIMUMF, x, qn_build_float(b, low, x->type));
  if (activation == QN_ACT_RELU) return x;
  double high = activation == QN_ACT_RELU6 ? 6.0 : 1.0;
  return qn_build_binary(b, QN_OP_ARITH_MINIMUMF, x, qn_build_float(b, high, x->type));
}

/* The casts are lowered at once: the walk over the function is past the place where they stand. */
static qn_status fall_back(qn_integer *in, qn_op *op, const qn_integer_form *form) {
  qn_builder b = qn_builder_before(in->module, op);
  const qn_type *real =
      qn_type_with_element(in->cx, op->results[0].type, qn_type_float(in->cx, QN_F32));
  qn_op *casts[3] = {0}; /* of up to two operands, and of the result */
  qn_value *x[2] = {0};
  QN_ASSERT(op->operand_count <= QN_COUNT(x));
  for (uint32_t i = 0; i < op->operand_count; i++) {
    x[i] = qn_build_unary(&b, QN_OP_QUANT_DCAST, qn_op_operand(op, i), real);
    casts[i] = x[i]->op;
  }
  qn_value *y = op->operand_count == 2 ? qn_build_binary(&b, form->fall_back, x[0], x[1]) : x[0];
  qn_activation activation = form->activation;
  if (activation == QN_ACT_NONE)
    (void)qn_activation_of_name(qn_op_string(op, "activation", "none"), &activation);
  y = qn_build_unary(&b, QN_OP_QUANT_QCAST, activate(&b, y, activation), op->results[0].type);
  casts[2] = y->op;
  qn_integer_replace(in, op, y);
  qn_status status = QN_OK;
  for (size_t i = 0; i < QN_COUNT(casts) && status == QN_OK; i++) {
    if (!casts[i]) continue;
    status = i == 2 ? qn_integer_quant_qcast(in, casts[i]) : qn_integer_quant_dcast(in, casts[i]);
  }
  return status;
}

/* ---- the choice ---- */

typedef struct listener {
  qn_diag_handler *handler;
  void *user;
} listener;

static void pass_on_warnings(void *user, const qn_diag *diag) {
  const listener *to = user;
  if (diag->severity != QN_ERROR && to->handler) to->handler(to->user, diag);
}

/* The integer form of an op that has a fall-back, without a word when there is none. */
static bool try_integer(qn_integer *in, qn_op *op, qn_integer_fn *lower) {
  qn_diag_engine *diag = &in->cx->diag;
  listener to = {diag->handler, diag->user};
  uint32_t errors = diag->errors;
  diag->handler = pass_on_warnings;
  diag->user = &to;
  qn_status status = lower(in, op);
  diag->handler = to.handler;
  diag->user = to.user;
  diag->errors = errors;
  return status == QN_OK;
}

qn_status qn_integer_lower_as_chosen(qn_integer *in, const qn_integer_choice *choice, qn_op *op,
                                     qn_integer_fn *lower) {
  const qn_integer_form *form = form_of(op->kind);
  if (!form) return lower(in, op);
  const char *problem = fall_back_problem(op, form);
  if (has_name(choice->forbid, op->name)) {
    if (!problem) return fall_back(in, op, form);
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no form: the integer form is forbidden, and no fall-back, as %s",
                    QN_STR_ARG(op->name), problem);
  }
  bool may_fall_back = choice->fall_back && !problem && !has_name(choice->force, op->name);
  if (!may_fall_back) return lower(in, op);
  return try_integer(in, op, lower) ? QN_OK : fall_back(in, op, form);
}
