/* Elementwise ops: add, sub and mul with broadcasting.
 * If all operands have the result's shape, the elements are one flat range.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/constants.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/binary.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

/* ---- broadcasting ---- */

/* Consecutive dimensions along which the same operands vary, merged. */
typedef struct broadcast_dim {
  int64_t extent;
  bool varies[2];
} broadcast_dim;

typedef struct broadcast {
  broadcast_dim *dims;
  uint32_t rank; /* at least 1 */
} broadcast;

/* Size of dimension i, counted in the result's rank. */
static int64_t aligned_dim(const qn_type *operand, const qn_type *result, uint32_t i) {
  uint32_t missing = result->shaped.rank - operand->shaped.rank;
  return i < missing ? 1 : operand->shaped.dims[i - missing];
}

static broadcast broadcast_of(qn_loops *lo, const qn_op *op) {
  const qn_type *out = op->results[0].type;
  broadcast bc = {.dims = QN_NEW_ARRAY(lo->scratch, out->shaped.rank + 1, broadcast_dim)};
  for (uint32_t i = 0; i < out->shaped.rank; i++) {
    int64_t extent = out->shaped.dims[i];
    bool a = aligned_dim(qn_op_operand(op, 0)->type, out, i) == extent;
    bool b = aligned_dim(qn_op_operand(op, 1)->type, out, i) == extent;
    broadcast_dim *last = bc.rank > 0 ? &bc.dims[bc.rank - 1] : NULL;
    if (extent == 1) continue;
    if (last && last->varies[0] == a && last->varies[1] == b)
      last->extent *= extent;
    else
      bc.dims[bc.rank++] = (broadcast_dim){extent, {a, b}};
  }
  if (bc.rank == 0) bc.dims[bc.rank++] = (broadcast_dim){1, {true, true}};
  return bc;
}

/* Stride, in elements, of dimension `dim` in operand `side`. */
static int64_t broadcast_step(const broadcast *bc, uint32_t dim, int side) {
  int64_t step = bc->dims[dim].varies[side] ? 1 : 0;
  for (uint32_t i = dim + 1; i < bc->rank; i++)
    if (bc->dims[i].varies[side]) step *= bc->dims[i].extent;
  return step;
}

/* ---- add, sub, mul ---- */

typedef struct binary_run {
  const qn_binary *binary;
  const broadcast_dim *inner;
  qn_value *bases[2]; /* first element of the run in each operand */
  qn_value *out_base;
  uint32_t post_ops; /* first argument of the post-ops, after the table if there is one */
} binary_run;

/* Kernel arguments: the operands, the result, the table of a sum if any, then the buffers of the
 * post-ops. */
enum { ARG_X, ARG_OTHER, ARG_Y, ARG_SUM_TABLE, ARG_POST_OPS = ARG_SUM_TABLE };
enum { MAX_ARGS = ARG_SUM_TABLE + 1 + QN_FUSION_BUFFERS };

static qn_value *load_operand(qn_kernel *k, const binary_run *run, int side, qn_value *index,
                              int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *buffer = k->args[ARG_X + side];
  if (run->inner->varies[side])
    return qn_vec_load(b, buffer, qn_nest_add(b, run->bases[side], index), 0, lanes);
  qn_value *scalar = qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_element(buffer->type),
                                QN_VALUES(buffer, run->bases[side]), NULL);
  return qn_vec_broadcast(b, scalar, lanes);
}

static void binary_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const binary_run *run = user;
  qn_builder *b = &k->b;
  qn_value *x = load_operand(k, run, 0, index, lanes), *y = load_operand(k, run, 1, index, lanes);
  qn_value *at = qn_nest_add(b, run->out_base, index);
  qn_value *table = run->post_ops > ARG_SUM_TABLE ? k->args[ARG_SUM_TABLE] : NULL;
  qn_value *result = qn_binary_emit(b, run->binary, table, x, y);
  result = qn_fusion_emit(k, k->op, run->post_ops, result, at);
  qn_vec_store(b, result, k->args[ARG_Y], at, 0);
}

static int64_t lanes_of(const qn_kernel *k) {
  return k->lo->target->vector_bytes / qn_type_bytes(qn_type_element(k->op->results[0].type));
}

/* Work item u is a row: an index of all dimensions except the innermost. */
static void binary_rows(qn_kernel *k, const qn_binary *binary, const broadcast *bc,
                        uint32_t post_ops) {
  qn_builder *b = &k->b;
  const broadcast_dim *inner = &bc->dims[bc->rank - 1];
  qn_value *unit = qn_nest_begin(b, k->lower, k->upper, 1), *rest = unit;
  qn_value *zero = qn_build_index(b, 0);
  binary_run run = {
      binary, inner, {zero, zero}, qn_index_affine(b, unit, inner->extent, 0), post_ops};
  for (uint32_t dim = bc->rank - 1; dim-- > 0;) {
    qn_value *extent = qn_build_index(b, bc->dims[dim].extent);
    qn_value *i = dim == 0 ? rest : qn_build_binary(b, QN_OP_ARITH_REMUI, rest, extent);
    if (dim > 0) rest = qn_build_binary(b, QN_OP_ARITH_DIVUI, rest, extent);
    for (int side = 0; side < 2; side++) {
      if (!bc->dims[dim].varies[side]) continue;
      qn_value *offset = qn_index_affine(b, i, broadcast_step(bc, dim, side), 0);
      run.bases[side] = qn_nest_add(b, run.bases[side], offset);
    }
  }
  bool in_place = k->args[ARG_Y] == k->args[ARG_X] || k->args[ARG_Y] == k->args[ARG_OTHER];
  bool once = in_place || qn_fusion_is_consumed(k->lo, k->op);
  qn_nest_run(k, inner->extent, lanes_of(k), !once, binary_vector, &run);
  qn_nest_end(b);
}

/* The operand that is the same for all rows, if there is only a dimension of rows. */
static uint32_t repeated_side(const broadcast *bc) { return bc->dims[0].varies[0] ? 1 : 0; }

/* Number of rows that are merged. More than one if a row is shorter than a vector and the operand
 * shared by all rows is constant, which is then repeated; preferably as many as fill whole vectors.
 */
static int64_t rows_at_once(const qn_loops *lo, const qn_op *op, const broadcast *bc) {
  enum { MOST_VECTORS = 16 };
  const qn_value *result = &op->results[0];
  int64_t lanes = lo->target->vector_bytes / qn_type_bytes(qn_type_element(result->type)), best = 1;
  if (bc->rank != 2 || !bc->dims[1].varies[0] || !bc->dims[1].varies[1]) return best;
  if (!qn_value_constant(qn_op_operand(op, repeated_side(bc)))) return best;
  int64_t rows = bc->dims[0].extent, row = bc->dims[1].extent;
  int32_t size = qn_loops_size(lo, result);
  if (size != QN_SIZE_FIXED)
    rows /= qn_loops_bound(lo, size); /* a merged row must not span two batch elements */
  for (int64_t n = 1; row < lanes && n * row <= MOST_VECTORS * lanes; n++) {
    if (rows % n != 0) continue;
    best = n;
    if (n * row % lanes == 0) break;
  }
  return best;
}

static qn_value *repeated(qn_loops *lo, const qn_value *operand, int64_t times) {
  const qn_type *element = qn_elements_memory_element(lo->cx, qn_type_element(operand->type));
  return qn_constants_repeated(lo, operand, element, 1, times);
}

/* Appends the buffers of the result and of the post-ops. */
static uint32_t add_results(qn_loops *lo, const qn_op *op, uint32_t post_ops,
                            qn_value *out_buffers[MAX_ARGS]) {
  out_buffers[ARG_Y] = qn_loops_buffer(lo, qn_fusion_result(lo, op));
  return post_ops + qn_fusion_buffers(lo, op, out_buffers + post_ops);
}

static qn_status lower_binary(qn_loops *lo, const qn_op *op, const char *stem) {
  qn_binary binary = qn_binary_of(lo, op);
  broadcast bc = broadcast_of(lo, op);
  qn_value *buffers[MAX_ARGS];
  int64_t rows = rows_at_once(lo, op, &bc);
  for (uint32_t side = 0; side < 2; side++) {
    const qn_value *operand = qn_op_operand(op, side);
    bool repeats = rows > 1 && side == repeated_side(&bc);
    buffers[ARG_X + side] = repeats ? repeated(lo, operand, rows) : qn_loops_buffer(lo, operand);
  }
  qn_value *table = qn_binary_table(lo, &binary);
  uint32_t post_ops = table ? ARG_SUM_TABLE + 1 : ARG_SUM_TABLE;
  if (table) buffers[ARG_SUM_TABLE] = table;
  uint32_t count = add_results(lo, op, post_ops, buffers);
  if (rows > 1) bc.dims[0].extent /= rows, bc.dims[1].extent *= rows;
  qn_kernel k = qn_kernel_begin(lo, stem, op, buffers, count);
  int64_t units = qn_type_elements(op->results[0].type) / bc.dims[bc.rank - 1].extent;
  if (bc.rank == 1) {
    qn_value *zero = qn_build_index(&k.b, 0);
    binary_run run = {&binary, &bc.dims[0], {zero, zero}, zero, post_ops};
    qn_nest_flat(&k, bc.dims[0].extent, lanes_of(&k), binary_vector, &run);
    units = qn_nest_units(&k, bc.dims[0].extent);
  } else {
    binary_rows(&k, &binary, &bc, post_ops);
  }
  qn_kernel_end(&k, units, 0);
  return QN_OK;
}

static qn_status lower_add(qn_loops *lo, qn_op *op) { return lower_binary(lo, op, "add"); }
const qn_schedule qn_schedule_ml_integer_add = {.lower = lower_add,
                                                .read = qn_plan_read_sum,
                                                .sharing = QN_SHARES_LAST_USE,
                                                .post_op = QN_POST_OP_BINARY,
                                                .leads = true};

static qn_status lower_sub(qn_loops *lo, qn_op *op) { return lower_binary(lo, op, "sub"); }
const qn_schedule qn_schedule_ml_integer_sub = {.lower = lower_sub,
                                                .read = qn_plan_read_sum,
                                                .sharing = QN_SHARES_LAST_USE,
                                                .post_op = QN_POST_OP_BINARY,
                                                .leads = true};

static qn_status lower_mul(qn_loops *lo, qn_op *op) { return lower_binary(lo, op, "mul"); }
const qn_schedule qn_schedule_ml_integer_mul = {
    .lower = lower_mul, .read = qn_plan_read_product, .sharing = QN_SHARES_LAST_USE, .leads = true};
