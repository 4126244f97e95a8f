/* Lowers linalg.generic to a nest of loops over its iteration space around its body: the loops, and
 * the buffers of the kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/generic.h"

#include "base/checked.h"
#include "ir/ops/linalg.h"
#include "ir/reduction.h"
#include "lower/loops/constants.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"
#include "lower/loops/elements/record.h"

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
    if (!a->linear || a->steps[loop] == 0) continue;
    qn_value *offset = qn_index_affine(&n->k->b, variable, a->steps[loop], 0);
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
    qn_op *made = qn_nest_carry(b, 0, whole, QN_REDUCTION_LANES, n->carry, 1);
    n->carry[0] = qn_op_body(made)->args[1];
    reduce_piece(n, loop, qn_op_body(made)->args[0], QN_REDUCTION_LANES, NULL);
    qn_build_yield(b, n->carry, 1);
    n->carry[0] = qn_op_result(made, 0);
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

/* Lists the kernel's arguments: operands with a buffer, results, captured scalars. */
static void name_arguments(qn_generic_nest *n) {
  uint32_t next = 0;
  qn_builder *b = &n->k->b;
  for (uint32_t i = 0; i < n->operands; i++)
    if (n->access[i].buffer) n->access[i].buffer = n->k->args[next++];
  for (uint32_t i = 0; i < output_count(n); i++) n->results[i] = n->k->args[next++];
  qn_value *zero = qn_build_index(b, 0);
  for (uint32_t i = 0; i < n->op_loops; i++) n->point[i] = zero;
  for (uint32_t i = 0; i < n->captured_count; i++)
    qn_map_set(&n->scalars, n->captured[i],
               qn_elements_load(b, n->captured[i]->type, n->k->args[next++], zero));
}

static void build_kernel(qn_generic_nest *n, qn_value *const *buffers, uint32_t count) {
  qn_arena *scratch = n->t->lo->scratch;
  qn_kernel k = qn_kernel_begin(n->t->lo, "generic", n->op, buffers, count);
  n->k = &k;
  n->width = 1;
  n->point = QN_NEW_ARRAY(scratch, n->op_loops + 1, qn_value *);
  n->carry = QN_NEW_ARRAY(scratch, n->operands + 1, qn_value *);
  name_arguments(n);
  build_loops(n, 0);
  qn_kernel_end(&k, units_of(n), macs_of(n));
}

/* Whether the output's initial value does not matter: every element is written, and none is read
 * before. */
static bool overwrites(const qn_generic_nest *n, uint32_t output) {
  return n->direct && n->first_carried == n->loop_count && !qn_generic_reads(n, output);
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
  if (overwrites(n, output) || (n->direct && a->splat)) return QN_OK;
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
  const qn_value *operand = qn_op_operand(n->op, input);
  int64_t each = n->access[input].each;
  if (each == 0) return qn_elements_buffer(n->t, operand);
  qn_loops *lo = n->t->lo;
  const qn_type *element = qn_elements_memory_element(lo->cx, qn_type_element(operand->type));
  return qn_constants_repeated(lo, operand, element, each, 1);
}

static qn_status lower_generic(qn_elements *t, const qn_op *op) {
  qn_generic_nest n = {.t = t, .op = op};
  qn_generic_plan(&n);
  uint32_t count = 0, outputs = output_count(&n);
  n.results = QN_NEW_ARRAY(t->lo->scratch, outputs + 1, qn_value *);
  qn_value **buffers =
      QN_NEW_ARRAY(t->lo->scratch, n.operands + outputs + n.captured_count + 1, qn_value *);
  for (uint32_t i = 0; i < n.inputs; i++)
    if (!n.access[i].splat && qn_value_has_uses(qn_op_body(op)->args[i]))
      n.access[i].buffer = input_buffer(&n, i);
  for (uint32_t i = 0; i < outputs; i++) QN_TRY(place_output(&n, i));
  for (uint32_t i = 0; i < n.operands; i++)
    if (n.access[i].buffer) buffers[count++] = n.access[i].buffer;
  for (uint32_t i = 0; i < outputs; i++) buffers[count++] = n.results[i];
  for (uint32_t i = 0; i < n.captured_count; i++)
    buffers[count++] = qn_elements_buffer(t, n.captured[i]);
  build_kernel(&n, buffers, count);
  qn_map_deinit(&n.scalars);
  return QN_OK;
}
const qn_element_record qn_element_record_linalg_generic = {
    .part = QN_ELEMENT_KERNEL, .build = lower_generic, .numbers = QN_ANY_NUMBERS};
