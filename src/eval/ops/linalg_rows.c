/* Runs a linalg.generic many points at a time: the ops of its body, on vectors of the points along
 * one loop, or along several whose elements follow each other in all operands. An evaluator takes
 * as long to be called for one element as to compute a hundred.
 *
 * The loop (generic_points.h) is parallel, so that points along it don't read each other's results,
 * and an output's element is still reduced in the order of the other loops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/guard.h"
#include "eval/ops/generic_points.h"
#include "ir/builder.h"

/* An operand, and how its address changes along the loop. */
typedef struct port {
  int64_t stride; /* in bytes */
  uint32_t bytes; /* of an element */
  qn_rt_value
      *lanes; /* the vector of its elements at the points; NULL: the body does not read it */
} port;

/* A value that is equal at all points of a vector, or the index along the loop. */
typedef struct uniform {
  const qn_value *value; /* of a constant, or of linalg.index */
  const qn_value *copy;
} uniform;

typedef struct rows {
  qn_eval *ev;
  const qn_generic *g;
  qn_generic_points points; /* of a vector */
  int64_t position;         /* of the first point of the vector */
  qn_eval wide;             /* its values are vectors */
  qn_module *module;        /* of the copied body */
  qn_block *body;           /* without a terminator */
  qn_map copies;            /* value of the body -> value of the copy */
  port *ports;              /* [operand] */
  uniform *uniforms;
  uint32_t uniform_count;
  int64_t body_ops;
  uint8_t *accumulators; /* of a reduction in lanes: [lane][width], or [width] along the lanes */
  int64_t acc_bytes;     /* of one of its rows */
} rows;

/* ---- the body on vectors ---- */

static const qn_type *vector_of(const rows *r, const qn_type *scalar) {
  return qn_type_vector(r->ev->cx, scalar, 1, &r->points.width);
}

static qn_value *add_arg(rows *r, const qn_value *value) {
  qn_value *arg = qn_block_add_arg(r->module, r->body, vector_of(r, value->type), r->g->op->loc);
  qn_map_set(&r->copies, value, arg);
  return arg;
}

/* The copy of a value. Constants and indices have none before they are used. */
static qn_value *copy_of(rows *r, const qn_value *value) {
  qn_value *copy = qn_map_get(&r->copies, value);
  if (copy) return copy;
  QN_ASSERT(value->op && value->op->operand_count == 0);
  copy = add_arg(r, value);
  r->uniforms[r->uniform_count++] = (uniform){value, copy};
  return copy;
}

static void copy_op(rows *r, qn_builder *b, const qn_op *op) {
  qn_value *operands[QN_POINTS_MOST_OPERANDS];
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = copy_of(r, qn_op_operand(op, i));
  const qn_type *type = vector_of(r, op->results[0].type);
  b->loc = op->loc; /* of its errors */
  qn_op *copy = qn_build_copy(b, op, operands, &type);
  qn_map_set(&r->copies, &op->results[0], qn_op_result(copy, 0));
}

static void copy_body(rows *r) {
  const qn_op *generic = r->g->op;
  const qn_block *body = qn_op_body(generic);
  r->module = qn_module_create(r->ev->cx, generic->loc);
  qn_builder b = qn_builder_at_end(r->module, qn_op_body(r->module->op), generic->loc);
  const qn_type *type = qn_type_function(r->ev->cx, NULL, 0, NULL, 0);
  r->body = qn_op_body(qn_build_func(&b, qn_str_of("rows"), type, NULL));
  b = qn_builder_at_end(r->module, r->body, generic->loc);
  size_t most = (size_t)QN_POINTS_MOST_OPERANDS * QN_POINTS_MOST_BODY_OPS + generic->result_count;
  r->uniforms = QN_NEW_ARRAY(r->ev->arena, most, uniform);
  for (uint32_t i = 0; i < body->arg_count; i++) add_arg(r, body->args[i]);
  for (const qn_op *op = body->first; op; op = op->next, r->body_ops++)
    if (op->operand_count > 0 && op != body->last) copy_op(r, &b, op);
  for (uint32_t i = 0; i < generic->result_count; i++) copy_of(r, qn_op_operand(body->last, i));
}

static qn_rt_value *slot_of(rows *r, const qn_value *value) {
  return &r->wide.values[copy_of(r, value)->id];
}

/* Sets all elements to the scalar. */
static void fill(const rows *r, qn_rt_value *slot, const qn_rt_value *scalar) {
  uint8_t scratch[QN_SCALAR_BYTES];
  const uint8_t *bytes = qn_rt_bytes(scalar, scratch);
  uint32_t size = qn_type_bytes(scalar->type);
  qn_rt_fill(slot->data, r->points.width * size, bytes, size);
}

static qn_status fill_constants(rows *r) {
  for (uint32_t i = 0; i < r->uniform_count; i++) {
    const qn_value *value = r->uniforms[i].value;
    if (value->op->kind == QN_OP_LINALG_INDEX) continue;
    QN_TRY(qn_eval_table[value->op->kind](r->ev, value->op));
    fill(r, slot_of(r, value), &r->ev->values[value->id]);
  }
  return QN_OK;
}

static void give_storage(rows *r) {
  for (uint32_t i = 0; i < r->body->arg_count; i++) {
    qn_rt_value *slot = &r->wide.values[r->body->args[i]->id];
    slot->type = r->body->args[i]->type;
    slot->size = slot->capacity = qn_type_size(slot->type);
    slot->data = qn_arena_alloc(r->ev->arena, (size_t)slot->size);
  }
  for (const qn_op *op = r->body->first; op; op = op->next) qn_eval_result(&r->wide, op, 0);
}

/* Gives every value of the copy its vector. */
static qn_status open_values(rows *r) {
  static const qn_eval_options quiet = {0};
  const qn_op *generic = r->g->op;
  qn_eval *ev = r->ev;
  r->wide = *ev;
  r->wide.module = r->module;
  r->wide.values = QN_NEW_ARRAY(ev->arena, r->module->value_count + 1, qn_rt_value);
  r->wide.options = &quiet; /* ops are counted here */
  give_storage(r);
  r->ports = QN_NEW_ARRAY(ev->arena, generic->operand_count, port);
  for (uint32_t i = 0; i < generic->operand_count; i++) {
    const qn_value *arg = qn_op_body(generic)->args[i];
    const qn_rt_value *side = qn_generic_side(ev, r->g, i);
    port *p = &r->ports[i];
    p->bytes = qn_type_bytes(arg->type);
    if (!qn_type_is_shaped(side->type)) {
      fill(r, slot_of(r, arg), side);
      continue;
    }
    bool steady = qn_generic_stride(r->ev, r->g, i, r->points.along, &p->stride);
    QN_ASSERT(steady);
    p->stride *= p->bytes;
    bool read = qn_value_has_uses(arg) && !(r->g->lanes && i >= r->g->inputs);
    if (read) p->lanes = slot_of(r, arg);
  }
  return fill_constants(r);
}

/* ---- elements of the operands ---- */

#define MOVE(bits, to, to_step, from, from_step)                                                   \
  for (int64_t k = 0; k < count; k++) {                                                            \
    uint##bits##_t x;                                                                              \
    memcpy(&x, (from) + k * (from_step), sizeof x);                                                \
    memcpy((to) + k * (to_step), &x, sizeof x);                                                    \
  }                                                                                                \
  break

/* Copies elements between addresses with strides in bytes. */
static void move(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                 int64_t count, uint32_t bytes) {
  if (to_step == bytes && from_step == bytes) {
    memcpy(to, from, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 1:
    MOVE(8, to, to_step, from, from_step);
  case 2:
    MOVE(16, to, to_step, from, from_step);
  case 4:
    MOVE(32, to, to_step, from, from_step);
  default:
    MOVE(64, to, to_step, from, from_step);
  }
}
#undef MOVE

static void go_to(const rows *r, int64_t position) {
  for (uint32_t loop = r->points.along; loop > r->points.first; loop--) {
    r->g->point[loop] = position % r->g->ranges[loop];
    position /= r->g->ranges[loop];
  }
  r->g->point[r->points.first] = position;
}

/* The address of the operand's element at the first point of the vector; `count` are in range. */
static qn_status locate(const rows *r, uint32_t operand, int64_t count, uint8_t **out_at) {
  uint8_t *last;
  QN_TRY(qn_generic_locate(r->ev, r->g, operand, out_at));
  if (count == 1) return QN_OK;
  go_to(r, r->position + count - 1);
  qn_status status = qn_generic_locate(r->ev, r->g, operand, &last);
  go_to(r, r->position);
  return status;
}

/* Reads `count` elements; the others of the vector repeat the last, so that an op is undefined for
 * them only if it is for that one. */
static qn_status load(rows *r, uint32_t operand, int64_t count) {
  const port *p = &r->ports[operand];
  uint8_t *at;
  if (!p->lanes) return QN_OK;
  QN_TRY(locate(r, operand, count, &at));
  move(p->lanes->data, p->bytes, at, p->stride, count, p->bytes);
  uint8_t *end = p->lanes->data + count * p->bytes;
  move(end, p->bytes, end - p->bytes, 0, r->points.width - count, p->bytes);
  return QN_OK;
}

static qn_status store(rows *r, uint32_t result, int64_t count, const uint8_t *from) {
  const port *p = &r->ports[r->g->inputs + result];
  uint8_t *at;
  QN_TRY(locate(r, r->g->inputs + result, count, &at));
  move(at, p->stride, from, p->bytes, count, p->bytes);
  return QN_OK;
}

static void fill_indices(rows *r) {
  for (uint32_t i = 0; i < r->uniform_count; i++) {
    const qn_op *op = r->uniforms[i].value->op;
    if (op->kind != QN_OP_LINALG_INDEX) continue;
    uint32_t loop = (uint32_t)qn_op_dim(op);
    qn_rt_value *slot = slot_of(r, r->uniforms[i].value);
    for (int64_t k = 0; k < r->points.width; k++)
      qn_rt_set_int(slot, k, r->g->point[loop] + (loop == r->points.along ? k : 0));
  }
}

/* ---- lanes ---- */

static uint8_t *accumulator(const rows *r) {
  int64_t lane = r->points.lanes_along ? 0 : r->g->point[r->g->loops - 1] % QN_REDUCTION_LANES;
  return r->accumulators + lane * r->acc_bytes;
}

static void open_lanes(rows *r) {
  r->acc_bytes = r->points.width * r->ports[r->g->inputs].bytes;
  int64_t lanes = r->points.lanes_along ? 1 : QN_REDUCTION_LANES;
  r->accumulators = qn_arena_alloc(r->ev->arena, (size_t)(lanes * r->acc_bytes));
}

static void empty_lanes(rows *r) {
  qn_join join = qn_reduction_join(r->g->op);
  qn_neutral neutral = qn_join_neutral(&join);
  qn_rt_value empty = {.type = join.op->results[0].type, .f = neutral.f, .i = neutral.i};
  qn_rt_value row = {.data = r->accumulators};
  int64_t lanes = r->points.lanes_along ? 1 : QN_REDUCTION_LANES;
  for (int64_t k = 0; k < lanes; k++, row.data += r->acc_bytes) fill(r, &row, &empty);
}

/* acc = join(acc, value) for vectors, computed by the copy of the joining op. */
static qn_status join_into(rows *r, const qn_join *join, uint8_t *acc, uint8_t *value) {
  const qn_op *copy = copy_of(r, &join->op->results[0])->op;
  qn_rt_value *operands[2], saved[2];
  for (uint32_t i = 0; i < 2; i++) {
    operands[i] = qn_eval_operand(&r->wide, copy, i);
    saved[i] = *operands[i];
    operands[i]->data = i == join->value ? value : acc;
  }
  qn_status status = qn_eval_table[copy->kind](&r->wide, copy);
  if (status == QN_OK) memcpy(acc, r->wide.values[copy->results[0].id].data, (size_t)r->acc_bytes);
  for (uint32_t i = 0; i < 2; i++) *operands[i] = saved[i];
  return status;
}

/* As qn_generic_join_lanes, for the outputs of all points of the vector. */
static qn_status join_lanes(rows *r, int64_t count) {
  qn_join join = qn_reduction_join(r->g->op);
  if (r->points.lanes_along) {
    for (int64_t k = 0; k < QN_REDUCTION_LANES; k++) {
      r->g->lanes[k] = (qn_rt_value){.type = join.op->results[0].type};
      qn_rt_set_scalar(&r->g->lanes[k], r->accumulators + k * r->ports[r->g->inputs].bytes);
    }
    return qn_generic_join_lanes(r->ev, r->g);
  }
  for (int64_t half = QN_REDUCTION_LANES / 2; half > 0; half /= 2)
    for (int64_t k = 0; k < half; k++)
      QN_TRY(join_into(r, &join, r->accumulators + k * r->acc_bytes,
                       r->accumulators + (k + half) * r->acc_bytes));
  /* a lane that is free now holds the output's elements */
  const port *p = &r->ports[r->g->inputs];
  uint8_t *at, *outputs = r->accumulators + r->acc_bytes;
  QN_TRY(locate(r, r->g->inputs, count, &at));
  move(outputs, p->bytes, at, p->stride, count, p->bytes);
  move(outputs + count * p->bytes, p->bytes, outputs, 0, r->points.width - count, p->bytes);
  QN_TRY(join_into(r, &join, outputs, r->accumulators));
  return store(r, 0, count, outputs);
}

/* ---- points ---- */

/* Counts the ops of `count` points as those of a pointwise run. */
static qn_status count_steps(rows *r, int64_t count) {
  qn_eval *ev = r->ev;
  qn_guard_work(count * r->body_ops);
  ev->steps += count * r->body_ops;
  if (ev->options->max_steps == 0 || ev->steps <= ev->options->max_steps) return QN_OK;
  return qn_error(&ev->cx->diag, r->g->op->loc, QN_LIMIT,
                  "interpreter stopped after %lld operations", (long long)ev->options->max_steps);
}

/* Runs the body for the current point and the `count` - 1 that follow along the loop. */
static qn_status run_points(rows *r, int64_t count) {
  const qn_generic *g = r->g;
  const qn_op *last = qn_op_body(g->op)->last;
  QN_TRY(count_steps(r, count));
  for (uint32_t i = 0; i < g->op->operand_count; i++) QN_TRY(load(r, i, count));
  fill_indices(r);
  uint8_t *acc = NULL;
  if (g->lanes) {
    acc = accumulator(r);
    memcpy(slot_of(r, qn_op_body(g->op)->args[g->inputs])->data, acc, (size_t)r->acc_bytes);
  }
  qn_arena_mark mark = qn_arena_get_mark(r->ev->arena);
  QN_TRY(qn_eval_block(&r->wide, r->body));
  qn_arena_rewind(r->ev->arena, mark);
  if (acc) {
    const uint8_t *joined = slot_of(r, qn_op_operand(last, 0))->data;
    memcpy(acc, joined, (size_t)(count * r->ports[g->inputs].bytes));
    return QN_OK;
  }
  for (uint32_t i = 0; i < g->op->result_count; i++)
    QN_TRY(store(r, i, count, slot_of(r, qn_op_operand(last, i))->data));
  return QN_OK;
}

static int64_t points_from(const rows *r, int64_t first) {
  return r->points.range - first < r->points.width ? r->points.range - first : r->points.width;
}

/* All other loops inside of the one of the vectors. */
static qn_status run_outside(rows *r) {
  const qn_generic *g = r->g;
  for (int64_t first = 0; first < r->points.range; first += r->points.width) {
    int64_t count = points_from(r, first);
    r->position = first;
    go_to(r, first);
    do {
      if (g->lanes && qn_generic_stands_at(g, false)) empty_lanes(r);
      QN_TRY(run_points(r, count));
      if (g->lanes && qn_generic_stands_at(g, true)) QN_TRY(join_lanes(r, count));
    } while (qn_generic_advance(g, r->points.first, r->points.along));
  }
  go_to(r, 0);
  return QN_OK;
}

/* The loop of the vectors, whose elements are lanes, inside of all others. */
static qn_status run_inside(rows *r) {
  const qn_generic *g = r->g;
  do {
    if (qn_generic_stands_at(g, false)) empty_lanes(r);
    for (int64_t first = 0; first < r->points.range; first += r->points.width) {
      r->position = first;
      go_to(r, first);
      QN_TRY(run_points(r, points_from(r, first)));
    }
    go_to(r, r->points.range - 1);
    if (qn_generic_stands_at(g, true)) QN_TRY(join_lanes(r, 1));
    go_to(r, 0);
  } while (qn_generic_advance(g, r->points.first, r->points.along));
  return QN_OK;
}

static qn_status run(rows *r) {
  QN_TRY(open_values(r));
  if (r->g->lanes) open_lanes(r);
  return r->points.lanes_along ? run_inside(r) : run_outside(r);
}

qn_status qn_generic_run_rows(qn_eval *ev, qn_generic *g, bool *out_done) {
  rows r = {.ev = ev, .g = g};
  *out_done = !ev->options->pointwise && !ev->options->is_meant &&
              qn_generic_choose_points(ev, g, &r.points);
  if (!*out_done) return QN_OK;
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  copy_body(&r);
  qn_status status = run(&r);
  qn_map_deinit(&r.copies);
  qn_module_destroy(r.module);
  qn_arena_rewind(ev->arena, mark);
  return status;
}
