/* Loop helpers. Remainders are split into vectors of powers of two: each is a few plain
 * instructions on every target, whereas a vector of 13 lanes would be legal but split lane by lane.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/nest.h"

#include "lower/loops/vec.h"

qn_value *qn_nest_begin(qn_builder *b, qn_value *lower, qn_value *upper, int64_t step) {
  QN_ASSERT(step > 0);
  const qn_op *loop = qn_build_for(b, lower, upper, qn_build_index(b, step), NULL, 0);
  return qn_op_body(loop)->args[0];
}

qn_value *qn_nest_count(qn_builder *b, int64_t count, int64_t step) {
  qn_value *lower = qn_build_index(b, 0), *upper = qn_build_index(b, count);
  return qn_nest_begin(b, lower, upper, step);
}

qn_carry qn_carry_begin(qn_builder *b, int64_t from, int64_t to, int64_t step, qn_value **values,
                        uint32_t count) {
  QN_ASSERT(from <= to && step > 0);
  qn_value *lower = qn_build_index(b, from), *upper = qn_build_index(b, to);
  qn_op *loop = qn_build_for(b, lower, upper, qn_build_index(b, step), values, count);
  qn_value *const *args = qn_op_body(loop)->args;
  for (uint32_t i = 0; i < count; i++) values[i] = args[1 + i];
  return (qn_carry){loop, args[0], values, count};
}

void qn_carry_end(qn_builder *b, const qn_carry *carry) {
  qn_build_yield(b, carry->values, carry->count);
  for (uint32_t i = 0; i < carry->count; i++) carry->values[i] = qn_op_result(carry->loop, i);
}

void qn_nest_end(qn_builder *b) { qn_build_yield(b, NULL, 0); }

/* Whether the value is the index constant 0, which is common in short runs. */
static bool is_zero(const qn_value *v) {
  const qn_attr *value = qn_value_constant(v);
  return value && value->kind == QN_ATTR_INTEGER && value->integer == 0;
}

qn_value *qn_nest_add(qn_builder *b, qn_value *x, qn_value *y) {
  if (is_zero(x)) return y;
  if (is_zero(y)) return x;
  return qn_build_binary(b, QN_OP_ARITH_ADDI, x, y);
}

qn_value *qn_nest_min(qn_builder *b, qn_value *x, int64_t bound) {
  return qn_build_binary(b, QN_OP_ARITH_MINSI, x, qn_build_index(b, bound));
}

qn_value *qn_nest_max(qn_builder *b, qn_value *x, int64_t bound) {
  return qn_build_binary(b, QN_OP_ARITH_MAXSI, x, qn_build_index(b, bound));
}

qn_value *qn_nest_begin_items(qn_kernel *k, int64_t from, int64_t to) {
  qn_value *lower = qn_nest_max(&k->b, k->lower, from);
  return qn_nest_begin(&k->b, lower, qn_nest_min(&k->b, k->upper, to), 1);
}

/* Emits elements [first, first + count), count < 2 * lanes, in vectors of powers of two. */
static void build_pieces(qn_kernel *k, int64_t first, int64_t count, int64_t lanes,
                         qn_nest_body *body, void *user) {
  for (int64_t piece = lanes; piece > 0; piece /= 2) {
    if (count < piece) continue;
    body(k, user, qn_build_index(&k->b, first), piece);
    first += piece;
    count -= piece;
  }
}

/* Emits a run that is shorter than a vector as two overlapping vectors. */
static void build_short_overlap(qn_kernel *k, int64_t count, int64_t lanes, qn_nest_body *body,
                                void *user) {
  int64_t piece = lanes;
  while (piece > count) piece /= 2;
  body(k, user, qn_build_index(&k->b, 0), piece);
  if (piece < count) body(k, user, qn_build_index(&k->b, count - piece), piece);
}

void qn_nest_run(qn_kernel *k, int64_t count, int64_t lanes, bool overlap, qn_nest_body *body,
                 void *user) {
  QN_ASSERT(lanes > 0);
  if (count <= 0) return;
  int64_t whole = count / lanes * lanes;
  if (overlap && whole == 0) {
    build_short_overlap(k, count, lanes, body, user);
    return;
  }
  if (whole == lanes) {
    body(k, user, qn_build_index(&k->b, 0), lanes);
  } else if (whole > 0) {
    qn_value *i = qn_nest_count(&k->b, whole, lanes);
    body(k, user, i, lanes);
    qn_nest_end(&k->b);
  }
  if (overlap && whole < count) body(k, user, qn_build_index(&k->b, count - lanes), lanes);
  if (!overlap) build_pieces(k, whole, count - whole, lanes, body, user);
}

/* ---- one flat range ---- */

typedef struct entry_body {
  qn_nest_body *body;
  void *user;
  qn_value *first; /* first element of the batch element */
} entry_body;

static void in_entry(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const entry_body *e = user;
  e->body(k, e->user, qn_nest_add(&k->b, e->first, index), lanes);
}

/* Work item u is batch element u of the outermost dimension. */
static void nest_entries(qn_kernel *k, int64_t count, int64_t lanes, qn_nest_body *body,
                         void *user) {
  int64_t each = count / qn_loops_bound(k->lo, k->size);
  qn_value *unit = qn_nest_begin(&k->b, k->lower, k->upper, 1);
  entry_body e = {body, user, qn_index_affine(&k->b, unit, each, 0)};
  qn_nest_run(k, each, lanes, false, in_entry, &e);
  qn_nest_end(&k->b);
}

static void nest_units(qn_kernel *k, int64_t count, int64_t lanes, qn_nest_body *body, void *user) {
  qn_builder *b = &k->b;
  int64_t whole = count / lanes * lanes;
  if (whole > 0) {
    qn_value *first = qn_index_affine(b, k->lower, QN_NEST_UNIT, 0);
    qn_value *end = qn_nest_min(b, qn_index_affine(b, k->upper, QN_NEST_UNIT, 0), whole);
    qn_value *i = qn_nest_begin(b, first, end, lanes);
    body(k, user, i, lanes);
    qn_nest_end(b);
  }
  if (whole == count) return;
  /* At most one iteration: for the call that has the last work item. */
  qn_nest_begin(b, qn_nest_max(b, k->lower, qn_nest_units(k, count) - 1), k->upper, 1);
  build_pieces(k, whole, count - whole, lanes, body, user);
  qn_nest_end(b);
}

void qn_nest_flat(qn_kernel *k, int64_t count, int64_t lanes, qn_nest_body *body, void *user) {
  QN_ASSERT(count >= 0 && lanes > 0);
  if (k->size == QN_SIZE_FIXED)
    nest_units(k, count, lanes, body, user);
  else
    nest_entries(k, count, lanes, body, user);
}
