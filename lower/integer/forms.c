/* The table of integer forms, the choice between them, and the fall-back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/forms.h"

#include "ir/float_form/float_form.h"

#define WEIGHTS "constant weights, per layer or per channel; i32 bias"
#define ONE_SIGN "one sign of storage"

static const qn_integer_form forms[] = {
    {QN_OP_ML_CONV, QN_OP_ML_INTEGER_CONV, WEIGHTS, false},
    {QN_OP_ML_DEPTHWISE_CONV, QN_OP_ML_INTEGER_DEPTHWISE_CONV, WEIGHTS, false},
    {QN_OP_ML_LINEAR, QN_OP_ML_INTEGER_LINEAR, WEIGHTS, false},
    {QN_OP_ML_ADD, QN_OP_ML_INTEGER_ADD, ONE_SIGN, false},
    {QN_OP_ML_SUB, QN_OP_ML_INTEGER_SUB, ONE_SIGN, false},
    {QN_OP_ML_MUL, QN_OP_ML_INTEGER_MUL, ONE_SIGN, false},
    {QN_OP_ML_AVG_POOL, QN_OP_ML_INTEGER_AVG_POOL, "one quantization of input and result", false},
    {QN_OP_ML_MAX_POOL, QN_OP_ML_INTEGER_MAX_POOL, "one quantization of input and result", false},
    {QN_OP_ML_REDUCE_MEAN, QN_OP_ML_INTEGER_MEAN, ONE_SIGN, false},
    {QN_OP_ML_SOFTMAX, QN_OP_ML_INTEGER_SOFTMAX,
     "result scale 1/256, lowest zero point", false},
    {QN_OP_ML_SIGMOID, QN_OP_ML_LUT, ONE_SIGN "; tflm: result scale 1/256", false},
    {QN_OP_ML_TANH, QN_OP_ML_LUT, ONE_SIGN "; tflm: result scale 1/128", false},
    {QN_OP_ML_RELU, QN_OP_ML_LUT, ONE_SIGN, false},
    {QN_OP_ML_RELU6, QN_OP_ML_LUT, ONE_SIGN, false},
    {QN_OP_ML_REQUANTIZE, QN_OP_ML_LUT, "", false},
    {QN_OP_ML_REEXPRESS, QN_OP_ML_LUT, "a constant input may have any type, others up to 32 bits where f64 decides the rounding", true},
    {QN_OP_ML_CONCAT, QN_OP_ML_CONCAT, "inputs quantized as the result, or uint8", false},
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

static bool is_row(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(forms); i++)
    if (qn_str_is(name, qn_op_infos[forms[i].op].name)) return true;
  return false;
}

static qn_status check_names(qn_integer *in, const char *option, qn_str list, qn_str other) {
  qn_status status = QN_OK;
  qn_str name;
  while (qn_str_next(&list, &name)) {
    if (!is_row(name))
      status = qn_error(&in->cx->diag, in->module->op->loc, QN_NOT_FOUND,
                        "'%s' names '%.*s', which is no op of 'quern list integer-forms'", option,
                        QN_STR_ARG(name));
    else if (qn_str_lists(other, name))
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

static qn_status lower_cast(qn_integer *in, qn_op *op) {
  if (op->kind == QN_OP_QUANT_QCAST) return qn_integer_quant_qcast(in, op);
  if (op->kind == QN_OP_QUANT_DCAST) return qn_integer_quant_dcast(in, op);
  return op->kind == QN_OP_QUANT_SCAST ? qn_integer_quant_scast(in, op) : QN_OK;
}

/* The casts are lowered at once: the walk over the function is past the place where they stand. */
static qn_status fall_back(qn_integer *in, qn_op *op) {
  qn_builder b = qn_builder_before(in->module, op);
  qn_value **operands = QN_NEW_ARRAY(in->scratch, op->operand_count + 1, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  qn_op *before = op->prev, *after = op->next;
  qn_block *block = op->block;
  qn_integer_replace(in, op, qn_build_float_form(&b, op, operands));
  qn_status status = QN_OK;
  for (qn_op *each = before ? before->next : block->first, *next; each != after; each = next) {
    next = each->next;
    qn_status lowered = lower_cast(in, each);
    if (status == QN_OK) status = lowered;
  }
  return status;
}

/* ---- the choice ---- */

/* While the integer form is tried: its first error is kept, other diagnostics are passed on. */
typedef struct attempt {
  qn_diag_handler *handler;
  void *user;
  qn_text reason;
} attempt;

static void keep_first_error(void *user, const qn_diag *diag) {
  attempt *a = user;
  if (diag->severity == QN_ERROR && a->reason.size == 0)
    qn_text_format(&a->reason, "%.*s", QN_STR_ARG(diag->text));
  if (diag->severity != QN_ERROR && a->handler) a->handler(a->user, diag);
}

static bool try_integer(qn_integer *in, qn_op *op, qn_integer_fn *lower, attempt *a) {
  qn_diag_engine *diag = &in->cx->diag;
  uint32_t errors = diag->errors;
  *a = (attempt){.handler = diag->handler, .user = diag->user};
  diag->handler = keep_first_error;
  diag->user = a;
  qn_status status = lower(in, op);
  diag->handler = a->handler;
  diag->user = a->user;
  diag->errors = errors;
  return status == QN_OK;
}

/* Who names a profile expects its bits, and is warned. */
static void say_fall_back(qn_integer *in, const qn_loc *loc, const qn_text *reason) {
  const char *why = reason->size ? reason->data : "";
  if (in->names_profile)
    qn_warning(&in->cx->diag, loc, "%s; it is computed in float, not in the bits of %s", why,
               in->profile->name);
  else
    qn_remark(&in->cx->diag, loc, "%s; it is computed in float", why);
}

static qn_status integer_or_fall_back(qn_integer *in, qn_op *op, qn_integer_fn *lower) {
  attempt a;
  qn_status status = QN_OK;
  const qn_loc *loc = op->loc;
  if (!try_integer(in, op, lower, &a)) {
    say_fall_back(in, loc, &a.reason);
    status = fall_back(in, op);
  }
  qn_text_deinit(&a.reason);
  return status;
}

qn_status qn_integer_lower_as_chosen(qn_integer *in, const qn_integer_choice *choice, qn_op *op,
                                     qn_integer_fn *lower) {
  if (!form_of(op->kind)) return lower(in, op);
  const char *problem = qn_float_form_problem(op);
  if (qn_str_lists(choice->forbid, op->name)) {
    if (!problem) return fall_back(in, op);
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no form: the integer form is forbidden, and no fall-back, as %s",
                    QN_STR_ARG(op->name), problem);
  }
  bool may_fall_back = choice->fall_back && !problem && !form_of(op->kind)->exact &&
                       !qn_str_lists(choice->force, op->name);
  return may_fall_back ? integer_or_fall_back(in, op, lower) : lower(in, op);
}
