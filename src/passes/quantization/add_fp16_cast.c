/* add-fp16-cast: computes f32 ops in f16, between casts.
 *
 *   %0 = "ml.conv"(%x, %w) : (tensor<..xf32>, tensor<..xf32>) -> tensor<..xf32>
 *   ->
 *   %1 = "ml.cast"(%x), %h = ml.const of f16
 *   %0 = "ml.conv"(%1, %h) : (tensor<..xf16>, tensor<..xf16>) -> tensor<..xf16>
 *   %2 = "ml.cast"(%0) : (tensor<..xf16>) -> tensor<..xf32>       and uses of %0 become %2
 *
 * Applies to every op of the model dialect with an f32 operand, except casts, ops in
 * skip_ops_by_type (names separated by commas, with or without "ml."), and ops with a constant that
 * is larger than f16's maximum but smaller than 1e38. Each value is cast once, after its
 * definition, for all blocks. Constants are rounded here: those of 1e38 or more stand for
 * infinities and become +-65504, and in constants of less than 400 elements no nonzero element
 * becomes 0. Attributes keep their real values. cast-optimization then removes pairs of casts.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, 11 bits per op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/map.h"
#include "ir/ops/forms.h"
#include "ir/types/float_format.h"
#include "passes/support/graph.h"

/* Magnitudes from this one on represent infinities in constants. */
static const double infinite = 1e38, largest_half = 65504, smallest_half = 0x1p-24;
enum { SMALL_CONSTANT = 400 };

typedef struct halving {
  qn_str skipped;
  qn_map halves; /* value of f32 -> its f16 value */
} halving;

static bool is_single(const qn_type *type) {
  return qn_ml_holds(type) && qn_type_is_float(qn_type_element(type), QN_F32);
}
static const qn_type *half_of(qn_ir_context *cx, const qn_type *type) {
  return is_single(type) ? qn_type_with_element(cx, type, qn_type_float(cx, QN_F16)) : type;
}

/* ---- what may change ---- */

static bool is_skipped(const halving *h, const qn_op *op) {
  const char *prefix = "ml.";
  qn_str name = op->name;
  if (qn_str_lists(h->skipped, name)) return true;
  if (!qn_str_starts(name, prefix)) return true;
  return qn_str_lists(h->skipped, (qn_str){name.data + 3, name.size - 3});
}

static bool fits(const qn_value *literal) {
  const qn_attr *attr = qn_value_constant(literal);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(literal->type);
  for (int64_t i = 0; i < count; i++) {
    double x = fabs(qn_dense_float(attr, i));
    if (x > largest_half && x < infinite) return false;
  }
  return true;
}

static bool is_eligible(const halving *h, const qn_op *op) {
  bool any = false;
  if (op->region_count || qn_op_has(op, QN_CONSTANT) || !qn_op_has(op, QN_MODEL_STAGE) ||
      op->kind == QN_OP_ML_CAST || is_skipped(h, op))
    return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *x = qn_op_operand(op, i);
    if (!is_single(x->type)) continue;
    any = true;
    if (qn_value_literal(x) && !fits(x)) return false;
  }
  return any;
}

/* ---- values ---- */

static double rounded(double x, bool is_small) {
  if (isfinite(x) && fabs(x) >= infinite) return copysign(largest_half, x);
  double y = qn_float_round(QN_F16, x);
  return is_small && x != 0 && y == 0 ? copysign(smallest_half, x) : y;
}

static qn_value *half_constant(qn_rewriter *rw, qn_builder *b, const qn_value *x) {
  const qn_type *type = half_of(rw->cx, x->type);
  int64_t count = qn_type_elements(type);
  uint8_t *data = qn_arena_array(rw->pc->scratch, (size_t)count + 1, sizeof(uint16_t));
  for (int64_t i = 0; i < count; i++)
    qn_float_store(QN_F16, rounded(qn_literal_real(x, i), count < SMALL_CONSTANT),
                   data + (size_t)i * sizeof(uint16_t));
  const qn_bytes bytes = {data, (size_t)count * sizeof(uint16_t)};
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0,
                    QN_ATTRS({"value", qn_attr_dense(rw->cx, type, bytes, false)}));
}

/* The f16 value of x, built after the definition of x, so that it dominates all readers in all
 * blocks. */
static qn_value *half_value(qn_rewriter *rw, halving *h, qn_value *x) {
  qn_value *half = qn_map_get(&h->halves, x);
  if (half || !is_single(x->type)) return half ? half : x;
  qn_builder b = x->op ? qn_builder_after(rw->module, x->op)
                       : (qn_builder){rw->module, rw->cx, x->block, x->block->first,
                                      x->loc ? x->loc : rw->pc->root->loc};
  half = qn_value_literal(x) ? half_constant(rw, &b, x)
                             : qn_build_unary(&b, QN_OP_ML_CAST, x, half_of(rw->cx, x->type));
  qn_map_set(&h->halves, x, half);
  return half;
}

static bool halve(qn_rewriter *rw, qn_op *op) {
  halving *h = rw->state;
  if (!is_eligible(h, op)) return false;
  qn_value **values = QN_NEW_ARRAY(rw->pc->scratch, op->operand_count, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++)
    values[i] = half_value(rw, h, qn_op_operand(op, i));
  const qn_type **types = QN_NEW_ARRAY(rw->pc->scratch, op->result_count, const qn_type *);
  for (uint32_t i = 0; i < op->result_count; i++) types[i] = half_of(rw->cx, op->results[i].type);
  qn_op *made = qn_build_copy(&rw->builder, op, values, types);
  qn_op_set_attr(rw->module, made, qn_attr_decls[QN_A_TENSORS].name, NULL);
  qn_value **results = QN_NEW_ARRAY(rw->pc->scratch, op->result_count, qn_value *);
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_type *type = op->results[i].type;
    bool back = types[i] != type;
    results[i] = back ? qn_build_unary(&rw->builder, QN_OP_ML_CAST, &made->results[i], type)
                      : &made->results[i];
  }
  qn_rewriter_replace(rw, op, results);
  return true;
}

static const qn_pattern patterns[] = {{"by-halves", QN_OP_UNREGISTERED, halve, NULL}};

static const qn_option_spec options[] = {
    {"skip_ops_by_type", QN_OPTION_STRING, "", "names of ops that stay f32"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  halving h = {.skipped = qn_str_of(qn_pass_string(pc, "skip_ops_by_type"))};
  qn_status status = qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                                         &(qn_greedy_options){.state = &h});
  qn_map_deinit(&h.halves);
  return status;
}

const qn_pass qn_pass_add_fp16_cast = {
    .name = "add-fp16-cast",
    .summary = "compute in f16 instead of f32, with casts around each op",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
