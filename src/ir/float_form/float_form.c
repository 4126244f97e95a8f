/* The table of float decompositions, and their restrictions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/float_form.h"

#include "base/checked.h"
#include "ir/float_form/form.h"
#include "ir/ops/forms.h"

/* ---- the table ---- */

#define MOVES(stem)                                                                                \
  const qn_float_form qn_float_form_##stem = {.none = "there is no float op for it"}
MOVES(ml_const);
MOVES(ml_pad);
MOVES(ml_reshape);
MOVES(ml_squeeze);
MOVES(ml_expand_dims);
MOVES(ml_transpose);
MOVES(ml_split);
MOVES(ml_slice_by_index);
MOVES(ml_svdf);
MOVES(ml_lstm);
MOVES(ml_rnn);

#define OP(stem, ...) extern const qn_float_form qn_float_form_##stem;
#include "ir/ops/ml.def"
#undef OP

static const qn_float_form *form_of(qn_op_kind kind) {
  static const qn_float_form other = {.none = "there is no float op for it"};
  static const qn_float_form *const forms[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_float_form_##stem,
#include "ir/ops/ml.def"
#undef OP
  };
  return forms[kind] ? forms[kind] : &other;
}

bool qn_has_stored_form(qn_op_kind kind) { return form_of(kind)->stored != NULL; }

const char *qn_stored_form_problem(const qn_op *op) {
  const qn_float_form *form = form_of(op->kind);
  return form->problem ? form->problem(op) : NULL;
}

qn_value *qn_build_stored_form(qn_builder *b, const qn_op *op, qn_value *const *operands) {
  qn_form f = {.b = b, .cx = b->cx, .op = op, .operands = operands};
  QN_ASSERT(form_of(op->kind)->stored);
  const qn_type *type = op->results[0].type;
  qn_value *y = form_of(op->kind)->stored(&f);
  QN_ASSERT(y->type == type);
  /* An identity still needs a separate tensor. */
  bool same = false;
  for (uint32_t i = 0; i < op->operand_count; i++) same |= operands[i] == y;
  return same ? qn_build_1(b, QN_OP_ML_RESHAPE, type, QN_VALUES(y), NULL) : y;
}

qn_value *qn_build_fixed_form(qn_builder *b, const qn_op *op, const qn_form_numbers *numbers) {
  qn_value **operands = qn_arena_array(&b->module->arena, op->operand_count + 1, sizeof *operands);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  qn_form f = {.b = b, .cx = b->cx, .op = op, .operands = operands, .numbers = numbers};
  QN_ASSERT(form_of(op->kind)->fixed);
  qn_value *y = form_of(op->kind)->fixed(&f);
  QN_ASSERT(y->type == op->results[0].type);
  return y;
}

bool qn_has_float_form(qn_op_kind kind) { return form_of(kind)->build != NULL; }

/* ---- sizes ---- */

/* Limit of float tensors: what the interpreter accepts. */
enum { MAX_BYTES = INT32_MAX };

static bool fits(uint32_t rank, const int64_t *dims) {
  int64_t bytes = sizeof(double);
  for (uint32_t d = 0; d < rank; d++)
    if (!qn_checked_mul(bytes, dims[d], &bytes)) return false;
  return bytes <= MAX_BYTES;
}

/* Attributes are at most INT32_MAX, and so are dimensions: sums of three can't overflow. */
static bool padded_input_fits(const qn_op *op) {
  const qn_type *x = qn_op_operand(op, 0)->type;
  qn_i64s pad = qn_op_pad(op);
  if (pad.count != 4 || x->shaped.rank != 4) return true;
  const int64_t *in = x->shaped.dims;
  const int64_t dims[] = {in[0], in[1] + pad.data[0] + pad.data[1],
                          in[2] + pad.data[2] + pad.data[3], in[3]};
  return fits(4, dims);
}

static bool all_fit(const qn_op *op) {
  const qn_type *y = op->results[0].type;
  bool ok = fits(y->shaped.rank, y->shaped.dims) && padded_input_fits(op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *x = qn_op_operand(op, i)->type;
    ok &= fits(x->shaped.rank, x->shaped.dims);
  }
  return ok;
}

/* ---- the form ---- */

const char *qn_float_form_problem(const qn_op *op) {
  const qn_float_form *form = form_of(op->kind);
  if (!form->build) return form->none;
  if (!all_fit(op)) return "its tensors are too large in float";
  if (!qn_form_expressed(op->results[0].type))
    return "its result expresses no f16, bf16, f32 or f64";
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (qn_form_is_plain_bias(op, i)) return qn_form_bias_problem(op);
    if (!qn_form_expressed(qn_op_operand(op, i)->type))
      return "an operand expresses no f16, bf16, f32 or f64";
  }
  return form->problem ? form->problem(op) : NULL;
}

static bool is_computed(const qn_type *element) {
  return qn_type_is_float(element, QN_F32) || qn_type_is_float(element, QN_F64);
}

bool qn_is_float_form(const qn_op *op) {
  const qn_type *element = qn_type_element(op->results[0].type);
  const qn_float_form *form = form_of(op->kind);
  bool itself = form->is_itself ? form->is_itself(op) : form->build == qn_form_itself;
  bool same = itself && is_computed(element);
  for (uint32_t i = 0; i < op->operand_count; i++)
    same = same && qn_type_element(qn_op_operand(op, i)->type) == element;
  return same;
}

qn_value *qn_build_float_form(qn_builder *b, const qn_op *op, qn_value *const *operands) {
  QN_ASSERT(!qn_float_form_problem(op));
  qn_form f = {.b = b, .cx = b->cx, .op = op, .operands = operands};
  bool wide = qn_type_is_float(qn_form_expressed(op->results[0].type), QN_F64);
  for (uint32_t i = 0; i < op->operand_count; i++)
    wide |= !qn_form_is_plain_bias(op, i) &&
            qn_type_is_float(qn_form_expressed(qn_op_operand(op, i)->type), QN_F64);
  f.real = qn_type_float(b->cx, wide ? QN_F64 : QN_F32);
  return qn_form_quantized(&f, form_of(op->kind)->build(&f));
}
