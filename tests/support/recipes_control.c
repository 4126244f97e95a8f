/* Recipes of control flow (branches and loops with regions, blocks, calls, assertions) and of
 * shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "tests/support/recipes.h"

enum { MOST_VALUES = 2 };

/* State of the pool outside of a region or block: values that are defined inside are not visible
 * after it. */
typedef struct outside {
  qn_builder b;
  qn_value *pool[QN_RANDOM_MAX_VALUES];
  uint32_t pool_count;
} outside;

static void go_inside(qn_random_model *m, qn_block *block, outside *o) {
  o->b = m->b;
  o->pool_count = m->pool_count;
  memcpy(o->pool, m->pool, sizeof o->pool);
  m->depth++;
  m->b = qn_builder_at_end(m->module, block, o->b.loc);
}

static void come_back(qn_random_model *m, const outside *o) {
  const qn_loc *line = m->b.loc;
  m->depth--;
  memcpy(m->pool, o->pool, sizeof o->pool);
  m->pool_count = o->pool_count;
  m->b = o->b;
  m->b.loc = line;
}

/* Picks types of existing values, or types of which constants can be made. */
static uint32_t pick_types(qn_random_model *m, const qn_type **types) {
  uint32_t count = (uint32_t)qn_random_between(m, 1, MOST_VALUES);
  for (uint32_t i = 0; i < count; i++) {
    types[i] = qn_random_int_type(m);
    const qn_value *v = m->pool_count ? m->pool[qn_choose(&m->choices, m->pool_count)] : NULL;
    bool fits =
        v && !qn_type_quant(v->type) && (!qn_type_is_shaped(v->type) || v->type->shaped.ranked);
    if (fits) types[i] = v->type;
  }
  return count;
}

static void pick_values(qn_random_model *m, const qn_type *const *types, uint32_t count,
                        qn_value **out) {
  for (uint32_t i = 0; i < count; i++) out[i] = qn_pool_of_type(m, types[i]);
}

static void add_ops(qn_random_model *m) {
  for (int64_t i = qn_random_between(m, 0, 2); i > 0; i--) qn_random_module_op(m);
}

static void add_results(qn_random_model *m, qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++) qn_pool_add(m, &op->results[i]);
}

/* ---- regions ---- */

static void fill_region(qn_random_model *m, qn_op *op, uint32_t region, const qn_type *const *args,
                        uint32_t arg_count, const qn_type *const *types, uint32_t count) {
  outside o;
  qn_value *yields[MOST_VALUES];
  qn_block *block = qn_block_create(m->module);
  qn_block_append(block, &op->regions[region]);
  go_inside(m, block, &o);
  for (uint32_t i = 0; i < arg_count; i++)
    qn_pool_add(m, qn_block_add_arg(m->module, block, args[i], m->cx.diag.unknown));
  add_ops(m);
  pick_values(m, types, count, yields);
  qn_build_0(&m->b, QN_OP_SCF_YIELD, yields, count, NULL);
  come_back(m, &o);
}

bool qn_make_if(qn_random_model *m, qn_op_kind kind) {
  const qn_type *types[MOST_VALUES];
  if (m->depth) return false;
  uint32_t count = pick_types(m, types);
  qn_value *condition = qn_pool_of_type(m, qn_type_i(&m->cx, 1));
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = &condition,
                                            .operand_count = 1,
                                            .result_types = types,
                                            .result_count = count,
                                            .region_count = 2});
  for (uint32_t i = 0; i < 2; i++) fill_region(m, op, i, NULL, 0, types, count);
  add_results(m, op);
  return true;
}

/* A loop with at most three iterations. */
bool qn_make_for(qn_random_model *m, qn_op_kind kind) {
  const qn_type *types[1 + MOST_VALUES] = {qn_type_index(&m->cx)};
  qn_value *operands[3 + MOST_VALUES];
  if (m->depth) return false;
  uint32_t count = pick_types(m, types + 1);
  operands[0] = qn_random_index(m, qn_random_between(m, -2, 2));
  operands[1] = qn_random_index(m, qn_random_between(m, 0, 3));
  operands[2] = qn_random_index(m, qn_random_between(m, 1, 3));
  pick_values(m, types + 1, count, operands + 3);
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = operands,
                                            .operand_count = 3 + count,
                                            .result_types = types + 1,
                                            .result_count = count,
                                            .region_count = 1});
  fill_region(m, op, 0, types, 1 + count, types + 1, count);
  add_results(m, op);
  return true;
}

/* Opens a block of a loop and yields its values, for as many iterations as the counter, argument 0,
 * specifies. */
static qn_block *open_block(qn_random_model *m, qn_op *op, uint32_t region,
                            const qn_type *const *types, uint32_t count, outside *o) {
  qn_block *block = qn_block_create(m->module);
  qn_block_append(block, &op->regions[region]);
  go_inside(m, block, o);
  for (uint32_t i = 0; i < count; i++) {
    qn_value *arg = qn_block_add_arg(m->module, block, types[i], m->cx.diag.unknown);
    if (i > 0) qn_pool_add(m, arg);
  }
  return block;
}

bool qn_make_while(qn_random_model *m, qn_op_kind kind) {
  const qn_type *types[1 + MOST_VALUES] = {qn_type_index(&m->cx)};
  qn_value *values[2 + MOST_VALUES];
  outside o;
  if (m->depth) return false;
  uint32_t count = 1 + pick_types(m, types + 1);
  values[0] = qn_random_index(m, 0);
  pick_values(m, types + 1, count - 1, values + 1);
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = values,
                                            .operand_count = count,
                                            .result_types = types,
                                            .result_count = count,
                                            .region_count = 2});
  qn_block *block = open_block(m, op, 0, types, count, &o);
  qn_value *rounds = qn_random_index(m, qn_random_between(m, 0, 3));
  values[0] = qn_build_cmpi(&m->b, QN_CMP_SLT, block->args[0], rounds);
  values[1] = block->args[0];
  pick_values(m, types + 1, count - 1, values + 2);
  qn_build_0(&m->b, QN_OP_SCF_CONDITION, values, count + 1, NULL);
  come_back(m, &o);
  block = open_block(m, op, 1, types, count, &o);
  add_ops(m);
  pick_values(m, types + 1, count - 1, values + 1);
  values[0] = qn_build_binary(&m->b, QN_OP_ARITH_ADDI, block->args[0], qn_random_index(m, 1));
  qn_build_0(&m->b, QN_OP_SCF_YIELD, values, count, NULL);
  come_back(m, &o);
  add_results(m, op);
  return true;
}

/* ---- blocks ---- */

/* Adds a block after the current one. */
static qn_block *next_block(qn_random_model *m, const qn_type *const *types, uint32_t count) {
  qn_block *block = qn_block_create(m->module);
  qn_block_append(block, &m->func->regions[0]);
  for (uint32_t i = 0; i < count; i++)
    qn_block_add_arg(m->module, block, types[i], m->cx.diag.unknown);
  return block;
}

static void branch_to(qn_random_model *m, qn_block *to, const qn_type *const *types,
                      uint32_t count) {
  qn_value *values[MOST_VALUES];
  pick_values(m, types, count, values);
  qn_build(&m->b, (qn_op_state){.kind = QN_OP_CF_BR,
                                .operands = values,
                                .operand_count = count,
                                .successors = &to,
                                .successor_operand_counts = &count,
                                .successor_count = 1});
}

/* Continues in the new block. */
static void go_on(qn_random_model *m, qn_block *block) {
  const qn_loc *line = m->b.loc;
  m->b = qn_builder_at_end(m->module, block, line);
  for (uint32_t i = 0; i < block->arg_count; i++) qn_pool_add(m, block->args[i]);
}

bool qn_make_br(qn_random_model *m, qn_op_kind kind) {
  const qn_type *types[MOST_VALUES];
  (void)kind;
  if (m->depth) return false;
  uint32_t count = pick_types(m, types);
  qn_block *block = next_block(m, types, count);
  branch_to(m, block, types, count);
  go_on(m, block);
  return true;
}

/* Two branches that join again. */
bool qn_make_cond_br(qn_random_model *m, qn_op_kind kind) {
  const qn_type *types[MOST_VALUES];
  if (m->depth) return false;
  uint32_t count = pick_types(m, types), none[2] = {0, 0};
  qn_value *condition = qn_pool_of_type(m, qn_type_i(&m->cx, 1));
  qn_block *ways[2] = {next_block(m, NULL, 0), next_block(m, NULL, 0)};
  qn_block *meet = next_block(m, types, count);
  int64_t sizes[3] = {1, 0, 0};
  const qn_attr *segments =
      qn_attr_dense_array(&m->cx, qn_type_i(&m->cx, 32), sizes, NULL, QN_COUNT(sizes));
  const qn_named_attr attr = {qn_str_of("operandSegmentSizes"), segments};
  qn_build(&m->b, (qn_op_state){.kind = kind,
                                .operands = &condition,
                                .operand_count = 1,
                                .attrs = &attr,
                                .attr_count = 1,
                                .successors = ways,
                                .successor_operand_counts = none,
                                .successor_count = 2});
  for (uint32_t i = 0; i < 2; i++) {
    outside o;
    go_inside(m, ways[i], &o);
    add_ops(m);
    branch_to(m, meet, types, count);
    come_back(m, &o);
  }
  go_on(m, meet);
  return true;
}

/* An assertion that holds, so that the function continues. */
bool qn_make_assert(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *x = qn_pool_of_type(m, qn_random_int_type(m));
  const qn_attr *equal = qn_attr_i64(&m->cx, QN_CMP_EQ);
  qn_value *holds = qn_build_1(&m->b, QN_OP_ARITH_CMPI, qn_type_i(&m->cx, 1), QN_VALUES(x, x),
                               QN_ATTRS({"predicate", equal}));
  const qn_attr *text = qn_attr_string(&m->cx, qn_str_of("it is itself"));
  qn_build_0(&m->b, kind, &holds, 1, QN_ATTRS({"msg", text}));
  return true;
}

/* ---- calls ---- */

/* A private function on numbers, made for the call. */
bool qn_make_call(qn_random_model *m, qn_op_kind kind) {
  const qn_type *args[MOST_VALUES], *results[MOST_VALUES];
  qn_value *operands[MOST_VALUES], *values[MOST_VALUES];
  if (m->depth) return false;
  uint32_t arg_count = pick_types(m, args), count = pick_types(m, results);
  pick_values(m, args, arg_count, operands);
  char name[32];
  snprintf(name, sizeof name, "callee%u", m->callees++);
  qn_builder top = qn_builder_at_end(m->module, qn_op_body(m->module->op), m->b.loc);
  const qn_type *type = qn_type_function(&m->cx, args, arg_count, results, count);
  qn_op *func = qn_build_func(&top, qn_arena_str(&m->cx.arena, qn_str_of(name)), type, "private");
  outside o;
  go_inside(m, qn_op_body(func), &o);
  m->pool_count = 0;
  for (uint32_t i = 0; i < arg_count; i++) qn_pool_add(m, qn_op_body(func)->args[i]);
  add_ops(m);
  pick_values(m, results, count, values);
  qn_build_0(&m->b, QN_OP_FUNC_RETURN, values, count, NULL);
  come_back(m, &o);
  const qn_named_attr callee = {qn_str_of("callee"), qn_attr_symbol(&m->cx, qn_op_sym_name(func))};
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = operands,
                                            .operand_count = arg_count,
                                            .result_types = results,
                                            .result_count = count,
                                            .attrs = &callee,
                                            .attr_count = 1});
  add_results(m, op);
  return true;
}

/* ---- shapes ---- */

static bool is_tensor(const qn_type *type) { return type->kind == QN_TYPE_TENSOR; }

static const qn_type *shape_type(qn_random_model *m, int64_t rank) {
  return qn_type_tensor(&m->cx, qn_type_index(&m->cx), 1, &rank);
}

static qn_value *shape_of(qn_random_model *m) {
  const qn_type *fresh = qn_type_tensor(&m->cx, qn_random_int_type(m), m->rank, m->dims);
  qn_value *x = qn_pool_pick(m, is_tensor, fresh);
  int64_t rank = x->type->shaped.ranked ? x->type->shaped.rank : QN_DYNAMIC;
  if (qn_random_chance(m, 3)) rank = QN_DYNAMIC;
  return qn_build_1(&m->b, QN_OP_SHAPE_SHAPE_OF, shape_type(m, rank), QN_VALUES(x), NULL);
}

/* The operand is a new tensor, because the recipes of other ops give tensors a rank and this one
 * has none. */
bool qn_make_shape_of(qn_random_model *m, qn_op_kind kind) {
  (void)kind;
  if (m->depth) return false;
  (void)shape_of(m);
  return true;
}

bool qn_make_num_elements(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *shape = shape_of(m);
  qn_pool_add(m, qn_build_1(&m->b, kind, qn_type_index(&m->cx), QN_VALUES(shape), NULL));
  return true;
}

bool qn_make_split_at(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  int64_t at = qn_random_between(m, -(int64_t)m->rank, m->rank);
  qn_value *operands[] = {shape_of(m), qn_random_index(m, at)};
  const qn_type *unknown = shape_type(m, QN_DYNAMIC), *types[] = {unknown, unknown};
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = operands,
                                            .operand_count = 2,
                                            .result_types = types,
                                            .result_count = 2});
  for (uint32_t i = 0; i < 2; i++)
    qn_pool_add(m, qn_build_1(&m->b, QN_OP_SHAPE_NUM_ELEMENTS, qn_type_index(&m->cx),
                              QN_VALUES(&op->results[i]), NULL));
  return true;
}

bool qn_make_const_shape(qn_random_model *m, qn_op_kind kind) {
  int64_t sizes[4], count = qn_random_between(m, 1, 4);
  if (m->depth) return false;
  for (int64_t i = 0; i < count; i++) sizes[i] = qn_random_between(m, 0, 9);
  const qn_type *type = shape_type(m, count);
  const qn_attr *value = qn_attr_dense(
      &m->cx, type, (qn_bytes){(const uint8_t *)sizes, (size_t)count * sizeof *sizes}, false);
  qn_value *shape = qn_build_1(&m->b, kind, type, NULL, 0, QN_ATTRS({"shape", value}));
  qn_pool_add(m, qn_build_1(&m->b, QN_OP_SHAPE_NUM_ELEMENTS, qn_type_index(&m->cx),
                            QN_VALUES(shape), NULL));
  return true;
}
