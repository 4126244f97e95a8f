/* Fuses an elementwise linalg.generic into its only reader, another linalg.generic: a chain of
 * float ops becomes one kernel without intermediate tensors.
 *
 *   before: %a = linalg.generic ins(%x, %y) { addf }
 *           %s = linalg.generic ins(%a) { logistic }
 *           %m = linalg.generic ins(%s, %a) { mulf }
 *   after:  %m = linalg.generic ins(%x, %y) { addf, logistic, mulf }
 *
 * The reader visits every element of the fused tensor exactly once, in an elementwise loop or a
 * reduction. So no element is computed twice, and each is computed by the same ops as before. If
 * the fused op broadcasts an operand, its rows must have at least MIN_BROADCAST_ROW elements, so
 * that they can be vectorized. A tensor that keep_tensors preserves is not fused. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"
#include "ir/clone.h"
#include "ir/generic.h"
#include "ir/ops/linalg.h"
#include "ir/pointwise.h"
#include "ir/reduction.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/integer/integer.h"

/* MAX_BODY_OPS: a larger body spills its values to memory and gains nothing. */
enum { MAX_BODY_OPS = 192, MIN_BROADCAST_ROW = 32 };

/* ---- conditions ---- */

static const qn_attr *map_attr(const qn_op *op, uint32_t operand) {
  return qn_op_find(op, QN_A_INDEXING_MAPS)->array.items[operand];
}

static uint32_t body_size(const qn_op *op) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(inner, qn_op_body(op)) count++;
  return count;
}

/* Whether the map selects loops in ascending order, each at most once, such as (d0, d2). */
static bool is_in_order(const qn_affine_map *map) {
  int64_t last = -1;
  for (uint32_t d = 0; d < map->result_count; d++) {
    const qn_affine_expr *e = map->results[d];
    if (e->kind == QN_AFFINE_CONST) continue;
    if (e->kind != QN_AFFINE_DIM || e->value <= last) return false;
    last = e->value;
  }
  return true;
}

/* Whether each loop indexes exactly one dimension, so that every element is visited once. */
static bool is_permutation(const qn_affine_map *map) {
  uint64_t seen = 0;
  for (uint32_t d = 0; d < map->result_count; d++) {
    if (map->results[d]->kind != QN_AFFINE_DIM) return false;
    seen |= UINT64_C(1) << map->results[d]->value;
  }
  return map->result_count == map->dims && seen == (UINT64_C(1) << map->dims) - 1;
}

/* Whether every input is read at the result's position, or is uniform. */
static bool is_flat(const qn_op *op) {
  for (uint32_t i = 0; i < qn_generic_inputs(op); i++)
    if (qn_pointwise_role_of(op, i) == QN_POINTWISE_NOT) return false;
  return true;
}

static bool can_go(const qn_pass_context *pc, const qn_op *from) {
  if (!qn_is_pointwise_generic(from) || qn_integer_is_kept(pc, from)) return false;
  for (uint32_t i = 0; i < qn_generic_inputs(from); i++)
    if (!is_in_order(qn_generic_map(from, i))) return false;
  const qn_type *type = from->results[0].type;
  if (is_flat(from)) return true;
  return type->shaped.rank > 0 && type->shaped.dims[type->shaped.rank - 1] >= MIN_BROADCAST_ROW;
}

static bool is_parallel_loop(const qn_op *op, uint32_t loop) {
  const qn_attr *types = qn_op_find(op, QN_A_ITERATOR_TYPES);
  return qn_str_is(qn_iterator_kind(types->array.items[loop]), "parallel");
}

/* Whether the kernel of the op is vectorized, along parallel elements or along a reduction. */
static bool can_take(const qn_op *op) {
  if (op->kind != QN_OP_LINALG_GENERIC || op->result_count != 1) return false;
  uint32_t loops = qn_generic_loops(op);
  return loops > 0 && loops < QN_GENERIC_MAX_LOOPS &&
         (qn_reduces_in_lanes(op) || is_parallel_loop(op, loops - 1));
}

/* Whether `op` is the only reader of the value, as one input with one map. */
static bool is_only_reader(const qn_op *op, const qn_value *value) {
  const qn_attr *map = NULL;
  for (const qn_use *use = value->first_use; use; use = use->next) {
    uint32_t operand = (uint32_t)(use - op->operands);
    if (use->owner != op || operand >= qn_generic_inputs(op)) return false;
    if (map && map != map_attr(op, operand)) return false;
    map = map_attr(op, operand);
  }
  return map && is_permutation(map->map);
}

static bool fits(const qn_op *op, const qn_op *from) {
  return op->operand_count + from->operand_count <= QN_GENERIC_MAX_OPERANDS &&
         body_size(op) + body_size(from) <= MAX_BODY_OPS;
}

/* Whether the body has only cheap ops such as additions and products. */
static bool is_light(const qn_op *op) {
  QN_FOR_EACH_OP(inner, qn_op_body(op))
  if (!qn_op_has(inner, QN_TERMINATOR) && !qn_str_starts(inner->name, "arith.")) return false;
  return true;
}

/* Whether fusing `from` into `op` pays. Loops with rows and broadcasts slow down an expensive body,
 * whose iterations otherwise overlap, by more than the intermediate tensor costs: a normalized row
 * in the body of gelu takes 20 % longer than in a separate kernel. */
static bool suits(const qn_op *op, const qn_op *from) { return is_flat(from) || is_light(op); }

/* The producer that can be fused into the body of `op`; NULL if none. */
static qn_op *find_producer(const qn_pass_context *pc, const qn_op *op) {
  for (uint32_t i = 0; i < qn_generic_inputs(op); i++) {
    qn_op *from = qn_op_operand(op, i)->op;
    if (!from || from->block != op->block || from->kind != QN_OP_LINALG_GENERIC) continue;
    if (!fits(op, from) || !can_go(pc, from) || !suits(op, from)) continue;
    if (is_only_reader(op, &from->results[0])) return from;
  }
  return NULL;
}

/* ---- the new op ---- */

typedef struct pair {
  qn_ir_context *cx;
  const qn_op *op, *from;
  const qn_affine_map *through; /* map from the loops of `op` to the dimensions of the value */
  qn_generic generic;
  qn_map values; /* value of either body -> value of the new body */
} pair;

/* The map of an input of `from`, expressed in the loops of `op`. */
static const qn_attr *composed(const pair *f, uint32_t input) {
  const qn_affine_map *map = qn_generic_map(f->from, input);
  const qn_affine_expr *results[QN_GENERIC_MAX_LOOPS];
  for (uint32_t d = 0; d < map->result_count; d++) {
    const qn_affine_expr *e = map->results[d];
    results[d] =
        e->kind == QN_AFFINE_DIM ? f->through->results[e->value] : qn_affine_const(f->cx, e->value);
  }
  return qn_generic_map_of(f->cx, f->through->dims, results, map->result_count);
}

/* Index of an operand of the new op; equal operands with equal maps are listed once. */
static uint32_t operand_of(pair *f, qn_value *value, const qn_attr *map) {
  qn_generic *g = &f->generic;
  for (uint32_t i = 0; i < g->operand_count; i++)
    if (g->operands[i] == value && g->maps[i] == map) return i;
  g->operands[g->operand_count] = value;
  g->maps[g->operand_count] = map;
  return g->operand_count++;
}

/* Lists the operands of both ops. numbers[i]: index in the new op of operand i of `op`, then of
 * `from`. */
static void gather(pair *f, uint32_t numbers[2 * QN_GENERIC_MAX_OPERANDS]) {
  uint32_t inputs = qn_generic_inputs(f->op), count = f->op->operand_count;
  for (uint32_t i = 0; i < inputs; i++) {
    qn_value *value = qn_op_operand(f->op, i);
    if (value->op != f->from) numbers[i] = operand_of(f, value, map_attr(f->op, i));
  }
  for (uint32_t i = 0; i < qn_generic_inputs(f->from); i++)
    if (qn_value_has_uses(qn_op_body(f->from)->args[i]))
      numbers[count + i] = operand_of(f, qn_op_operand(f->from, i), composed(f, i));
  qn_generic *g = &f->generic; /* the output is not an input, even if it is the same value */
  g->operands[g->operand_count] = qn_op_operand(f->op, inputs);
  g->maps[g->operand_count] = map_attr(f->op, inputs);
  numbers[inputs] = g->operand_count++;
}

static void map_args(pair *f, const qn_op *old, const qn_op *made, const uint32_t *numbers) {
  const qn_block *body = qn_op_body(old);
  for (uint32_t i = 0; i < body->arg_count; i++)
    if (qn_value_has_uses(body->args[i]) && !qn_map_get(&f->values, body->args[i]))
      qn_map_set(&f->values, body->args[i], qn_op_body(made)->args[numbers[i]]);
}

/* Copies a body; returns what it yields. */
static qn_value *copy_body(pair *f, qn_builder *b, const qn_op *op) {
  qn_value *yielded = NULL;
  QN_FOR_EACH_OP(inner, qn_op_body(op)) {
    if (qn_op_has(inner, QN_TERMINATOR)) {
      qn_value *value = qn_op_operand(inner, 0), *copy = qn_map_get(&f->values, value);
      yielded = copy ? copy : value;
    } else {
      qn_op_append(qn_op_clone(b->module, inner, &f->values), b->block);
    }
  }
  return yielded;
}

static qn_op *build(pair *f, qn_module *module) {
  uint32_t numbers[2 * QN_GENERIC_MAX_OPERANDS] = {0}, count = f->op->operand_count;
  f->generic.loops = qn_generic_loops(f->op);
  for (uint32_t i = 0; i < f->generic.loops; i++)
    if (!is_parallel_loop(f->op, i)) f->generic.reductions |= UINT64_C(1) << i;
  gather(f, numbers);
  qn_builder b = qn_builder_before(module, (qn_op *)(uintptr_t)f->op);
  qn_op *made = qn_generic_open(&b, &f->generic);
  map_args(f, f->from, made, numbers + count);
  qn_value *value = copy_body(f, &b, f->from);
  for (uint32_t i = 0; i < qn_generic_inputs(f->op); i++)
    if (qn_op_operand(f->op, i)->op == f->from)
      qn_map_set(&f->values, qn_op_body(f->op)->args[i], value);
  map_args(f, f->op, made, numbers);
  qn_generic_close(&b, made, copy_body(f, &b, f->op));
  qn_integer_move_marks(module, f->op, made);
  return made;
}

/* ---- the pass ---- */

typedef struct fuser {
  qn_pass_context *pc;
  qn_op **ops;    /* [position] ops of the function; NULL once erased */
  qn_map numbers; /* op -> its position + 1 */
} fuser;

/* Erases a linalg.generic, and the op that only allocated its result. */
static void erase(fuser *f, qn_op *op) {
  qn_value *room = qn_op_operand(op, qn_generic_inputs(op));
  uintptr_t number = (uintptr_t)qn_map_get(&f->numbers, op);
  if (number > 0) f->ops[number - 1] = NULL;
  qn_op_erase(f->pc->module, op);
  if (!room->op || room->op->operand_count > 0 || qn_value_has_uses(room)) return;
  number = (uintptr_t)qn_map_get(&f->numbers, room->op);
  if (number > 0) f->ops[number - 1] = NULL;
  qn_op_erase(f->pc->module, room->op);
}

/* Returns the fused op; NULL if it would reduce in another order. */
static qn_op *fuse(fuser *f, qn_op *op, qn_op *from) {
  pair both = {.cx = f->pc->cx, .op = op, .from = from};
  for (uint32_t i = 0; i < qn_generic_inputs(op); i++)
    if (qn_op_operand(op, i)->op == from) both.through = qn_generic_map(op, i);
  qn_op *made = build(&both, f->pc->module);
  qn_map_deinit(&both.values);
  if (qn_reduces_in_lanes(made) != qn_reduces_in_lanes(op)) {
    qn_op_erase(f->pc->module, made);
    return NULL;
  }
  qn_value_replace_all_uses(&op->results[0], &made->results[0]);
  erase(f, op);
  erase(f, from);
  f->pc->changed = true;
  return made;
}

/* Visits readers before producers: a value that is read by two ops of a chain is read by one once
 * they are fused. */
static void fuse_function(qn_pass_context *pc, const qn_op *func) {
  size_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, func) count++;
  fuser f = {.pc = pc, .ops = QN_NEW_ARRAY(pc->scratch, count + 1, qn_op *)};
  count = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    f.ops[count++] = op;
    qn_map_set(&f.numbers, op, (void *)count);
  }
  while (count-- > 0) {
    qn_op *op = f.ops[count], *from;
    while (op && can_take(op) && (from = find_producer(pc, op))) op = fuse(&f, op, from);
  }
  qn_map_deinit(&f.numbers);
}

static qn_status run(qn_pass_context *pc) {
  QN_FOR_EACH_OP(func, qn_op_body(pc->module->op))
  if (func->kind == QN_OP_FUNC) fuse_function(pc, func);
  return QN_OK;
}

const qn_pass qn_pass_fuse_elementwise = {
    .name = "fuse-elementwise",
    .summary = "fuse elementwise producers into the loops that read their result",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .run = run,
};
