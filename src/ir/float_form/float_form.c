/* The table of float forms, what they can't take, and the casts around them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/float_form.h"

#include <math.h>

#include "base/checked.h"
#include "ir/float_form/form.h"
#include "ir/types/float_format.h"
#include "ir/weights.h"

/* ---- ops that are casts, and little more ---- */

static qn_value *cast_only(qn_form *f) { return qn_form_operand(f, 0); }

static const char *reexpress_problem(const qn_op *op) {
  bool reports = qn_op_overflow(op) == QN_OVERFLOW_ERROR;
  return reports ? "quant.qcast does not report what the result can't hold" : NULL;
}

static qn_value *concat(qn_form *f) {
  uint32_t count = f->op->operand_count;
  qn_value **parts = qn_arena_array(&f->b->module->arena, count, sizeof *parts);
  for (uint32_t i = 0; i < count; i++) parts[i] = qn_form_operand(f, i);
  return qn_build_1(f->b, QN_OP_ML_CONCAT, qn_form_result_type(f), parts, count,
                    QN_ATTRS({"axis", qn_op_find(f->op, QN_A_AXIS)}));
}

const qn_float_form qn_float_form_ml_requantize = {.build = cast_only};
const qn_float_form qn_float_form_ml_reexpress = {.build = cast_only, .problem = reexpress_problem};
const qn_float_form qn_float_form_ml_concat = {.build = concat};

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
  /* What changes nothing is still a tensor of its own. */
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

/* ---- element types ---- */

/* The float that a tensor's elements stand for, or NULL. */
static const qn_type *expressed_of(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_type *element = q ? q->expressed : qn_type_element(type);
  if (element->kind != QN_TYPE_FLOAT) return NULL;
  return qn_float_format_of(element->float_kind)->computes ? element : NULL;
}

static bool is_bias(const qn_op *op, uint32_t i) { return i == 2 && qn_op_has_weights(op); }

static bool is_plain_bias(const qn_op *op, uint32_t i) {
  return is_bias(op, i) && qn_type_element(qn_op_operand(op, i)->type)->kind == QN_TYPE_INTEGER;
}

/* ---- the bias ---- */

static double bias_scale(const qn_quant_uniform *x, const qn_quant_uniform *w, uint32_t i) {
  return qn_float_round(x->expressed->float_kind, x->scales[0] * w->scales[i]);
}

static const char *bias_problem(const qn_op *op) {
  const qn_quant_uniform *x = qn_type_quant(qn_op_operand(op, 0)->type);
  const qn_type *weights = qn_op_operand(op, 1)->type;
  const qn_quant_uniform *w = qn_type_quant(weights);
  if (!qn_type_is_int(qn_type_element(qn_op_operand(op, 2)->type), 32))
    return "its bias is an integer of other than 32 bits";
  if (!x || !w || x->scheme != QN_PER_LAYER || w->scheme == QN_SUB_CHANNEL)
    return "an integer bias has no scale beside input and weights that are not quantized, or have "
           "scales per block";
  uint32_t channel_dim = qn_weights_channel_dim(qn_op_weights(op), weights->shaped.rank);
  if (w->scheme == QN_PER_AXIS && w->axis != (int32_t)channel_dim)
    return "an integer bias has no scale beside weights whose scales are not per output channel";
  for (uint32_t i = 0; i < w->count; i++) {
    double scale = bias_scale(x, w, i);
    if (!(scale > 0) || !(scale <= qn_float_format_of(x->expressed->float_kind)->largest))
      return "the scale of its bias is out of range";
  }
  return NULL;
}

static const qn_type *bias_type(const qn_form *f) {
  const qn_quant_uniform *x = qn_type_quant(f->operands[0]->type);
  const qn_quant_uniform *w = qn_type_quant(f->operands[1]->type);
  qn_arena *arena = &f->b->module->arena;
  double *scales = qn_arena_array(arena, w->count, sizeof *scales);
  int64_t *zero_points = qn_arena_array(arena, w->count, sizeof *zero_points);
  for (uint32_t i = 0; i < w->count; i++) scales[i] = bias_scale(x, w, i);
  qn_quant_uniform bias = {.scheme = w->scheme,
                           .is_signed = true,
                           .storage = qn_type_i(f->cx, 32),
                           .expressed = x->expressed,
                           .min = INT32_MIN,
                           .max = INT32_MAX,
                           .count = w->count,
                           .scales = scales,
                           .zero_points = zero_points};
  return qn_type_with_element(f->cx, f->operands[2]->type, qn_type_uniform(f->cx, &bias));
}

/* ---- reals ---- */

static qn_value *to_real(qn_form *f, qn_value *x) {
  const qn_type *expressed = expressed_of(x->type);
  if (qn_type_quant(x->type))
    x = qn_build_unary(f->b, QN_OP_QUANT_DCAST, x, qn_type_with_element(f->cx, x->type, expressed));
  if (expressed == f->real) return x;
  return qn_build_unary(f->b, QN_OP_ARITH_EXTF, x, qn_type_with_element(f->cx, x->type, f->real));
}

qn_value *qn_form_operand(qn_form *f, uint32_t i) { return to_real(f, f->operands[i]); }

qn_value *qn_form_bias(qn_form *f) {
  qn_value *bias = f->operands[2];
  if (is_plain_bias(f->op, 2)) bias = qn_build_unary(f->b, QN_OP_QUANT_SCAST, bias, bias_type(f));
  return to_real(f, bias);
}

static qn_value *from_real(qn_form *f, qn_value *y) {
  const qn_type *type = f->op->results[0].type, *expressed = expressed_of(type);
  if (expressed != f->real)
    y = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, y, qn_type_with_element(f->cx, type, expressed));
  return qn_type_quant(type) ? qn_build_unary(f->b, QN_OP_QUANT_QCAST, y, type) : y;
}

const qn_type *qn_form_result_type(const qn_form *f) {
  return qn_type_with_element(f->cx, f->op->results[0].type, f->real);
}

/* What names tensors of the model ("quern.*") is not of this one. */
qn_value *qn_form_itself(qn_form *f) {
  const qn_op *op = f->op;
  qn_arena *arena = &f->b->module->arena;
  qn_value **operands = qn_arena_array(arena, op->operand_count, sizeof *operands);
  for (uint32_t i = 0; i < op->operand_count; i++)
    operands[i] = is_bias(op, i) ? qn_form_bias(f) : qn_form_operand(f, i);
  qn_value *y =
      qn_build_1(f->b, op->kind, qn_form_result_type(f), operands, op->operand_count, NULL);
  for (uint32_t i = 0; i < op->attr_count; i++)
    if (!qn_str_starts(op->attrs[i].name, "quern."))
      qn_op_set_attr(f->b->module, y->op, op->attrs[i].name.data, op->attrs[i].value);
  return y;
}

qn_activation qn_form_activation(const qn_form *f) { return qn_op_activation(f->op); }

qn_value *qn_form_activate(qn_form *f, qn_value *x, qn_activation activation) {
  float low, high;
  qn_activation_limits(activation, &low, &high);
  if (low > -INFINITY)
    x = qn_build_binary(f->b, QN_OP_ARITH_MAXIMUMF, x, qn_form_number(f, (double)low));
  if (high < INFINITY)
    x = qn_build_binary(f->b, QN_OP_ARITH_MINIMUMF, x, qn_form_number(f, (double)high));
  return x;
}

/* ---- sizes ---- */

/* Of tensors of reals: what the interpreter takes. */
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
  if (!expressed_of(op->results[0].type)) return "its result expresses no f16, bf16, f32 or f64";
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (is_plain_bias(op, i)) return bias_problem(op);
    if (!expressed_of(qn_op_operand(op, i)->type))
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
  bool wide = qn_type_is_float(expressed_of(op->results[0].type), QN_F64);
  for (uint32_t i = 0; i < op->operand_count; i++)
    wide |=
        !is_plain_bias(op, i) && qn_type_is_float(expressed_of(qn_op_operand(op, i)->type), QN_F64);
  f.real = qn_type_float(b->cx, wide ? QN_F64 : QN_F32);
  return from_real(&f, form_of(op->kind)->build(&f));
}
