/* Emits post-ops in the kernel of their chain's root.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/elements.h"
#include "lower/loops/fusion/chain.h"
#include "lower/loops/ops/dequantize.h"
#include "lower/loops/ops/lut.h"
#include "lower/loops/vec.h"

typedef qn_fusion_link link;

uint32_t qn_fusion_buffers(qn_loops *lo, const qn_op *root, qn_value **out_buffers) {
  const link *l = qn_fusion_link_of(lo->fusion, root);
  uint32_t count = 0;
  while ((l = qn_fusion_next_link(l))) {
    bool reads = qn_fusion_post_op(l->op) == QN_POST_OP_UNARY ||
                 qn_fusion_post_op(l->op) == QN_POST_OP_BINARY;
    if (!reads) continue; /* a function of floats, or real values */
    qn_value *table = l->binary ? qn_binary_table(lo, l->binary) : qn_lut_table(lo, l->op);
    if (l->binary) out_buffers[count++] = qn_loops_buffer(lo, qn_op_operand(l->op, 1 - l->side));
    if (table) out_buffers[count++] = table;
  }
  return count;
}

qn_value *qn_fusion_emit(qn_kernel *k, const qn_op *op, uint32_t first_arg, qn_value *bytes,
                         qn_value *element) {
  const link *l = qn_fusion_link_of(k->lo->fusion, op);
  qn_builder *b = &k->b;
  k->has_post_ops = true;
  while ((l = qn_fusion_next_link(l))) {
    if (qn_fusion_post_op(l->op) == QN_POST_OP_DEQUANTIZE) {
      bytes = qn_dequantize_emit(k->lo, b, l->op, bytes); /* the last one */
      continue;
    }
    if (!l->binary) {
      qn_value *of_lut = qn_lut_has_table(l->op) ? k->args[first_arg++] : NULL;
      bytes = qn_lut_emit(b, l->op, of_lut, bytes);
      continue;
    }
    QN_ASSERT(first_arg < k->given);
    qn_value *buffer = k->args[first_arg++];
    qn_value *other = qn_vec_load(b, buffer, element, 0, qn_vec_count(bytes));
    qn_value *table = qn_binary_has_table(l->binary) ? k->args[first_arg++] : NULL;
    bytes = l->side == 0 ? qn_binary_emit(b, l->binary, table, bytes, other)
                         : qn_binary_emit(b, l->binary, table, other, bytes);
  }
  QN_ASSERT(first_arg == k->given); /* the buffers of post-ops come last */
  return bytes;
}

/* Whether two vectors at once are faster. */
static bool overlaps(const link *root) {
  for (const link *l = root; (l = qn_fusion_next_link(l));)
    if (qn_elements_at_once(l->op) > 1) return true;
  return false;
}

static qn_value *emit_floats(qn_kernel *k, const link *root, qn_value *lanes) {
  const link *l = root, *next;
  for (; (next = qn_fusion_next_link(l)); l = next)
    lanes = qn_elements_function(k, next->op, &l->op->results[0], lanes);
  return lanes;
}

void qn_fusion_emit_floats(qn_kernel *k, const qn_op *op, qn_value **vectors, uint32_t count) {
  const link *root = qn_fusion_link_of(k->lo->fusion, op);
  if (!qn_fusion_next_link(root)) return;
  const bool pairs = overlaps(root);
  for (uint32_t v = 0; v < count; v++) {
    const int64_t lanes = qn_vec_count(vectors[v]);
    if (!pairs || v + 1 == count || qn_vec_count(vectors[v + 1]) != lanes) {
      vectors[v] = emit_floats(k, root, vectors[v]);
      continue;
    }
    qn_value *both = emit_floats(k, root, qn_vec_join(&k->b, vectors[v], vectors[v + 1]));
    vectors[v] = qn_vec_slice(&k->b, both, 0, lanes);
    vectors[++v] = qn_vec_slice(&k->b, both, lanes, lanes);
  }
}

qn_fusion_float_add qn_fusion_float_add_of(const qn_loops *lo, const qn_op *root) {
  const link *l = qn_fusion_next_link(qn_fusion_link_of(lo->fusion, root));
  if (!l || !l->binary || !l->binary->sum_form.proved) return (qn_fusion_float_add){.op = NULL};
  const qn_binary *n = l->binary;
  return (qn_fusion_float_add){.op = l->op,
                               .binary = n,
                               .is_second = l->side == 1,
                               .other_unsigned = l->side == 1 ? n->a_unsigned : n->b_unsigned,
                               .is_unsigned = n->is_unsigned,
                               .min = n->min,
                               .max = n->max};
}

qn_value *qn_fusion_add(qn_builder *b, const qn_fusion_float_add *sum, qn_value *x,
                        qn_value *other) {
  QN_ASSERT(sum->op && x->type == other->type);
  return sum->is_second ? qn_binary_sum_floats(b, sum->binary, other, x)
                        : qn_binary_sum_floats(b, sum->binary, x, other);
}
