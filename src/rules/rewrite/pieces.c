/* AUTOSPLIT and OP_ITER: build the same part of a replacement once for each piece.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/evaluators.h"
#include "rules/rewrite/build.h"

enum { MOST_PIECES = 4096 };

static bool integer(qn_rule_staging *s, const qn_rule_node *node, int64_t *out_value) {
  if (qn_rule_evaluate_index(&s->evaluation, node, out_value)) return true;
  return qn_rule_stage_unevaluated(s);
}

/* Builds a node while `piece` is the current piece. */
static bool stage_piece(qn_rule_staging *s, const qn_rule_node *node, qn_rule_piece piece,
                        const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  piece.outer = s->evaluation.pieces;
  s->evaluation.pieces = &piece;
  bool good = qn_rule_stage_operand(s, node, wanted, out_operand);
  s->evaluation.pieces = piece.outer;
  return good;
}

/* Whether a built piece has the sizes of its part of the result, so that the concatenation of all
 * pieces is the result. */
static bool has_size(qn_rule_staging *s, qn_rule_operand operand, const qn_rule_wanted *wanted) {
  qn_rule_wanted sizes;
  bool same = qn_rule_sizes_of(s, operand, &sizes) && sizes.rank == wanted->rank;
  for (uint32_t i = 0; same && i < wanted->rank; i++) same = sizes.sizes[i] == wanted->sizes[i];
  return same ||
         qn_rule_stage_fail(s, "RR0901", "a piece has other sizes than its part of the result");
}

bool qn_rule_stage_split(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                         qn_rule_operand *out_operand) {
  int64_t dim, chunk;
  if (!integer(s, node->args[0], &dim) || !integer(s, node->args[2], &chunk)) return false;
  if (dim < 0 || dim >= wanted->rank)
    return qn_rule_stage_fail(s, "RR0905", "there is no dimension %lld to split", (long long)dim);
  if (chunk < 1) return qn_rule_stage_fail(s, "RR0905", "a chunk size of %lld", (long long)chunk);
  s->chunk = chunk;
  int64_t size = wanted->sizes[dim], count = (size + chunk - 1) / chunk;
  if (count < 2)
    return qn_rule_stage_fail(s, "RR0905", "chunks of %lld leave dimension %lld in one piece",
                              (long long)chunk, (long long)dim);
  if (count > MOST_PIECES)
    return qn_rule_stage_fail(s, "RR0907", "%lld pieces are more than %d", (long long)count,
                              MOST_PIECES);
  qn_rule_operand *inputs = QN_NEW_ARRAY(&s->graph->arena, (size_t)count + 1, qn_rule_operand);
  const double axis = (double)dim;
  inputs[0] = qn_rule_numbers_node(s->graph, &axis, 1, false);
  for (int64_t i = 0; i < count; i++) {
    qn_rule_piece piece = {.tag = node->args[1]->text, .dim = dim, .start = i * chunk};
    qn_rule_wanted part = *wanted;
    piece.size = part.sizes[dim] = size - piece.start < chunk ? size - piece.start : chunk;
    QN_ASSERT(piece.size > 0 && piece.start + piece.size <= size);
    if (!stage_piece(s, node->args[3], piece, &part, &inputs[i + 1]) ||
        !has_size(s, inputs[i + 1], &part))
      return false;
  }
  return qn_rule_stage_op(s, qn_str_of("Concat"), inputs, (uint32_t)count + 1, wanted, out_operand);
}

/* The op's name and first inputs of an OP_ITER: from an Op, which is not built itself, or from an
 * existing op. */
static bool stage_base(qn_rule_staging *s, const qn_rule_node *base, const qn_rule_wanted *wanted,
                       qn_str *out_name, qn_rule_operand *inputs, uint32_t most,
                       uint32_t *out_count) {
  if (base->function && qn_rule_is(base, QN_RULE_FN_Op)) {
    *out_name = qn_rule_op_name(base);
    *out_count = base->arg_count - 1;
    for (uint32_t i = 0; i < *out_count && i < most; i++)
      if (!qn_rule_stage_operand(s, base->args[i + 1], wanted, &inputs[i])) return false;
    return true;
  }
  const qn_rule_view *v = s->evaluation.view;
  qn_rule_operand operand;
  if (!qn_rule_stage_operand(s, base, wanted, &operand)) return false;
  const qn_rule_gnode *node = qn_rule_gnode_of(operand);
  if (!node->form) return qn_rule_stage_fail(s, "RR0904", "OP_ITER's op has no name");
  *out_name = qn_str_of(node->form->name);
  *out_count = v->input_count(v->graph, operand.node);
  for (uint32_t i = 0; i < *out_count && i < most; i++)
    inputs[i] = v->input(v->graph, operand.node, i);
  return true;
}

bool qn_rule_stage_iterations(qn_rule_staging *s, const qn_rule_node *node,
                              const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  int64_t low, high;
  qn_str name;
  uint32_t count = 0;
  if (!integer(s, node->args[2], &low) || !integer(s, node->args[3], &high)) return false;
  if (high - low > MOST_PIECES)
    return qn_rule_stage_fail(s, "RR0907", "%lld iterations are more than %d",
                              (long long)(high - low), MOST_PIECES);
  uint32_t most = MOST_PIECES;
  qn_rule_operand *inputs = QN_NEW_ARRAY(&s->graph->arena, 2 * (size_t)most, qn_rule_operand);
  if (!stage_base(s, node->args[0], wanted, &name, inputs, most, &count)) return false;
  if (count > most) return qn_rule_stage_fail(s, "RR0907", "OP_ITER's op has too many operands");
  for (int64_t i = low; i < high; i++) {
    qn_rule_piece piece = {.tag = node->args[1]->text, .start = i};
    QN_ASSERT(count < 2 * most); /* the array of inputs */
    if (!stage_piece(s, node->args[4], piece, wanted, &inputs[count++])) return false;
  }
  return qn_rule_stage_op(s, name, inputs, count, wanted, out_operand);
}
