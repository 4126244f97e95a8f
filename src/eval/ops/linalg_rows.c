/* Runs a linalg.generic many points at a time: the ops of its body, on vectors of the points along
 * one loop, or along several whose elements follow each other in all operands. An evaluator takes
 * as long to be called for one element as to compute a hundred.
 *
 * The loop is parallel, so that points along it don't read each other's results, and an output's
 * element is still reduced in the order of the other loops. A reduction of everything in lanes has
 * no such loop: there the vector is the lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/guard.h"
#include "eval/ops/generic.h"
#include "ir/builder.h"

enum {
  MOST_POINTS = 256, /* of a vector: all values of a body should stay in L1 or L2 */
  LEAST_POINTS = 8,  /* of a vector */
  LEAST_SPACE = 256, /* points for which a copy of the body is worth its time */
  MOST_BODY_OPS = 256,
  MOST_OPERANDS = 3 /* of an op of arith or math */
};

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
  uint32_t first, along; /* the loops of the vectors: from `first` to `along`, the innermost */
  int64_t width, range;  /* points of a vector, of these loops */
  int64_t position;      /* of the first point of the vector */
  bool lanes_along;      /* the vector is the lanes of a reduction */
  qn_eval wide;          /* its values are vectors */
  qn_module *module;     /* of the copied body */
  qn_block *body;        /* without a terminator */
  qn_map copies;         /* value of the body -> value of the copy */
  port *ports;           /* [operand] */
  uniform *uniforms;
  uint32_t uniform_count;
  int64_t body_ops;
  uint8_t *accumulators; /* of a reduction in lanes: [lane][width], or [width] along the lanes */
  int64_t acc_bytes;     /* of one of its rows */
} rows;

/* ---- which loop ---- */

static bool is_scalar(const qn_type *type) {
  bool known =
      type->kind == QN_TYPE_INTEGER || type->kind == QN_TYPE_INDEX || type->kind == QN_TYPE_FLOAT;
  uint32_t bytes = known ? qn_type_bytes(type) : 0;
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Ops that have an evaluator of vectors, constants, and indices. */
static bool is_suitable(const qn_op *op) {
  if (qn_op_has(op, QN_TERMINATOR)) return true;
  bool vectors = qn_op_has(op, QN_ELEMENTWISE) && op->operand_count > 0 &&
                 op->operand_count <= MOST_OPERANDS &&
                 (qn_op_info_of(op)->traits & QN_ANY_STAGE) == QN_ANY_STAGE;
  bool known = vectors || qn_op_has(op, QN_CONSTANT) || op->kind == QN_OP_LINALG_INDEX;
  return known && op->region_count == 0 && op->result_count == 1 && is_scalar(op->results[0].type);
}

static bool body_is_suitable(const qn_op *generic) {
  const qn_block *body = qn_op_body(generic);
  uint32_t count = 0;
  for (uint32_t i = 0; i < body->arg_count; i++)
    if (!is_scalar(body->args[i]->type)) return false;
  for (const qn_op *op = body->first; op; op = op->next)
    if (!is_suitable(op) || ++count > MOST_BODY_OPS) return false;
  return qn_generic_is_closed(generic);
}

/* By how much the expression grows with each step of a loop; false if that is not constant. */
static bool slope(const qn_affine_expr *e, uint32_t loop, int64_t *out) {
  int64_t a, b;
  *out = 0;
  switch (e->kind) {
  case QN_AFFINE_DIM:
    *out = e->value == (int64_t)loop;
    return true;
  case QN_AFFINE_CONST:
  case QN_AFFINE_SYMBOL:
    return true;
  default:
    if (!slope(e->lhs, loop, &a) || !slope(e->rhs, loop, &b)) return false;
  }
  if (a == 0 && b == 0) return true;
  bool scaled = e->kind == QN_AFFINE_MUL && e->rhs->kind == QN_AFFINE_CONST && b == 0;
  if (e->kind != QN_AFFINE_ADD && !scaled) return false;
  *out = scaled ? a * e->rhs->value : a + b;
  return true;
}

/* The distance between the operand's elements of two neighboring points, in elements. */
static bool stride_of(const rows *r, uint32_t operand, uint32_t loop, int64_t *out) {
  const qn_affine_map *map = qn_generic_map(r->g->op, operand);
  const qn_type *type = qn_generic_side(r->ev, r->g, operand)->type;
  int64_t size = 1, step;
  *out = 0;
  for (uint32_t d = map->result_count; d-- > 0; size *= type->shaped.dims[d]) {
    if (!slope(map->results[d], loop, &step) || step > INT32_MAX || step < -INT32_MAX) return false;
    *out += step * size;
  }
  return true;
}

/* Whether the points along the loop have outputs of their own, and all operands a stride. */
static bool can_run_along(const rows *r, uint32_t loop) {
  int64_t stride;
  for (uint32_t i = 0; i < r->g->op->operand_count; i++) {
    if (!stride_of(r, i, loop, &stride)) return false;
    if (i >= r->g->inputs && stride == 0) return false;
  }
  return true;
}

static bool is_parallel(const qn_op *generic, uint32_t loop) {
  const qn_attr *types = qn_op_find(generic, QN_A_ITERATOR_TYPES);
  return qn_str_is(qn_iterator_kind(types->array.items[loop]), "parallel");
}

/* Whether the elements of the operand follow each other across the last loops from `first` on, each
 * of which is an index of its own or none. */
static bool is_contiguous(const rows *r, uint32_t operand, uint32_t first) {
  const qn_generic *g = r->g;
  const qn_affine_map *map = qn_generic_map(g->op, operand);
  int64_t stride, inner = 0;
  for (uint32_t loop = g->loops; loop-- > first; inner = stride) {
    for (uint32_t d = 0; d < map->result_count; d++)
      if (map->results[d]->kind != QN_AFFINE_DIM &&
          (!slope(map->results[d], loop, &stride) || stride))
        return false;
    if (!stride_of(r, operand, loop, &stride)) return false;
    if (loop + 1 < g->loops && stride != inner * g->ranges[loop + 1]) return false;
  }
  return true;
}

/* Takes as many of the last loops as are parallel and contiguous, if that is more points. */
static void choose_suffix(rows *r) {
  const qn_generic *g = r->g;
  int64_t points = 1;
  for (uint32_t first = g->loops; first-- > 0;) {
    bool joins = is_parallel(g->op, first) && can_run_along(r, first) &&
                 !qn_generic_is_indexed(g->op, first);
    for (uint32_t i = 0; joins && i < g->op->operand_count; i++) joins = is_contiguous(r, i, first);
    if (!joins) return;
    points *= g->ranges[first];
    if (points <= r->range) continue;
    r->first = first, r->along = g->loops - 1;
    r->range = points;
  }
}

/* The parallel loop with the largest range; the last of equal ones, which is the most contiguous.
 */
static bool choose_loop(rows *r) {
  const qn_generic *g = r->g;
  for (uint32_t loop = 0; loop < g->loops; loop++)
    if (is_parallel(g->op, loop) && g->ranges[loop] >= r->range && can_run_along(r, loop)) {
      r->first = r->along = loop;
      r->range = g->ranges[loop];
    }
  choose_suffix(r);
  if (r->range >= LEAST_POINTS) {
    r->width = r->range < MOST_POINTS ? r->range : MOST_POINTS;
    return true;
  }
  r->first = r->along = g->loops - 1;
  r->range = g->ranges[r->along];
  r->width = QN_REDUCTION_LANES;
  r->lanes_along = true;
  int64_t stride;
  for (uint32_t i = 0; i < g->inputs; i++)
    if (!stride_of(r, i, r->along, &stride)) return false;
  return g->lanes && r->range >= LEAST_POINTS;
}

static bool is_worthwhile(const qn_generic *g) {
  int64_t space = 1;
  for (uint32_t loop = 0; loop < g->loops && space < LEAST_SPACE; loop++) space *= g->ranges[loop];
  return space >= LEAST_SPACE;
}

/* ---- the body on vectors ---- */

static const qn_type *vector_of(const rows *r, const qn_type *scalar) {
  return qn_type_vector(r->ev->cx, scalar, 1, &r->width);
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
  qn_value *operands[MOST_OPERANDS];
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
  size_t most = (size_t)MOST_OPERANDS * MOST_BODY_OPS + generic->result_count;
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
  qn_rt_fill(slot->data, r->width * size, bytes, size);
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
    bool steady = stride_of(r, i, r->along, &p->stride);
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
  for (uint32_t loop = r->along; loop > r->first; loop--) {
    r->g->point[loop] = position % r->g->ranges[loop];
    position /= r->g->ranges[loop];
  }
  r->g->point[r->first] = position;
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
  move(end, p->bytes, end - p->bytes, 0, r->width - count, p->bytes);
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
    for (int64_t k = 0; k < r->width; k++)
      qn_rt_set_int(slot, k, r->g->point[loop] + (loop == r->along ? k : 0));
  }
}

/* ---- lanes ---- */

static uint8_t *accumulator(const rows *r) {
  int64_t lane = r->lanes_along ? 0 : r->g->point[r->g->loops - 1] % QN_REDUCTION_LANES;
  return r->accumulators + lane * r->acc_bytes;
}

static void open_lanes(rows *r) {
  r->acc_bytes = r->width * r->ports[r->g->inputs].bytes;
  int64_t lanes = r->lanes_along ? 1 : QN_REDUCTION_LANES;
  r->accumulators = qn_arena_alloc(r->ev->arena, (size_t)(lanes * r->acc_bytes));
}

static void empty_lanes(rows *r) {
  qn_join join = qn_reduction_join(r->g->op);
  qn_neutral neutral = qn_join_neutral(&join);
  qn_rt_value empty = {.type = join.op->results[0].type, .f = neutral.f, .i = neutral.i};
  qn_rt_value row = {.data = r->accumulators};
  int64_t lanes = r->lanes_along ? 1 : QN_REDUCTION_LANES;
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
  if (r->lanes_along) {
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
  move(outputs + count * p->bytes, p->bytes, outputs, 0, r->width - count, p->bytes);
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
  return r->range - first < r->width ? r->range - first : r->width;
}

/* All other loops inside of the one of the vectors. */
static qn_status run_outside(rows *r) {
  const qn_generic *g = r->g;
  for (int64_t first = 0; first < r->range; first += r->width) {
    int64_t count = points_from(r, first);
    r->position = first;
    go_to(r, first);
    do {
      if (g->lanes && qn_generic_stands_at(g, false)) empty_lanes(r);
      QN_TRY(run_points(r, count));
      if (g->lanes && qn_generic_stands_at(g, true)) QN_TRY(join_lanes(r, count));
    } while (qn_generic_advance(g, r->first, r->along));
  }
  go_to(r, 0);
  return QN_OK;
}

/* The loop of the vectors, whose elements are lanes, inside of all others. */
static qn_status run_inside(rows *r) {
  const qn_generic *g = r->g;
  do {
    if (qn_generic_stands_at(g, false)) empty_lanes(r);
    for (int64_t first = 0; first < r->range; first += r->width) {
      r->position = first;
      go_to(r, first);
      QN_TRY(run_points(r, points_from(r, first)));
    }
    go_to(r, r->range - 1);
    if (qn_generic_stands_at(g, true)) QN_TRY(join_lanes(r, 1));
    go_to(r, 0);
  } while (qn_generic_advance(g, r->first, r->along));
  return QN_OK;
}

static qn_status run(rows *r) {
  QN_TRY(open_values(r));
  if (r->g->lanes) open_lanes(r);
  return r->lanes_along ? run_inside(r) : run_outside(r);
}

qn_status qn_generic_run_rows(qn_eval *ev, qn_generic *g, bool *out_done) {
  rows r = {.ev = ev, .g = g, .along = g->loops};
  *out_done = !ev->options->pointwise && !ev->options->is_meant && g->loops > 0 &&
              is_worthwhile(g) && body_is_suitable(g->op) && choose_loop(&r);
  if (!*out_done) return QN_OK;
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  copy_body(&r);
  qn_status status = run(&r);
  qn_map_deinit(&r.copies);
  qn_module_destroy(r.module);
  qn_arena_rewind(ev->arena, mark);
  return status;
}
