/* Replaces ops that together compute a function of one 8-bit tensor by a table of 256 bytes: a
 * chain dequantize, float ops, quantize; or the product of x and a table of x.
 *
 *   before: %f = "ml.dequantize_float"(%x) : (tensor<4xi8>) -> tensor<4xf32>
 *           %g = linalg.generic ins(%f) { x / (1 + exp(-x)) }
 *           %y = "ml.quantize_float"(%g) : (tensor<4xf32>) -> tensor<4xi8>
 *   after:  %y = "ml.lut"(%x, %table) : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
 *
 * The interpreter computes the table: it executes the ops on all 256 bytes, so the results are
 * bit-exact. An op in the middle of the chain that has other readers is kept for them. The chain
 * starts at a tensor that keep_tensors preserves, if there is one. A single op is replaced only if
 * its body computes with values wider than bytes, because vectors of bytes are faster than lookups.
 * The pass precedes use-unsigned, which accepts tables of either signedness. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/map.h"
#include "eval/eval.h"
#include "ir/clone.h"
#include "ir/generic.h"
#include "ir/ops/linalg.h"
#include "ir/pointwise.h"
#include "ir/walk.h"
#include "lower/integer/integer.h"

enum { BYTES = 256, MAX_OPS = 64, MAX_STEPS = 1 << 22 };

/* ---- slices: which ops become part of a table ---- */

/* The ops that compute a value, and the leaves: values that they start from. */
typedef struct slice {
  qn_op *ops[MAX_OPS];
  uint32_t op_count;
  qn_value *leaves[MAX_OPS];
  uint32_t leaf_count;
} slice;

typedef struct tabulator {
  qn_pass_context *pc;
  qn_map places; /* op -> its position in the function + 1 */
} tabulator;

static bool is_byte(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return type->kind == QN_TYPE_TENSOR && type->shaped.rank > 0 &&
         element->kind == QN_TYPE_INTEGER && element->integer.width == 8;
}

static uintptr_t place_of(const tabulator *t, const qn_value *value) {
  return value->op ? (uintptr_t)qn_map_get(&t->places, value->op) : 0;
}

static bool has_op(const slice *s, const qn_op *op) {
  for (uint32_t i = 0; i < s->op_count; i++)
    if (s->ops[i] == op) return true;
  return false;
}

static bool add_leaf(slice *s, qn_value *value) {
  if (value->op && has_op(s, value->op)) return true;
  for (uint32_t i = 0; i < s->leaf_count; i++)
    if (s->leaves[i] == value) return true;
  if (s->leaf_count == MAX_OPS) return false;
  s->leaves[s->leaf_count++] = value;
  return true;
}

static bool add_op(slice *s, qn_op *op) {
  if (s->op_count == MAX_OPS) return false;
  s->ops[s->op_count++] = op;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_pointwise_role_of(op, i) == QN_POINTWISE_ELEMENT && !add_leaf(s, qn_op_operand(op, i)))
      return false;
  return true;
}

/* The next leaf to expand: a leaf without 8-bit elements, else, among several, the one computed
 * last. */
static uint32_t next_leaf(const tabulator *t, const slice *s) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < s->leaf_count; i++) {
    bool wide = !is_byte(s->leaves[i]->type), last_is_wide = !is_byte(s->leaves[last]->type);
    if (wide && !last_is_wide) last = i;
    if (wide != !is_byte(s->leaves[last]->type)) continue;
    if (place_of(t, s->leaves[i]) > place_of(t, s->leaves[last])) last = i;
  }
  return last;
}

/* Adds the op that computes leaf `next` to the slice. */
static bool look_through(const tabulator *t, slice *s, uint32_t next) {
  qn_op *from = s->leaves[next]->op;
  if (!from || from->block != s->ops[0]->block || qn_integer_is_kept(t->pc, from)) return false;
  if (!qn_is_pointwise(from)) return false;
  s->leaves[next] = s->leaves[--s->leaf_count];
  return add_op(s, from);
}

/* Finds the ops from one 8-bit tensor to `op`. Stops at the nearest 8-bit tensor that other ops
 * also read. False if there is none, or there are too many ops. */
static bool find_slice(const tabulator *t, qn_op *op, slice *out) {
  slice s = {.op_count = 0};
  out->op_count = 0;
  bool good = add_op(&s, op);
  while (good && s.leaf_count > 0) {
    const qn_value *leaf = s.leaves[0];
    bool ends = s.leaf_count == 1 && is_byte(leaf->type);
    if (ends) *out = s;
    if (ends && !qn_value_has_one_use(leaf)) break;
    good = look_through(t, &s, next_leaf(t, &s));
  }
  return out->op_count > 0;
}

/* Whether a single op is slower than a lookup, because its body computes with more than bytes and
 * booleans. */
static bool computes_wide(const qn_op *op) {
  if (op->region_count == 0) return false;
  const qn_block *body = qn_op_body(op);
  QN_FOR_EACH_OP(inner, body)
  for (uint32_t i = 0; i < inner->result_count; i++)
    if (qn_type_bytes(inner->results[i].type) > 1) return true;
  return false;
}

/* ---- the table ---- */

/* The ops of a slice, copied to a separate function on 256 elements. */
typedef struct trial {
  qn_module *module;
  qn_builder b;
  const slice *s;
  qn_map copies; /* value -> its copy */
} trial;

/* A tensor type of rank `rank` with 256 elements in a row. */
static const qn_type *row_of(qn_ir_context *cx, const qn_type *type, uint32_t rank) {
  int64_t dims[QN_GENERIC_MAX_LOOPS];
  for (uint32_t i = 0; i < rank; i++) dims[i] = i + 1 == rank ? BYTES : 1;
  return qn_type_tensor(cx, qn_type_element(type), rank, dims);
}

static qn_value *constant(trial *t, const qn_type *type, const qn_attr *value) {
  return qn_build_1(&t->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *uniform(trial *t, const qn_value *value, uint32_t rank) {
  const qn_type *type = row_of(t->b.cx, value->type, rank);
  qn_bytes one = {qn_value_constant(value)->dense.bytes.data,
                  qn_type_bytes(qn_type_element(value->type))};
  return constant(t, type, qn_attr_dense(t->b.cx, type, one, false));
}

/* The copy of operand i for 256 elements; NULL if its own elements are copied. */
static qn_value *stand_in(trial *t, const qn_op *op, uint32_t i, uint32_t rank) {
  const qn_value *value = qn_op_operand(op, i);
  switch (qn_pointwise_role_of(op, i)) {
  case QN_POINTWISE_UNIFORM:
    return uniform(t, value, rank);
  case QN_POINTWISE_TABLE:
    return constant(t, value->type, qn_value_constant(value));
  case QN_POINTWISE_IGNORED:
    return qn_build_1(&t->b, QN_OP_TENSOR_EMPTY, row_of(t->b.cx, value->type, rank), NULL, 0, NULL);
  default:
    return NULL;
  }
}

/* Sets identity maps, because every operand now has the shape of the result. */
static void set_identity_maps(trial *t, qn_op *copy, uint32_t rank) {
  const qn_attr *maps[QN_GENERIC_MAX_LOOPS];
  for (uint32_t i = 0; i < copy->operand_count; i++) maps[i] = qn_generic_identity(t->b.cx, rank);
  qn_op_set_attr(t->module, copy, "indexing_maps",
                 qn_attr_array(t->b.cx, maps, copy->operand_count));
}

/* Copies scalar constants that a body reads from outside. */
static void copy_captured(trial *t, const qn_op *op) {
  const qn_block *body = op->region_count > 0 ? qn_op_body(op) : NULL;
  if (!body) return;
  QN_FOR_EACH_OP(inner, body)
  for (uint32_t i = 0; i < inner->operand_count; i++) {
    const qn_value *value = qn_op_operand(inner, i);
    if (!value->op || value->op->block == body || qn_map_get(&t->copies, value)) continue;
    qn_op_append(qn_op_clone(t->module, value->op, &t->copies), t->b.block);
  }
}

static void copy_op(trial *t, const qn_op *op) {
  uint32_t rank = op->results[0].type->shaped.rank;
  copy_captured(t, op);
  qn_value *operands[QN_GENERIC_MAX_LOOPS];
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *other = stand_in(t, op, i, rank);
    operands[i] = other ? other : qn_map_get(&t->copies, qn_op_operand(op, i));
  }
  qn_op *copy = qn_op_clone(t->module, op, &t->copies);
  qn_op_append(copy, t->b.block);
  for (uint32_t i = 0; i < op->operand_count; i++) qn_op_set_operand(copy, i, operands[i]);
  qn_value_set_type(&copy->results[0], row_of(t->b.cx, copy->results[0].type, rank));
  if (copy->region_count > 0) set_identity_maps(t, copy, rank);
}

/* Copies the ops of the slice, operands first, because the slice is unordered. */
static void copy_slice(trial *t) {
  bool done[MAX_OPS] = {false};
  for (uint32_t left = t->s->op_count; left > 0;) {
    for (uint32_t i = 0; i < t->s->op_count; i++) {
      const qn_op *op = t->s->ops[i];
      bool ready = !done[i];
      for (uint32_t k = 0; k < op->operand_count && ready; k++)
        ready = qn_pointwise_role_of(op, k) != QN_POINTWISE_ELEMENT ||
                qn_map_get(&t->copies, qn_op_operand(op, k));
      if (!ready) continue;
      copy_op(t, op);
      done[i] = true;
      left--;
    }
  }
}

static qn_op *build_function(trial *t) {
  qn_ir_context *cx = t->module->cx;
  qn_value *leaf = t->s->leaves[0];
  const qn_op *last = t->s->ops[0];
  const qn_type *x = row_of(cx, leaf->type, leaf->type->shaped.rank);
  const qn_type *result = last->results[0].type, *y = row_of(cx, result, result->shaped.rank);
  qn_builder at = qn_builder_at_end(t->module, qn_op_body(t->module->op), last->loc);
  qn_op *func = qn_build_func(&at, qn_str_of("main"), qn_type_function(cx, &x, 1, &y, 1), NULL);
  t->b = qn_builder_at_end(t->module, qn_op_body(func), last->loc);
  qn_map_set(&t->copies, leaf, qn_op_body(func)->args[0]);
  copy_slice(t);
  qn_build_0(&t->b, QN_OP_FUNC_RETURN, QN_VALUES(qn_map_get(&t->copies, &last->results[0])), NULL);
  return func;
}

/* Computes the last op's result for all 256 bytes of the leaf; false if an op has no result for one
 * of them. */
static bool compute_table(qn_pass_context *pc, const slice *s, uint8_t table[BYTES]) {
  static const qn_eval_options options = {.max_steps = MAX_STEPS};
  trial t = {.module = qn_module_create(pc->cx, pc->module->op->loc), .s = s};
  qn_op_set_attrs(t.module, t.module->op, pc->module->op->attrs, pc->module->op->attr_count);
  qn_op *func = build_function(&t);
  uint8_t all[BYTES];
  for (int i = 0; i < BYTES; i++) all[i] = (uint8_t)i;
  qn_rt_value x = {.type = qn_op_body(func)->args[0]->type, .data = all, .size = BYTES}, y = {0};
  qn_diag_state state = qn_diag_silence(&pc->cx->diag);
  bool computed = qn_eval_call(t.module, func, &x, 1, &y, pc->scratch, &options) == QN_OK;
  qn_diag_restore(&pc->cx->diag, &state);
  if (computed) memcpy(table, y.data, BYTES);
  qn_map_deinit(&t.copies);
  qn_module_destroy(t.module);
  return computed;
}

/* ---- the pass ---- */

/* Erases an unused op, and the op that only allocated its result. */
static void erase(qn_module *module, qn_op *op) {
  qn_value *made[QN_GENERIC_MAX_LOOPS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_pointwise_role_of(op, i) == QN_POINTWISE_IGNORED) made[count++] = qn_op_operand(op, i);
  qn_op_erase(module, op);
  for (uint32_t i = 0; i < count; i++) {
    qn_op *from = made[i]->op;
    if (from && from->operand_count == 0 && qn_op_has(from, QN_PURE) && !qn_value_has_uses(made[i]))
      qn_op_erase(module, from);
  }
}

/* Removes unused ops in the order of the slice, in which an op precedes the ops that compute its
 * operands. */
static void remove_dead(qn_module *module, slice *s) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 1; i < s->op_count; i++) {
      qn_op *op = s->ops[i];
      if (!op || qn_value_has_uses(&op->results[0])) continue;
      erase(module, op);
      s->ops[i] = NULL;
      again = true;
    }
  }
}

static void tabulate(qn_op *op, void *user) {
  tabulator *t = user;
  slice s;
  uint8_t table[BYTES];
  qn_module *module = t->pc->module;
  qn_map_set(&t->places, op, (void *)(t->places.count + 1));
  if (op->result_count != 1 || !is_byte(op->results[0].type)) return;
  if (!qn_is_pointwise(op) || !find_slice(t, op, &s)) return;
  if (s.op_count == 1 && !computes_wide(op)) return;
  if (!compute_table(t->pc, &s, table)) return;
  qn_builder b = qn_builder_before(module, op);
  qn_value *y = qn_plan_lut(&b, s.leaves[0], table, op->results[0].type);
  qn_map_set(&t->places, y->op, qn_map_get(&t->places, op));
  qn_integer_move_marks(module, op, y->op);
  qn_value_replace_all_uses(&op->results[0], y);
  erase(module, op);
  remove_dead(module, &s);
  t->pc->changed = true;
}

static qn_status run(qn_pass_context *pc) {
  tabulator t = {.pc = pc};
  qn_integer_for_each(pc->module, tabulate, &t);
  qn_map_deinit(&t.places);
  return QN_OK;
}

const qn_pass qn_pass_tabulate_bytes = {
    .name = "tabulate-bytes",
    .summary = "replace functions of one 8-bit tensor by 256-entry lookup tables",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .run = run,
};
