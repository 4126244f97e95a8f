/* Loops of a linalg.generic's kernel: which loops of the op are merged, and which one is
 * vectorized.
 *
 * The vectorized loop is the innermost parallel loop along which every operand is contiguous or
 * constant, at any depth of the nest; loops inside of it work on vectors. A reduction in lanes
 * vectorizes the last loop instead. If there is no such loop, the kernel is scalar. Short rows are
 * merged with the enclosing loop even if constants must be repeated for that.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "ir/ops/linalg.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "lower/loops/elements/gathered.h"
#include "lower/loops/elements/generic.h"

/* ---- reading the op ---- */

static const qn_type *operand_type(const qn_generic_nest *n, uint32_t i) {
  return qn_elements_place(n->t, qn_op_operand(n->op, i))->type;
}

static int64_t range_of(const qn_generic_nest *n, uint32_t loop) {
  uint32_t operand = 0, dim = 0;
  QN_ASSERT(qn_generic_range(n->op, loop, &operand, &dim));
  return operand_type(n, operand)->shaped.dims[dim];
}

static bool is_parallel(const qn_generic_nest *n, uint32_t loop) {
  const qn_attr *types = qn_op_find(n->op, QN_A_ITERATOR_TYPES);
  return qn_str_is(qn_iterator_kind(types->array.items[loop]), "parallel");
}

static bool walks_alone(const qn_affine_map *map, uint32_t loop) {
  for (uint32_t d = 0; d < map->result_count; d++)
    if (map->results[d]->kind == QN_AFFINE_DIM && map->results[d]->value == (int64_t)loop)
      return true;
  return false;
}

static bool is_own(const qn_generic_nest *n, uint32_t loop) {
  if (!is_parallel(n, loop)) return false;
  for (uint32_t i = n->inputs; i < n->operands; i++)
    if (!walks_alone(qn_generic_map(n->op, i), loop)) return false;
  return true;
}

bool qn_generic_reads(const qn_generic_nest *n, uint32_t output) {
  return qn_value_has_uses(qn_op_body(n->op)->args[n->inputs + output]);
}

bool qn_generic_overwrites(const qn_generic_nest *n, uint32_t output) {
  return n->direct && n->first_carried == n->loop_count && !qn_generic_reads(n, output);
}

/* ---- accesses as integers ---- */

/* Adds factor * e to base and steps[loop of the op]; returns false if e is not linear. */
static bool add_linear(const qn_affine_expr *e, int64_t factor, int64_t *base, int64_t *steps) {
  if (e->kind == QN_AFFINE_CONST) {
    *base += factor * e->value;
    return true;
  }
  if (e->kind == QN_AFFINE_DIM) {
    steps[e->value] += factor;
    return true;
  }
  if (e->kind == QN_AFFINE_ADD)
    return add_linear(e->lhs, factor, base, steps) && add_linear(e->rhs, factor, base, steps);
  if (e->kind != QN_AFFINE_MUL || e->rhs->kind != QN_AFFINE_CONST) return false;
  return add_linear(e->lhs, factor * e->rhs->value, base, steps);
}

/* Converts positions along a dimension, which loop `loop` walks, to elements. */
static void set_offsets(const qn_generic_nest *n, qn_generic_access *a, uint32_t loop,
                        int32_t *positions, int64_t size) {
  const int64_t count = range_of(n, loop);
  if (count == 1) {
    a->base += positions[0] * size;
    return;
  }
  if (!a->offsets) a->offsets = QN_NEW_ARRAY(n->t->lo->scratch, n->op_loops + 1, int32_t *);
  for (int64_t i = 0; i < count; i++) positions[i] = (int32_t)(positions[i] * size);
  a->offsets[loop] = positions;
}

/* Reads the access of an operand as integers. Indices were checked when shapes were traced, or by
 * the interpreter's rules, so products with sizes cannot overflow. */
static void read_access(qn_generic_nest *n, uint32_t operand) {
  qn_generic_access *a = &n->access[operand];
  const qn_value *value = qn_op_operand(n->op, operand);
  const qn_gathered from = qn_gathered_of(n->t->lo, value);
  const qn_type *type = from.positions ? from.source->type : operand_type(n, operand);
  const qn_affine_map *map = qn_generic_map(n->op, operand);
  a->steps = QN_NEW_ARRAY(n->t->lo->scratch, n->op_loops + 1, int64_t);
  a->source = from.source;
  a->linear = true;
  int64_t size = 1;
  for (uint32_t d = map->result_count; d-- > 0;) {
    if (from.positions && from.positions[d])
      set_offsets(n, a, (uint32_t)map->results[d]->value, from.positions[d], size);
    else
      a->linear = a->linear && add_linear(map->results[d], size, &a->base, a->steps);
    size *= type->shaped.dims[d];
  }
}

static void read_splat(qn_generic_nest *n, uint32_t operand) {
  const qn_attr *constant = qn_value_constant(n->access[operand].source);
  if (constant && qn_attr_is_elements(constant) && constant->dense.splat)
    n->access[operand].splat = constant;
}

/* ---- loops ---- */

/* Whether loop `loop` can be merged with the kernel's last loop: for every operand, one step of the
 * outer loop equals the whole range of the inner one. A loop that reduces in lanes is never merged,
 * nor one of the rows with one inside of a row. */
static bool continues(const qn_generic_nest *n, uint32_t loop, int64_t range) {
  const qn_generic_loop *outer = &n->loops[n->loop_count - 1];
  if (n->in_lanes && loop + 1 == n->op_loops) return false;
  if (outer->last < n->rows && loop >= n->rows) return false;
  if (outer->own != is_own(n, loop) || is_parallel(n, outer->last) != is_parallel(n, loop))
    return false;
  if (qn_generic_is_indexed(n->op, loop) || qn_generic_is_indexed(n->op, outer->last)) return false;
  if ((outer->last < n->first_carried) != (loop < n->first_carried)) return false;
  for (uint32_t i = 0; i < n->operands; i++) {
    const qn_generic_access *a = &n->access[i];
    int64_t all;
    if (qn_generic_has_table(a, loop) || qn_generic_has_table(a, outer->last)) return false;
    if (!a->linear || !qn_checked_mul(a->steps[loop], range, &all)) return false;
    if (a->steps[outer->last] != all) return false;
  }
  return true;
}

/* Lists the kernel's loops. Loops of one iteration are omitted, except a loop that reduces in lanes
 * and the only one of the rows. */
static void find_loops(qn_generic_nest *n) {
  n->loops = QN_NEW_ARRAY(n->t->lo->scratch, n->op_loops + 1, qn_generic_loop);
  for (uint32_t i = 0; i < n->op_loops; i++) {
    int64_t range = range_of(n, i);
    bool needed = (n->in_lanes && i + 1 == n->op_loops) || (i + 1 == n->rows && n->loop_count == 0);
    if (range == 1 && !needed) continue;
    if (n->loop_count > 0 && continues(n, i, range)) {
      n->loops[n->loop_count - 1].range *= range;
      n->loops[n->loop_count - 1].last = i;
    } else {
      n->loops[n->loop_count++] = (qn_generic_loop){range, i, is_own(n, i)};
    }
  }
  uint32_t first = n->first_carried;
  for (n->first_carried = 0; n->first_carried < n->loop_count; n->first_carried++)
    if (n->loops[n->first_carried].last >= first) break;
}

/* Converts steps to kernel loops, and sets the depth. */
static void renumber(const qn_generic_nest *n, qn_generic_access *a) {
  a->depth = a->linear ? 0 : n->loop_count;
  for (uint32_t i = 0; i < n->loop_count; i++) {
    a->steps[i] = a->steps[n->loops[i].last];
    if (a->offsets) a->offsets[i] = a->offsets[n->loops[i].last];
    if (a->linear && (a->steps[i] != 0 || qn_generic_has_table(a, i))) a->depth = i + 1;
  }
}

/* ---- vectors ---- */

/* Whether vectors of the type exist. Integers of other widths are scalar only. */
static bool is_lane_type(const qn_type *type) {
  if (type->kind != QN_TYPE_INTEGER)
    return type->kind == QN_TYPE_FLOAT || type->kind == QN_TYPE_INDEX;
  uint32_t width = type->integer.width;
  return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}

/* Bytes of the widest type in the body; 0 if it cannot be vectorized. f16 and bf16 are computed in
 * f64, so half a vector of them fills a register. */
static uint32_t widest(const qn_generic_nest *n) {
  uint32_t most = 1;
  const qn_block *body = qn_op_body(n->op);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    if (!is_lane_type(body->args[i]->type)) return 0;
    if (qn_type_bytes(body->args[i]->type) > most) most = qn_type_bytes(body->args[i]->type);
  }
  QN_FOR_EACH_OP(op, body)
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_type *type = op->results[i].type;
    if (!is_lane_type(type)) return 0;
    if (qn_type_bytes(type) > most) most = qn_type_bytes(type);
  }
  return most;
}

/* ---- short rows ---- */

/* Whether the operand is a constant that depends only on the second-innermost loop, so that a row
 * reads one element. */
static bool is_of_rows(const qn_generic_nest *n, uint32_t operand, uint32_t row) {
  const qn_generic_access *a = &n->access[operand];
  if (operand >= n->inputs || a->splat || a->base != 0 || a->steps[row] != 1) return false;
  for (uint32_t i = 0; i < n->op_loops; i++)
    if (i != row && a->steps[i] != 0) return false;
  const qn_attr *constant = qn_value_constant(qn_op_operand(n->op, operand));
  return constant && qn_attr_is_elements(constant) &&
         qn_type_elements(operand_type(n, operand)) == range_of(n, row);
}

/* Merges rows that are shorter than a few vectors and not a multiple of one with the enclosing
 * loop, if only per-row constants prevent it. These constants are stored with one copy per element
 * of the row. */
static void join_short_rows(qn_generic_nest *n) {
  enum { MOST_VECTORS = 4, MOST_BYTES = 1 << 16 };
  if (n->op_loops < 2 || n->rows > 0) return;
  uint32_t bytes = widest(n), last = n->op_loops - 1;
  if (bytes == 0 || !is_parallel(n, last) || !is_parallel(n, last - 1)) return;
  int64_t lanes = n->t->lo->target->vector_bytes / bytes, range = range_of(n, last);
  if (range == 1 || range % lanes == 0 || range > MOST_VECTORS * lanes) return;
  if (qn_generic_is_indexed(n->op, last) || qn_generic_is_indexed(n->op, last - 1)) return;
  if (range_of(n, last - 1) > MOST_BYTES / (range * bytes)) return;
  for (uint32_t i = 0; i < n->operands; i++) {
    const qn_generic_access *a = &n->access[i];
    if (!a->linear || qn_generic_has_table(a, last) || qn_generic_has_table(a, last - 1)) return;
    if (a->steps[last - 1] != range * a->steps[last] && !is_of_rows(n, i, last - 1)) return;
  }
  for (uint32_t i = 0; i < n->inputs; i++) {
    qn_generic_access *a = &n->access[i];
    if (a->steps[last - 1] == range * a->steps[last]) continue;
    a->each = a->steps[last - 1] = range;
    a->steps[last] = 1;
  }
}

/* ---- the loop of vectors ---- */

static bool has_vectors(const qn_generic_nest *n, uint32_t loop) {
  if (!n->loops[loop].own) return false;
  for (uint32_t i = 0; i < n->operands; i++) {
    const qn_generic_access *a = &n->access[i];
    int64_t step = a->steps[loop];
    if (a->splat && i < n->inputs) continue;
    if (qn_generic_has_table(a, loop)) return false;
    if (!a->linear || (step != 1 && (step != 0 || i >= n->inputs))) return false;
  }
  return true;
}

static void choose_vectors(qn_generic_nest *n) {
  uint32_t bytes = widest(n);
  n->vector = QN_NO_LOOP;
  if (bytes == 0 || n->in_lanes) return;
  int64_t full = n->t->lo->target->vector_bytes / bytes, best = 1;
  for (uint32_t i = n->loop_count; i-- > (n->rows > 0);) {
    int64_t lanes = full;
    while (lanes > n->loops[i].range) lanes /= 2;
    if (lanes <= best || !has_vectors(n, i)) continue;
    n->vector = i;
    n->lanes = best = lanes;
  }
  if (n->vector == QN_NO_LOOP || best < full) return;
  for (int64_t more = qn_elements_at_once(n->op); more > 1; more /= 2)
    if (more * full <= n->loops[n->vector].range) {
      n->lanes = more * full;
      return;
    }
}

/* ---- whole kernels ---- */

/* Whether each output is indexed by every loop outside of the carried ones, one loop per dimension.
 */
static bool is_direct(const qn_generic_nest *n) {
  for (uint32_t i = n->inputs; i < n->operands; i++) {
    const qn_affine_map *map = qn_generic_map(n->op, i);
    if (map->result_count != n->first_carried) return false;
    for (uint32_t loop = 0; loop < n->first_carried; loop++)
      if (!walks_alone(map, loop)) return false;
  }
  return true;
}

static void find_captured(qn_generic_nest *n) {
  uint32_t most = 0;
  const qn_block *body = qn_op_body(n->op);
  QN_FOR_EACH_OP(op, body) most += op->operand_count;
  n->captured = QN_NEW_ARRAY(n->t->lo->scratch, most + 1, const qn_value *);
  QN_FOR_EACH_OP(op, body) {
    for (uint32_t i = 0; i < op->operand_count; i++) {
      const qn_value *value = qn_op_operand(op, i);
      bool inside = value->op ? value->op->block == body : value->block == body;
      /* Scalar constants are rebuilt in the kernel. */
      bool seen = inside || (value->op && value->op->kind == QN_OP_ARITH_CONSTANT);
      for (uint32_t k = 0; k < n->captured_count && !seen; k++) seen = n->captured[k] == value;
      if (!seen) n->captured[n->captured_count++] = value;
    }
  }
}

void qn_generic_plan(qn_generic_nest *n) {
  n->op_loops = qn_generic_loops(n->op);
  n->inputs = qn_generic_inputs(n->op);
  n->operands = n->op->operand_count;
  n->access = QN_NEW_ARRAY(n->t->lo->scratch, n->operands + 1, qn_generic_access);
  find_captured(n);
  for (uint32_t i = 0; i < n->operands; i++) {
    read_access(n, i);
    read_splat(n, i);
  }
  n->first_carried = qn_reduction_first(n->op);
  n->in_lanes = qn_reduces_in_lanes(n->op);
  n->direct = is_direct(n);
  join_short_rows(n);
  find_loops(n);
  for (uint32_t i = 0; i < n->operands; i++) renumber(n, &n->access[i]);
  qn_generic_find_products(n);
  if (n->products)
    n->vector = QN_NO_LOOP;
  else
    choose_vectors(n);
}
