/* compose-conv1d: turns each form of a one-dimensional convolution, which is expressed by a
 * two-dimensional one, into one form: a convolution of height 1 between expand_dims and squeeze of
 * rank 3.
 *
 *   %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
 *   %1 = "ml.conv"(%0, %w) {...}      : (tensor<1x8x1x4xf32>, tensor<5x3x1x4xf32>)
 *                                       -> tensor<1x6x1x5xf32>
 *   %2 = "ml.squeeze"(%1) {axes = array<i64: 2>}     : (tensor<1x6x1x5xf32>) -> tensor<1x6x5xf32>
 *     ->
 *   the same with axes 1, and %w as a tensor<5x1x3x4xf32>
 *
 *   squeeze(transpose(conv(transpose(expand_dims(%x)))))
 *     ->
 *   transpose(squeeze(conv(expand_dims(transpose(%x)))))    transposes of three dimensions
 *
 *   add(squeeze(conv(...)), %k)   ->   squeeze(add(conv(...), %k))    also sub, mul and batch_norm
 *   add(transpose(squeeze(conv(...))), %k)
 *     ->
 *   transpose(squeeze(add(conv(...), %k as a vector)))
 *
 * ml.conv has at least two dimensions, and the views around it cost nothing. Upstream has an op of
 * its own for one dimension. The last rules have the same effect for other passes on convolutions:
 * they move constants per channel, or one for all channels, of floats, next to the convolution.
 * Along the dimension of size 1 the kernel has size 1, and there is no padding. No other op reads
 * an intermediate result. This file is longer than those of other passes, because it handles two
 * forms and the ops that follow them.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/weights.h"
#include "passes/support/affine.h"

/* Rows of the pattern, from the result to the operands: the order in which ops become unused. */
enum { SQUEEZE, AFTER, CONV, BEFORE, EXPAND, X, WEIGHTS };

/* ---- to height 1 ---- */

static const int64_t in_order[4] = {0, 1, 2, 3};

static const int64_t *perm_of(const qn_op *transpose) {
  return transpose ? qn_op_perm(transpose).data : in_order;
}

/* Derives the permutation of rank 3 that `perm` of rank 4 is without dimension `at` of size 1.
 * Returns whether dimension `at` was dimension `from` before the permutation. */
static bool permute(const int64_t *perm, int64_t from, uint32_t at, int64_t out[3]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (i != at) out[count++] = perm[i] < from ? perm[i] : perm[i] - 1;
  return perm[at] == from;
}

/* The position to which the permutation moves dimension `from`. */
static uint32_t place_of(const int64_t *perm, int64_t from) {
  QN_ASSERT(from >= 0 && from < 4); /* a permutation of 3 or 4 dimensions */
  uint32_t at = 0;
  while (perm[at] != from) at++;
  return at;
}

static qn_value *transposed(qn_rewriter *rw, qn_value *x, const int64_t *perm) {
  qn_i64s by = {perm, 3};
  if (qn_is_identity_perm(by)) return x;
  return qn_build_1(&rw->builder, QN_OP_ML_TRANSPOSE, qn_type_permuted(rw->cx, x->type, by),
                    QN_VALUES(x), QN_ATTRS({"perm", qn_attr_i64s(rw->cx, perm, 3)}));
}

/* Inserts a dimension of size 1 before the second dimension of a value of rank 3, or of a
 * result. */
static qn_value *of_height_one(qn_rewriter *rw, qn_op_kind kind, qn_value *x) {
  QN_ASSERT(qn_rank(x) == 3);
  const int64_t *d = x->type->shaped.dims, one = 1;
  const qn_type *type = qn_type_with_dims(rw->cx, x->type, 4, (int64_t[]){d[0], 1, d[1], d[2]});
  return qn_build_1(&rw->builder, kind, type, QN_VALUES(x),
                    QN_ATTRS({"axes", qn_attr_i64s(rw->cx, &one, 1)}));
}

/* The weights [out, 1, k, in], from weights whose dimension `thin` has size 1. */
static qn_value *lying(qn_rewriter *rw, qn_value *weights, uint32_t thin) {
  QN_ASSERT(qn_rank(weights) == 4 && (thin == 1 || thin == 2) && qn_dim(weights, thin) == 1);
  const int64_t *d = weights->type->shaped.dims;
  const int64_t dims[] = {d[0], d[2], d[1], d[3]};
  const qn_attr *payload = qn_value_constant(weights);
  if (thin == 1) return weights;
  const qn_type *type = qn_type_with_dims(rw->cx, weights->type, 4, dims);
  if (!payload) return qn_build_1(&rw->builder, QN_OP_ML_RESHAPE, type, QN_VALUES(weights), NULL);
  payload = qn_attr_dense(rw->cx, qn_type_with_dims(rw->cx, payload->type, 4, dims),
                          payload->dense.bytes, true);
  return qn_build_1(&rw->builder, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", payload}));
}

/* Builds the convolution of height 1 for `x` of rank 3, and squeezes its result to rank 3. `thin`
 * is the dimension that had size 1 in the original convolution. */
static qn_value *convolved(qn_rewriter *rw, const qn_matched *m, qn_value *x, uint32_t thin) {
  const qn_op *conv = m->op[CONV];
  const int64_t *y = m->value[CONV]->type->shaped.dims, one = 1;
  uint32_t way = 2 - thin;
  const int64_t *pad = qn_op_pad(conv).data + 2 * way;
  qn_value *operands[3] = {of_height_one(rw, QN_OP_ML_EXPAND_DIMS, x), NULL, NULL};
  operands[1] = lying(rw, m->value[WEIGHTS], thin);
  if (conv->operand_count > 2) operands[2] = qn_op_operand(conv, 2);
  const int64_t dims[] = {y[0], 1, y[1 + way], y[3]};
  const qn_type *type = qn_type_with_dims(rw->cx, m->value[CONV]->type, 4, dims);
  qn_value *made = qn_build_like(rw, conv, operands, conv->operand_count, type);
  qn_set_i64s(rw, made, "strides", (int64_t[]){1, qn_op_strides(conv).data[way]}, 2);
  qn_set_i64s(rw, made, "dilations", (int64_t[]){1, qn_op_dilations(conv).data[way]}, 2);
  qn_set_i64s(rw, made, "pad", (int64_t[]){0, 0, pad[0], pad[1]}, 4);
  const qn_type *flat = qn_type_with_dims(rw->cx, type, 3, (int64_t[]){dims[0], dims[2], dims[3]});
  return qn_build_1(&rw->builder, QN_OP_ML_SQUEEZE, flat, QN_VALUES(made),
                    QN_ATTRS({"axes", qn_attr_i64s(rw->cx, &one, 1)}));
}

static bool keeps_elements(const qn_value *from, const qn_value *to) {
  return from->type->shaped.element == to->type->shaped.element && qn_is_position_free(to->type);
}

static qn_value *composed(qn_rewriter *rw, const qn_matched *m) {
  qn_i64s inserted = qn_op_axes(m->op[EXPAND]), dropped = qn_op_axes(m->op[SQUEEZE]);
  const int64_t *before = perm_of(m->op[BEFORE]), *after = perm_of(m->op[AFTER]);
  const qn_op *conv = m->op[CONV];
  if (qn_rank(m->value[X]) != 3 || inserted.count != 1 || dropped.count != 1) return NULL;
  uint32_t thin = place_of(before, inserted.data[0]);
  int64_t to[3], back[3];
  bool moves = m->op[BEFORE] || thin == 2;
  if (!moves || (thin != 1 && thin != 2) || !permute(before, inserted.data[0], thin, to) ||
      !permute(after, thin, (uint32_t)dropped.data[0], back))
    return NULL;
  const int64_t *pad = qn_op_pad(conv).data + 2 * (thin - 1);
  if (pad[0] || pad[1] || qn_dim(m->value[WEIGHTS], thin) != 1 ||
      !keeps_elements(m->value[X], qn_op_operand(conv, 0)) ||
      !keeps_elements(m->value[CONV], m->value[SQUEEZE]))
    return NULL;
  return transposed(rw, convolved(rw, m, transposed(rw, m->value[X], to), thin), back);
}

#define CONVOLUTION .kinds = {QN_OP_ML_CONV, QN_OP_ML_DEPTHWISE_CONV}, .flags = QN_ONLY_USE
#define TURNED .kinds = {QN_OP_ML_TRANSPOSE}, .flags = QN_ONLY_USE
static const qn_graph_rule plain = {
    .rows = {[SQUEEZE] = {.kinds = {QN_OP_ML_SQUEEZE}, .operands = {CONV}},
             [CONV] = {CONVOLUTION, .operands = {EXPAND, WEIGHTS}},
             [EXPAND] = {.kinds = {QN_OP_ML_EXPAND_DIMS}, .flags = QN_ONLY_USE, .operands = {X}},
             [X] = {.flags = QN_ANY_VALUE},
             [WEIGHTS] = {.flags = QN_ANY_VALUE}},
    .rewrite = composed,
};
static const qn_graph_rule between_transposes = {
    .rows = {[SQUEEZE] = {.kinds = {QN_OP_ML_SQUEEZE}, .operands = {AFTER}},
             [AFTER] = {TURNED, .operands = {CONV}},
             [CONV] = {CONVOLUTION, .operands = {BEFORE, WEIGHTS}},
             [BEFORE] = {TURNED, .operands = {EXPAND}},
             [EXPAND] = {.kinds = {QN_OP_ML_EXPAND_DIMS}, .flags = QN_ONLY_USE, .operands = {X}},
             [X] = {.flags = QN_ANY_VALUE},
             [WEIGHTS] = {.flags = QN_ANY_VALUE}},
    .rewrite = composed,
};

/* ---- ops that follow the convolution ---- */

enum { OP, TURNED_FLAT, FLAT, WIDE, KNOWN };

/* Maximum number of ops between the convolution and the squeeze: a scale, a bias, a normalization
 * and one more. */
enum { MOST_TERMS = 4 };

static bool is_convolution(const qn_op *op) {
  return qn_op_has(op, QN_SPATIAL) && qn_op_weights(op) != QN_NO_WEIGHTS;
}

/* Whether the value is the result of a convolution, or of ops with constants that follow one. */
static bool is_at_convolution(const qn_value *value) {
  for (uint32_t i = 0; i <= MOST_TERMS && value->op && qn_value_has_one_use(value); i++) {
    const qn_op *op = value->op;
    if (is_convolution(op) || op->operand_count < 2) return is_convolution(op);
    value = qn_op_operand(op, qn_value_literal(qn_op_operand(op, 0)) ? 1 : 0);
  }
  return false;
}

/* Whether the squeeze keeps the channels as last dimension, so that the op can move before it. */
static bool can_move(const qn_matched *m) {
  return qn_rank(m->value[FLAT]) == 3 && qn_op_axes(m->op[FLAT]).data[0] < 3 &&
         qn_matched_floats(m) && is_at_convolution(m->value[WIDE]);
}

/* A squeeze of the new result, like the one that preceded the op. */
static qn_value *squeezed(qn_rewriter *rw, const qn_matched *m, qn_value *made) {
  return qn_build_like(rw, m->op[FLAT], QN_VALUES(made), m->value[FLAT]->type);
}

static qn_value *at_convolution(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *turn = m->op[TURNED_FLAT];
  const qn_value *of = turn ? m->value[TURNED_FLAT] : m->value[FLAT];
  uint32_t channels = 2;
  if (m->value[OP]->type != of->type || !can_move(m)) return NULL;
  if (turn) channels = place_of(qn_op_perm(turn).data, 2);
  qn_value *k = qn_build_per_channel(rw, m->value[KNOWN], of, channels);
  if (!k) return NULL;
  qn_value *operands[2] = {m->value[WIDE], k};
  if (qn_op_operand(m->op[OP], 0) == m->value[KNOWN]) operands[0] = k, operands[1] = m->value[WIDE];
  qn_value *made = qn_build_like(rw, m->op[OP], operands, 2, m->value[WIDE]->type);
  made = squeezed(rw, m, made);
  return turn ? qn_build_like(rw, turn, QN_VALUES(made), m->value[OP]->type) : made;
}

static qn_value *norm_at_convolution(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *norm = m->op[OP];
  if (qn_op_axis(norm) != 2 || !can_move(m)) return NULL;
  qn_value *operands[5] = {m->value[WIDE]};
  QN_ASSERT(norm->operand_count <= QN_COUNT(operands));
  for (uint32_t i = 1; i < norm->operand_count; i++) operands[i] = qn_op_operand(norm, i);
  qn_value *made = qn_build_like(rw, norm, operands, norm->operand_count, m->value[WIDE]->type);
  qn_op_set_attr(rw->module, made->op, "axis", qn_attr_i64(rw->cx, 3));
  return squeezed(rw, m, made);
}

#define BELOW                                                                                      \
  [FLAT] = {.kinds = {QN_OP_ML_SQUEEZE}, .flags = QN_ONLY_USE, .operands = {WIDE}},                \
  [WIDE] = {.flags = QN_ANY_VALUE}
static const qn_graph_rule constant = {
    .rows = {[OP] = {.kinds = {QN_OP_ML_ADD, QN_OP_ML_SUB, QN_OP_ML_MUL},
                     .flags = QN_EITHER_SIDE,
                     .operands = {FLAT, KNOWN}},
             BELOW,
             [KNOWN] = {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = at_convolution,
};
static const qn_graph_rule constant_behind_transpose = {
    .rows = {[OP] = {.kinds = {QN_OP_ML_ADD, QN_OP_ML_SUB, QN_OP_ML_MUL},
                     .flags = QN_EITHER_SIDE,
                     .operands = {TURNED_FLAT, KNOWN}},
             [TURNED_FLAT] = {TURNED, .operands = {FLAT}},
             BELOW,
             [KNOWN] = {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = at_convolution,
};
static const qn_graph_rule norm = {
    .rows = {[OP] = {.kinds = {QN_OP_ML_BATCH_NORM}, .operands = {FLAT}}, BELOW},
    .rewrite = norm_at_convolution,
};

static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("one-dimension", QN_OP_ML_SQUEEZE, plain),
    QN_GRAPH_RULE("one-dimension-between-transposes", QN_OP_ML_SQUEEZE, between_transposes),
    QN_GRAPH_RULE("constant-behind-squeeze", QN_OP_ML_ADD, constant),
    QN_GRAPH_RULE("constant-behind-squeeze", QN_OP_ML_SUB, constant),
    QN_GRAPH_RULE("constant-behind-squeeze", QN_OP_ML_MUL, constant),
    QN_GRAPH_RULE("constant-behind-transpose", QN_OP_ML_ADD, constant_behind_transpose),
    QN_GRAPH_RULE("constant-behind-transpose", QN_OP_ML_SUB, constant_behind_transpose),
    QN_GRAPH_RULE("constant-behind-transpose", QN_OP_ML_MUL, constant_behind_transpose),
    QN_GRAPH_RULE("norm-behind-squeeze", QN_OP_ML_BATCH_NORM, norm),
};

const qn_pass qn_pass_compose_conv1d = {
    .name = "compose-conv1d",
    .summary = "make convolutions over one dimension of height 1, beside what belongs to them",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
