/* Lowers linalg.generic to a nest of loops over its iteration space around its body: the loops, and
 * the buffers of the kernel. The nests of a row group share their outermost loop.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/generic.h"

#include "base/checked.h"
#include "ir/ops/linalg.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "lower/loops/constants.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"
#include "lower/loops/elements/record.h"
#include "lower/loops/elements/row_groups.h"

static void build_loops(qn_generic_nest *n, uint32_t loop);

/* ---- one loop ---- */

/* State to restore after a loop. */
typedef struct outside {
  qn_value **at, *point;
} outside;

/* Sets the variable of a loop; operand positions that depend on it are advanced. */
static outside enter(qn_generic_nest *n, uint32_t loop, qn_value *variable) {
  outside o = {QN_NEW_ARRAY(n->t->lo->scratch, n->operands + 1, qn_value *),
               n->point[n->loops[loop].last]};
  n->point[n->loops[loop].last] = variable;
  for (uint32_t i = 0; i < n->operands; i++) {
    qn_generic_access *a = &n->access[i];
    o.at[i] = a->at;
    const bool has_table = a->tables && qn_generic_has_table(a, loop); /* none if it is not read */
    if (!a->linear || (a->steps[loop] == 0 && !has_table)) continue;
    qn_value *offset = has_table ? qn_index_load(&n->k->b, a->tables[loop], variable, 0)
                                 : qn_index_affine(&n->k->b, variable, a->steps[loop], 0);
    a->at = a->at ? qn_nest_add(&n->k->b, a->at, offset) : offset;
  }
  return o;
}

static void leave(qn_generic_nest *n, uint32_t loop, const outside *o) {
  n->point[n->loops[loop].last] = o->point;
  for (uint32_t i = 0; i < n->operands; i++) n->access[i].at = o->at[i];
}

static void inside(qn_generic_nest *n, uint32_t loop, qn_value *variable) {
  outside o = enter(n, loop, variable);
  build_loops(n, loop + 1);
  leave(n, loop, &o);
}

static bool is_units(const qn_generic_nest *n, uint32_t loop) {
  return loop == 0 && n->loops[0].own;
}

static qn_value *lower_of(qn_generic_nest *n, uint32_t loop) {
  return is_units(n, loop) ? n->k->lower : qn_build_index(&n->k->b, 0);
}

static qn_value *upper_of(qn_generic_nest *n, uint32_t loop) {
  return is_units(n, loop) ? n->k->upper : qn_build_index(&n->k->b, n->loops[loop].range);
}

static uint32_t output_count(const qn_generic_nest *n) { return n->operands - n->inputs; }

static void plain_loop(qn_generic_nest *n, uint32_t loop) {
  qn_builder *b = &n->k->b;
  uint32_t carried = loop >= n->first_carried ? output_count(n) : 0;
  qn_value *lower = lower_of(n, loop), *upper = upper_of(n, loop);
  qn_value *one = qn_build_index(b, 1);
  qn_op *made = qn_build_for(b, lower, upper, one, n->carry, carried);
  for (uint32_t i = 0; i < carried; i++) n->carry[i] = qn_op_body(made)->args[1 + i];
  inside(n, loop, qn_op_body(made)->args[0]);
  qn_build_yield(b, n->carry, carried);
  for (uint32_t i = 0; i < carried; i++) n->carry[i] = qn_op_result(made, i);
}

/* ---- vectors ---- */

typedef struct piece {
  qn_generic_nest *n;
  uint32_t loop;
} piece;

static void vector_piece(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const piece *p = user;
  (void)k;
  p->n->width = lanes;
  inside(p->n, p->loop, index);
  p->n->width = 1;
}

/* Whether elements may be computed twice, because no output is also read. */
static bool may_repeat(const qn_generic_nest *n) {
  if (!n->direct) return false;
  for (uint32_t r = 0; r < output_count(n); r++)
    for (uint32_t i = 0; i < n->operands; i++)
      if (n->access[i].buffer == n->results[r] &&
          (i < n->inputs || qn_generic_reads(n, i - n->inputs)))
        return false;
  return true;
}

static void vector_loop(qn_generic_nest *n, uint32_t loop) {
  piece p = {n, loop};
  int64_t range = n->loops[loop].range;
  if (is_units(n, loop))
    qn_nest_flat(n->k, range, n->lanes, vector_piece, &p);
  else
    qn_nest_run(n->k, range, n->lanes, may_repeat(n), vector_piece, &p);
}

/* ---- reductions in lanes ---- */

/* Reduces elements [at, at + count) of the last loop in lanes; only some of them count. */
static void reduce_piece(qn_generic_nest *n, uint32_t loop, qn_value *at, int64_t count,
                         const int64_t *placing) {
  n->width = count;
  n->placing = placing;
  inside(n, loop, at);
  n->placing = NULL;
  n->width = 1;
}

/* Reduces the remaining elements: with the last lanes of a vector that ends at the last element,
 * or, if there are too few elements, with vectors of powers of two. */
static void reduce_rest(qn_generic_nest *n, uint32_t loop, int64_t whole, int64_t rest) {
  enum { LANES = QN_REDUCTION_LANES };
  int64_t first = whole > 0 ? whole + rest - LANES : 0, count = LANES;
  for (int64_t done = 0; done<rest; done += whole> 0 ? rest : count) {
    while (whole == 0 && count > rest - done) count /= 2;
    int64_t placing[LANES];
    for (int64_t i = 0; i < LANES; i++) {
      int64_t from = whole > 0 ? i + LANES - rest : i - done;
      placing[i] = i < rest && from >= 0 && from < count ? from : -1;
    }
    reduce_piece(n, loop, qn_build_index(&n->k->b, first + done), count, placing);
  }
}

static void reduce_loop(qn_generic_nest *n, uint32_t loop) {
  qn_builder *b = &n->k->b;
  int64_t range = n->loops[loop].range, rest = range % QN_REDUCTION_LANES, whole = range - rest;
  if (whole == QN_REDUCTION_LANES) {
    reduce_piece(n, loop, qn_build_index(b, 0), whole, NULL);
  } else if (whole > 0) {
    qn_carry carry = qn_carry_begin(b, 0, whole, QN_REDUCTION_LANES, n->carry, 1);
    reduce_piece(n, loop, carry.index, QN_REDUCTION_LANES, NULL);
    qn_carry_end(b, &carry);
  }
  if (rest > 0) reduce_rest(n, loop, whole, rest);
}

static qn_value *empty_lanes(qn_generic_nest *n) {
  qn_builder *b = &n->k->b;
  qn_join join = qn_reduction_join(n->op);
  qn_neutral neutral = qn_join_neutral(&join);
  const qn_type *element = join.op->results[0].type;
  const qn_type *type = qn_type_vec(b->cx, element, QN_REDUCTION_LANES);
  return element->kind == QN_TYPE_FLOAT ? qn_build_float(b, neutral.f, type)
                                        : qn_build_int(b, neutral.i, type);
}

/* Combines acc and value in the operand order of the reduction op. */
static qn_value *join_two(qn_generic_nest *n, qn_value *acc, qn_value *value) {
  qn_join join = qn_reduction_join(n->op);
  bool second = join.value == 1;
  return qn_build_binary(&n->k->b, join.op->kind, second ? acc : value, second ? value : acc);
}

static void close_lanes(qn_generic_nest *n, qn_value *initial) {
  qn_builder *b = &n->k->b;
  qn_value *lanes = n->carry[0];
  for (int64_t half = QN_REDUCTION_LANES / 2; half > 0; half /= 2) {
    qn_value *low = qn_vec_slice(b, lanes, 0, half), *high = qn_vec_slice(b, lanes, half, half);
    lanes = join_two(n, low, high);
  }
  n->carry[0] = join_two(n, initial, qn_vec_extract(b, lanes, 0));
}

/* ---- the nest ---- */

/* Emits the loops from `loop` on with the outputs' elements in registers. */
static void carried_part(qn_generic_nest *n, uint32_t loop) {
  bool reduces = loop < n->loop_count;
  qn_value *initial = NULL;
  for (uint32_t i = 0; i < output_count(n); i++) {
    n->carry[i] = reduces || qn_generic_reads(n, i) ? qn_generic_initial(n, i) : NULL;
    initial = n->carry[i];
  }
  if (n->in_lanes) n->carry[0] = empty_lanes(n);
  if (!reduces) {
    qn_generic_body(n);
  } else if (n->in_lanes && loop + 1 == n->loop_count) {
    reduce_loop(n, loop);
  } else {
    plain_loop(n, loop);
  }
  if (n->in_lanes) close_lanes(n, initial);
  for (uint32_t i = 0; i < output_count(n); i++) qn_generic_store(n, i);
}

static void product_loops(qn_generic_nest *n, uint32_t rows) {
  qn_value *lower = lower_of(n, rows), *upper = upper_of(n, rows);
  qn_generic_products(n, lower, upper);
}

/* Emits loop `loop` and all loops inside of it. */
static void build_loops(qn_generic_nest *n, uint32_t loop) {
  qn_generic_load(n, loop);
  if (n->products && loop + 3 == n->loop_count)
    product_loops(n, loop);
  else if (loop == n->first_carried)
    carried_part(n, loop);
  else if (loop == n->loop_count)
    qn_generic_body(n);
  else if (loop == n->vector)
    vector_loop(n, loop);
  else if (n->in_lanes && loop + 1 == n->loop_count)
    reduce_loop(n, loop);
  else
    plain_loop(n, loop);
}

/* ---- the kernel ---- */

/* For a reduction, the number of points of the iteration space: its body counts as one
 * multiply-accumulate. */
static int64_t macs_of(const qn_generic_nest *n) {
  const qn_attr *types = qn_op_find(n->op, QN_A_ITERATOR_TYPES);
  int64_t points = 1;
  bool reduces = false;
  for (uint32_t i = 0; i < n->op_loops; i++)
    reduces |= qn_str_is(qn_iterator_kind(types->array.items[i]), "reduction");
  for (uint32_t i = 0; i < n->loop_count; i++)
    if (!qn_checked_mul(points, n->loops[i].range, &points)) return 0;
  return reduces ? points : 0;
}

static int64_t units_of(const qn_generic_nest *n) {
  if (n->loop_count == 0 || !n->loops[0].own) return 1;
  return n->vector == 0 ? qn_nest_units(n->k, n->loops[0].range) : n->loops[0].range;
}

/* The tables of an operand that is read through gathers, in the order of the loops. */
static void name_tables(qn_generic_nest *n, qn_generic_access *a, uint32_t *next) {
  a->tables = QN_NEW_ARRAY(n->t->lo->scratch, n->loop_count + 1, qn_value *);
  for (uint32_t i = 0; i < n->loop_count; i++)
    if (qn_generic_has_table(a, i)) a->tables[i] = n->k->args[(*next)++];
}

static void add_tables(const qn_generic_nest *n, const qn_generic_access *a, qn_value **buffers,
                       uint32_t *count) {
  qn_loops *lo = n->t->lo;
  for (uint32_t i = 0; i < n->loop_count; i++) {
    if (!qn_generic_has_table(a, i)) continue;
    const size_t bytes = (size_t)n->loops[i].range * sizeof **a->offsets;
    buffers[(*count)++] = qn_loops_constant(lo, qn_type_i(lo->cx, 32),
                                            (qn_bytes){(const uint8_t *)a->offsets[i], bytes});
  }
}

/* Names the nest's arguments of the kernel, from the first one on that is left: operands with a
 * buffer, tables, results, captured scalars. */
static void name_arguments(qn_generic_nest *n, uint32_t *next) {
  qn_builder *b = &n->k->b;
  for (uint32_t i = 0; i < n->operands; i++)
    if (n->access[i].buffer) n->access[i].buffer = n->k->args[(*next)++];
  for (uint32_t i = 0; i < n->inputs; i++)
    if (n->access[i].buffer && n->access[i].offsets) name_tables(n, &n->access[i], next);
  for (uint32_t i = 0; i < output_count(n); i++) n->results[i] = n->k->args[(*next)++];
  qn_value *zero = qn_build_index(b, 0);
  for (uint32_t i = 0; i < n->op_loops; i++) n->point[i] = zero;
  for (uint32_t i = 0; i < n->captured_count; i++)
    qn_map_set(&n->scalars, n->captured[i],
               qn_elements_load(b, n->captured[i]->type, n->k->args[(*next)++], zero));
}

/* Opens the nest in a kernel. */
static void open_nest(qn_generic_nest *n, qn_kernel *k, uint32_t *next_argument) {
  qn_arena *scratch = n->t->lo->scratch;
  n->k = k;
  n->width = 1;
  n->point = QN_NEW_ARRAY(scratch, n->op_loops + 1, qn_value *);
  n->carry = QN_NEW_ARRAY(scratch, n->operands + 1, qn_value *);
  name_arguments(n, next_argument);
}

/* Sets the buffer of a result. If each element is written exactly once, the initial value is read
 * from its own buffer; else it is copied to the result first. */
static qn_status place_output(qn_generic_nest *n, uint32_t output) {
  qn_elements *t = n->t;
  qn_generic_access *a = &n->access[n->inputs + output];
  const qn_value *operand = qn_op_operand(n->op, n->inputs + output);
  qn_place_of *place = qn_elements_place(t, &n->op->results[output]);
  QN_TRY(qn_elements_new_buffer(t, n->op, place));
  n->results[output] = place->buffer;
  if (qn_generic_overwrites(n, output) || (n->direct && a->splat)) return QN_OK;
  if (a->splat) {
    qn_elements_fill(t, n->op, place->type, a->splat, place->buffer);
    a->splat = NULL;
    a->buffer = place->buffer;
    return QN_OK;
  }
  a->buffer = qn_elements_buffer(t, operand);
  if (n->direct || a->buffer == place->buffer) return QN_OK;
  qn_elements_copy(t, n->op, place->type, a->buffer, place->buffer, NULL);
  a->buffer = place->buffer;
  return QN_OK;
}

static qn_value *input_buffer(const qn_generic_nest *n, uint32_t input) {
  const qn_value *operand = n->access[input].source;
  int64_t each = n->access[input].each;
  if (each == 0) return qn_elements_buffer(n->t, operand);
  qn_loops *lo = n->t->lo;
  const qn_type *element = qn_elements_memory_element(lo->cx, qn_type_element(operand->type));
  return qn_constants_repeated(lo, operand, element, each, 1);
}

/* Plans the nest, and appends the buffers that it needs. */
static qn_status prepare(qn_generic_nest *n, qn_value **buffers, uint32_t *count) {
  qn_elements *t = n->t;
  qn_generic_plan(n);
  uint32_t outputs = output_count(n);
  n->results = QN_NEW_ARRAY(t->lo->scratch, outputs + 1, qn_value *);
  for (uint32_t i = 0; i < n->inputs; i++)
    if (!n->access[i].splat && qn_value_has_uses(qn_op_body(n->op)->args[i]))
      n->access[i].buffer = input_buffer(n, i);
  for (uint32_t i = 0; i < outputs; i++) QN_TRY(place_output(n, i));
  for (uint32_t i = 0; i < n->operands; i++)
    if (n->access[i].buffer) buffers[(*count)++] = n->access[i].buffer;
  for (uint32_t i = 0; i < n->inputs; i++)
    if (n->access[i].buffer && n->access[i].offsets) add_tables(n, &n->access[i], buffers, count);
  for (uint32_t i = 0; i < outputs; i++) buffers[(*count)++] = n->results[i];
  for (uint32_t i = 0; i < n->captured_count; i++)
    buffers[(*count)++] = qn_elements_buffer(t, n->captured[i]);
  return QN_OK;
}

/* The most buffers that `prepare` appends. */
static uint32_t most_buffers(const qn_op *op) {
  uint32_t captured = 0;
  QN_FOR_EACH_OP(inner, qn_op_body(op)) captured += inner->operand_count;
  const uint32_t tables = op->operand_count * qn_generic_loops(op);
  return op->operand_count + tables + op->result_count + captured + 1;
}

static qn_status lower_generic(qn_elements *t, const qn_op *op) {
  qn_generic_nest n = {.t = t, .op = op};
  uint32_t count = 0, next = 0;
  qn_value **buffers = QN_NEW_ARRAY(t->lo->scratch, most_buffers(op), qn_value *);
  QN_TRY(prepare(&n, buffers, &count));
  qn_kernel k = qn_kernel_begin(t->lo, "generic", op, buffers, count);
  open_nest(&n, &k, &next);
  build_loops(&n, 0);
  qn_kernel_end(&k, units_of(&n), macs_of(&n));
  qn_map_deinit(&n.scalars);
  return QN_OK;
}

/* Rows that an op computes before the next op begins, so that the processor overlaps the reductions
 * of several rows: as many as fit in half of a small level-1 cache. */
static int64_t rows_at_once(const qn_kernel *k, int64_t rows) {
  enum { BYTES = 1 << 14 };
  int64_t bytes = 0;
  for (uint32_t i = 0; i < k->arg_count; i++) bytes += qn_type_size(k->buffers[i]->type);
  int64_t count = BYTES / (bytes / rows + 1);
  return count < 1 ? 1 : count < rows ? count : rows;
}

/* The nest's part of rows [lower, upper): its loops inside of the rows. */
static void build_rows(qn_generic_nest *n, qn_value *lower, qn_value *upper) {
  qn_builder *b = &n->k->b;
  outside o = enter(n, 0, qn_nest_begin(b, lower, upper, 1));
  qn_generic_load(n, 0);
  build_loops(n, 1);
  leave(n, 0, &o);
  qn_nest_end(b);
}

qn_status qn_generic_lower_rows(qn_elements *t, const qn_row_group *group) {
  qn_arena *scratch = t->lo->scratch;
  uint32_t most = 0, count = 0, next = 0;
  for (uint32_t i = 0; i < group->count; i++) most += most_buffers(group->ops[i]);
  qn_value **buffers = QN_NEW_ARRAY(scratch, most, qn_value *);
  qn_generic_nest *nests = QN_NEW_ARRAY(scratch, group->count, qn_generic_nest);
  for (uint32_t i = 0; i < group->count; i++) {
    nests[i] = (qn_generic_nest){.t = t, .op = group->ops[i], .rows = group->loops};
    QN_TRY(prepare(&nests[i], buffers, &count));
    QN_ASSERT(nests[i].loops[0].own && nests[i].loops[0].range == nests[0].loops[0].range);
  }
  qn_kernel k = qn_kernel_begin(t->lo, "rows", group->ops[0], buffers, count);
  k.of_rows = true;
  int64_t macs = 0, rows = nests[0].loops[0].range, step = rows_at_once(&k, rows);
  for (uint32_t i = 0; i < group->count; i++) {
    open_nest(&nests[i], &k, &next);
    macs += macs_of(&nests[i]);
  }
  qn_value *first = qn_nest_begin(&k.b, k.lower, k.upper, step);
  qn_value *end = qn_index_add(&k.b, first, step);
  end = qn_build_binary(&k.b, QN_OP_ARITH_MINSI, end, k.upper);
  for (uint32_t i = 0; i < group->count; i++) build_rows(&nests[i], first, end);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, rows, macs);
  for (uint32_t i = 0; i < group->count; i++) qn_map_deinit(&nests[i].scalars);
  return QN_OK;
}
const qn_element_record qn_element_record_linalg_generic = {
    .part = QN_ELEMENT_KERNEL, .build = lower_generic, .numbers = QN_ANY_NUMBERS};
